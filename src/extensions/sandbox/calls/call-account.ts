import { Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { countryOfAccount, isRoutable, normalisedNumber } from '../../../contract/phone-number.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { callAccount } from '../../calls/cases/accounts.ts';
import { ownersOf } from '../../calls/engine/records.ts';
import type { CallAccount, Caller } from '../../calls/engine/types.ts';
import type { Behaviour } from '../behaviour.ts';
import { displayName, personName } from '../fields.ts';
import { accountRecordName } from '../identity/principal.ts';
import {
  iterateRecords,
  type Store,
  type StoreChange,
  type StoredRecord,
  scopeBelow,
} from '../store/store.ts';
import { accountInService } from '../telephony/numbers.ts';

export interface AccountRecords {
  readonly account: StoredRecord;
  get(kind: ResourceName, id: string): Promise<StoredRecord | undefined>;
  /**
   * Finds the record with a value if there is exactly one, such as the user of a username or the callflow of a
   * number.
   */
  findByValue(kind: ResourceName, field: string, value: string): Promise<StoredRecord | undefined>;
  find(kind: ResourceName, fits: (body: JsonObject) => boolean): Promise<StoredRecord | undefined>;
}

export function storedRecords(store: Store, account: StoredRecord): AccountRecords {
  const scope = account.id;
  return {
    account,
    get: (kind, id) => store.get({ kind, scope, id }),
    async findByValue(kind, field, value) {
      const holder = await store.findHolder({ kind, scope, field, value });
      return holder && store.get(holder);
    },
    async find(kind, fits) {
      for await (const record of iterateRecords(store, { kind, scope })) if (fits(record.body)) return record;
      return undefined;
    },
  };
}

/** Suggests the record that a mistyped name most likely means. */
export async function nearestHint(
  records: AccountRecords,
  kind: ResourceName,
  typed: string,
  fields: readonly string[],
): Promise<string | undefined> {
  const names: string[] = [];
  await records.find(kind, (body) => {
    names.push(...fields.flatMap((field) => textAt(body, field) ?? []));
    return false;
  });
  const near = findNearest(typed, names);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

/** A caller: the caller id, and the device and user if the account has them. */
export interface WhoCalls {
  readonly number: string;
  readonly name: string;
  readonly user?: StoredRecord;
  readonly caller: Caller;
}

export function userExtension(user: JsonObject): string {
  const number = valueAt(user, 'caller_id.internal.number');
  if (typeof number === 'string' && number !== '') return number;
  return textAt(user, 'presence_id') ?? textAt(user, 'username') ?? '';
}

export function userDisplayName(user: JsonObject): string {
  return personName(user) || (textAt(user, 'username') ?? '');
}

const anonymous = 'anonymous';

/** Finds a user by username, id, extension, or a callflow that rings only this user. */
async function userCalled(records: AccountRecords, text: string): Promise<StoredRecord | undefined> {
  const byName =
    (await records.findByValue('users', 'username', text.toLowerCase())) ??
    (await records.get('users', text));
  if (byName) return byName;
  const byExtension = await records.find(
    'users',
    (body) => textAt(body, 'presence_id') === text || valueAt(body, 'caller_id.internal.number') === text,
  );
  if (byExtension || isRoutable(text)) return byExtension;
  const flow = (await records.findByValue('callflows', 'numbers', text))?.body.flow;
  const id = valueAt(flow, 'module') === 'user' ? valueAt(flow, 'data.id') : undefined;
  return typeof id === 'string' ? records.get('users', id) : undefined;
}

async function deviceCalled(records: AccountRecords, text: string): Promise<StoredRecord | undefined> {
  return (
    (await records.get('devices', text)) ??
    (await records.findByValue('devices', 'sip.username', text.toLowerCase())) ??
    (await records.find('devices', (body) => textAt(body, 'name') === text))
  );
}

const userWord = /^user:/;
const deviceWord = /^device:/;

/**
 * Finds a caller: a user or device of the account, a public number, or `user:NAME` or `device:NAME`. Throws
 * `Failure`: `not_found`, or `refused` if the user is disabled.
 */
export async function findCaller(
  records: AccountRecords,
  from: string,
  shownName: string | undefined,
): Promise<WhoCalls> {
  const shown = shownName === undefined ? {} : { name: shownName };
  const user = deviceWord.test(from) ? undefined : await userCalled(records, from.replace(userWord, ''));
  if (user) {
    const username = displayName(user);
    if (user.body.enabled === false) throw new Failure('refused', `The user ${username} is disabled.`);
    const name = shownName ?? userDisplayName(user.body);
    return { number: userExtension(user.body), name, user, caller: { user: user.id, ...shown } };
  }
  if (from === anonymous) {
    const name = shownName ?? 'Anonymous';
    return { number: anonymous, name, caller: { number: anonymous, name } };
  }
  const number = normalisedNumber(from);
  if (isRoutable(number)) {
    const name = shownName ?? number;
    return { number, name, caller: { number, name } };
  }
  const device = userWord.test(from) ? undefined : await deviceCalled(records, from.replace(deviceWord, ''));
  if (device) {
    const owner = await records.get('users', textAt(device.body, 'owner_id') ?? '');
    const name = shownName ?? (owner ? userDisplayName(owner.body) : displayName(device));
    const shownNumber = owner ? userExtension(owner.body) : displayName(device);
    const caller = { device: device.id, ...shown };
    return { number: shownNumber, name, caller, ...(owner ? { user: owner } : {}) };
  }
  const kind = deviceWord.test(from) ? 'devices' : 'users';
  throw new Failure(
    'not_found',
    `Caller ${JSON.stringify(from)} is not a public number, or a user, extension or device of ${displayName(records.account)}.`,
    {
      hint: await nearestHint(records, kind, from.replace(/^\w+:/, ''), ['username', 'presence_id', 'name']),
    },
  );
}

/** Creates the failure for a number that no account has in service. */
export async function notInService(store: Store, dialled: string, what: string): Promise<Failure> {
  const number = normalisedNumber(dialled);
  const isThere = await store.get({ kind: 'numbers', scope: '', id: number });
  const hint = isThere ? nextStep`numbers activate ${number}` : nextStep`numbers create ${number}`;
  return new Failure('not_found', what, { hint });
}

export async function accountWith(store: Store, dialled: string): Promise<AccountRecords | undefined> {
  const id = await accountInService(store, dialled);
  const account = id === undefined ? undefined : await store.get(accountRecordName(id));
  return account && storedRecords(store, account);
}

const kinds: readonly ResourceName[] = [
  ...(['callflows', 'users', 'devices', 'groups', 'menus', 'vmboxes', 'conferences', 'queues'] as const),
  ...(['temporal_rules', 'temporal_rules_sets', 'lists', 'faxboxes', 'media', 'directories'] as const),
  ...(['blacklists', 'carriers'] as const),
];

const isRead: ReadonlySet<string> = new Set([...kinds, 'list_entries', 'system_carriers']);

/** Id prefix of phones created for users without devices. */
const madePhone = 'phone-of-';

export const ownerOfMadePhone = (device: string): string | undefined =>
  device.startsWith(madePhone) ? device.slice(madePhone.length) : undefined;

/** Id of the callflow for outgoing calls in accounts without a no_match callflow. */
export const outsideFlow = 'outside-flow';

interface Known {
  readonly accounts: Map<string, Promise<CallAccount>>;
}

const known = new WeakMap<Store, Known>();

/** Returns the cached reads of a store. Writes to records that calls use clear them. */
function cachedReads(store: Store): Known {
  const before = known.get(store);
  if (before) return before;
  const accounts = new Map<string, Promise<CallAccount>>();
  store.watch((changes) => {
    for (const change of changes) forget(accounts, change);
  });
  known.set(store, { accounts });
  return { accounts };
}

function forget(accounts: Map<string, unknown>, change: StoreChange): void {
  if (change.change !== 'put' && change.change !== 'remove') return;
  const { kind, scope, id } = change.record;
  if (kind === 'accounts') accounts.delete(id);
  else if (kind === 'system_carriers') accounts.clear();
  else if (isRead.has(kind)) accounts.delete(scope.split('/')[0] ?? scope);
}

/** Clears the cached reads of a store after all its records were replaced. */
export const forgetAccounts = (store: Store): void => known.get(store)?.accounts.clear();

export function loadCallAccount(
  store: Store,
  account: StoredRecord,
  behaviour: Pick<Behaviour, 'live' | 'phoneNumbers'>,
): Promise<CallAccount> {
  const { accounts } = cachedReads(store);
  const before = accounts.get(account.id);
  if (before) return before;
  const reading = readAccount(store, account, behaviour);
  accounts.set(account.id, reading);
  return reading;
}

const bodyWithId = ({ id, body }: StoredRecord): JsonObject => ({ ...body, id });

async function readAccount(
  store: Store,
  account: StoredRecord,
  behaviour: Pick<Behaviour, 'live' | 'phoneNumbers'>,
): Promise<CallAccount> {
  const byKind = new Map<ResourceName, readonly JsonObject[]>();
  const read = async (kind: ResourceName): Promise<readonly StoredRecord[]> =>
    store.list({ kind, scope: account.id });
  for (const kind of kinds) byKind.set(kind, (await read(kind)).map(bodyWithId));
  const lists = await Promise.all((await read('lists')).map((list) => withEntries(store, account.id, list)));
  byKind.set('lists', lists);
  const carriers = await store.allOfKind('system_carriers');
  byKind.set('system_carriers', carriers.map(bodyWithId));
  const devices = behaviour.live.phones === 'unknown' ? [] : (byKind.get('devices') ?? []);
  const users = behaviour.live.phones === 'registered' ? [] : await read('users');
  byKind.set('devices', [...devices, ...users.flatMap((user) => phoneFor(user, devices))]);
  byKind.set('callflows', withOutside(byKind.get('callflows') ?? []));
  return callAccount({
    id: account.id,
    record: { ...account.body, id: account.id },
    byKind,
    classes: behaviour.phoneNumbers.classes,
    country: countryOfAccount(account.body),
  });
}

async function withEntries(store: Store, accountId: string, list: StoredRecord): Promise<JsonObject> {
  const entries = (await store.list({ kind: 'list_entries', scope: scopeBelow(accountId, list.id) })).map(
    bodyWithId,
  );
  return { ...bodyWithId(list), entries };
}

/** Returns a phone for a user without devices, so that users of a new account can be called. */
function phoneFor(user: StoredRecord, devices: readonly JsonObject[]): readonly JsonObject[] {
  if (devices.some((device) => ownersOf(device).includes(user.id))) return [];
  const id = `${madePhone}${user.id}`;
  return [{ id, name: displayName(user), owner_id: user.id, sip: { username: userExtension(user.body) } }];
}

function withOutside(flows: readonly JsonObject[]): readonly JsonObject[] {
  const takesRest = flows.some(({ numbers }) => Array.isArray(numbers) && numbers.includes('no_match'));
  if (takesRest) return flows;
  return [
    ...flows,
    {
      id: outsideFlow,
      name: 'outside',
      numbers: ['no_match'],
      flow: { module: 'offnet', data: {}, children: {} },
    },
  ];
}
