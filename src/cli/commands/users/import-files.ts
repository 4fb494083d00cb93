import { resolve } from 'node:path';
import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import { refuseUnplain, troubleWith } from '../../../base/reading.ts';
import { counted } from '../../../base/wording.ts';
import { problemsFailure } from '../../../engine/input/document.ts';
import {
  type Chosen,
  isSettled,
  type RowResult,
  readResults,
  resultsHead,
  resultsText,
} from '../../../engine/manifest/import-results.ts';
import type { Plan } from '../../../engine/manifest/plan.ts';
import type { Import } from '../../../engine/manifest/read-import.ts';
import type { Context } from '../../command/context.ts';
import {
  earlierPasswords,
  type PasswordsFile,
  passwordKey,
  rewritePasswords,
  writePasswords,
} from '../passwords/passwords-file.ts';
import { randomPassword } from '../passwords/secrets.ts';

const to = (file: string): PasswordsFile => ({
  file,
  option: '--passwords-out',
  head: ['username', 'password'],
});

/** Throws `Failure` (`invalid`) for new users without a password; with `lenient` they are only told of. */
export function checkPasswords(
  { notices }: Context,
  { name, columns }: Import,
  { plan, busy }: Chosen,
  lenient: boolean,
): void {
  const without = new Set(
    plan.steps.flatMap(({ kind, by, send, key }) =>
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

/**
 * A plan whose new users all have passwords, those that were made written to a file before any of them is sent. A run
 * that is resumed uses what the file has. Throws `Failure` where there is another file, or it cannot be written.
 */
export function givePasswords(context: Context, plan: Plan, file: string, resumed: boolean) {
  const { host } = context;
  const passwords = new Map<string, readonly string[]>(earlierPasswords(context, to(file), resumed));
  const steps = plan.steps.map((step) => {
    const { kind, by, send } = step;
    if (kind !== 'users' || by !== 'create' || send === undefined || send.password !== undefined) return step;
    const username = String(send.username);
    const known = passwords.get(passwordKey([username]));
    const password = known?.at(-1) ?? randomPassword(host.random);
    passwords.set(passwordKey([username]), [username, password]);
    return { ...step, send: { ...send, password }, managed: { ...step.managed, password } };
  });
  writePasswords(context, to(file), passwords);
  return {
    plan: { ...plan, steps },
    /** Leaves in the file only passwords of users that are there; a warning says where it keeps the others, too. */
    keep(rows: readonly RowResult[]): void {
      const gone = new Set(rows.flatMap(({ id, username }) => (id === '' ? [username.toLowerCase()] : [])));
      if (gone.size === 0) return;
      try {
        rewritePasswords(context, to(file), new Map([...passwords].filter(([name]) => !gone.has(name))));
      } catch (error) {
        context.notices.warn(
          `${file} still has passwords of ${counted(gone.size, 'user')} that were not created: it cannot be written (${troubleWith(error)}).`,
        );
      }
    },
  };
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
  if (path !== undefined && name !== undefined) refuseUnplain(host, path, name, '--results');
  const text = path === undefined || name === undefined ? undefined : keptText(path, name);
  const earlier = text === undefined ? undefined : readResults(text);
  if (text !== undefined && text !== '' && earlier === undefined)
    throw new Failure('refused', `${name} is not a results file of an import, and is not overwritten.`, {
      hint: 'Name another file with --results FILE.',
    });

  function keptText(at: string, shown: string): string | undefined {
    try {
      return host.files.readKept(at)?.text;
    } catch (error) {
      throw new Failure('usage', `${shown} cannot be read (${troubleWith(error)}).`, { cause: error });
    }
  }
  const unwritten = (error: unknown): string =>
    `The results file ${name} cannot be written (${troubleWith(error)}).`;

  return {
    name,
    /** Tells whether an earlier run of so many rows left some undone. */
    isUnfinished: (rows: number): boolean =>
      earlier !== undefined && earlier.filter(({ status }) => isSettled(status)).length < rows,
    /** The results that an earlier run wrote. Throws `Failure` of kind `usage` if there is none. */
    before(): readonly RowResult[] {
      if (earlier) return earlier;
      throw new Failure('usage', `There is no results file ${name} to go on from.`, {
        hint: 'Name it with --results FILE, or leave --resume out.',
      });
    },
    /** Begins the file anew with rows that are settled. Throws `Failure` where it cannot be written. */
    begin(first: readonly RowResult[]) {
      if (path === undefined)
        return {
          add() {},
          end: (rest: readonly RowResult[]) => ({ all: inOrder([...first, ...rest]), trouble: undefined }),
          close() {},
        };
      const growing = (() => {
        try {
          host.files.remove(path);
          const made = host.files.growPrivate(path);
          made.add(resultsHead + resultsText(first));
          return made;
        } catch (error) {
          throw new Failure('failed', unwritten(error), {
            hint: 'Name another file with --results FILE.',
            cause: error,
          });
        }
      })();
      let isOpen = true;
      return {
        add(result: RowResult): void {
          try {
            growing.add(resultsText([result]));
          } catch (error) {
            // The run goes on: the log has it, too, and the file is written once more at the end.
            if (isOpen) notices.warn(unwritten(error));
            isOpen = false;
          }
        },
        /** Writes all rows in their order, and gives them; what was done is told where that fails, too. */
        end(rest: readonly RowResult[]) {
          const all = inOrder([...first, ...rest]);
          try {
            host.files.writePublic(path, resultsHead + resultsText(all));
            return { all, trouble: undefined };
          } catch (error) {
            const hint = leadsOn`It may lack rows; this report and ${nextStep`apply history`} have all that was done.`;
            return { all, trouble: new Failure('failed', unwritten(error), { hint, cause: error }) };
          }
        },
        close: () => growing.close(),
      };
    },
  };
}

const inOrder = (results: readonly RowResult[]): readonly RowResult[] =>
  results.toSorted((one, other) => one.row - other.row);
