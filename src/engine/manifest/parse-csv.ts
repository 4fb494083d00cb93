import { CsvError, parse } from 'csv-parse/sync';
import { findNearest } from '../../base/nearest.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import type { Resource } from '../../contract/types.ts';
import { problemsFailure } from '../input/document.ts';
import type { InputText } from '../input/read-input.ts';
import { type Shape, shapeOf } from '../input/read-scalar.ts';
import type { Kind } from './kinds.ts';

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file of cells. Lines without any cell that holds something are left out. */
export interface CsvTable {
  readonly head: CsvRow | undefined;
  readonly rows: readonly CsvRow[];
}

/** The characters that can separate cells, by their names. */
export const delimiters: ReadonlyMap<string, string> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  [',', ','],
  [';', ';'],
  ['\t', '\t'],
]);

/**
 * Reads CSV: quoted cells, any line ends, empty lines. Without a delimiter it is taken from the first line, of comma,
 * semicolon and tab the most frequent; a line `sep=;`, as some spreadsheets write it, says it too. Throws `Failure`
 * (`invalid`) that names the line of text that is not CSV.
 */
export function parseCsv({ name, text }: InputText, delimiter?: string): CsvTable {
  const named = /^sep=([,;\t])\r?\n/.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const before = named ? 1 : 0;
  const [head, ...rows] = readRows({ name, text: body }, delimiter ?? named?.[1] ?? guessed(body), before);
  return { head, rows };
}

/** Rows of cells, preceded by `before` lines. */
function readRows({ name, text }: InputText, delimiter: string, before: number): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  // Counted here: a line end of two characters inside quotes is one.
  let line = before + 1;
  const take = (cells: readonly string[]): void => {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells });
    line += cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 1);
  };
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record: (cells) => {
        take(cells);
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const message = sentences.get(error.code) ?? 'this is not CSV';
    throw problemsFailure([{ place: `${name}:${line}`, file: name, line, column: undefined, message }]);
  }
}

const sentences: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a cell begins with a quote that is never closed'],
  [
    'INVALID_OPENING_QUOTE',
    'a quote stands inside a cell without quotes; put quotes around the cell and double those in it',
  ],
  [
    'CSV_INVALID_CLOSING_QUOTE',
    'something follows the closing quote of a cell; double a quote inside quotes',
  ],
]);

/** The delimiter that the first line holds most of, outside quotes. */
function guessed(text: string): string {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.replace(/^[\r\n]+/, ''))?.[0] ?? '';
  const plain = line.replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (mark: string): number => plain.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** Meaning of a column of the file. */
export interface CsvColumn {
  /** As the file's first line has it. */
  readonly title: string;
  /** Position of the column, from 0. */
  readonly index: number;
  /** Keys of the field that it fills, from the top of the record; none where it fills no field. */
  readonly keys: readonly string[] | undefined;
  readonly shape: Shape | undefined;
}

/** Options of the command line about columns. */
export interface HeaderOptions {
  /** Field or `-` (left out) by column title. */
  readonly map: ReadonlyMap<string, string>;
  /** Titles that a template uses, as `squeezed` has them. */
  readonly used: ReadonlySet<string>;
  /** There is no `--map` that could name a field. */
  readonly withoutMap?: boolean;
}

/** Columns with what is wrong with them; `leftOut` are those that the service fills by itself. */
export interface Header {
  readonly columns: readonly CsvColumn[];
  readonly problems: readonly { readonly index: number; readonly message: string }[];
  readonly leftOut: readonly string[];
}

/** Lower-case letters and digits only, so that `E-mail` and `email` are equal. */
export const squeezed = (title: string): string => title.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '');

