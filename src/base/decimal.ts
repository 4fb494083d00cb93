/** A decimal number without rounding, for amounts of money: `units` × 10^-`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const zeroDecimal: Decimal = { units: 0n, scale: 0 };

const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Returns `undefined` for text that is not a number in JSON format. */
export function parseDecimal(text: string): Decimal | undefined {
  const [matched, sign, whole = '', fraction = '', exponent = '0'] = form.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const scale = fraction.length - Number(exponent);
  const units = BigInt(`${sign}${whole}${fraction}`);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

const unitsAtScale = ({ units, scale }: Decimal, wanted: number): bigint =>
  units * 10n ** BigInt(wanted - scale);

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { units: unitsAtScale(left, scale) + unitsAtScale(right, scale), scale };
}

export const subtractDecimals = (left: Decimal, right: Decimal): Decimal =>
  addDecimals(left, { ...right, units: -right.units });

export const multiplyDecimals = (left: Decimal, right: Decimal): Decimal => ({
  units: left.units * right.units,
  scale: left.scale + right.scale,
});

export function compareDecimals(left: Decimal, right: Decimal): number {
  const { units } = subtractDecimals(left, right);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

/** Formats a decimal with at least two digits after the point. */
export function formatDecimal({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits
    .slice(digits.length - scale)
    .replace(/0+$/, '')
    .padEnd(2, '0');
  return `${sign}${whole}.${fraction}`;
}
