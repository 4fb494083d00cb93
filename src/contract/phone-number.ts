import { routablePattern } from './structures.ts';

const routable = new RegExp(routablePattern);
const dialledOf = (typed: string): string =>
  /^\+?[\d\s().-]+$/.test(typed) ? typed.replaceAll(/[\s().-]/g, '') : typed;

/**
 * A number as it is kept: ten digits, eleven with a leading 1, and what follows 011 or 00 become E.164;
 * extensions stay as typed (Conventions, Phone numbers).
 */
export function normalisedNumber(typed: string): string {
  const dialled = dialledOf(typed);
  if (/^1?\d{10}$/.test(dialled)) return `+1${dialled.slice(-10)}`;
  const [, abroad] = /^(?:011|00)(\d{7,})$/.exec(dialled) ?? [];
  if (abroad) return `+${abroad}`;
  return /^\+\d{7,}$/.test(dialled) ? dialled : typed;
}

/** Whether text is a number of the public network rather than an extension (Conventions, Phone numbers). */
export const isRoutable = (typed: string): boolean => routable.test(dialledOf(typed));