/** Names that people use for fields. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['user', 'username'],
  ['login', 'username'],
  ['loginname', 'username'],
  ['givenname', 'first_name'],
  ['first', 'first_name'],
  ['surname', 'last_name'],
  ['familyname', 'last_name'],
  ['last', 'last_name'],
  ['mail', 'email'],
  ['emailaddress', 'email'],
  ['role', 'priv_level'],
  // Titles of the files that services of this family export.
  ['extensionnumber', 'extension'],
  ['macaddress', 'mac'],
  ['phonenumber', 'number'],
  ['e164', 'number'],
]);

const mapHelp = (title: string): string =>
  `--map "${title}=FIELD" names its field, --map "${title}=-" leaves it out`;

/** Finds the field that each column fills: by its name, its usual spelling, a dotted path, or `--map`. */
export function readHeader(
  titles: readonly string[],
  kind: Pick<Kind, 'schema'> & { readonly resource?: Pick<Resource, 'columns'> },
  { map, used, withoutMap = false }: HeaderOptions,
): Header {
  const top = shapeOf(kind.schema);
  const others = otherNames(kind);
  const problems: { index: number; message: string }[] = [];
  const leftOut: string[] = [];
  const taken = new Map<string, string>();
  const problem = (index: number, message: string): undefined => void problems.push({ index, message });

  function fieldOf(title: string, index: number): readonly string[] | undefined {
    const mapped = map.get(title);
    if (mapped === '-') return undefined;
    const found = keysOf(mapped ?? title, top, others);
    if (found) return found;
    if (mapped === undefined && isPrivateKey(title)) {
      // The reader of records drops these fields in every format.
      if (withoutMap) return [title];
      leftOut.push(title);
      return undefined;
    }
    const near = findNearest(mapped ?? title, top.keys);
    const suggestion = near === undefined ? '' : `; did you mean "${near}"?`;
    if (mapped !== undefined)
      return problem(index, `--map ${title}=${mapped}: there is no field "${mapped}"${suggestion}`);
    if (used.has(squeezed(title))) return undefined;
    const help = withoutMap ? '' : near === undefined ? `; ${mapHelp(title)}` : ` ${mapHelp(title)}`;
    const end = `${suggestion}${help}`;
    return problem(index, `no field is called "${title}"${end}`);
  }

  const columns = titles.map((text, index): CsvColumn => {
    const title = text.trim();
    const nothing = { title, index, keys: undefined, shape: undefined };
    if (title === '') return nothing;
    const keys = fieldOf(title, index);
    if (keys === undefined) return nothing;
    const shape = shapeAt(top, keys);
    const path = keys.join('.');
    // Without --map the rows are records, of which their reader keeps or drops the id.
    if (shape?.readOnly && !(withoutMap && path === 'id')) {
      leftOut.push(title);
      return nothing;
    }
    const before = taken.get(path);
    if (before !== undefined)
      problem(
        index,
        `"${title}" and "${before}" both mean ${path}${withoutMap ? '' : `; leave one out with --map "${title}=-"`}`,
      );
    taken.set(path, title);
    return { title, index, keys, shape };
  });
  for (const title of map.keys())
    if (!columns.some((column) => column.title === title)) {
      const near = findNearest(
        title,
        columns.map((column) => column.title),
      );
      problem(
        0,
        `--map ${title}: the file has no such column${near === undefined ? '' : `; did you mean "${near}"?`}`,
      );
    }
  return { columns, problems, leftOut };
}

/** Paths of fields by the names that options and headings of tables give them. */
function otherNames({
  schema,
  resource,
}: Pick<Kind, 'schema'> & { readonly resource?: Pick<Resource, 'columns'> }): ReadonlyMap<string, string> {
  const options = Object.entries(schema.properties ?? {}).flatMap(([field, node]) =>
    typeof node['x-option'] === 'string' ? [[squeezed(node['x-option']), field] as const] : [],
  );
  const headings = (resource?.columns ?? []).flatMap(({ header, paths: [path, ...more] }) =>
    path !== undefined && more.length === 0 ? [[squeezed(header), path] as const] : [],
  );
  return new Map([...headings, ...options]);
}

/** The field that a title or a path means. */
function keysOf(
  word: string,
  top: Shape,
  others: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  const own = fieldKeys(word, top);
  if (own) return own;
  const title = squeezed(word);
  const other = others.get(title) ?? others.get(synonyms.get(title) ?? '');
  return other === undefined ? undefined : fieldKeys(other, top);
}

function fieldKeys(word: string, top: Shape): readonly string[] | undefined {
  if (top.under(word)) return [word];
  const synonym = synonyms.get(squeezed(word));
  if (synonym !== undefined && top.under(synonym)) return [synonym];
  const keys: string[] = [];
  let here: Shape | undefined = top;
  for (const part of word.split('.')) {
    const key: string = here?.keys.find((each) => squeezed(each) === squeezed(part)) ?? part;
    here = here?.under(key);
    if (!here || key === '') return undefined;
    keys.push(key);
  }
  return keys;
}

const shapeAt = (top: Shape, keys: readonly string[]): Shape | undefined =>
  keys.reduce<Shape | undefined>((here, key) => here?.under(key), top);
