import { resolve } from 'node:path';
import { createHint, Failure, type HintSource, nextStep } from '../../../base/failure.ts';
import type { AppendOnlyFile } from '../../../base/host/files.ts';
import { describeIoError, refuseSpecialFile } from '../../../base/read-errors.ts';
import { formatCount } from '../../../base/wording.ts';
import { problemsFailure } from '../../../engine/input/document.ts';
import {
  type ChosenSteps,
  isSettled,
  type RowResult,
  readResults,
  resultsHead,
  resultsText,
} from '../../../engine/manifest/import-results.ts';
import type { Import } from '../../../engine/manifest/read-import.ts';
import type { Context } from '../../command/context.ts';
import type { GeneratedPasswords, PasswordColumns } from '../passwords/passwords-file.ts';

export const importedPasswords: PasswordColumns = {
  option: '--passwords-out',
  head: ['username', 'password'],
  kinds: ['users'],
  cells: ({ username }) => [username],
};

/** Throws `invalid` for new users without a password. With `lenient`, only warns. */
export function checkPasswords(
  { notices }: Context,
  { name, columns }: Import,
  { steps, busy }: ChosenSteps,
  lenient: boolean,
): void {
  const without = new Set(
    steps.flatMap(({ kind, by, send, key }) =>
      kind === 'users' && by === 'create' && send?.password === undefined ? [key] : [],
    ),
  );
  const rows = busy.filter(({ user }) => without.has(user));
  if (rows.length === 0) return;
  const hint =
    'Generate them with --generate-passwords --passwords-out FILE, or send the users without passwords with --lenient.';
  if (lenient) {
    notices.warn(`${rows.length} new users have no password; a KAZOO-compatible service would refuse them`);
    return;
  }
  const at = { file: name, column: undefined };
  const problems = columns.some(({ keys }) => keys?.join('.') === 'password')
    ? rows.map(({ line }) => ({
        ...at,
        place: `${name}:${line}`,
        line,
        message: 'the row has no password, which a new user needs',
      }))
    : [{ ...at, place: name, line: 1, message: 'no column for "password", which a new user needs' }];
  throw problemsFailure(problems, hint);
}

/** Keeps only passwords of existing users. If the file cannot be written, warns that it still has the others. */
export function forgetPasswords(
  { notices }: Context,
  passwords: GeneratedPasswords,
  rows: readonly RowResult[],
  file: string,
): void {
  const gone = new Set(rows.flatMap(({ id, username }) => (id === '' ? [username.toLowerCase()] : [])));
  try {
    passwords.remove(([username = '']) => gone.has(username.toLowerCase()));
  } catch (error) {
    notices.warn(
      `${file} still has passwords of ${formatCount(gone.size, 'user')} that were not created: it cannot be written (${describeIoError(error)}).`,
    );
  }
}

/** The results file, with a line for each row. Throws `Failure` if the file has other content. */
export class ResultsFile {
  readonly name: string | undefined;
  readonly #context: Context;
  readonly #path: string | undefined;
  readonly #earlier: readonly RowResult[] | undefined;

  constructor(
    context: Context,
    { file, results }: { readonly file: string; readonly results: string | undefined },
  ) {
    const { host } = context;
    const usual = file === '-' ? undefined : `${file.replace(/\.(?:csv|tsv|txt)$/i, '')}.results.csv`;
    const name = results ?? usual;
    this.#context = context;
    this.name = name;
    if (name === undefined) return;
    this.#path = resolve(host.cwd, name);
    refuseSpecialFile(host, this.#path, name, '--results');
    const text = readResultsText(host, this.#path, name);
    this.#earlier = text === undefined ? undefined : readResults(text);
    if (text && this.#earlier === undefined)
      throw new Failure(
        'refused',
        `${name} exists and is not a results file. telctl does not overwrite it.`,
        {
          hint: 'Name another file with --results FILE.',
        },
      );
  }

  isUnfinished(rows: number): boolean {
    return (
      this.#earlier !== undefined && this.#earlier.filter(({ status }) => isSettled(status)).length < rows
    );
  }

  /** Throws `usage` if there are no results of an earlier run. */
  earlierResults(): readonly RowResult[] {
    if (this.#earlier) return this.#earlier;
    throw new Failure('usage', `Results file ${this.name} not found.`, {
      hint: 'Name the file with --results FILE, or leave out --resume.',
    });
  }

  /** Starts the file with the rows that are done. Throws `Failure` if it cannot be written. */
  begin(done: readonly RowResult[]): ResultsWriter {
    return new ResultsWriter(this.#context, this.#path, String(this.name), done);
  }
}

/** Adds a line to the results file for each row when it ends, so that an interruption loses none. */
class ResultsWriter {
  readonly #context: Context;
  readonly #path: string | undefined;
  readonly #name: string;
  readonly #done: readonly RowResult[];
  readonly #file: AppendOnlyFile | undefined;
  #hasWarned = false;

  constructor(context: Context, path: string | undefined, name: string, done: readonly RowResult[]) {
    this.#context = context;
    this.#path = path;
    this.#name = name;
    this.#done = done;
    if (path === undefined) return;
    const { files } = context.host;
    try {
      files.remove(path);
      this.#file = files.openAppendOnly(path);
      this.#file.add(resultsHead + resultsText(done));
    } catch (error) {
      throw this.#failure(error, 'Name another file with --results FILE.');
    }
  }

  add(result: RowResult): void {
    try {
      this.#file?.add(resultsText([result]));
    } catch (error) {
      // The run continues: the log has the row, and the file is written once more at the end.
      if (!this.#hasWarned) this.#context.notices.warn(this.#failureText(error));
      this.#hasWarned = true;
    }
  }

  /** Writes all rows in order and returns them, even if the file cannot be written. */
  end(rest: readonly RowResult[]): {
    readonly all: readonly RowResult[];
    readonly trouble: Failure | undefined;
  } {
    const all = [...this.#done, ...rest].toSorted((one, other) => one.row - other.row);
    try {
      if (this.#path !== undefined)
        this.#context.host.files.writePublic(this.#path, resultsHead + resultsText(all));
      return { all, trouble: undefined };
    } catch (error) {
      const hint = createHint`It may lack rows. This report and ${nextStep`apply history`} list all changes.`;
      return { all, trouble: this.#failure(error, hint) };
    }
  }

  close(): void {
    this.#file?.close();
  }

  #failureText(error: unknown): string {
    return `The results file ${this.#name} cannot be written (${describeIoError(error)}).`;
  }

  #failure(error: unknown, hint: HintSource): Failure {
    return new Failure('failed', this.#failureText(error), { hint, cause: error });
  }
}

function readResultsText({ files }: Context['host'], path: string, name: string): string | undefined {
  try {
    return files.readLargeText(path)?.text;
  } catch (error) {
    throw new Failure('usage', `${name} cannot be read (${describeIoError(error)}).`, { cause: error });
  }
}
