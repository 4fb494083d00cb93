import { isObject, type Json, type JsonObject } from '../../contract/json.ts';
import { compare, type Decimal, decimal, format, minus, plus, times, zero } from './decimal.ts';

/** One charged item of a 402 (Errors, rule 1), as far as it is understood. */
export interface Charge {
  readonly item: string;
  readonly category: string;
  readonly quantity: string;
  readonly rate: string;
  /** All discounts of the line; `undefined` where they are not understood. */
  readonly discount: Decimal | undefined;
  /** `undefined` where a field is missing, foreign or no number. */
  readonly total: Decimal | undefined;
  /** Fields that the specification does not know, as text. */
  readonly strange: readonly string[];
}

/** The charges that a change adds. */
export interface Charges {
  readonly lines: readonly Charge[];
  /** `undefined`: unknown, since something in the charges is not understood. */
  readonly estimate: Decimal | undefined;
}

const known = new Set([
  'category',
  'item',
  'quantity',
  'rate',
  'single_discount',
  'single_discount_rate',
  'cumulative_discount',
  'cumulative_discount_rate',
]);

/** A number that is not negative, exactly as the service wrote it. */
function amount(value: Json | undefined): Decimal | undefined {
  const read = typeof value === 'number' ? decimal(String(value)) : undefined;
  return read && read.units >= 0n ? read : undefined;
}

const whole = (value: Json | undefined): Decimal | undefined =>
  Number.isSafeInteger(value) ? amount(value) : undefined;

/**
 * Reads the `data` of a 402. Line total: quantity × rate, less the single discount where there is one, less the
 * discount on each of so many. What is not understood makes the estimate unknown, never a guess.
 */
export function readCharges(data: unknown): Charges {
  const items = isObject(data) && isObject(data.limits) ? Object.entries(data.limits) : [];
  const others = isObject(data) ? Object.keys(data).filter((key) => key !== 'limits') : [];
  const lines = items.map(([key, value]) => readCharge(key, isObject(value) ? value : {}));
  const totals = lines.map(({ total }) => total);
  const understood = items.length > 0 && others.length === 0 && totals.every((total) => total !== undefined);
  return { lines, estimate: understood ? totals.reduce(plus, zero) : undefined };
}

function readCharge(key: string, charge: JsonObject): Charge {
  const quantity = whole(charge.quantity);
  const rate = amount(charge.rate);
  const strange = Object.entries(charge)
    .filter(([field]) => !known.has(field))
    .map(([field, value]) => `${field}=${JSON.stringify(value)}`);
  const discount = discountOf(charge);
  const total = quantity && rate && discount ? minus(times(quantity, rate), discount) : undefined;
  const plausible = total && compare(total, zero) >= 0 && strange.length === 0;
  return {
    item: typeof charge.item === 'string' ? charge.item : key,
    category: shown(charge.category),
    quantity: shown(charge.quantity),
    rate: rate ? format(rate) : shown(charge.rate),
    discount,
    total: plausible ? total : undefined,
    strange,
  };
}

function discountOf(charge: JsonObject): Decimal | undefined {
  const { single_discount: hasSingle } = charge;
  const single = amount(charge.single_discount_rate);
  const units = whole(charge.cumulative_discount);
  const each = amount(charge.cumulative_discount_rate);
  if (typeof hasSingle !== 'boolean' || !single || !units || !each) return undefined;
  return plus(hasSingle ? single : zero, times(units, each));
}

const shown = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? 'unknown' : JSON.stringify(value);

const orUnknown = (value: Decimal | undefined): string => (value ? format(value) : 'unknown');

/** `1000.00`, or `unknown`. */
export const estimateText = ({ estimate }: Charges): string => orUnknown(estimate);

/** Whether every item is understood and the total is at most `budget`. */
export const within = ({ estimate }: Charges, budget: Decimal): boolean =>
  estimate !== undefined && compare(estimate, budget) <= 0;

/** `8 twoway_trunks, 2 inbound_trunks`. */
export const itemsText = ({ lines }: Charges): string =>
  lines.length === 0
    ? 'items that the service does not name'
    : lines.map(({ quantity, item }) => `${quantity} ${item}`).join(', ');

const head = ['ITEM', 'CATEGORY', 'QUANTITY', 'RATE', 'DISCOUNT', 'LINE TOTAL'];
const shortHead = ['ITEM', 'CATEGORY', 'QTY', 'RATE', 'DISC', 'TOTAL'];

/**
 * The charges as lines of text: a table, its total, and what the figures are. Nothing of it is ever cut; where the
 * terminal is narrower than the table, its headings are.
 */
export function chargesTable(charges: Charges, columns?: number): readonly string[] {
  const lines = tableOf(charges, head);
  const isWide = columns !== undefined && lines.some(({ length }) => length > columns);
  const strange = charges.lines.flatMap(({ item, strange: fields }) =>
    fields.length > 0 ? [`${item} has fields that telctl does not know: ${fields.join(', ')}`] : [],
  );
  return [...(isWide ? tableOf(charges, shortHead) : lines), ...(strange.length > 0 ? ['', ...strange] : [])];
}

function tableOf(charges: Charges, heading: readonly string[]): readonly string[] {
  const rows = charges.lines.map(({ item, category, quantity, rate, discount, total }) => [
    ...[item, category, quantity, rate],
    ...[orUnknown(discount), orUnknown(total)],
  ]);
  const foot = ['', '', '', '', 'Estimate', orUnknown(charges.estimate)];
  const all = [heading, ...rows, foot];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < 2 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ');
  return all.map((row) => `  ${line(row)}`);
}
