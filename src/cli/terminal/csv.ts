import { toCell } from '../../base/formula-text.ts';
import type { Json } from '../../base/json.ts';
import { plainText } from './cells.ts';

/** Text that can stand between commas and be told apart again. */
const isSimple = (item: Json): boolean =>
  typeof item === 'string' && item !== '' && item.trim() === item && !/[,[\r\n]/.test(item);

/**
 * A cell's text, from which `users import` reads the same value. What would be a formula gets an apostrophe before
 * it; booleans are as in JSON, and so are lists whose items hold commas.
 */
export function csvCell(value: Json | undefined): string {
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && !value.every(isSimple)) return toCell(JSON.stringify(value));
  return toCell(plainText(value));
}

const needsQuotes = /^\+|[",\r\n]/;

/** Text that stands in a line of CSV as it is: printable ASCII with nothing to quote, protect or make harmless. */
const isEasy = /^(?![=+@'-])[ !#-+\--~]*$/;

/** Tells whether a value stands in a line of CSV as it is, as most do in long lists. */
export const isEasyCell = (value: Json | undefined): value is string =>
  typeof value === 'string' && isEasy.test(value);

/** A cell, quoted where needed and wherever a `+` begins it, so that it is kept as text (RFC 4180). */
export const quotedCell = (cell: string): string =>
  needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const csvLine = (cells: readonly string[]): string => `${cells.map(quotedCell).join(',')}\n`;
