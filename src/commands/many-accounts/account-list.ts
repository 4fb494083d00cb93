import { Failure } from '../../base/failure.ts';
import type { Host } from '../../host/host.ts';
import { problemsFailure } from '../../input/problems.ts';
import { readInput } from '../../input/read-input.ts';

/** An account of a list, as it stands there. */
export interface ListedAccount {
  /** Id, name or realm. */
  readonly word: string;
  /** Values of `${var.name}` in the manifest for this account. */
  readonly vars: ReadonlyMap<string, string>;
  readonly file: string;
  readonly line: number;
}

interface Row {
  readonly line: number;
  readonly text: string;
}

const variable = /^[A-Za-z_][\w-]*$/;

/**
 * Reads the list of accounts that a manifest is for: one a line, by id, name or realm; or CSV with a column
 * `account`, the others being variables of the manifest. Empty lines and lines that begin with `#` are passed over.
 * Throws `Failure`: `usage` where the file cannot be opened, `invalid` for lines that cannot be read and for none.
 */
export async function readAccountList(host: Host, file: string): Promise<readonly ListedAccount[]> {
  const { name, text } = await readInput(host, file);
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line, index): Row => ({ line: index + 1, text: line.trim() }))
    .filter((row) => row.text !== '' && !row.text.startsWith('#'));
  const [first, ...rest] = rows;
  const columns = first && cellsOf(first.text);
  const found = columns?.includes('account')
    ? fromTable(name, columns, first?.line ?? 1, rest)
    : rows.map((row): ListedAccount => ({ word: row.text, vars: new Map(), file: name, line: row.line }));
  if (found.length > 0) return found;
  throw new Failure('invalid', `${name} names no account. Nothing was sent.`, {
    hint: 'Give one account a line: an id, a name or a realm.',
  });
}

function fromTable(
  file: string,
  columns: readonly string[],
  headerLine: number,
  rows: readonly Row[],
): readonly ListedAccount[] {
  const problems: ReturnType<typeof problem>[] = [];
  const problem = (line: number, message: string) => ({
    place: `${file}:${line}`,
    file,
    line,
    column: undefined,
    message,
  });
  for (const [index, column] of columns.entries()) {
    if (columns.indexOf(column) !== index)
      problems.push(problem(headerLine, `two columns are named ${JSON.stringify(column)}`));
    else if (!variable.test(column))
      problems.push(
        problem(headerLine, `${JSON.stringify(column)} cannot name a variable: letters, digits, _ and -`),
      );
  }
  const accounts = rows.flatMap(({ line, text }): readonly ListedAccount[] => {
    const cells = cellsOf(text);
    if (cells?.length !== columns.length) {
      const count = cells ? `${cells.length} cells` : 'a quote that does not end';
      problems.push(problem(line, `has ${count} where the header has ${columns.length}`));
      return [];
    }
    const values = new Map(columns.map((column, index) => [column, cells[index] ?? ''] as const));
    const word = values.get('account') ?? '';
    values.delete('account');
    if (word !== '') return [{ word, vars: values, file, line }];
    problems.push(problem(line, 'names no account'));
    return [];
  });
  if (problems.length > 0) throw problemsFailure(problems);
  return accounts;
}

/** Cells of a line of CSV, on one line each; `undefined` where a quote does not end. */
function cellsOf(line: string): readonly string[] | undefined {
  const cells: string[] = [];
  const cell = /\s*(?:"((?:[^"]|"")*)"|([^,"]*))\s*(,|$)/y;
  for (;;) {
    const found = cell.exec(line);
    if (!found) return undefined;
    const [, quoted, plain = '', end] = found;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === '') return cells;
  }
}
