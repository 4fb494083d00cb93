import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { isObject } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { ApiRequest } from '../../../client/api/api.ts';
import { signIn } from '../../../client/session/sign-in.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { users } from '../../../contract/resources/users.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import {
  type BulkOutcome,
  bulkFailure,
  changeInBulk,
  skippedOutcome,
  stoppingFailure,
} from '../bulk/bulk.ts';
import { dryRunResult } from '../change.ts';
import { readIfOffered } from '../generic/update.ts';
import { requestEffect } from '../guards/guard-request.ts';
import { confirmByName } from '../guards/protection.ts';
import { labelOf, nameOf } from '../labels.ts';
import { type OldToken, restoreSession, tryOldToken } from '../operations/read-after-change.ts';
import { findNamed, operationFor, pathTo } from '../records/find-named.ts';
import type { revokeOptions } from './commands.ts';

type RevokeInput = InputOf<typeof revokeOptions>;

/** Ends tokens of a user, an account or the service by resetting the secret that signs them. */
export async function revokeAll(input: RevokeInput, context: Context): Promise<Result> {
  checkOptions(input, context);
  if (input.everyone) return revokeEveryone(input, context);
  const { call, name, done } = await resetTarget(input, context);
  const { operation, path = {} } = call;
  const effect = requestEffect(operation, name) ?? '';
  const api = await context.api();
  if (context.options.dryRun) return dryRunResult(context, [{ call, notes: [effect] }]);
  if (operation.asks?.yesAnswers) {
    context.notices.warn(effect);
    await confirmByName(context, { name, yesAnswers: true, given: input.confirm });
  } else await context.guard({ operation, path, data: undefined });
  const before = await (await context.session()).token();
  await api.call(call);
  const signedIn = await restoreSession(context, done, before);
  return {
    kind: 'done',
    message: done,
    value: { scope: input.scope, name, signed_in: signedIn ?? null },
  };
}

/** Throws `usage` for options of different scopes. */
function checkOptions({ scope, user, everyone }: RevokeInput, { settings: { account } }: Context): void {
  if (user !== undefined && scope !== 'user') throw new Failure('usage', '--user needs --scope user.');
  if (everyone && scope !== 'account') throw new Failure('usage', '--everyone needs --scope account.');
  if (account.source !== 'option') return;
  if (scope === 'system')
    throw new Failure(
      'usage',
      '--scope system ends the tokens of every account. It cannot be combined with --account.',
    );
  if (scope === 'user' && user === undefined)
    throw new Failure('usage', '--scope user without --user revokes your own tokens, in your own account.', {
      hint: `Name the user of ${account.value} with --user ID, or omit --account.`,
    });
}

