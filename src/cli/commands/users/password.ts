import { isObject } from '../../../base/json.ts';
import { users } from '../../../contract/resources/users.ts';
import { redact } from '../../../contract/secrets.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { changeResult, dryRunResult } from '../change.ts';
import { readIfOffered } from '../generic/update.ts';
import { labelOf } from '../labels.ts';
import { readAfterChange } from '../operations/read-after-change.ts';
import { askSecretTwice, randomPassword, readSecret } from '../passwords/secrets.ts';
import { findNamed, operationFor, pathTo } from '../records/find-named.ts';
import type { passwordOptions, userArguments } from './commands.ts';

/** Ends all tokens of the user (States and transitions). The signed-in user gets a new token. */
export async function changePassword(
  input: InputOf<typeof passwordOptions, typeof userArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findNamed(context, users, input.id);
  const api = await context.api();
  const user = await readIfOffered(
    context,
    api,
    { operation: operationFor(users, 'get'), path: pathTo(users, id) },
    'messages show only the id of the user.',
  );
  const label = labelOf(users, { id, ...user });
  const given = await readSecret(context, 'password', {
    stdin: input.passwordStdin ?? false,
    file: input.passwordFile,
  });
  const password = input.generate
    ? randomPassword(context.host.random)
    : (given ??
      (await askSecretTwice(context, `New password of ${label}:`, '--password-stdin or --generate')));
  const call = {
    operation: operationFor(users, 'patch'),
    path: pathTo(users, id),
    data: { password },
  };
  if (context.options.dryRun) return dryRunResult(context, [{ call, ...(user ? { before: user } : {}) }]);
  if (input.generate) context.notices.disclose([password]);
  context.notices.warn(`This ends all tokens of ${label}.`);
  const { data } = await api.call(call);
  // A generated password is always shown, because it cannot be recovered later.
  const changed = isObject(data) ? data : {};
  const session = await context.session();
  const done = `Changed the password of ${label}.`;
  const isSignedIn =
    session.profile.ownerId === id &&
    (await readAfterChange(context, done, async () => {
      await session.passwordChanged(password);
      return true;
    }));
  const message = isSignedIn ? `${done} You are signed in with the new one.` : done;
  if (input.generate) {
    context.notices.say(`${message} It is shown only once:`);
    const safe = redact(users.schema, changed);
    const value = { ...(isObject(safe) ? safe : {}), generated_password: password };
    return { kind: 'text', text: password, value };
  }
  return changeResult(users, message, changed);
}
