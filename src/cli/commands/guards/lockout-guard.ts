import { createHint, Failure, type NextStep, nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { type Loss, lossByVerb } from '../../../contract/guards.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Observed, Plan } from '../../../engine/manifest/plan.ts';
import { isNotOffered } from '../../../engine/manifest/service.ts';
import type { Context } from '../../command/context.ts';
import { nameOf } from '../labels.ts';

/** A user who loses rights. The record is missing if it could not be read. */
export interface Loser {
  readonly id: string;
  readonly record: JsonObject | undefined;
  readonly loss: Loss;
}

/** An administrator whose loss could lock everyone out. */
export interface NeededAdministrator extends Loser {
  readonly name: string;
  readonly why: 'you are signed in as this administrator' | 'no other administrator is left in the account';
}

/**
 * Finds users who must not lose rights without a question: the signed-in administrator, and the last administrators
 * of the account. Reads the users of the account only if some of them are administrators. `gone`: users who lost
 * rights earlier in the run.
 */
export async function findNeededAdministrators(
  { api, accountId, ownId }: { api: Api; accountId: string; ownId: string | undefined },
  losers: readonly Loser[],
  gone: ReadonlySet<string> = new Set(),
): Promise<readonly NeededAdministrator[]> {
  const administrators = losers.filter(
    ({ id, record }) => isAdministrator(record) || (id === ownId && mayBeAdministrator(record)),
  );
  if (administrators.length === 0) return [];
  const without = new Set([...gone, ...administrators.map(({ id }) => id)]);
  // If neither the users nor their list can be read, there is no check and no warning.
  const isBlind = administrators.every(({ id, record }) => record === undefined && id !== ownId);
  const isAnyLeft = (await hasAdministrator(api, accountId, without)) ?? isBlind;
  return administrators.flatMap((loser): readonly NeededAdministrator[] => {
    const name = (loser.record && nameOf(users, loser.record)) ?? loser.id;
    if (loser.id === ownId) return [{ ...loser, name, why: 'you are signed in as this administrator' }];
    return isAnyLeft ? [] : [{ ...loser, name, why: 'no other administrator is left in the account' }];
  });
}

/** Returns true for an administrator, enabled or not, and for a user that could not be read. */
const mayBeAdministrator = (record: JsonObject | undefined): boolean =>
  record === undefined || record.priv_level === 'admin';

const isAdministrator = (record: JsonObject | undefined): boolean =>
  mayBeAdministrator(record) && record?.enabled !== false;

/** Returns true if the account has another enabled administrator, or `undefined` if users cannot be listed. */
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
        // The service may ignore the filter, and some lists omit `enabled`.
        if (typeof id !== 'string' || without.has(id) || level !== 'admin' || enabled === false) continue;
        const isWhole = item.priv_level !== undefined && enabled !== undefined;
        if (isWhole || isAdministrator(await readUser(api, { ...path, user_id: id }))) return true;
      }
    return false;
  } catch (error) {
    if (isNotOffered(error, operation)) return undefined;
    throw error;
  }
}

/** Returns `undefined` if the service does not show the user. Skips users that do not exist. */
export async function readUser(
  api: Api,
  path: Readonly<Record<string, string>>,
): Promise<JsonObject | undefined> {
  const operation = operationById('users.get');
  try {
    const { data } = await api.call({ operation, path });
    return isObject(data) ? data : undefined;
  } catch (error) {
    if (isNotOffered(error, operation)) return undefined;
    // A missing user has no rights to lose. The change itself fails.
    if (error instanceof Failure && error.kind === 'not_found') return {};
    throw error;
  }
}

export function lockoutFailure(kept: readonly NeededAdministrator[]): Failure | undefined {
  const [first] = kept;
  if (first === undefined) return undefined;
  const lines = kept.map(({ name, loss, why }) => `User ${name} would be ${loss}, and ${why}.`);
  return new Failure('refused', [...lines, 'Nothing was changed.'], {
    hint: createHint`To do it anyway, run it as its own command: ${lossCommand(first)}`,
    details: { administrators: kept.map(({ id, name, loss }) => ({ id, name, loss })) },
  });
}

function lossCommand({ name, loss }: NeededAdministrator): NextStep {
  const verb = loss === 'deleted' ? 'delete' : loss === 'disabled' ? 'disable' : 'patch';
  return nextStep`users ${verb} ${name} ${loss === 'demoted' ? ['--priv-level', 'user'] : []} --confirm ${name}`;
}

/** Returns the failure of a plan that removes the last or the signed-in administrator. */
export async function lockoutRefusal(
  context: Pick<Context, 'api' | 'session'>,
  { account, steps }: Pick<Plan, 'account' | 'steps'>,
  { matches }: Pick<Observed, 'matches'>,
): Promise<Failure | undefined> {
  const losing = steps.flatMap(({ kind, by, id, send }): readonly Omit<Loser, 'record'>[] => {
    const loss = lossByVerb(by === 'replace' ? 'update' : (by ?? ''), send);
    return kind !== 'users' || loss === undefined || id === undefined ? [] : [{ id, loss }];
  });
  if (losing.length === 0 || account.id === undefined) return undefined;
  const [api, { profile }] = await Promise.all([context.api(), context.session()]);
  const place = { api, accountId: account.id, ownId: profile.ownerId };
  const records = new Map([...matches.values()].map(({ id, record }) => [id, record]));
  const losers: Loser[] = [];
  for (const loser of losing) {
    const path = { account_id: account.id, user_id: loser.id };
    losers.push({ ...loser, record: records.get(loser.id) ?? (await readUser(api, path)) });
  }
  return lockoutFailure(await findNeededAdministrators(place, losers));
}
