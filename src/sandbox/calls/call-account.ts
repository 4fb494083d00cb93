import type { JsonObject } from '../../base/json.ts';
import type { ResourceName } from '../../contract/types.ts';
import { ownersOf } from '../../engine/calls/records.ts';
import type { CallAccount } from '../../engine/calls/types.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Change, Store, StoredRecord } from '../store/store.ts';
import { calledName, entriesOf } from '../telephony/account-records.ts';
import { extensionIn } from './who-calls.ts';

/** Kinds of records that calls read. */
const kinds: readonly ResourceName[] = [
  ...(['callflows', 'users', 'devices', 'groups', 'menus', 'vmboxes', 'conferences', 'queues'] as const),
  ...(['temporal_rules', 'temporal_rules_sets', 'lists', 'faxboxes', 'media', 'directories'] as const),
  ...(['blacklists', 'carriers'] as const),
];

const isRead: ReadonlySet<string> = new Set([...kinds, 'list_entries', 'system_carriers']);

/** The phone of somebody who has no device: it rings wherever the user is called. */
const madePhone = 'phone-of-';

export const ownerOfMadePhone = (device: string): string | undefined =>
  device.startsWith(madePhone) ? device.slice(madePhone.length) : undefined;

/** The callflow by which users call out where the account has none that takes all other numbers. */
export const outsideFlow = 'outside-flow';

interface Known {
  readonly accounts: Map<string, Promise<CallAccount>>;
}

const known = new WeakMap<Store, Known>();

/** What was read of a store, until something is written that calls read. */
function knownOf(store: Store): Known {
  const before = known.get(store);
  if (before) return before;
  const accounts = new Map<string, Promise<CallAccount>>();
  store.watch((changes) => {
    for (const change of changes) forget(accounts, change);
  });
  known.set(store, { accounts });
  return { accounts };
}

function forget(accounts: Map<string, unknown>, change: Change): void {
  if (change.change !== 'put' && change.change !== 'remove') return;
  const { kind, scope, id } = change.record;
  if (kind === 'accounts') accounts.delete(id);
  else if (kind === 'system_carriers') accounts.clear();
  else if (isRead.has(kind)) accounts.delete(scope.split('/')[0] ?? scope);
}

/** Forgets what was read of a store, since it was replaced as a whole. */
export const forgetAccounts = (store: Store): void => known.get(store)?.accounts.clear();

export function callAccountOf(
  store: Store,
  account: StoredRecord,
  behaviour: Pick<Behaviour, 'live'>,
): Promise<CallAccount> {
  const { accounts } = knownOf(store);
  const before = accounts.get(account.id);
  if (before) return before;
  const reading = readAccount(store, account, behaviour);
  accounts.set(account.id, reading);
  return reading;
}

const wholeBody = ({ id, body }: StoredRecord): JsonObject => ({ ...body, id });

async function readAccount(
  store: Store,
  account: StoredRecord,
  behaviour: Pick<Behaviour, 'live'>,
): Promise<CallAccount> {
  const byKind = new Map<ResourceName, readonly JsonObject[]>();
  const read = async (kind: ResourceName): Promise<readonly StoredRecord[]> =>
    store.stretch({ kind, scope: account.id });
  for (const kind of kinds) byKind.set(kind, (await read(kind)).map(wholeBody));
  const lists = await Promise.all((await read('lists')).map((list) => withEntries(store, account.id, list)));
  byKind.set('lists', lists);
  const carriers = await store.everyOf('system_carriers');
  byKind.set('system_carriers', carriers.map(wholeBody));
  const devices = behaviour.live.phones === 'unknown' ? [] : (byKind.get('devices') ?? []);
  const users = behaviour.live.phones === 'registered' ? [] : await read('users');
  byKind.set('devices', [...devices, ...users.flatMap((user) => phoneFor(user, devices))]);
  byKind.set('callflows', withOutside(byKind.get('callflows') ?? []));
  const ids = new Map(
    [...byKind].map(([kind, records]) => [kind, new Map(records.map((each) => [String(each.id), each]))]),
  );
  return {
    id: account.id,
    record: { ...account.body, id: account.id },
    of: (kind) => byKind.get(kind) ?? [],
    get: (kind, id) => ids.get(kind)?.get(id),
    unknown: new Set(),
    assumesCarrier: carriers.length === 0,
  };
}

async function withEntries(store: Store, accountId: string, list: StoredRecord): Promise<JsonObject> {
  const entries = (await entriesOf(store, accountId, list.id)).map(wholeBody);
  return { ...wholeBody(list), entries };
}

/** A phone for a user who has none: without it nobody could be called in an account that was just begun. */
function phoneFor(user: StoredRecord, devices: readonly JsonObject[]): readonly JsonObject[] {
  if (devices.some((device) => ownersOf(device).includes(user.id))) return [];
  const id = `${madePhone}${user.id}`;
  return [{ id, name: calledName(user), owner_id: user.id, sip: { username: extensionIn(user.body) } }];
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
