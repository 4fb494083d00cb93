import { CsvError, parse } from 'csv-parse/sync';
import { findNearest } from '../../base/nearest.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import type { Resource } from '../../contract/types.ts';
import { problemsFailure } from '../input/document.ts';
import type { InputText } from '../input/read-input.ts';
import { createShape, type Shape } from '../input/read-scalar.ts';
import type { Kind } from './kinds.ts';

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly head: CsvRow | undefined;
  readonly rows: readonly CsvRow[];
}

export const delimiters: ReadonlyMap<string, string> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  [',', ','],
  [';', ';'],
  ['\t', '\t'],
]);

/** By default, the delimiter comes from a first line `sep=;`, or is the most frequent in the first line. */
export function parseCsv({ name, text }: InputText, delimiter?: string): CsvTable {
  const named = /^sep=([,;\t])\r?\n/.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const before = named ? 1 : 0;
  const [head, ...rows] = readRows(
    { name, text: body },
    delimiter ?? named?.[1] ?? guessDelimiter(body),
    before,
  );
  return { head, rows };
}

function readRows({ name, text }: InputText, delimiter: string, before: number): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  // The parser counts a line end of two characters inside quotes as two lines.
  let line = before + 1;
  const addRow = (cells: readonly string[]): void => {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells });
    line += cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 1);
  };
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record: (cells) => {
        addRow(cells);
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
    'a quote is inside a cell without quotes; put the cell in quotes and double the quotes in it',
  ],
  [
    'CSV_INVALID_CLOSING_QUOTE',
    'something follows the closing quote of a cell; double a quote inside quotes',
  ],
]);

function guessDelimiter(text: string): string {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.replace(/^[\r\n]+/, ''))?.[0] ?? '';
  const plain = line.replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (mark: string): number => plain.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

export interface CsvColumn {
  readonly title: string;
  readonly index: number;
  /** Keys of the field. `undefined` if the column fills no field. */
  readonly keys: readonly string[] | undefined;
  readonly shape: Shape | undefined;
}

export interface HeaderOptions {
  readonly map: ReadonlyMap<string, string>;
  readonly used: ReadonlySet<string>;
  /** Without `--map`, messages do not suggest it. */
  readonly withoutMap?: boolean;
}

/** `leftOut` contains titles of columns that the service fills. */
export interface Header {
  readonly columns: readonly CsvColumn[];
  readonly problems: readonly { readonly index: number; readonly message: string }[];
  readonly leftOut: readonly string[];
}

/** Keeps lowercase letters and digits, so that `E-mail` and `email` are equal. */
export const normalizeTitle = (title: string): string =>
  title.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '');

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
  // Files that compatible services export have these titles.
  ['extensionnumber', 'extension'],
  ['macaddress', 'mac'],
  ['phonenumber', 'number'],
  ['e164', 'number'],
]);

const mapHelp = (title: string): string =>
  `--map "${title}=FIELD" names its field, --map "${title}=-" leaves it out`;

/** Finds the field of each column by its name, its usual spelling, a dotted path, or `--map`. */
export function readHeader(
  titles: readonly string[],
  kind: Pick<Kind, 'schema'> & { readonly resource?: Pick<Resource, 'columns'> },
  options: HeaderOptions,
): Header {
  const reader = new HeaderReader(kind, options);
  const columns = titles.map((text, index) => reader.read(text.trim(), index));
  reader.checkMap(columns);
  return { columns, problems: reader.problems, leftOut: reader.leftOut };
}

class HeaderReader {
  readonly problems: { readonly index: number; readonly message: string }[] = [];
  readonly leftOut: string[] = [];
  readonly #top: Shape;
  readonly #otherNames: ReadonlyMap<string, string>;
  readonly #options: HeaderOptions;
  /** Titles by the path of the field. */
  readonly #taken = new Map<string, string>();

  constructor(
    kind: Pick<Kind, 'schema'> & { readonly resource?: Pick<Resource, 'columns'> },
    options: HeaderOptions,
  ) {
    this.#top = createShape(kind.schema);
    this.#otherNames = alternativeNames(kind);
    this.#options = options;
  }

