import { Failure, leadsOn, type NextStep, nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { type Loss, lossOf } from '../../../contract/guards.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Observed, Plan } from '../../../engine/manifest/plan.ts';
import { isNotOffered } from '../../../engine/manifest/service.ts';
import type { Context } from '../../command/context.ts';
import { nameOf } from '../labels.ts';

/** A user who loses something; without a record where it could not be read. */
export interface Loser {
  readonly id: string;
  readonly record: JsonObject | undefined;
  readonly loss: Loss;
}

/** An administrator without whom nobody might be left who may speak. */
export interface Kept extends Loser {
  readonly name: string;
  readonly why: 'you are signed in as this administrator' | 'no other administrator is left in the account';
}

/**
 * Finds which of some users must not lose rights unasked: the administrator who is signed in, and the last
 * administrators of the account. The users of the account are read only if an administrator is among those.
 * `gone`: users that the run has taken rights from before.
 */
export async function keptOf(
  { api, accountId, ownId }: { api: Api; accountId: string; ownId: string | undefined },
  losers: readonly Loser[],
  gone: ReadonlySet<string> = new Set(),
): Promise<readonly Kept[]> {
  const administrators = losers.filter(
    ({ id, record }) => isAdministrator(record) || (id === ownId && isBoss(record)),
  );
  if (administrators.length === 0) return [];
  const without = new Set([...gone, ...administrators.map(({ id }) => id)]);
  // Where neither the users nor the list of them can be read, nobody can tell, and nothing says so.
  const isBlind = administrators.every(({ id, record }) => record === undefined && id !== ownId);
  const isAnyLeft = (await hasAdministrator(api, accountId, without)) ?? isBlind;
  return administrators.flatMap((loser): readonly Kept[] => {
    const name = (loser.record && nameOf(users, loser.record)) ?? loser.id;
    if (loser.id === ownId) return [{ ...loser, name, why: 'you are signed in as this administrator' }];
    return isAnyLeft ? [] : [{ ...loser, name, why: 'no other administrator is left in the account' }];
  });
}

/** True for the record of an administrator, enabled or not; one that could not be read may be one. */
const isBoss = (record: JsonObject | undefined): boolean =>
  record === undefined || record.priv_level === 'admin';

const isAdministrator = (record: JsonObject | undefined): boolean =>
  isBoss(record) && record?.enabled !== false;

/** Tells whether an account has an administrator who may sign in beside some users; `undefined` where no list is offered. */
async function hasAdministrator(
  api: Api,
  accountId: string,
  without: ReadonlySet<string>,
): Promise<boolean | undefined> {
  const path = { account_id: accountId };
  const operation = operationById('users.list');
  try {
    for await (const page of api.pages({ operation, path, query: { filter_priv_level: 'admin' } }))
      for (const item of page) {
        const { id, priv_level: level = 'admin', enabled } = item;
        // The filter may have been ignored, and lists of some services do not say who is enabled.
        if (typeof id !== 'string' || without.has(id) || level !== 'admin' || enabled === false) continue;
        const isWhole = item.priv_level !== undefined && enabled !== undefined;
        if (isWhole || isAdministrator(await userAt(api, { ...path, user_id: id }))) return true;
      }
    return false;
  } catch (error) {
    if (isNotOffered(error, operation)) return undefined;
    throw error;
  }
}

/** Reads a user: `undefined` where the service does not show one, nothing of one that is not there. */
export async function userAt(
  api: Api,
  path: Readonly<Record<string, string>>,
): Promise<JsonObject | undefined> {
  const operation = operationById('users.get');
  try {
    const { data } = await api.call({ operation, path });
    return isObject(data) ? data : undefined;
  } catch (error) {
    if (isNotOffered(error, operation)) return undefined;
    // Nobody has no rights; the change itself says that there is no such user.
    if (error instanceof Failure && error.kind === 'not_found') return {};
    throw error;
  }
}

/** The refusal of what would take rights from administrators who are to be kept; `undefined` where there are none. */
export function keptFailure(kept: readonly Kept[]): Failure | undefined {
  const [first] = kept;
  if (first === undefined) return undefined;
  const lines = kept.map(({ name, loss, why }) => `User ${name} would be ${loss}, and ${why}.`);
  return new Failure('refused', [...lines, 'Nothing was changed.'], {
    hint: leadsOn`If that is meant, it is done by itself and by name: ${lossCommand(first)}`,
    details: { administrators: kept.map(({ id, name, loss }) => ({ id, name, loss })) },
  });
}

function lossCommand({ name, loss }: Kept): NextStep {
  const verb = loss === 'deleted' ? 'delete' : loss === 'disabled' ? 'disable' : 'patch';
  return nextStep`users ${verb} ${name} ${loss === 'demoted' ? ['--priv-level', 'user'] : []} --confirm ${name}`;
}

/**
 * Returns the reason for refusing a plan that would leave an account without an administrator, or without oneself.
 * Users of whom it was not read are read.
 */
export async function lockoutOf(
  context: Pick<Context, 'api' | 'session'>,
  { account, steps }: Pick<Plan, 'account' | 'steps'>,
  { matches }: Pick<Observed, 'matches'>,
): Promise<Failure | undefined> {
  const losing = steps.flatMap(({ kind, by, id, send }): readonly Omit<Loser, 'record'>[] => {
    const loss = lossOf(by === 'replace' ? 'update' : (by ?? ''), send);
    return kind !== 'users' || loss === undefined || id === undefined ? [] : [{ id, loss }];
  });
  if (losing.length === 0 || account.id === undefined) return undefined;
  const [api, { profile }] = await Promise.all([context.api(), context.session()]);
  const place = { api, accountId: account.id, ownId: profile.ownerId };
  const records = new Map([...matches.values()].map(({ id, record }) => [id, record]));
  const losers: Loser[] = [];
  for (const loser of losing) {
    const path = { account_id: account.id, user_id: loser.id };
    losers.push({ ...loser, record: records.get(loser.id) ?? (await userAt(api, path)) });
  }
  return keptFailure(await keptOf(place, losers));
}
