import { unknownValue } from '../base/formula-text.ts';
import { type JsonObject, valueAt } from '../base/json.ts';
import { neutralise, neutralisePipedLine } from '../base/neutralise.ts';
import type { ListResult, ReportResult } from '../command/result.ts';
import type { Column } from '../contract/types.ts';
import { cellText, columnsOf, guessedColumns } from './cells.ts';
import { renderList } from './render-list.ts';
import { renderValue } from './render-value.ts';
import { reportText } from './report-lines.ts';
import type { View } from './view.ts';

/** Shows records that are all here as a table or as CSV. Without known columns, they are taken from the records. */
export async function renderRows(
  records: readonly JsonObject[],
  known: readonly Column[] | undefined,
  view: View,
  isOpen?: ListResult['isOpen'],
): Promise<void> {
  const columns = view.fields ? columnsOf(view.fields) : (known ?? guessedColumns(records));
  if (view.format === 'csv') {
    const { head, row } = await csvRows(columns, view, isOpen);
    await view.out.write(head);
    for (const record of records) await view.out.write(row(record));
    return;
  }
  if (records.length === 0) return;
  const { tableText } = await import('./table.ts');
  const filled = columns.filter(
    (column) => !column.sparse || records.some((record) => cellText(record, column, true) !== ''),
  );
  const rows = records.map((record) =>
    filled.map((column) => cellText(record, column, !view.out.terminal, isOpen)),
  );
  const whole = new Set(
    filled.flatMap(({ show }, index) => (show === 'id' || show === 'sentence' ? [index] : [])),
  );
  const numeric = new Set(filled.flatMap((column, index) => (isNumeric(records, column) ? [index] : [])));
  const headers = filled.map(({ header }) => header);
  const prose = filled.at(-1)?.show === 'sentence';
  return view.out.write(
    await tableText(headers, rows, { columns: view.out.columns, style: view.style, whole, numeric, prose }),
  );
}

/** Tells whether a column holds numbers only: digits that are text (a telephone number) are none. */
function isNumeric(records: readonly JsonObject[], { paths: [path, ...more], show }: Column): boolean {
  if (show === 'count') return true;
  if (show === 'time' || path === undefined || more.length > 0) return false;
  const values = records.map((record) => valueAt(record, path));
  return (
    values.some((value) => typeof value === 'number') &&
    values.every((value) => typeof value === 'number' || value === undefined || value === null)
  );
}

/** CSV of these columns: its first line, and the line of a record. A column of several fields becomes several. */
export async function csvRows(
  columns: readonly Column[],
  view: View,
  isOpen?: ListResult['isOpen'],
): Promise<{ readonly head: string; readonly row: (record: JsonObject) => string }> {
  const { csvCell, csvLine } = await import('./csv.ts');
  const paths = [...new Set(columns.flatMap((column) => column.paths))];
  const safe = view.out.terminal ? neutralise : neutralisePipedLine;
  return {
    head: csvLine(paths.map(safe)),
    row: (record) =>
      csvLine(
        paths.map((path) => (isOpen?.(record, path) ? unknownValue : safe(csvCell(valueAt(record, path))))),
      ),
  };
}

/** Shows a report: lines for people, rows for NDJSON and CSV, one document for JSON and YAML. */
export async function renderReport(result: ReportResult, view: View): Promise<void> {
  if (view.query !== undefined) return renderValue(result.value, undefined, view);
  switch (view.format) {
    case 'json':
    case 'yaml':
      return renderValue(result.value, undefined, view);
    case 'ndjson':
    case 'csv':
      return renderList({ kind: 'list', items: result.rows, columns: result.columns }, view);
    case 'name':
      return view.out.write(result.names.map((name) => `${neutralise(name)}\n`).join(''));
    case 'table':
      return view.out.write(await reportText(result.lines, { columns: view.out.columns, style: view.style }));
  }
}
