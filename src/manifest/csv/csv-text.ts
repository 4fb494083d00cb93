import { toCell } from '../../base/formula-text.ts';

/** Lines of CSV, cells quoted where needed and wherever a `+` begins one. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => quoted(toCell(cell))).join(',')}\n`).join('');

const quoted = (cell: string): string =>
  /[",;\t\r\n]|^[+\s]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
