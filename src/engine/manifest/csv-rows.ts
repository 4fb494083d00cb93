import { decodeCell } from '../../base/neutralise.ts';
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
import { mergeMaps } from './desired/drafts.ts';
import { type CsvColumn, type CsvRow, normalizeTitle, parseCsv, readHeader } from './parse-csv.ts';
import type { ImportRow } from './read-import.ts';
import { cellNode, fillRow, sharedPart } from './row-template.ts';

/** Uses the header rules of an import. Ignores empty cells. */
export function csvRecords(
  input: InputText,
  resource: Pick<Resource, 'schema' | 'columns'>,
): { readonly documents: readonly DocumentNode[]; readonly problems: readonly Problem[] } {
  const { name } = input;
  const { head, rows } = parseCsv(input);
  const lineProblem = (line: number, message: string, title?: string, index = 0): Problem => ({
    place: `${name}:${line}${title === undefined ? '' : ` (${title})`}`,
    file: name,
    line,
    column: index + 1,
    message,
  });
  const withProblem = (problem: Problem) => ({ documents: [], problems: [problem] });
  if (!head) return withProblem(lineProblem(1, 'it is empty; the first line names the columns'));
  if (rows.length === 0) return withProblem(lineProblem(head.line, 'it has titles but no rows'));
  const header = readHeader(
    head.cells,
    { schema: resource.schema, resource },
    { map: new Map(), used: new Set(), withoutMap: true },
  );
  const source = csvSource(name, head.cells, rows);
  const tooLong = rows.flatMap(({ cells }, index) => {
    const trouble = lengthTrouble(cells, head.cells);
    return trouble ? problemAt({ source, at: cellOffset(head.cells, index) }, trouble) : [];
  });
  return {
    documents: rows.map((row, index) => rowFields(row, index, header.columns, source, head.cells)),
    problems: [
      ...header.problems.map(({ index, message }) =>
        lineProblem(head.line, message, head.cells[index], index),
      ),
      ...tooLong,
    ],
  };
}

const lengthTrouble = (cells: readonly string[], titles: readonly string[]): string | undefined =>
  cells.slice(titles.length).some((cell) => cell !== '')
    ? `the row has ${formatCount(cells.length, 'cell')}, but the file has ${formatCount(titles.length, 'column')}`
    : undefined;

export interface CsvLines {
  readonly name: string;
  readonly lines: readonly CsvRow[];
  readonly titles: readonly string[];
  readonly columns: readonly CsvColumn[];
}

/** Reports invalid rows, and rows that create the same object. */
export function makeRows(
  table: CsvLines,
  template: readonly MapNode[],
  report: ProblemReport,
): { readonly rows: readonly ImportRow[]; readonly documents: readonly MapNode[] } {
  const converter = new RowConverter(table, template, report);
  const rows = table.lines.flatMap((_, index) => converter.convert(index) ?? []);
  return { rows, documents: [...template.map(sharedPart), ...converter.documents] };
}

class RowConverter {
  readonly documents: MapNode[] = [];
  readonly #table: CsvLines;
  readonly #template: readonly MapNode[];
  readonly #report: ProblemReport;
  readonly #source: Source;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #usernameIndex: number;
  /** Lines by username or created object. */
  readonly #taken = new Map<string, number>();

  constructor(table: CsvLines, template: readonly MapNode[], report: ProblemReport) {
    const { name, titles, lines, columns } = table;
    this.#table = table;
    this.#template = template;
    this.#report = report;
    this.#source = csvSource(name, titles, lines);
    this.#indexes = columnIndexes(columns);
    this.#usernameIndex = columns.find(({ keys }) => keys?.join('.') === 'username')?.index ?? 0;
  }

