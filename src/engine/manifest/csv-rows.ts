import { fromCell } from '../../base/neutralise.ts';
import { formatCount } from '../../base/wording.ts';
import type { Resource } from '../../contract/types.ts';
import {
  type DocumentNode,
  type Entry,
  type MapNode,
  type Problem,
  problemAt,
  type Source,
} from '../input/document.ts';
import type { ProblemReport } from '../input/read-fields.ts';
import type { InputText } from '../input/read-input.ts';
import { overlayMap } from './desired/drafts.ts';
import { type CsvColumn, type CsvRow, parseCsv, readHeader, squeezed } from './parse-csv.ts';
import type { ImportRow } from './read-import.ts';
import { cellNode, rowPart, sharedPart } from './row-template.ts';

/**
 * Reads a CSV file of records, a row each, by the header rules of an import. An empty cell gives nothing; what is wrong
 * is returned.
 */
export function csvRecords(
  input: InputText,
  resource: Pick<Resource, 'schema' | 'columns'>,
): { readonly documents: readonly DocumentNode[]; readonly problems: readonly Problem[] } {
  const { name } = input;
  const { head, rows } = parseCsv(input);
  const atLine = (line: number, message: string, title?: string, index = 0): Problem => ({
    place: `${name}:${line}${title === undefined ? '' : ` (${title})`}`,
    file: name,
    line,
    column: index + 1,
    message,
  });
  const failed = (problem: Problem) => ({ documents: [], problems: [problem] });
  if (!head) return failed(atLine(1, 'it is empty; the first line names the columns'));
  if (rows.length === 0) return failed(atLine(head.line, 'there are titles, and no rows below them'));
  const header = readHeader(
    head.cells,
    { schema: resource.schema, resource },
    { map: new Map(), used: new Set(), withoutMap: true },
  );
  const source = csvSource(name, head.cells, rows);
  const tooLong = rows.flatMap(({ cells }, index) => {
    const trouble = lengthTrouble(cells, head.cells);
    return trouble ? problemAt({ source, at: cellAt(head.cells, index) }, trouble) : [];
  });
  return {
    documents: rows.map((row, index) => rowFields(row, index, header.columns, source, head.cells)),
    problems: [
      ...header.problems.map(({ index, message }) => atLine(head.line, message, head.cells[index], index)),
      ...tooLong,
    ],
  };
}

/** Says that a row has cells without a title. */
const lengthTrouble = (cells: readonly string[], titles: readonly string[]): string | undefined =>
  cells.slice(titles.length).some((cell) => cell !== '')
    ? `the row has ${formatCount(cells.length, 'cell')}, and there are ${formatCount(titles.length, 'column')}`
    : undefined;

/** Makes a manifest document of each row. Reports rows that lack cells and rows of the same user to `report`. */
export function makeRows(
  name: string,
  lines: readonly CsvRow[],
  titles: readonly string[],
  columns: readonly CsvColumn[],
  template: readonly MapNode[],
  report: ProblemReport,
): { readonly rows: readonly ImportRow[]; readonly documents: readonly MapNode[] } {
  const source = csvSource(name, titles, lines);
  const indexes = columnIndexes(columns);
  const username = columns.find(({ keys }) => keys?.join('.') === 'username')?.index ?? 0;
  /** Lines of usernames, and of objects that rows make. */
  const taken = new Map<string, number>();
  const rows: ImportRow[] = [];
  const documents = template.map(sharedPart);

  const problem = (index: number, column: number | undefined, message: string): void => {
    const at = cellAt(titles, index, column);
    report.problem(problemAt({ source, at }, message));
  };
  /** Checks that a name is free; reports what has it. */
  const take = (what: string, index: number, message: (line: number) => string, column?: number): boolean => {
    const line = lines[index]?.line ?? 0;
    const before = taken.get(what);
    if (before !== undefined) problem(index, column, message(before));
    else taken.set(what, line);
    return before === undefined;
  };

  for (const [index, row] of lines.entries()) {
    const { line, cells } = row;
    const trouble = lengthTrouble(cells, titles);
    if (trouble) {
      problem(index, undefined, trouble);
      continue;
    }
    const login = fromCell(cells[username] ?? '');
    if (login.trim() === '') {
      problem(index, username, 'the username is empty');
      continue;
    }
    const sameLogin = (before: number): string =>
      `row ${before} has the same username: ${JSON.stringify(login)}`;
    if (!take(`user ${login.toLowerCase()}`, index, sameLogin, username)) continue;
    const local = localName(login, line);
    const place = `${name}:${line}`;
    const cell = (title: string): string => fromCell(cells[indexes.get(squeezed(title)) ?? -1] ?? '');
    let fields = rowFields(row, index, columns, source, titles);
    const others: MapNode[] = [];
    for (const document of template) {
      const part = rowPart(document, place, local, cell, report);
      fields = overlayMap(rowUserOf(part) ?? emptyMap(fields), fields);
      others.push(withoutRowUser(part));
    }
    const user: Entry = { key: local, value: fields, source, at: fields.at };
    const key = `users.${local}`;
    documents.push(mapOf(fields, 'users', mapOf(fields, user.key, user.value)), ...others);
    const made = others.flatMap(objectKeys);
    for (const each of made)
      take(
        each,
        index,
        (before) => `row ${before} makes ${each} already: what the template puts into its name is the same`,
      );
    rows.push({ line, username: login, user: key, keys: [key, ...made] });
  }
  return { rows, documents };
}

