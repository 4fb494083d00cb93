import { isObject, type Json } from '../../base/json.ts';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const cellOf = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.map((item: Json) => cellOf(item)).join(' ') : String(value);
};

/** The scalars and lists of a record by the path to them, joined by underscores. */
const cellsOf = (value: Json, path = ''): readonly (readonly [string, string])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) =>
        cellsOf(inner ?? null, path === '' ? key : `${path}_${key}`),
      )
    : [[path === 'id' ? 'ID' : path, cellOf(value)]];

/** A list as CSV, as compatible services write it (recorded): every value quoted, rows that end in LF. */
export function csvOf(items: readonly Json[]): string {
  const rows = items.map((item) => new Map(cellsOf(item)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}
