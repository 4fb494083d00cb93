import { unknownValue } from '../../base/formula-text.ts';
import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { neutralise, neutralisePipedLine } from '../../base/neutralise.ts';
import { formAt } from '../../contract/schema-node.ts';
import type { Column } from '../../contract/types.ts';
import type { ListResult, ReportResult } from '../command/result.ts';
import { cellText, columnsOf, guessedColumns } from './cells.ts';
import { renderList } from './render-list.ts';
import { type Looks, renderValue } from './render-value.ts';
import { reportText } from './report-lines.ts';
import type { View } from './view.ts';

/** Shows records that are all here as a table or as CSV. Without known columns, they are taken from the records. */
export async function renderRows(
  records: readonly JsonObject[],
  known: readonly Column[] | undefined,
  view: View,
  looks: Pick<Looks, 'schema'> = {},
  isOpen?: ListResult['isOpen'],
): Promise<void> {
  const columns = view.fields ? columnsOf(view.fields) : (known ?? guessedColumns(records));
  if (view.format === 'csv') {
    const { head, row } = await csvRows(columns, view, isOpen);
    await view.out.write(head);
    for (const record of records) await view.out.write(row(record));
    return;
  }
  if (records.length > 0)
    await view.out.write(
      (await startRows(records, formed(columns, looks), { view, isOpen, named: true })).text,
    );
}

/** Facts about records that are shown while they come. */
interface StreamFacts {
  readonly isOpen: ListResult['isOpen'];
  readonly looks: Pick<Looks, 'schema'>;
  /** They have another name than their id. */
  readonly named: boolean;
}

/** Columns with the forms of their fields. */
export const formed = (columns: readonly Column[], looks: Pick<Looks, 'schema'>): readonly Column[] =>
  columns.map((column) => {
    const [path, ...more] = column.paths;
    const form =
      path === undefined || more.length > 0 || column.show ? undefined : formAt(looks.schema, path);
    return form ? { ...column, form } : column;
  });

/**
 * Shows records as a table while they come: the first ones decide which columns there are and how wide, each further
 * one is a line at once.
 */
export async function streamRows(
  records: AsyncIterable<JsonObject>,
  known: readonly Column[] | undefined,
  view: View,
  { isOpen, looks, named }: StreamFacts,
): Promise<void> {
  const columns = view.fields ? columnsOf(view.fields) : known;
  const isProse = columns?.some(({ show }) => show === 'sentence');
  const first: JsonObject[] = [];
  let table: Rows | undefined;
  const start = async (): Promise<void> => {
    if (first.length === 0) return;
    const known = formed(columns ?? guessedColumns(first), looks);
    table = await startRows(first, known, { view, isOpen, named });
    await view.out.write(table.text);
  };
  const late = new Set<string>();
  for await (const record of records) {
    if (table) {
      await view.out.write(await table.more(record));
      for (const column of table.leftOut) if (cellText(record, column, true) !== '') late.add(column.header);
    } else if (first.push(record) >= firstRows && !isProse) await start();
  }
  if (!table) await start();
  if (late.size > 0)
    view.say(
      `Later rows have ${[...late].join(', ')}, too, which the first ${firstRows} have not: --fields shows them.`,
    );
}

/** As many records as a page of most services has decide how wide columns are. */
const firstRows = 50;

/** A table of the first records. */
interface Rows {
  readonly text: string;
  /** The line of a further record. */
  readonly more: (record: JsonObject) => Promise<string>;
  /** Sparse columns of which the first records have nothing. */
  readonly leftOut: readonly Column[];
}

async function startRows(
  records: readonly JsonObject[],
  columns: readonly Column[],
  {
    view,
    isOpen,
    named,
  }: { readonly view: View; readonly isOpen: ListResult['isOpen']; readonly named: boolean },
): Promise<Rows> {
  const { startTable } = await import('./table.ts');
  const filled = columns.filter(
    (column) => !column.sparse || records.some((record) => cellText(record, column, true) !== ''),
  );
  const wholeCells = (record: JsonObject): readonly string[] =>
    filled.map((column) => cellText(record, column, true, isOpen));
  // Records without another name are known by their ids alone, and ids that fit need not be shortened.
  const isShort = named && !fits(filled, records.map(wholeCells), view.out.columns);
  const cellsOf = (record: JsonObject): readonly string[] =>
    isShort ? filled.map((column) => cellText(record, column, false, isOpen)) : wholeCells(record);
  const whole = new Set(
    filled.flatMap(({ show }, index) => (show === 'id' || show === 'sentence' ? [index] : [])),
  );
  const numeric = new Set(filled.flatMap((column, index) => (isNumeric(records, column) ? [index] : [])));
  const headers = filled.map(({ header }) => neutralise(header));
  const prose = filled.at(-1)?.show === 'sentence';
  const { text, more } = await startTable(headers, records.map(cellsOf), {
    columns: view.out.columns,
    style: view.style,
    whole,
    numeric,
    prose,
  });
  const leftOut = columns.filter((column) => !filled.includes(column));
  return { text, more: (record) => more(cellsOf(record)), leftOut };
}

/** Tells whether all columns fit side by side, their cells whole. */
function fits(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  room: number | undefined,
): boolean {
  if (room === undefined) return true;
  const widths = columns.map(({ header }, index) =>
    rows.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), header.length),
  );
  return widths.reduce((sum, width) => sum + width, 2 * (columns.length - 1)) <= room;
}

/** Tells whether a column holds numbers only: digits that are text (a telephone number) are none. */
function isNumeric(records: readonly JsonObject[], { paths: [path, ...more], show, form }: Column): boolean {
  if (show === 'count') return true;
  if (show === 'time' || form === 'moment' || form === 'date' || path === undefined || more.length > 0)
    return false;
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
  const { csvCell, csvLine, isEasyCell, quotedCell } = await import('./csv.ts');
  const paths = [...new Set(columns.flatMap((column) => column.paths))];
  const safe = view.out.terminal ? neutralise : neutralisePipedLine;
  const cell = (value: Json | undefined): string =>
    isEasyCell(value) ? value : quotedCell(safe(csvCell(value)));
  return {
    head: csvLine(paths.map(safe)),
    row: (record) =>
      `${paths.map((path) => (isOpen?.(record, path) ? unknownValue : cell(valueAt(record, path)))).join(',')}\n`,
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