/** Usernames are local names, but for those that could be none or would be taken for an id. */
const localName = (login: string, line: number): string =>
  /[{}$]|[\p{Cc}\p{Co}]/u.test(login) || login !== login.trim() || /^[0-9a-f]{32}$/.test(login)
    ? `row-${line}`
    : login;

/** Columns by the names that a template can use: their titles, and the fields that they fill. */
function columnIndexes(columns: readonly CsvColumn[]): ReadonlyMap<string, number> {
  const byField = columns.flatMap(({ keys, index }) =>
    keys ? [[squeezed(keys.join('.')), index] as const] : [],
  );
  return new Map([...byField, ...columns.map(({ title, index }) => [squeezed(title), index] as const)]);
}

const emptyMap = ({ source, at }: MapNode): MapNode => ({ kind: 'map', entries: [], source, at });

const mapOf = ({ source, at }: MapNode, key: string, value: DocumentNode): MapNode => ({
  kind: 'map',
  entries: [{ key, value, source, at }],
  source,
  at,
});

const isMap = (node: DocumentNode | undefined): node is MapNode => node?.kind === 'map';
const usersOf = (document: MapNode): DocumentNode | undefined =>
  document.entries.find(({ key }) => key === 'users')?.value;

function rowUserOf(document: MapNode): MapNode | undefined {
  const users = usersOf(document);
  const found = isMap(users) ? users.entries.find(({ key }) => key === 'row')?.value : undefined;
  return isMap(found) ? found : undefined;
}

function withoutRowUser(document: MapNode): MapNode {
  const entries = document.entries.map((section) =>
    section.key === 'users' && isMap(section.value)
      ? {
          ...section,
          value: { ...section.value, entries: section.value.entries.filter(({ key }) => key !== 'row') },
        }
      : section,
  );
  return { ...document, entries };
}

const objectKeys = (document: MapNode): readonly string[] =>
  document.entries.flatMap(({ key, value }) =>
    isMap(value) ? value.entries.map((object) => `${key}.${object.key}`) : [],
  );

/** The fields that a row's cells give, as a manifest would hold them. Empty cells give nothing. */
function rowFields(
  row: CsvRow,
  index: number,
  columns: readonly CsvColumn[],
  source: Source,
  head: readonly string[],
): MapNode {
  const root: MapNode = { kind: 'map', entries: [], source, at: cellAt(head, index) };
  return columns.reduce<MapNode>((fields, column) => {
    if (column.keys === undefined) return fields;
    const at = cellAt(head, index, column.index);
    const node = cellNode(row.cells[column.index] ?? '', column.shape, source, at);
    return node ? put(fields, column.keys, node) : fields;
  }, root);
}

function put(map: MapNode, [key = '', ...rest]: readonly string[], node: DocumentNode): MapNode {
  const at = map.entries.findIndex((entry) => entry.key === key);
  const before = map.entries[at]?.value;
  const inner: MapNode =
    before?.kind === 'map' ? before : { kind: 'map', entries: [], source: node.source, at: node.at };
  const value = rest.length === 0 ? node : put(inner, rest, node);
  const entry: Entry = { key, value, source: node.source, at: node.at };
  return { ...map, entries: at === -1 ? [...map.entries, entry] : map.entries.with(at, entry) };
}

/** A source whose offsets count cells, so that a place is a line and a column: `people.csv:3 (E-mail)`. */
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
const cellAt = (head: readonly string[], row: number, column?: number): number =>
  row * (head.length + 1) + (column === undefined ? 0 : column + 1);
