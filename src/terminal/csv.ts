import { toCell } from '../base/formula-text.ts';
import type { Json } from '../base/json.ts';
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

/** One line of CSV, quoted where needed and wherever a `+` begins a cell, so that it is kept as text (RFC 4180). */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
