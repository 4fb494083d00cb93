import { troubleWith } from '../../../base/reading.ts';
import { counted } from '../../../base/wording.ts';
import { problemsFailure } from '../../../engine/input/document.ts';
import type { Chosen, RowResult } from '../../../engine/manifest/import-results.ts';
import type { Plan } from '../../../engine/manifest/plan.ts';
import type { Import } from '../../../engine/manifest/read-import.ts';
import type { Context } from '../../command/context.ts';
import {
  earlierPasswords,
  type PasswordRows,
  type PasswordsFile,
  passwordKey,
  rewritePasswords,
  writePasswords,
} from '../passwords-file.ts';
import { randomPassword } from '../secrets.ts';

const to = (file: string): PasswordsFile => ({
  file,
  option: '--passwords-out',
  head: ['username', 'password'],
});

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
export function givePasswords(
  context: Context,
  plan: Plan,
  file: string,
  resumed: boolean,
): { readonly plan: Plan; readonly passwords: PasswordRows } {
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
  return { plan: { ...plan, steps }, passwords };
}

/** Leaves in the file only passwords of users that are there; a warning says where it keeps the others, too. */
export function keepPasswords(
  context: Context,
  file: string,
  passwords: PasswordRows,
  rows: readonly RowResult[],
): void {
  const gone = new Set(rows.filter(({ id }) => id === '').map(({ username }) => username.toLowerCase()));
  if (gone.size === 0) return;
  try {
    rewritePasswords(context, to(file), new Map([...passwords].filter(([name]) => !gone.has(name))));
  } catch (error) {
    context.notices.warn(
      `${file} still has passwords of ${counted(gone.size, 'user')} that were not created: it cannot be written (${troubleWith(error)}).`,
    );
  }
}