  convert(index: number): ImportRow | undefined {
    const { name, lines, titles, columns } = this.#table;
    const row = lines[index];
    if (row === undefined) return undefined;
    const { line, cells } = row;
    const username = this.#usernameOf(cells, index);
    if (username === undefined) return undefined;
    const local = localName(username, line);
    const cell = (title: string): string =>
      decodeCell(cells[this.#indexes.get(normalizeTitle(title)) ?? -1] ?? '');
    let fields = rowFields(row, index, columns, this.#source, titles);
    const others: MapNode[] = [];
    for (const document of this.#template) {
      const part = fillRow(document, `${name}:${line}`, local, cell, this.#report);
      fields = mergeMaps(rowUserOf(part) ?? emptyMap(fields), fields);
      others.push(withoutRowUser(part));
    }
    this.documents.push(createMap(fields, 'users', createMap(fields, local, fields)), ...others);
    const key = `users.${local}`;
    const made = others.flatMap(objectKeys);
    for (const each of made)
      this.#claim(
        each,
        index,
        (before) => `row ${before} makes ${each} already: the template gives both the same name`,
      );
    return { line, username, user: key, keys: [key, ...made] };
  }

  #usernameOf(cells: readonly string[], index: number): string | undefined {
    const trouble = lengthTrouble(cells, this.#table.titles);
    if (trouble) return this.#problem(index, undefined, trouble);
    const username = decodeCell(cells[this.#usernameIndex] ?? '');
    if (username.trim() === '') return this.#problem(index, this.#usernameIndex, 'the username is empty');
    const isFree = this.#claim(
      `user ${username.toLowerCase()}`,
      index,
      (before) => `row ${before} has the same username: ${JSON.stringify(username)}`,
      this.#usernameIndex,
    );
    return isFree ? username : undefined;
  }

  #problem(index: number, column: number | undefined, message: string): undefined {
    const at = cellOffset(this.#table.titles, index, column);
    this.#report.problem(problemAt({ source: this.#source, at }, message));
  }

  /** Returns false and reports a problem if an earlier row has the name. */
  #claim(name: string, index: number, message: (line: number) => string, column?: number): boolean {
    const before = this.#taken.get(name);
    if (before !== undefined) this.#problem(index, column, message(before));
    else this.#taken.set(name, this.#table.lines[index]?.line ?? 0);
    return before === undefined;
  }
}

/** Returns the username, unless it is not a valid local name or looks like an id. */
const localName = (login: string, line: number): string =>
  /[{}$]|[\p{Cc}\p{Co}]/u.test(login) || login !== login.trim() || /^[0-9a-f]{32}$/.test(login)
    ? `row-${line}`
    : login;

/** Templates can use the titles of columns, and the names of the fields that they fill. */
function columnIndexes(columns: readonly CsvColumn[]): ReadonlyMap<string, number> {
  const byField = columns.flatMap(({ keys, index }) =>
    keys ? [[normalizeTitle(keys.join('.')), index] as const] : [],
  );
  return new Map([...byField, ...columns.map(({ title, index }) => [normalizeTitle(title), index] as const)]);
}

const emptyMap = ({ source, at }: MapNode): MapNode => ({ kind: 'map', entries: [], source, at });

const createMap = ({ source, at }: MapNode, key: string, value: DocumentNode): MapNode => ({
  kind: 'map',
  entries: [{ key, value, source, at }],
  source,
  at,
});

const isMap = (node: DocumentNode | undefined): node is MapNode => node?.kind === 'map';
const findUsers = (document: MapNode): DocumentNode | undefined =>
  document.entries.find(({ key }) => key === 'users')?.value;

function rowUserOf(document: MapNode): MapNode | undefined {
  const users = findUsers(document);
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

function rowFields(
  row: CsvRow,
  index: number,
  columns: readonly CsvColumn[],
  source: Source,
  head: readonly string[],
): MapNode {
  const root: MapNode = { kind: 'map', entries: [], source, at: cellOffset(head, index) };
  return columns.reduce<MapNode>((fields, column) => {
    if (column.keys === undefined) return fields;
    const at = cellOffset(head, index, column.index);
    const node = cellNode(row.cells[column.index] ?? '', column.shape, source, at);
    return node ? setNode(fields, column.keys, node) : fields;
  }, root);
}

function setNode(map: MapNode, [key = '', ...rest]: readonly string[], node: DocumentNode): MapNode {
  const at = map.entries.findIndex((entry) => entry.key === key);
  const before = map.entries[at]?.value;
  const inner: MapNode =
    before?.kind === 'map' ? before : { kind: 'map', entries: [], source: node.source, at: node.at };
  const value = rest.length === 0 ? node : setNode(inner, rest, node);
  const entry: Entry = { key, value, source: node.source, at: node.at };
  return { ...map, entries: at === -1 ? [...map.entries, entry] : map.entries.with(at, entry) };
}

/** Creates a source whose offsets count cells, so that places contain line and column: `people.csv:3 (E-mail)`. */
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

/** Returns the offset of a cell, or of a row. Rows and columns start at 0. */
const cellOffset = (head: readonly string[], row: number, column?: number): number =>
  row * (head.length + 1) + (column === undefined ? 0 : column + 1);
