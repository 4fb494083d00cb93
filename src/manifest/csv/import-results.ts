import { fromCell, toCell } from '../../base/formula-text.ts';
import { parseCsv } from './parse-csv.ts';

/** Lines of CSV, cells quoted where needed and wherever a `+` begins one. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => quoted(toCell(cell))).join(',')}\n`).join('');

const quoted = (cell: string): string =>
  /[",;\t\r\n]|^[+\s]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const statuses = ['created', 'updated', 'exists', 'failed', 'unknown', 'skipped'] as const;

/**
 * Status of a row: `exists` was there and was left as it is, `skipped` was not begun; `unknown` got no proper reply.
 */
export type RowStatus = (typeof statuses)[number];

/** A line of a results file. */
export interface RowResult {
  /** Line of the row in the imported file. */
  readonly row: number;
  readonly username: string;
  readonly status: RowStatus;
  /** Id of the user; empty where there is none. */
  readonly id: string;
  readonly error: string;
}

const titles = ['row', 'username', 'status', 'id', 'error'] as const;

/** The first line of every results file. */
export const resultsHead: string = csvText([titles]);

/** Lines of a results file. */
export const resultsText = (results: readonly RowResult[]): string =>
  csvText(results.map(({ row, username, status, id, error }) => [String(row), username, status, id, error]));

/** Reads a results file; `undefined` for text that is none. A last line that was not written whole is left out. */
export function readResults(text: string): readonly RowResult[] | undefined {
  if (!text.startsWith(resultsHead)) return undefined;
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return parseCsv(whole, ',').rows.flatMap(({ cells }) => {
    const [row = '', username = '', word = '', id = '', error = ''] = cells.map(fromCell);
    const status = statuses.find((each) => each === word);
    return status ? [{ row: Number(row), username, status, id, error }] : [];
  });
}

/** Tells whether a row of that status needs nothing more. */
export const isSettled = (status: RowStatus): boolean =>
  status === 'created' || status === 'updated' || status === 'exists';
