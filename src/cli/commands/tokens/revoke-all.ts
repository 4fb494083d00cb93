import { Failure } from '../../../base/failure.ts';
import type { Call } from '../../../client/api/api.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { users } from '../../../contract/resources/users.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { signedInAfter } from '../afterwards.ts';
import { wouldSend } from '../change.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { readIfOffered } from '../generic/stored-record.ts';
import { effectOf } from '../guard-request.ts';
import { nameOf } from '../labels.ts';
import { confirmByName } from '../protection.ts';
import type { revokeOptions } from './commands.ts';

type RevokeInput = InputOf<typeof revokeOptions>;

interface Target {
  readonly call: Call;
  readonly name: string;
  readonly done: string;
}

/**
 * Ends tokens of a user, an account or the service by resetting the secret that signs them. A session that goes with
 * them signs in again where it can.
 */
export async function revokeAll(input: RevokeInput, context: Context): Promise<Result> {
  refuseContradictions(input, context);
  if (input.everyone) return (await import('./revoke-everyone.ts')).revokeEveryone(input, context);
  const { call, name, done } = await targetOf(input, context);
  const { operation, path = {} } = call;
  const effect = effectOf(operation, name) ?? '';
  const api = await context.api();
  if (context.options.dryRun) return wouldSend(context, [{ call, notes: [effect] }]);
  if (operation.asks?.yesAnswers) {
    context.notices.warn(effect);
    await confirmByName(context, { name, yesAnswers: true, given: input.confirm });
  } else await context.guard({ operation, path, data: undefined });
  const before = await (await context.session()).token();
  await api.call(call);
  const signedIn = await signedInAfter(context, done, before);
  return {
    kind: 'done',
    message: done,
    value: { scope: input.scope, name, signed_in: signedIn ?? null },
  };
}

/** Refuses (`usage`) options of different scopes together. */
function refuseContradictions(
  { scope, user, everyone }: RevokeInput,
  { settings: { account } }: Context,
): void {
  if (user !== undefined && scope !== 'user') throw new Failure('usage', '--user belongs to --scope user.');
  if (everyone && scope !== 'account') throw new Failure('usage', '--everyone belongs to --scope account.');
  if (account.source !== 'option') return;
  if (scope === 'system')
    throw new Failure(
      'usage',
      '--scope system ends the tokens of every account; --account cannot narrow it.',
    );
  if (scope === 'user' && user === undefined)
    throw new Failure('usage', '--scope user without --user is yourself, in your own account.', {
      hint: `Name the user of ${account.value} with --user ID, or leave --account out.`,
    });
}

async function targetOf({ scope, user }: RevokeInput, context: Context): Promise<Target> {
  const { profile } = await context.session();
  switch (scope) {
    case 'user': {
      const { path, name } = await userOf(user, context);
      return {
        call: { operation: operationById('tokens.reset-user-secret'), path },
        name,
        done: `Ended all tokens of user ${name}.`,
      };
    }
    case 'account': {
      const name = context.settings.account.value ?? profile.accountName ?? profile.accountId;
      return {
        call: { operation: operationById('tokens.reset-account-secret') },
        name,
        done: `Ended the tokens of account ${name} that were got with its API key. Its users stay signed in.`,
      };
    }
    case 'system': {
      const { hostname } = new URL(profile.baseUrl);
      return {
        call: { operation: operationById('tokens.reset-system-secret') },
        name: hostname,
        done: `Ended all tokens of every user of ${hostname}.`,
      };
    }
  }
}

/** The user meant: the named one of the account acted on, or the one signed in. */
async function userOf(
  word: string | undefined,
  context: Context,
): Promise<{ readonly path: Readonly<Record<string, string>>; readonly name: string }> {
  const { profile } = await context.session();
  const operation = operationFor(users, 'get');
  if (word !== undefined) {
    const { id } = await findNamed(context, users, word);
    const path = pathTo(users, id);
    const user = await readIfOffered(context, await context.api(), { operation, path }, namedById);
    return { path, name: nameOf(users, { ...user }) ?? id };
  }
  if (profile.ownerId === undefined) {
    throw new Failure('usage', 'No user is behind this sign-in.', { hint: 'Name one with --user ID.' });
  }
  const path = { account_id: profile.accountId, user_id: profile.ownerId };
  const user = await readIfOffered(context, await context.ownApi(), { operation, path }, namedById);
  return { path, name: nameOf(users, { ...user }) ?? profile.ownerId };
}

const namedById = 'the user is named by id alone.';
