import { Failure } from '../../../base/failure.ts';
import { isObject } from '../../../base/json.ts';
import type { GuardedRequest } from '../../../client/api/api.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { mayKeepFromHelp, requestLoss, sendsFax, stopsCalls } from '../../../contract/guards.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import type { Operation } from '../../../contract/types.ts';
import type { Context, NamingContext } from '../../command/context.ts';
import { nameOf } from '../labels.ts';
import type { AcceptedProblems } from './emergency-guard.ts';
import { findNeededAdministrators, lockoutFailure, readUser } from './lockout-guard.ts';
import { confirmByName, refuseProtectedRequest } from './protection.ts';

/** State of the guards in one run. */
export interface GuardMemory {
  readonly passed: Set<string>;
  readonly gone: Set<string>;
  readonly accepted: AcceptedProblems;
}

export interface Guarding {
  /** False in runs of many changes and for assistants, where only a name in the request confirms. */
  readonly mayAsk: boolean;
  /** The user of an assistant is asked about each sensitive field before it is sent. */
  readonly asksPerson?: boolean;
  /** Checks `protect` in manifests. Plans check it themselves. */
  readonly protects: boolean;
  /** Asks about changes that block emergency calls. Plans check them with the manifest. */
  readonly checksEmergency: boolean;
  readonly memory: GuardMemory;
}

export interface Guarded
  extends Pick<Context, 'ask' | 'state' | 'notices'>,
    Pick<NamingContext, 'session' | 'accountId' | 'api'> {
  readonly options: Pick<Context['options'], 'dryRun' | 'confirm' | 'yes' | 'allowEmergencyShadow'>;
}

/**
 * Confirms or refuses a request. Every sender calls it for every request. Throws `refused` for a protected record,
 * for the last administrator or the current user without the typed name, and for an operation whose name cannot be
 * confirmed.
 */
export async function guardRequest(
  context: Guarded,
  request: GuardedRequest,
  guarding: Guarding,
): Promise<void> {
  const { operation, path, data } = request;
  // Uses the operation's path, so that the command and the client guard the same request only once.
  const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => path[name]);
  const isInAccount = operation.path.includes('{account_id}');
  const account = isInAccount ? (path.account_id ?? (await context.accountId())) : undefined;
  const key = JSON.stringify([
    operation.id,
    account,
    named.filter((id) => id !== account),
    requestLoss(operation, data),
  ]);
  const { memory, checksEmergency, mayAsk } = guarding;
  if (sendsFax(operation, data))
    await (await import('./emergency-guard.ts')).refuseEmergencyFax(context, request);
  if (checksEmergency && mayKeepFromHelp(operation, data))
    await (await import('./emergency-guard.ts')).guardEmergencyCalls(context, request, {
      mayAsk,
      accepted: memory.accepted,
    });
  if (memory.passed.has(key)) return;
  if (guarding.protects && operation.method === 'DELETE') await refuseProtectedRequest(context, request);
  if (context.options.dryRun) return;
  await keepAdministrators(context, request, guarding);
  if (operation.asks && !operation.asks.yesAnswers) await askForName(context, request, guarding.mayAsk);
  if (stopsCalls(operation, data)) await askToStopCalls(context, request, guarding);
  // A name in one call confirms only that call.
  if (request.confirm === undefined) memory.passed.add(key);
}

export const stopsAllCalls =
  'With a limit of 0 calls, the service refuses every call of the account except emergency calls.';

/**
 * Warns that the account can no longer make calls, and asks for its name. In a run of many changes, only `--yes`
 * confirms. Throws `refused` without it. Changes of a plan are confirmed with the plan, and those of an assistant
 * with the request.
 */
async function askToStopCalls(
  context: Guarded,
  request: GuardedRequest,
  { mayAsk, protects, asksPerson }: Guarding,
): Promise<void> {
  context.notices.warn(stopsAllCalls);
  if (!mayAsk && protects && !asksPerson && !context.options.yes)
    throw new Failure('refused', 'A limit of 0 calls in many accounts needs --yes. Nothing was sent.');
  if (!mayAsk) return;
  const { operation, confirm } = request;
  const name = await confirmationName(context, {
    ...request,
    operation: { ...operation, asks: { name: 'account' } },
  });
  await confirmByName(context, { name, given: confirm ?? context.options.confirm, yesAnswers: true });
}

/** Asks for the name of an administrator who would lose rights, or refuses the change. */
async function keepAdministrators(
  context: Guarded,
  { operation, path, data, confirm, record }: GuardedRequest,
  { mayAsk, memory: { gone } }: Guarding,
): Promise<void> {
  const loss = requestLoss(operation, data);
  const { account_id: accountId, user_id: id } = path;
  if (loss === undefined || accountId === undefined || id === undefined || gone.has(id)) return;
  const [api, { profile }] = await Promise.all([context.api(), context.session()]);
  const found = record ?? (await readUser(api, { account_id: accountId, user_id: id }));
  const place = { api, accountId, ownId: profile.ownerId };
  const before = new Set(gone);
  gone.add(id);
  try {
    const [kept] = await findNeededAdministrators(place, [{ id, record: found, loss }], before);
    if (!kept) return;
    const word = confirm ?? (mayAsk ? context.options.confirm : undefined);
    const refusal = lockoutFailure([kept]);
    if (refusal && word === undefined && !(mayAsk && context.ask.available)) throw refusal;
    context.notices.warn(`User ${kept.name} would be ${kept.loss}, and ${kept.why}.`);
    await confirmByName(context, { name: kept.name, given: word, yesAnswers: false });
  } catch (error) {
    gone.delete(id);
    throw error;
  }
}

/**
 * Describes an operation and asks for the name that confirms it. `--yes` confirms it if the operation allows that.
 * Throws `refused` for another name or in a run of many changes, and `usage` without a terminal.
 */
export async function askForName(context: Guarded, request: GuardedRequest, mayAsk: boolean): Promise<void> {
  const { asks, summary } = request.operation;
  if (asks === undefined) return;
  const given = request.confirm ?? (mayAsk ? context.options.confirm : undefined);
  if (!mayAsk && given === undefined)
    throw new Failure(
      'refused',
      `"${summary}" needs its own command and the name as confirmation. Nothing was sent.`,
    );
  const name = await confirmationName(context, request);
  const effect = requestEffect(request.operation, name);
  if (effect !== undefined) context.notices.warn(effect);
  await confirmByName(context, { name, given, yesAnswers: asks.yesAnswers === true });
}

export const requestEffect = ({ asks }: Operation, name: string): string | undefined =>
  asks?.effect?.replaceAll('{name}', () => name);

async function confirmationName(
  context: Guarded,
  { operation: { asks }, path, record }: GuardedRequest,
): Promise<string> {
  const { profile } = await context.session();
  const { account_id: accountId = profile.accountId, user_id: userId } = path;
  if (asks?.name === 'host') return new URL(profile.baseUrl).hostname;
  if (asks?.name === 'user' && userId !== undefined) {
    const user = record ?? (await readUser(await context.api(), { account_id: accountId, user_id: userId }));
    return typeof user?.username === 'string' ? user.username : userId;
  }
  if (record === undefined && accountId === profile.accountId && profile.accountName !== undefined)
    return profile.accountName;
  const call = { operation: operationById('accounts.get'), path: { account_id: accountId } };
  const found = record ?? (await (await context.api()).call(call)).data;
  return (isObject(found) ? nameOf(accounts, found) : undefined) ?? accountId;
}
