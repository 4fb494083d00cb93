import type { Call } from '../../api/api.ts';
import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { operationById } from '../../contract/catalogue.ts';
import { Failure } from '../../contract/failure.ts';
import { freeObject } from '../../contract/fields.ts';
import { users } from '../../contract/resources/users.ts';
import type { Result } from '../../terminal/result.ts';
import { wouldSend } from '../change.ts';
import { findRecord, getRecord } from '../generic/find-record.ts';
import { nameOf } from '../labels.ts';
import type { revokeOptions } from './commands.ts';
import { confirmByName } from './confirm-by-name.ts';
import { stillSignedIn } from './still-signed-in.ts';

type RevokeInput = InputOf<typeof revokeOptions>;

/** What a reset hits. */
interface Target {
  readonly call: Call;
  /** What must be typed to go on. */
  readonly name: string;
  /** Whose tokens end, in words. */
  readonly whose: string;
  /** What becomes of whom. */
  readonly effect: string;
  /** `--yes` answers, too. */
  readonly yesAnswers: boolean;
}

/**
 * Ends all tokens of a user, an account or the service by resetting the secret that signs them. A session that goes with
 * them signs in again where it can.
 */
export async function revokeAll(input: RevokeInput, context: Context): Promise<Result> {
  const target = await targetOf(input, context);
  const api = await context.api();
  if (context.options.dryRun) {
    return wouldSend(context, [
      { request: api.plan(target.call), schema: freeObject('Nothing'), notes: [target.effect] },
    ]);
  }
  context.notices.warn(target.effect);
  await confirmByName(context, { ...target, given: input.confirm });
  await api.call(target.call);
  const message = `Ended all tokens of ${target.whose}.`;
  const signedIn = await stillSignedIn(context);
  if (!signedIn) context.notices.warn('You are signed out as well. Sign in again: telctl login');
  return {
    kind: 'done',
    message,
    value: { scope: input.scope ?? null, name: target.name, signed_in: signedIn },
  };
}

async function targetOf({ scope, user }: RevokeInput, context: Context): Promise<Target> {
  if (user !== undefined && scope !== 'user') {
    throw new Failure('usage', '--user belongs to --scope user.');
  }
  const { profile } = await context.session();
  switch (scope) {
    case undefined:
      throw new Failure('usage', 'It must be said whose tokens end.', {
        hint: 'Give --scope user, --scope account or --scope system.',
      });
    case 'user': {
      const { id, name } = await userOf(user, context);
      return {
        call: { operation: operationById('tokens.reset-user-secret'), path: { user_id: id } },
        name,
        whose: `user ${name}`,
        effect: `This signs ${name} out everywhere.`,
        yesAnswers: true,
      };
    }
    case 'account': {
      const name = context.settings.account.value ?? profile.accountName ?? profile.accountId;
      return {
        call: { operation: operationById('tokens.reset-account-secret') },
        name,
        whose: `account ${name}`,
        effect: `This ends all tokens of account ${name}, those got with its API key among them.`,
        yesAnswers: true,
      };
    }
    case 'system': {
      const { hostname } = new URL(profile.baseUrl);
      return {
        call: { operation: operationById('tokens.reset-system-secret') },
        name: hostname,
        whose: `every user of ${hostname}`,
        effect: `This signs out every user of every account at ${hostname} (system signature secret).`,
        yesAnswers: false,
      };
    }
  }
}

/** The user meant: the named one, or the one signed in. */
async function userOf(
  word: string | undefined,
  context: Context,
): Promise<{ readonly id: string; readonly name: string }> {
  const { profile } = await context.session();
  const id = word === undefined ? profile.ownerId : (await findRecord(context, users, word)).id;
  if (id === undefined) {
    throw new Failure('usage', 'No user is behind this sign-in.', { hint: 'Name one with --user ID.' });
  }
  return { id, name: nameOf(users, await getRecord(context, users, id)) ?? id };
}
