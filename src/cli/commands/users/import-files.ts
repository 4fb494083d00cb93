import { resolve } from 'node:path';
import { createHint, Failure, type HintSource, nextStep } from '../../../base/failure.ts';
import type { AppendOnlyFile } from '../../../base/host/host.ts';
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

/** Columns of the file of `--passwords-out`. */
export const importedPasswords: PasswordColumns = {
  option: '--passwords-out',
  head: ['username', 'password'],
  kinds: ['users'],
  cells: ({ username }) => [username],
};

/** Throws `Failure` (`invalid`) for new users without a password. With `lenient`, only warns. */
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
  const hint = '--generate-passwords --passwords-out FILE makes them; --lenient sends the users without.';
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

/**
 * The file that `--results` names, or the one beside the imported file; none for standard input. It has a line for each
 * row as it ends, so that nothing is lost. Throws `Failure` where it is something else.
 */
export function resultsFile(
  { host, notices }: Context,
  { file, results }: { readonly file: string; readonly results: string | undefined },
) {
  const name =
    results ?? (file === '-' ? undefined : `${file.replace(/\.(?:csv|tsv|txt)$/i, '')}.results.csv`);
  const path = name === undefined ? undefined : resolve(host.cwd, name);
  if (path !== undefined && name !== undefined) refuseSpecialFile(host, path, name, '--results');
  const text = path === undefined ? undefined : readResultsText(host, path, String(name));
  const earlier = text === undefined ? undefined : readResults(text);
  if (text !== undefined && text !== '' && earlier === undefined)
    throw new Failure('refused', `${name} is not a results file of an import, and is not overwritten.`, {
      hint: 'Name another file with --results FILE.',
    });
  const unwritten = (error: unknown): string =>
    `The results file ${name} cannot be written (${describeIoError(error)}).`;

  return {
    name,
    /** Returns true if an earlier run of this number of rows left some undone. */
    isUnfinished: (rows: number): boolean =>
      earlier !== undefined && earlier.filter(({ status }) => isSettled(status)).length < rows,
    /** Returns the results of an earlier run. Throws `Failure` of kind `usage` if there are none. */
    before(): readonly RowResult[] {
      if (earlier) return earlier;
      throw new Failure('usage', `Results file ${name} not found.`, {
        hint: 'Name the file with --results FILE, or leave out --resume.',
      });
    },
    /** Starts the file again with the rows that are done. Throws `Failure` if it cannot be written. */
    begin(first: readonly RowResult[]) {
      const growing = path === undefined ? undefined : begun(path, first);
      let isOpen = true;
      return {
        add(result: RowResult): void {
          try {
            growing?.add(resultsText([result]));
          } catch (error) {
            // The run continues: the log has the row, and the file is written once more at the end.
            if (isOpen) notices.warn(unwritten(error));
            isOpen = false;
          }
        },
        /** Writes all rows in order and returns them, even if the file cannot be written. */
        end(rest: readonly RowResult[]) {
          const all = sortRows([...first, ...rest]);
          try {
            if (path !== undefined) host.files.writePublic(path, resultsHead + resultsText(all));
            return { all, trouble: undefined };
          } catch (error) {
            const hint = createHint`It may lack rows; this report and ${nextStep`apply history`} have all that was done.`;
            return { all, trouble: new Failure('failed', unwritten(error), { hint, cause: error }) };
          }
        },
        close: () => growing?.close(),
      };
    },
  };

  function begun(at: string, first: readonly RowResult[]) {
    try {
      host.files.remove(at);
      const growing = host.files.openAppendOnly(at);
      growing.add(resultsHead + resultsText(first));
      return growing;
    } catch (error) {
      const hint = 'Name another file with --results FILE.';
      throw new Failure('failed', unwritten(error), { hint, cause: error });
    }
  }
}

function readResultsText({ files }: Context['host'], path: string, name: string): string | undefined {
  try {
    return files.readLargeText(path)?.text;
  } catch (error) {
    throw new Failure('usage', `${name} cannot be read (${describeIoError(error)}).`, { cause: error });
  }
}

const sortRows = (results: readonly RowResult[]): readonly RowResult[] =>
  results.toSorted((one, other) => one.row - other.row);
