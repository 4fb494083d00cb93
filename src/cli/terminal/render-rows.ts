import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { encodeCell, neutralise, neutralisePipedLine, unknownValue } from '../../base/neutralise.ts';
import { findShownForm } from '../../contract/schema-node.ts';
import type { Column } from '../../contract/types.ts';
import type { ListResult, ReportResult } from '../command/result.ts';
import { type CellForm, cellText, fieldColumns, guessedColumns, plainText } from './describe.ts';
import { reportText } from './notice-text.ts';
import { renderList } from './render-list.ts';
import { type Presentation, renderValue, type View } from './render-value.ts';

/** Prints complete records as a table or as CSV. Derives the columns from the records if they are unknown. */
export async function renderRows(
  records: readonly JsonObject[],
  known: readonly Column[] | undefined,
  view: View,
  looks: Pick<Presentation, 'schema'> = {},
  isOpen?: ListResult['isOpen'],
): Promise<void> {
  const columns = view.fields ? fieldColumns(view.fields) : (known ?? guessedColumns(records));
  if (view.format === 'csv') {
    const { head, row } = csvRows(columns, view, isOpen);
    await view.out.write(head);
    for (const record of records) await view.out.write(row(record));
    return;
  }
  if (records.length === 0) return;
  const facts = { isOpen, named: true, isAll: true };
  const { text, ...below } = await startRows(
    records,
    await withNumberForms(columns, looks, view),
    view,
    facts,
  );
  await view.out.write(text);
  await reportOmitted(below, view);
}

interface OmittedColumns {
  readonly constant: ReadonlyMap<Column, string>;
  readonly unlisted: readonly Column[];
}

async function reportOmitted({ constant: leftOut, unlisted }: OmittedColumns, view: View): Promise<void> {
  const same = [...leftOut].flatMap(([{ header }, text]) => (text === '' ? [] : [`${header} ${text}`]));
  if (same.length + unlisted.length === 0) return;
  // The line goes to stderr on the same terminal, so stdout is flushed first.
  await view.out.flush();
  if (same.length > 0) view.say(`In every row: ${same.join(', ')}.`);
  if (unlisted.length === 0) return;
  const fields = unlisted.flatMap(({ paths }) => paths).join(',');
  const headers = unlisted.map(({ header }) => header).join(', ');
  view.say(`Lists of this service do not include ${headers}. To read each record: --fields ${fields}`);
}

interface StreamFacts {
  readonly isOpen: ListResult['isOpen'];
  readonly looks: Pick<Presentation, 'schema'>;
  readonly named: boolean;
}

/** Adds number formats, and the account's time zone for dates, to columns. */
export async function withNumberForms(
  columns: readonly Column[],
  looks: Pick<Presentation, 'schema'>,
  { zoneOf }: Pick<View, 'zoneOf'>,
): Promise<readonly Column[]> {
  const all = columns.map((column) => {
    const [path, ...more] = column.paths;
    const form =
      path === undefined || more.length > 0 || column.show ? undefined : findShownForm(looks.schema, path);
    return form ? { ...column, form } : column;
  });
  const isDated = ({ form, show }: Column): boolean => form === 'date' || show === 'days';
  const zone = all.some(isDated) ? await zoneOf?.() : undefined;
  return zone === undefined ? all : all.map((column) => (isDated(column) ? { ...column, zone } : column));
}