  read(title: string, index: number): CsvColumn {
    const { withoutMap = false } = this.#options;
    const unused = { title, index, keys: undefined, shape: undefined };
    const keys = title === '' ? undefined : this.#fieldOf(title, index);
    if (keys === undefined) return unused;
    const shape = keys.reduce<Shape | undefined>((here, key) => here?.under(key), this.#top);
    const path = keys.join('.');
    // Without --map the rows are records, and their reader handles the id.
    if (shape?.readOnly && !(withoutMap && path === 'id')) {
      this.leftOut.push(title);
      return unused;
    }
    const before = this.#taken.get(path);
    if (before !== undefined) {
      const help = withoutMap ? '' : `; leave one out with --map "${title}=-"`;
      this.#problem(index, `"${title}" and "${before}" both mean ${path}${help}`);
    }
    this.#taken.set(path, title);
    return { title, index, keys, shape };
  }

  checkMap(columns: readonly CsvColumn[]): void {
    const titles = columns.map(({ title }) => title);
    for (const title of this.#options.map.keys())
      if (!titles.includes(title)) {
        const near = findNearest(title, titles);
        const meant = near === undefined ? '' : `; did you mean "${near}"?`;
        this.#problem(0, `--map ${title}: the file has no such column${meant}`);
      }
  }

  #problem(index: number, message: string): void {
    this.problems.push({ index, message });
  }

  #fieldOf(title: string, index: number): readonly string[] | undefined {
    const { map, used, withoutMap = false } = this.#options;
    const mapped = map.get(title);
    if (mapped === '-') return undefined;
    const found = findFieldKeys(mapped ?? title, this.#top, this.#otherNames);
    if (found) return found;
    if (mapped === undefined && isPrivateKey(title)) {
      // The reader of records ignores these fields in every format.
      if (withoutMap) return [title];
      this.leftOut.push(title);
      return undefined;
    }
    const near = findNearest(mapped ?? title, this.#top.keys);
    const suggestion = near === undefined ? '' : `; did you mean "${near}"?`;
    if (mapped !== undefined)
      this.#problem(index, `--map ${title}=${mapped}: there is no field "${mapped}"${suggestion}`);
    else if (!used.has(normalizeTitle(title))) {
      const help = withoutMap ? '' : near === undefined ? `; ${mapHelp(title)}` : ` ${mapHelp(title)}`;
      this.#problem(index, `no field is called "${title}"${suggestion}${help}`);
    }
    return undefined;
  }
}

function alternativeNames({
  schema,
  resource,
}: Pick<Kind, 'schema'> & { readonly resource?: Pick<Resource, 'columns'> }): ReadonlyMap<string, string> {
  const options = Object.entries(schema.properties ?? {}).flatMap(([field, node]) =>
    typeof node['x-option'] === 'string' ? [[normalizeTitle(node['x-option']), field] as const] : [],
  );
  const headings = (resource?.columns ?? []).flatMap(({ header, paths: [path, ...more] }) =>
    path !== undefined && more.length === 0 ? [[normalizeTitle(header), path] as const] : [],
  );
  return new Map([...headings, ...options]);
}

function findFieldKeys(
  word: string,
  top: Shape,
  others: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  const own = fieldKeys(word, top);
  if (own) return own;
  const title = normalizeTitle(word);
  const other = others.get(title) ?? others.get(synonyms.get(title) ?? '');
  return other === undefined ? undefined : fieldKeys(other, top);
}

function fieldKeys(word: string, top: Shape): readonly string[] | undefined {
  if (top.under(word)) return [word];
  const synonym = synonyms.get(normalizeTitle(word));
  if (synonym !== undefined && top.under(synonym)) return [synonym];
  const keys: string[] = [];
  let here: Shape | undefined = top;
  for (const part of word.split('.')) {
    const key: string = here?.keys.find((each) => normalizeTitle(each) === normalizeTitle(part)) ?? part;
    here = here?.under(key);
    if (!here || key === '') return undefined;
    keys.push(key);
  }
  return keys;
}