async function resetTarget({ scope, user }: RevokeInput, context: Context) {
  const { profile } = await context.session();
  switch (scope) {
    case 'user': {
      const { path, name } = await findTokenUser(user, context);
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
        done: `Ended the tokens of account ${name} from its API key. Its users stay signed in.`,
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

async function findTokenUser(
  word: string | undefined,
  context: Context,
): Promise<{ readonly path: Readonly<Record<string, string>>; readonly name: string }> {
  const { accountId, ownerId } = (await context.session()).profile;
  const id = word === undefined ? ownerId : (await findNamed(context, users, word)).id;
  if (id === undefined)
    throw new Failure('usage', 'This sign-in does not belong to a user.', {
      hint: 'Name a user with --user ID.',
    });
  const path = { ...(word === undefined ? { account_id: accountId } : {}), ...pathTo(users, id) };
  const api = await (word === undefined ? context.ownApi() : context.api());
  const call = { operation: operationFor(users, 'get'), path };
  const user = await readIfOffered(context, api, call, 'messages show only the id of the user.');
  return { path, name: nameOf(users, { ...user }) ?? id };
}

interface Reset {
  readonly what: string;
  readonly call: ApiRequest;
}

/** Resets an account and its users, and verifies it. Throws `partial`, or `failed` if an old token works. */
async function revokeEveryone({ confirm }: RevokeInput, context: Context): Promise<Result> {
  const session = await context.session();
  const { profile } = session;
  const name = context.settings.account.value ?? profile.accountName ?? profile.accountId;
  const stages = await orderResets(context, name);
  const resets = stages.flat();
  const people = formatCount(resets.length - 1, 'user');
  const effect = `This ends all tokens of account ${name}: those from its API key, and those of its ${people}.`;
  if (context.options.dryRun)
    return dryRunResult(
      context,
      resets.map(({ call, what }) => ({ call, notes: [`Resets the secret of ${what}.`] })),
    );
  context.notices.warn(effect);
  await confirmByName(context, { name, given: confirm, yesAnswers: true });
  const own = await session.token();
  const before = (await context.accountId()) === profile.accountId ? own : await tokenByKey(context);
  const failure = bulkFailure(resets, await resetAll(context, stages), {
    label: ({ what }) => what,
    noun: 'secrets',
    done: 'reset',
    hint: () => 'Run it again. Repeating a reset is safe.',
  });
  if (failure) throw failure;
  const done = `Reset the secrets of account ${name} and of its ${people}.`;
  const proof: OldToken = before === undefined ? 'unknown' : await tryOldToken(context, before);
  const signedIn = await restoreSession(context, done, own);
  if (proof === 'unknown')
    context.notices.warn(`${done} telctl could not check that an old token is refused.`);
  return {
    kind: 'done',
    message: proof === 'refused' ? `${done} An old token is refused.` : done,
    value: {
      scope: 'account',
      everyone: true,
      name,
      users: resets.length - 1,
      old_token: proof,
      signed_in: signedIn ?? null,
    },
    ...(proof === 'accepted'
      ? {
          failure: new Failure('failed', 'The service still accepts an old token.', {
            hint: createHint`As the super administrator, end all tokens of the service: ${nextStep`tokens revoke-all --scope system`}`,
          }),
        }
      : {}),
  };
}

/** Orders the resets: other users, then the account, then the signed-in user, because a reset may end the session. */
async function orderResets(context: Context, name: string): Promise<readonly (readonly Reset[])[]> {
  const { profile } = await context.session();
  const api = await context.api();
  const found: Reset[] = [];
  const self: Reset[] = [];
  for await (const page of api.pages({ operation: operationById('users.list') }))
    for (const user of page) {
      if (typeof user.id !== 'string') continue;
      const call = { operation: operationById('tokens.reset-user-secret'), path: { user_id: user.id } };
      (user.id === profile.ownerId ? self : found).push({ what: labelOf(users, user), call });
    }
  const account = {
    what: `account ${name}`,
    call: { operation: operationById('tokens.reset-account-secret') },
  };
  return [found, [account], self];
}

async function resetAll(
  context: Context,
  stages: readonly (readonly Reset[])[],
): Promise<readonly BulkOutcome<unknown>[]> {
  const outcomes: BulkOutcome<unknown>[] = [];
  for (const stage of stages) {
    const stop = outcomes.map(stoppingFailure).find((failure) => failure !== undefined);
    const ended = stop
      ? stage.map(() => skippedOutcome(stop))
      : await changeInBulk(context, stage, {
          doing: 'reset secrets',
          send: (api, { call }) => api.call(call),
        });
    outcomes.push(...ended);
  }
  return outcomes;
}

async function tokenByKey(context: Context): Promise<string | undefined> {
  const { profile } = await context.session();
  try {
    const { data } = await (await context.api()).call({ operation: operationById('accounts.api-key') });
    const apiKey = isObject(data) && typeof data.api_key === 'string' ? data.api_key : '';
    if (apiKey === '') return undefined;
    const { token } = await signIn(context.sessionParts(), profile.baseUrl, { kind: 'api-key', apiKey });
    return token.token;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return undefined;
  }
}
