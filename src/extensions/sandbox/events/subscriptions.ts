import { BlockList, isIP } from 'node:net';
import { isObject, type Json, type JsonObject, textAt } from '../../../base/json.ts';
import type { HookTarget } from '../../../contract/hook-request.ts';
import { withoutKeys } from '../fields.ts';
import type { Store, StoreChange, StoredRecord } from '../store/store.ts';
import type { Event } from './event.ts';

export interface Subscription {
  readonly target: HookTarget;
  readonly hook: string;
  readonly retries: number;
  readonly includesSubaccounts: boolean;
  readonly includesInternalLegs: boolean;
  readonly customData: JsonObject;
  /** Values that payloads must have. */
  readonly modifiers: JsonObject;
}

const objectAt = (body: JsonObject, key: string): JsonObject => {
  const value = body[key];
  return isObject(value) ? value : {};
};

/** Hooks that use `custom_data` to select events. For other hooks, `custom_data` is compared with the payload. */
const chosenHooks = ['object', 'notifications'];

function subscriptionOf({ id, scope, body }: StoredRecord): Subscription | undefined {
  if (body.enabled === false) return undefined;
  const verb = body.http_verb;
  const hook = textAt(body, 'hook') ?? '';
  const customData = objectAt(body, 'custom_data');
  const isModifier = (key: string): boolean =>
    chosenHooks.includes(hook) && (key === 'type' || key === 'action');
  return {
    target: {
      uri: textAt(body, 'uri') ?? '',
      verb: verb === 'get' || verb === 'put' ? verb : 'post',
      format: body.format === 'json' ? 'json' : 'form-data',
      customData: withoutKeys(customData, isModifier),
      hookId: id,
      accountId: scope,
    },
    hook,
    retries: typeof body.retries === 'number' ? body.retries : 2,
    includesSubaccounts: body.include_subaccounts === true,
    includesInternalLegs: body.include_internal_legs !== false,
    customData,
    modifiers: objectAt(body, 'modifiers'),
  };
}

const isCallEvent = (hook: string): boolean => hook.startsWith('channel_');

const isAmong = (value: Json, wanted: Json | undefined): boolean =>
  Array.isArray(wanted)
    ? wanted.some((each: Json) => isAmong(value, each))
    : String(wanted) === String(value);

/** Returns true if a modifier in `custom_data` equals the value or `all`. */
const matchesModifier = (wanted: Json | undefined, value: string | undefined): boolean =>
  value === undefined || wanted === undefined || wanted === 'all' || wanted === value;

/** Returns true if a subscription selects an event (Conventions, subscription rules). */
function matchesEvent(
  subscription: Subscription,
  { hook, payload, modifiers = {}, isInternalLeg }: Event,
): boolean {
  const { customData } = subscription;
  if (subscription.hook !== hook && !(subscription.hook === 'all' && isCallEvent(hook))) return false;
  if (isInternalLeg === true && !subscription.includesInternalLegs) return false;
  if (
    !matchesModifier(customData.type, modifiers.type) ||
    !matchesModifier(customData.action, modifiers.action)
  )
    return false;
  return Object.entries(subscription.modifiers).every(([key, wanted]) => {
    const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
    return value === undefined || isAmong(value, wanted);
  });
}

/** The enabled webhooks, cached in memory, so that events of accounts without webhooks cost no reads. */
export class Subscriptions {
  readonly #store: Store;
  readonly #byAccount = new Map<string, Map<string, Subscription>>();
  readonly #byId = new Map<string, Subscription>();
  #isLoaded = false;
  #changes = 0;

  constructor(store: Store) {
    this.#store = store;
    store.watch((changes) => {
      for (const change of changes) this.#follow(change);
    });
  }

  async get(webhookId: string): Promise<Subscription | undefined> {
    await this.#load();
    return this.#byId.get(webhookId);
  }

  async isEmpty(): Promise<boolean> {
    await this.#load();
    return this.#byId.size === 0;
  }

