import type { Source } from '../../input/document.ts';
import type { CsvRow } from './parse-csv.ts';

/**
 * A source whose offsets count cells, row by row, so that a place is a line and a column's name:
 * `people.csv:3 (E-mail)`.
 */
export function csvSource(name: string, head: readonly string[], rows: readonly CsvRow[]): Source {
  const width = head.length + 1;
  const cell = (at: number) => ({ row: rows[Math.floor(at / width)], column: at % width });
  return {
    name,
    typed: false,
    position(at) {
      const { row, column } = cell(at);
      return row && { line: row.line, column: Math.max(column, 1) };
    },
    place(at) {
      const { row, column } = cell(at);
      const title = head[column - 1];
      return `${name}:${row?.line ?? 1}${title === undefined ? '' : ` (${title})`}`;
    },
  };
}

/** The offset of a cell of a row (both from 0), or of the row itself. */
export const cellAt = (head: readonly string[], row: number, column?: number): number =>
  row * (head.length + 1) + (column === undefined ? 0 : column + 1);
