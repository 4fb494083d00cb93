import { resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { fromCell } from '../../base/formula-text.ts';
import { refuseUnplain } from '../../base/reading.ts';
import { troubleWith } from '../../base/system-trouble.ts';
import { counted } from '../../base/wording.ts';
import type { Context } from '../../command/context.ts';
import { problemsFailure } from '../../input/document.ts';
import { type Chosen, csvText, type RowResult } from '../../manifest/import-results.ts';
import { parseCsv } from '../../manifest/parse-csv.ts';
import type { Plan } from '../../manifest/plan.ts';
import type { Import } from '../../manifest/read-import.ts';
import { randomPassword } from '../secrets.ts';

/** Passwords by username in lower case, with the username as it is written. */
export type Passwords = ReadonlyMap<string, readonly [username: string, password: string]>;

const head = ['username', 'password'] as const;

/**
 * Throws `Failure` of kind `invalid` for new users without a password, whom compatible services refuse; with `lenient`
 * they are only told of.
 */
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
        ...{ ...at, place: `${name}:${line}`, line },
        message: 'the row has no password, which a new user needs',
      }))
    : [{ ...at, place: name, line: 1, message: 'no column for "password", which a new user needs' }];
  throw problemsFailure(problems, hint);
}

/**
 * A plan whose new users all have passwords, those that were made written to a file before any of them is sent. A run
 * that is resumed uses what the file has. Throws `Failure` where there is another file, or it cannot be written.
 */
export function givePasswords(
  context: Context,
  plan: Plan,
  file: string,
  resumed: boolean,
): { readonly plan: Plan; readonly passwords: Passwords } {
  const { host } = context;
  const passwords = new Map(earlier(context, file, resumed));
  const steps = plan.steps.map((step) => {
    const { kind, by, send } = step;
    if (kind !== 'users' || by !== 'create' || send === undefined || send.password !== undefined) return step;
    const username = String(send.username);
    const known = passwords.get(username.toLowerCase());
    const password = known?.[1] ?? randomPassword(host.random);
    passwords.set(username.toLowerCase(), [username, password]);
    return { ...step, send: { ...send, password }, managed: { ...step.managed, password } };
  });
  try {
    write(context, file, passwords);
  } catch (cause) {
    throw new Failure(
      'failed',
      `The passwords cannot be written to ${file} (${troubleWith(cause)}). Nothing was sent.`,
      { cause },
    );
  }
  return { plan: { ...plan, steps }, passwords };
}

/** Leaves in the file only passwords of users that are there; a warning says where it keeps the others, too. */
export function keepPasswords(
  context: Context,
  file: string,
  passwords: Passwords,
  rows: readonly RowResult[],
): void {
  const gone = new Set(rows.filter(({ id }) => id === '').map(({ username }) => username.toLowerCase()));
  if (gone.size === 0) return;
  try {
    write(context, file, new Map([...passwords].filter(([name]) => !gone.has(name))));
  } catch (error) {
    context.notices.warn(
      `${file} still has passwords of ${counted(gone.size, 'user')} that were not created: it cannot be written (${troubleWith(error)}).`,
    );
  }
}

function earlier(context: Context, file: string, resumed: boolean): Passwords {
  const path = resolve(context.host.cwd, file);
  refuseUnplain(context.host, path, file, '--passwords-out');
  const text = context.host.files.readKept(path)?.text;
  if (text === undefined) return new Map();
  const { head: titles, rows } = text.startsWith(csvText([head])) ? parseCsv(text, ',') : noTable;
  if (!resumed || !titles)
    throw new Failure('refused', `There is a file ${file} already, and passwords are not written over it.`, {
      hint: 'Name another file with --passwords-out FILE.',
    });
  return new Map(
    rows.map(({ cells }) => {
      const [username = '', password = ''] = cells.map(fromCell);
      return [username.toLowerCase(), [username, password]] as const;
    }),
  );
}

const noTable = { head: undefined, rows: [] } as const;

const write = ({ host }: Context, file: string, passwords: Passwords): void =>
  host.files.writePrivate(resolve(host.cwd, file), csvText([head, ...passwords.values()]));