/** Prints records as a table while they arrive. The first records determine the columns. */
export async function streamRows(
  records: AsyncIterable<JsonObject>,
  known: readonly Column[] | undefined,
  view: View,
  { isOpen, looks, named }: StreamFacts,
): Promise<void> {
  const columns = view.fields ? fieldColumns(view.fields) : known;
  const isProse = columns?.some(({ show }) => show === 'sentence');
  const first: JsonObject[] = [];
  let table: Awaited<ReturnType<typeof startRows>> | undefined;
  const start = async (isAll: boolean): Promise<void> => {
    if (first.length === 0) return;
    const known = await withNumberForms(columns ?? guessedColumns(first), looks, view);
    table = await startRows(first, known, view, { isOpen, named, isAll });
    await view.out.write(table.text);
  };
  const late = new Set<string>();
  for await (const record of records) {
    if (table) {
      await view.out.write(await table.more(record));
      for (const [column, text] of table.constant)
        if (cellText(record, column, wholeCells) !== text) late.add(column.header);
    } else if (first.push(record) >= firstRows && !isProse) await start(false);
  }
  if (!table) await start(true);
  if (table) await reportOmitted(table, view);
  if (late.size > 0)
    view.say(
      `The first ${firstRows} rows lack ${[...late].join(', ')}, and later rows have it. To show it: --fields`,
    );
}

const wholeCells = { whole: true };

/** Records that determine the column widths: about one page of most services. */
const firstRows = 50;

/**
 * Lays out the first records. `more` formats a further record. `constant`: columns with the same text in all rows.
 * `isAll`: no other records follow.
 */
async function startRows(
  records: readonly JsonObject[],
  columns: readonly Column[],
  view: View,
  { isOpen, named, isAll }: Omit<StreamFacts, 'looks'> & { readonly isAll: boolean },
) {
  const { startTable } = await import('./table.ts');
  const nowMs = view.out.terminal ? view.nowMs : undefined;
  const unlisted = view.fields ? [] : unlistedColumns(records, columns, isOpen);
  const constant = new Map([
    ...(view.fields ? [] : constantColumns(records, columns, view.out.terminal && isAll)),
    ...unlisted.map((column) => [column, ''] as const),
  ]);
  const filled = columns.filter((column) => !constant.has(column));
  const cellsIn =
    (form: CellForm) =>
    (record: JsonObject): readonly string[] =>
      filled.map((column) => cellText(record, column, form));
  const wholeRow = cellsIn({ whole: true, isOpen, nowMs });
  // Ids identify records without a name, so they are only shortened if necessary.
  const isShort = named && !fitsWidth(filled, records.map(wholeRow), view.out.columns);
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
  return { text, more: (record: JsonObject) => more(rowOf(record)), constant, unlisted };
}

const unlistedColumns = (
  records: readonly JsonObject[],
  columns: readonly Column[],
  isOpen: ListResult['isOpen'],
): readonly Column[] =>
  isOpen === undefined
    ? []
    : columns.filter(({ paths }) =>
        records.every((record) => paths.length > 0 && paths.every((path) => isOpen(record, path))),
      );

/**
 * Columns with the same text in all records: if empty and sparse, or to save space. The first column and the id are
 * kept.
 */
function constantColumns(
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

function fitsWidth(
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

/** Returns true if a column only contains numbers. Texts of digits, such as phone numbers, are not numbers. */
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

/** Formats the CSV header and rows. A column of several fields is split. */
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

/** Prints a report: lines for people, rows for NDJSON and CSV, one document for JSON and YAML. */
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

/** Text that can be joined with commas and split again. */
const isSimple = (item: Json): boolean =>
  typeof item === 'string' && item !== '' && item.trim() === item && !/[,[\r\n]/.test(item);

/**
 * Formats a CSV cell, which `users import` reads back as the same value. Formulas get an apostrophe. Booleans, and
 * lists whose items contain commas, are written as JSON.
 */
export function csvCell(value: Json | undefined): string {
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && !value.every(isSimple)) return encodeCell(JSON.stringify(value));
  return encodeCell(plainText(value));
}

const needsQuotes = /^\+|[",\r\n]/;

/** Text that needs no quoting or escaping in CSV: printable ASCII without special characters. */
const isEasy = /^(?![=+@'-]|\?$)[ !#-+\--~]*$/;

const isEasyCell = (value: Json | undefined): value is string =>
  typeof value === 'string' && isEasy.test(value);

/** Quotes a cell if needed, and always if it starts with `+`, so that it stays text (RFC 4180). */
const quotedCell = (cell: string): string =>
  needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const csvLine = (cells: readonly string[]): string => `${cells.map(quotedCell).join(',')}\n`;
