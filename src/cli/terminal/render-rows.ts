import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { neutralise, neutralisePipedLine, toCell, unknownValue } from '../../base/neutralise.ts';
import { formAt } from '../../contract/schema-node.ts';
import type { Column } from '../../contract/types.ts';
import type { ListResult, ReportResult } from '../command/result.ts';
import { type CellForm, cellText, columnsOf, guessedColumns, plainText } from './describe.ts';
import { renderList } from './render-list.ts';
import { type Looks, renderValue, type View } from './render-value.ts';
import { reportText } from './said-text.ts';

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
    const { head, row } = csvRows(columns, view, isOpen);
    await view.out.write(head);
    for (const record of records) await view.out.write(row(record));
    return;
  }
  if (records.length === 0) return;
  const facts = { isOpen, named: true, isAll: true };
  const { text, ...below } = await startRows(records, await formed(columns, looks, view), view, facts);
  await view.out.write(text);
  await sayLeftOut(below, view);
}

/** Columns that a table leaves out. */
interface LeftOut {
  /** Columns with the same text in every row, and that text. */
  readonly leftOut: ReadonlyMap<Column, string>;
  /** Those of them that the list of this service does not include. */
  readonly unlisted: readonly Column[];
}

/** Names below a table the columns that it leaves out: those with one text in every row, and unlisted ones. */
async function sayLeftOut({ leftOut, unlisted }: LeftOut, view: View): Promise<void> {
  const same = [...leftOut].flatMap(([{ header }, text]) => (text === '' ? [] : [`${header} ${text}`]));
  if (same.length + unlisted.length === 0) return;
  // The line goes to another stream, and both to one terminal.
  await view.out.flush();
  if (same.length > 0) view.say(`In every row: ${same.join(', ')}.`);
  if (unlisted.length === 0) return;
  const fields = unlisted.flatMap(({ paths }) => paths).join(',');
  const headers = unlisted.map(({ header }) => header).join(', ');
  view.say(`Lists of this service do not include ${headers}. To read each record: --fields ${fields}`);
}

/** Facts about records that are shown while they come. */
interface StreamFacts {
  readonly isOpen: ListResult['isOpen'];
  readonly looks: Pick<Looks, 'schema'>;
  /** They have another name than their id. */
  readonly named: boolean;
}

/** Returns columns with the forms of their numbers, and with the time zone of the account if they show dates. */
export async function formed(
  columns: readonly Column[],
  looks: Pick<Looks, 'schema'>,
  { zoneOf }: Pick<View, 'zoneOf'>,
): Promise<readonly Column[]> {
  const all = columns.map((column) => {
    const [path, ...more] = column.paths;
    const form =
      path === undefined || more.length > 0 || column.show ? undefined : formAt(looks.schema, path);
    return form ? { ...column, form } : column;
  });
  const isDated = ({ form, show }: Column): boolean => form === 'date' || show === 'days';
  const zone = all.some(isDated) ? await zoneOf?.() : undefined;
  return zone === undefined ? all : all.map((column) => (isDated(column) ? { ...column, zone } : column));
}

/** Shows records as a table while they come: the first ones decide which columns there are. */
export async function streamRows(
  records: AsyncIterable<JsonObject>,
  known: readonly Column[] | undefined,
  view: View,
  { isOpen, looks, named }: StreamFacts,
): Promise<void> {
  const columns = view.fields ? columnsOf(view.fields) : known;
  const isProse = columns?.some(({ show }) => show === 'sentence');
  const first: JsonObject[] = [];
  let table: Awaited<ReturnType<typeof startRows>> | undefined;
  const start = async (isAll: boolean): Promise<void> => {
    if (first.length === 0) return;
    const known = await formed(columns ?? guessedColumns(first), looks, view);
    table = await startRows(first, known, view, { isOpen, named, isAll });
    await view.out.write(table.text);
  };
  const late = new Set<string>();
  for await (const record of records) {
    if (table) {
      await view.out.write(await table.more(record));
      for (const [column, text] of table.leftOut)
        if (cellText(record, column, wholeCells) !== text) late.add(column.header);
    } else if (first.push(record) >= firstRows && !isProse) await start(false);
  }
  if (!table) await start(true);
  if (table) await sayLeftOut(table, view);
  if (late.size > 0)
    view.say(
      `The first ${firstRows} rows lack ${[...late].join(', ')}, and later rows have it. To show it: --fields`,
    );
}