  async findSubscribers(event: Event, above: readonly string[]): Promise<readonly Subscription[]> {
    await this.#load();
    const subscriptionsOfAccount = (accountId: string): readonly Subscription[] => [
      ...(this.#byAccount.get(accountId)?.values() ?? []),
    ];
    return [
      ...subscriptionsOfAccount(event.accountId),
      ...above.flatMap((accountId) =>
        subscriptionsOfAccount(accountId).filter((each) => each.includesSubaccounts),
      ),
    ].filter((each) => matchesEvent(each, event));
  }

  /** Reads all webhooks again, after the records of the store were replaced. */
  reload(): void {
    this.#isLoaded = false;
  }

  async #load(): Promise<void> {
    while (!this.#isLoaded) {
      const before = this.#changes;
      const records = await this.#store.allOfKind('webhooks');
      if (before !== this.#changes) continue;
      this.#byAccount.clear();
      this.#byId.clear();
      for (const record of records) this.#keep(record);
      this.#isLoaded = true;
    }
  }

  #follow(change: StoreChange): void {
    if (!('record' in change) || change.record.kind !== 'webhooks') return;
    this.#changes += 1;
    if (change.change === 'put') this.#keep(change.record);
    else this.#forget(change.record.scope, change.record.id);
  }

  #keep(record: StoredRecord): void {
    const subscription = subscriptionOf(record);
    if (!subscription) {
      this.#forget(record.scope, record.id);
      return;
    }
    const ofAccount = this.#byAccount.get(record.scope) ?? new Map<string, Subscription>();
    ofAccount.set(record.id, subscription);
    this.#byAccount.set(record.scope, ofAccount);
    this.#byId.set(record.id, subscription);
  }

  #forget(accountId: string, webhookId: string): void {
    const ofAccount = this.#byAccount.get(accountId);
    ofAccount?.delete(webhookId);
    if (ofAccount?.size === 0) this.#byAccount.delete(accountId);
    this.#byId.delete(webhookId);
  }
}

const subnets = (...list: readonly (readonly [address: string, prefix: number])[]): BlockList => {
  const made = new BlockList();
  for (const [address, prefix] of list)
    made.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4');
  return made;
};

const loopback = subnets(['127.0.0.0', 8], ['::1', 128]);

/**
 * Networks that never receive deliveries: link-local addresses, metadata services of clouds, and unspecified
 * addresses. Addresses that embed another address (NAT64, 6to4) could bypass the list, so they are included.
 */
const never = subnets(
  ['169.254.0.0', 16],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['0.0.0.0', 8],
  ['::', 128],
  ['224.0.0.0', 4],
  ['ff00::', 8],
  ['255.255.255.255', 32],
  ['64:ff9b::', 96],
  ['2002::', 16],
);

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

// Node.js compares an IPv4-mapped IPv6 address with the IPv4 subnets.
const isIn = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));

/** Returns the host of a URI without IPv6 brackets. `URL` normalizes decimal and octal forms. */
const hostOf = (uri: string): string => new URL(uri).hostname.replace(/^\[|\]$/g, '').toLowerCase();

const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Returns why the host of a URI may never receive deliveries. Does not resolve names. */
export function forbiddenReason(uri: string): string | undefined {
  const host = hostOf(uri);
  if (isIP(host) === 0 || !isIn(never, host)) return undefined;
  return `${host} is a link-local, metadata or unusable address, and never receives deliveries`;
}

/** Returns true if the host of a URI is this machine. Does not resolve names. */
export function isThisMachine(uri: string): boolean {
  const host = hostOf(uri);
  return isLocalName(host) || (isIP(host) !== 0 && isIn(loopback, host));
}

export interface Targets {
  /** Returns why a URI may not receive deliveries, before its name is resolved. */
  refusal(uri: string): string | undefined;
  addressRefusal(host: string, address: string): string | undefined;
}

/** Allows this machine and the listed hosts. Some addresses are never allowed. */
export function allowTargets(hosts: readonly string[]): Targets {
  const allowed = new Set(hosts.map((host) => host.replace(/^\[|\]$/g, '').toLowerCase()));
  const addressRefusal = (host: string, address: string): string | undefined => {
    if (isIn(never, address)) return `${address} is a link-local, metadata or unusable address`;
    if (allowed.has(host.toLowerCase()) || isIn(loopback, address)) return undefined;
    return `${address} is not this machine. To allow it: sandbox start --allow-deliveries-to ${host}`;
  };
  return {
    addressRefusal,
    refusal(uri) {
      const host = hostOf(uri);
      if (isIP(host) !== 0) return addressRefusal(host, host);
      if (allowed.has(host) || isLocalName(host)) return undefined;
      // Names of other hosts are not resolved, so that the sandbox causes no DNS requests without permission.
      return `${host} is not this machine. To allow it: sandbox start --allow-deliveries-to ${host}`;
    },
  };
}
