import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { HookTarget } from '../../contract/hook-request.ts';
import { textAt, without } from '../fields.ts';
import type { Change, Store, StoredRecord } from '../store/store.ts';
import type { Event } from './event.ts';

/** A webhook that is enabled, as deliveries go by it. */
export interface Subscription {
  readonly target: HookTarget;
  readonly hook: string;
  /** Number of times a delivery is tried again. */
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

/** Hooks that `custom_data` chooses events of; there, what it chooses by is no property of the payload. */
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
      customData: without(customData, isModifier),
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

/** Tells whether a modifier in `custom_data` lets a value pass: that one, or all. */
const passes = (wanted: Json | undefined, value: string | undefined): boolean =>
  value === undefined || wanted === undefined || wanted === 'all' || wanted === value;

/** Tells whether a subscription wants an event (Conventions, subscription rules). */
function wants(subscription: Subscription, { hook, payload, modifiers = {}, isInternalLeg }: Event): boolean {
  const { customData } = subscription;
  if (subscription.hook !== hook && !(subscription.hook === 'all' && isCallEvent(hook))) return false;
  if (isInternalLeg === true && !subscription.includesInternalLegs) return false;
  // Events of other hooks have no modifiers, and pass.
  if (!passes(customData.type, modifiers.type) || !passes(customData.action, modifiers.action)) return false;
  return Object.entries(subscription.modifiers).every(([key, wanted]) => {
    const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
    return value === undefined || isAmong(value, wanted);
  });
}

/** The enabled webhooks, kept at hand, so that events of accounts without webhooks cost nothing. */
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

  /** A webhook, where it is enabled. */
  async get(webhookId: string): Promise<Subscription | undefined> {
    await this.#load();
    return this.#byId.get(webhookId);
  }

  /** Tells whether nobody subscribes to anything. */
  async isEmpty(): Promise<boolean> {
    await this.#load();
    return this.#byId.size === 0;
  }

  async wanting(event: Event, above: readonly string[]): Promise<readonly Subscription[]> {
    await this.#load();
    const of = (accountId: string): readonly Subscription[] => [
      ...(this.#byAccount.get(accountId)?.values() ?? []),
    ];
    return [
      ...of(event.accountId),
      ...above.flatMap((accountId) => of(accountId).filter((each) => each.includesSubaccounts)),
    ].filter((each) => wants(each, event));
  }

  /** Reads all webhooks anew, after the store's records were exchanged. */
  reload(): void {
    this.#isLoaded = false;
  }

  async #load(): Promise<void> {
    while (!this.#isLoaded) {
      const before = this.#changes;
      const records = await this.#store.everyOf('webhooks');
      if (before !== this.#changes) continue;
      this.#byAccount.clear();
      this.#byId.clear();
      for (const record of records) this.#keep(record);
      this.#isLoaded = true;
    }
  }

  #follow(change: Change): void {
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
