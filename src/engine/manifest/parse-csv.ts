import { CsvError, parse } from 'csv-parse/sync';

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file of cells. Lines without any cell that holds something are left out. */
export interface CsvTable {
  readonly head: CsvRow | undefined;
  readonly rows: readonly CsvRow[];
}

/** Reason why text is no CSV, with the line on which that was found. */
export class CsvTrouble extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The characters that can stand between cells, by the words for them. */
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
 * semicolon and tab the most frequent; a line `sep=;`, as some spreadsheets write it, says it too. Throws `CsvTrouble`.
 */
export function parseCsv(text: string, delimiter?: string): CsvTable {
  const named = /^sep=([,;\t])\r?\n/.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const before = named ? 1 : 0;
  const [head, ...rows] = read(body, delimiter ?? named?.[1] ?? guessed(body), before);
  return { head, rows };
}

/** Rows of cells; `before` lines stand above them. */
function read(text: string, delimiter: string, before: number): readonly CsvRow[] {
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
    throw new CsvTrouble(line, sentences.get(error.code) ?? 'this is not CSV');
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