const wholeCells = { whole: true };

/** As many records as a page of most services has decide how wide columns are. */
const firstRows = 50;

/**
 * Lays out the first records. `more` gives the line of a further one; `leftOut` are the columns that say the same of all
 * of these, with what they say. `isAll`: no others follow.
 */
async function startRows(
  records: readonly JsonObject[],
  columns: readonly Column[],
  view: View,
  { isOpen, named, isAll }: Omit<StreamFacts, 'looks'> & { readonly isAll: boolean },
) {
  const { startTable } = await import('./table.ts');
  const nowMs = view.out.terminal ? view.nowMs : undefined;
  const unlisted = view.fields ? [] : openInAll(records, columns, isOpen);
  const leftOut = new Map([
    ...(view.fields ? [] : sameInAll(records, columns, view.out.terminal && isAll)),
    ...unlisted.map((column) => [column, ''] as const),
  ]);
  const filled = columns.filter((column) => !leftOut.has(column));
  const cellsIn =
    (form: CellForm) =>
    (record: JsonObject): readonly string[] =>
      filled.map((column) => cellText(record, column, form));
  const wholeRow = cellsIn({ whole: true, isOpen, nowMs });
  // Records without another name are known by their ids alone, and ids that fit need not be shortened.
  const isShort = named && !fits(filled, records.map(wholeRow), view.out.columns);
  const rowOf = isShort ? cellsIn({ whole: false, isOpen, nowMs }) : wholeRow;
  const whole = new Set(
    filled.flatMap(({ show }, index) => (show === 'id' || show === 'sentence' ? [index] : [])),
  );
  const roomy = new Set(filled.flatMap((column, index) => (column.roomy ? [index] : [])));
  const numeric = new Set(filled.flatMap((column, index) => (isNumeric(records, column) ? [index] : [])));
  const headers = filled.map(({ header }) => neutralise(header));
  const last = filled.at(-1)?.show;
  const { text, more } = await startTable(headers, records.map(rowOf), {
    columns: view.out.columns,
    style: view.style,
    whole,
    roomy,
    numeric,
    below: last === 'sentence' ? last : last === 'id' && !named ? 'word' : undefined,
  });
  return { text, more: (record: JsonObject) => more(rowOf(record)), leftOut, unlisted };
}

/** Columns whose fields the service leaves open in every record: each of their cells would be `?`. */
const openInAll = (
  records: readonly JsonObject[],
  columns: readonly Column[],
  isOpen: ListResult['isOpen'],
): readonly Column[] =>
  isOpen === undefined
    ? []
    : columns.filter(({ paths }) =>
        records.every((record) => paths.length > 0 && paths.every((path) => isOpen(record, path))),
      );

/** Columns that say the same of all records: sparse ones without values; to `spare` room any but the first and the id. */
function sameInAll(
  records: readonly JsonObject[],
  columns: readonly Column[],
  spare: boolean,
): ReadonlyMap<Column, string> {
  return new Map(
    columns.flatMap((column, index) => {
      const texts = new Set(records.map((record) => cellText(record, column, wholeCells)));
      const [text = '', ...others] = texts;
      if (others.length > 0) return [];
      const isSpare = spare && index > 0 && (text === '' || (records.length > 1 && column.show !== 'id'));
      return isSpare || (column.sparse && text === '') ? [[column, text] as const] : [];
    }),
  );
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
export function csvRows(columns: readonly Column[], view: View, isOpen?: ListResult['isOpen']) {
  const paths = [...new Set(columns.flatMap((column) => column.paths))];
  const safe = view.out.terminal ? neutralise : neutralisePipedLine;
  const cell = (value: Json | undefined): string =>
    isEasyCell(value) ? value : quotedCell(safe(csvCell(value)));
  return {
    head: csvLine(paths.map(safe)),
    row: (record: JsonObject): string =>
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
const isEasy = /^(?![=+@'-]|\?$)[ !#-+\--~]*$/;

/** Tells whether a value stands in a line of CSV as it is, as most do in long lists. */
const isEasyCell = (value: Json | undefined): value is string =>
  typeof value === 'string' && isEasy.test(value);

/** A cell, quoted where needed and wherever a `+` begins it, so that it is kept as text (RFC 4180). */
const quotedCell = (cell: string): string =>
  needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const csvLine = (cells: readonly string[]): string => `${cells.map(quotedCell).join(',')}\n`;
