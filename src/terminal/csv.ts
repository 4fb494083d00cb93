import { stringify } from 'csv-stringify/sync';
import type { Json } from '../contract/json.ts';
import { plainText } from './cells.ts';

/** What a spreadsheet would take for a formula; plain numbers and phone numbers are not. */
const isFormula = (text: string): boolean =>
  /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text);

/** A cell's text. What would be a formula gets an apostrophe before it; booleans are as in JSON. */
export function csvCell(value: Json | undefined): string {
  if (typeof value === 'boolean') return String(value);
  const text = plainText(value);
  return isFormula(text) ? `'${text}` : text;
}

/** One line of CSV, quoted where needed and wherever a `+` begins a cell, so that it is kept as text. */
export function csvLine(cells: readonly string[]): string {
  return stringify([[...cells]], { quoted_match: /^\+/ });
}
