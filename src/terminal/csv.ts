import { stringify } from 'csv-stringify/sync';
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

/** One line of CSV, quoted where needed and wherever a `+` begins a cell, so that it is kept as text. */
export function csvLine(cells: readonly string[]): string {
  return stringify([[...cells]], { quoted_match: /^\+|[\r\n]/ });
}
