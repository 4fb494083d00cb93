import { Failure } from '../../base/failure.ts';
import { isObject, valueAt } from '../../base/json.ts';
import { compiled, noMatch } from '../../contract/call-patterns.ts';
import { isRoutable, normalisedNumber } from '../../contract/phone-number.ts';
import { textAt, textsAt } from '../fields.ts';
import { accountName } from '../identity/principal.ts';
import { newId } from '../made-values.ts';
import type { Services } from '../services.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { type AccountRecords, calledName, nearestHint, recordsOf } from '../telephony/account-records.ts';
import type { CallRequest } from './call-request.ts';
import type { Leg } from './ring-legs.ts';

/** The caller. */
export interface Caller {
  readonly number: string;
  readonly name: string;
  /** User of the account who calls; left out: somebody outside. */
  readonly user?: StoredRecord;
}

/** A callflow, and how a number led there. */
export interface Match {
  readonly callflow: StoredRecord;
  readonly by: 'number' | 'pattern' | 'no_match';
  /** The number or pattern that fitted. */
  readonly text: string;
  /** Texts captured by the groups of the pattern. */
  readonly captures: readonly string[];
}

/** The number that others in the account see of a user. */
export function extensionOf({ body }: StoredRecord): string {
  const number = valueAt(body, 'caller_id.internal.number');
  if (typeof number === 'string' && number !== '') return number;
  return textAt(body, 'presence_id') ?? textAt(body, 'username') ?? '';
}

/** Somebody outside who shows no number. */
const anonymous = 'anonymous';

/** First and last name of a user, or how the user signs in. */
export function personName(user: StoredRecord): string {
  const { body } = user;
  const name = [textAt(body, 'first_name'), textAt(body, 'last_name')].filter(Boolean).join(' ');
  return name === '' ? calledName(user) : name;
}

/** The user of a username, an id, an extension, or a callflow that rings one user alone. */
async function userCalled(records: AccountRecords, text: string): Promise<StoredRecord | undefined> {
  const byName =
    (await records.holding('users', 'username', text.toLowerCase())) ?? (await records.get('users', text));
  if (byName) return byName;
  const byExtension = await records.find(
    'users',
    (body) => textAt(body, 'presence_id') === text || valueAt(body, 'caller_id.internal.number') === text,
  );
  if (byExtension || isRoutable(text)) return byExtension;
  const flow = (await records.holding('callflows', 'numbers', text))?.body.flow;
  const id = valueAt(flow, 'module') === 'user' ? valueAt(flow, 'data.id') : undefined;
  return typeof id === 'string' ? records.get('users', id) : undefined;
}

/**
 * Finds the caller at that place: a user of the account, or a number of the public network. Throws `Failure`
 * (`not_found`) where it is neither, and (`refused`) for users who are disabled.
 */
export async function callerOf(
  records: AccountRecords,
  from: string,
  shownName: string | undefined,
): Promise<Caller> {
  const user = await userCalled(records, from);
  if (user) {
    const username = calledName(user);
    if (user.body.enabled === false) throw new Failure('refused', `The user ${username} is disabled.`);
    return { number: extensionOf(user), name: shownName ?? personName(user), user };
  }
  if (from === anonymous) return { number: anonymous, name: shownName ?? 'Anonymous' };
  const number = normalisedNumber(from);
  if (isRoutable(number)) return { number, name: shownName ?? number };
  throw new Failure(
    'not_found',
    `Nobody calls from ${JSON.stringify(from)}: it is not a public number, nor a user or extension of ${calledName(records.account)}.`,
    { hint: await nearestHint(records, 'users', from, ['username', 'presence_id']) },
  );
}

/** The callflow that a number leads to: by number, else by pattern, else the one that takes all others. */
export async function matchNumber(records: AccountRecords, dialled: string): Promise<Match | undefined> {
  const number = normalisedNumber(dialled);
  const exact = await records.holding('callflows', 'numbers', number);
  if (exact) return { callflow: exact, by: 'number', text: number, captures: [] };
  let found: { readonly text: string; readonly captures: readonly string[] } | undefined;
  const callflow = await records.find('callflows', (body) => {
    for (const text of textsAt(body, 'patterns')) {
      const captures = compiled(text)?.groups(number);
      if (captures) found = { text, captures };
      if (captures) return true;
    }
    return false;
  });
  if (callflow && found) return { callflow, by: 'pattern', ...found };
  const rest = await records.holding('callflows', 'numbers', noMatch);
  return rest && { callflow: rest, by: 'no_match', text: noMatch, captures: [] };
}

/** The blacklist that refuses a caller from outside: one of those that the account names (Conventions, Blacklists). */
export async function refusingList({ account, get }: AccountRecords, { number }: Caller) {
  for (const id of textsAt(account.body, 'blacklists')) {
    const list = await get('blacklists', id);
    if (list === undefined) continue;
    const { numbers, should_block_anonymous: blocksAnonymous } = list.body;
    const isNamed = isObject(numbers) && Object.hasOwn(numbers, number);
    if (number === anonymous ? blocksAnonymous === true : isNamed) return list;
  }
  return undefined;
}

/** The account that has a number in service. */
export async function accountWith(store: Store, dialled: string): Promise<AccountRecords | undefined> {
  const number = await store.get({ kind: 'numbers', scope: '', id: normalisedNumber(dialled) });
  const id = number?.body.state === 'in_service' ? textAt(number.hidden, 'account') : undefined;
  const account = id === undefined ? undefined : await store.get(accountName(id));
  return account && recordsOf(store, account);
}

/** The destination of a call: an account, and its callflow or the public network. */
export interface Route {
  readonly records: AccountRecords;
  readonly caller: Caller;
  /** Left out: no callflow takes the number, and it leads to the public network. */
  readonly match: Match | undefined;
  /** The dialled number, in E.164 where it is one of the public network. */
  readonly to: string;
}

/**
 * Finds who calls and where the number leads: calls from outside to whoever has it in service, calls from inside
 * first to their own account. Throws `Failure` (`not_found`) where nothing answers it.
 */
export async function routeOf(
  services: Services,
  own: AccountRecords,
  { from, fromName, to: dialled }: CallRequest,
): Promise<Route> {
  const caller = await callerOf(own, from, fromName);
  const owner = caller.user ? undefined : await accountWith(services.store, dialled);
  const records = owner ?? own;
  const match = await matchNumber(records, dialled);
  const isPublic = isRoutable(dialled);
  const to = isPublic ? normalisedNumber(dialled) : dialled;
  if (match || (caller.user && isPublic)) return { records, caller, match, to };
  const name = calledName(records.account);
  throw new Failure(
    'not_found',
    `Nothing answers ${JSON.stringify(to)}: no callflow of ${name} has the number or a pattern for it, and none is for all other numbers (no_match).`,
    { hint: 'See what the callflows take: telctl callflows list' },
  );
}

/** The caller's leg. */
export function callerLeg(services: Services, { caller, match, to }: Route): Leg {
  const { number, name, user } = caller;
  return {
    callId: newId(services.random),
    direction: 'inbound',
    caller: { name, number },
    callee: { name: match ? calledName(match.callflow) : to, number: to },
    destination: to,
    ownerId: user?.id,
    authorizing: user ? { id: user.id, type: 'user' } : { id: 'sandbox-carrier', type: 'resource' },
  };
}
