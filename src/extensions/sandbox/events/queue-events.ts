import type { Random } from '../../../base/host/host.ts';
import { isObject, type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { textsAt } from '../fields.ts';
import { clusterId, gregorianSeconds } from '../made-values.ts';
import type { Services } from '../services.ts';
import type { QueuedEvent } from '../store/queue.ts';
import type { Store, StoreChange } from '../store/store.ts';
import { type Event, madeNotices, objectEvents } from './event.ts';
import { mailsOf } from './mails.ts';

/** Event ids are 10 hexadecimal digits (Conventions, request sent to the receiver). */
export const newEventId = (random: Random): string => Buffer.from(random.bytes(5)).toString('hex');

async function accountsAbove(
  accountId: string,
  changes: readonly StoreChange[],
  store: Store,
): Promise<readonly string[]> {
  const isNew = (change: StoreChange) =>
    change.change === 'put' && change.record.kind === 'accounts' && change.record.id === accountId;
  const put = changes.find(isNew);
  const record =
    put?.change === 'put' ? put.record : await store.get({ kind: 'accounts', scope: '', id: accountId });
  return record ? textsAt(record.hidden, 'tree') : [];
}

interface Told {
  readonly webhookId: string;
  readonly accountId: string;
}

/** Finds the subscriptions that want an event that happens now. */
async function toldOf(
  event: Event,
  changes: readonly StoreChange[],
  { store, subscriptions }: Pick<Services, 'store' | 'subscriptions'>,
): Promise<readonly Told[]> {
  const above = await accountsAbove(event.accountId, changes, store);
  const wanting = await subscriptions.wanting(event, above);
  return wanting.map(({ target }) => ({ webhookId: target.hookId, accountId: target.accountId }));
}

const payloadOf = ({ payload }: Event): JsonObject => ({ ...payload, cluster_id: clusterId });

/** An event that is still to happen, as the queue keeps it. */
const keptEvent = ({ hook, accountId, payload, modifiers, isInternalLeg }: Event): JsonObject => ({
  hook,
  accountId,
  payload,
  ...(modifiers ? { modifiers: { ...modifiers } } : {}),
  ...(isInternalLeg ? { isInternalLeg } : {}),
});

/** An event as one entry, however many it is for (`spread` makes the deliveries), or whole while it is to come. */
async function queueEntry(
  event: Event,
  changes: readonly StoreChange[],
  services: QueueingServices,
): Promise<readonly StoreChange[]> {
  const { hook, accountId } = event;
  const nowMs = services.clock.now();
  const { atMs = nowMs } = event;
  const isToCome = atMs > nowMs;
  const told = isToCome ? [] : await toldOf(event, changes, services);
  if (!isToCome && told.length === 0) return [];
  const payload = isToCome
    ? keptEvent(event)
    : { payload: payloadOf(event), told: told.map((each) => [each.webhookId, each.accountId]) };
  const eventId = event.id ?? newEventId(services.random);
  const dueMs = Math.max(atMs, nowMs);
  return [{ change: 'queue', entry: { kind: 'event', accountId, eventId, hook, dueMs, payload } }];
}

/** Events in the order of their moments; those without one happen when a call ends, as what it leaves behind. */
function inOrder(events: readonly Event[]): readonly Event[] {
  const lastMs = Math.max(0, ...events.map(({ momentMs = 0 }) => momentMs));
  return events.toSorted((one, other) => (one.momentMs ?? lastMs) - (other.momentMs ?? lastMs));
}

type QueueingServices = Pick<Services, 'store' | 'clock' | 'random' | 'subscriptions' | 'behaviour'>;

/**
 * Changes with what the queue gets of them, to be committed as one: the given events, an `object` event for each
 * object, and what is notified of new ones; and the mails of notifications. Events that nobody subscribes to are
 * dropped, but for those to come.
 */
export async function withDeliveries(
  changes: readonly StoreChange[],
  events: readonly Event[],
  services: QueueingServices,
): Promise<readonly StoreChange[]> {
  if (events.length === 0 && (await services.subscriptions.isEmpty()) && !changes.some(isToCome(services)))
    return changes;
  const made = [...objectEvents(changes, services.clock.now()), ...madeNotices(changes, services)];
  const all = inOrder([...made, ...events]);
  const entries: StoreChange[] = [];
  for (const event of all) entries.push(...(await queueEntry(event, changes, services)));
  entries.push(...(await mailsOf(events, services)));
  return entries.length === 0 ? changes : [...changes, ...entries];
}

/** Tells whether a change is of a record that appears later: somebody may subscribe until then. */
const isToCome =
  ({ clock }: Pick<Services, 'clock'>) =>
  (change: StoreChange): boolean =>
    change.change === 'put' && change.record.createdAt > gregorianSeconds(clock);

/**
 * Publishes what happens outside of a request: commits the changes that it makes and the deliveries of its events as
 * one. Changes of objects become `object` events by themselves. Throws `StoreConflict` as the store does.
 */
export async function publish(
  services: Services,
  events: readonly Event[],
  changes: readonly StoreChange[] = [],
): Promise<void> {
  await services.store.commit(await withDeliveries(changes, events, services));
}

const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isObject(value) ? value : {};
};

/** An event as the queue kept it until it happened. */
function eventOf(kept: JsonObject): Event {
  const { type, action } = objectAt(kept, 'modifiers');
  return {
    hook: textAt(kept, 'hook') ?? '',
    accountId: textAt(kept, 'accountId') ?? '',
    payload: objectAt(kept, 'payload'),
    modifiers: {
      ...(typeof type === 'string' ? { type } : {}),
      ...(typeof action === 'string' ? { action } : {}),
    },
    isInternalLeg: kept.isInternalLeg === true,
  };
}

const asTold = (pair: Json): readonly Told[] => {
  const [webhookId, accountId] = Array.isArray(pair) ? pair : [];
  return typeof webhookId === 'string' && typeof accountId === 'string' ? [{ webhookId, accountId }] : [];
};

/** Whom a queued event is for, and what they are told. Of events that were to come that is found now. */
async function contentOf({ payload }: QueuedEvent, services: Services) {
  if (Array.isArray(payload.told))
    return { told: payload.told.flatMap(asTold), payload: objectAt(payload, 'payload') };
  const event = eventOf(payload);
  return { told: await toldOf(event, [], services), payload: payloadOf(event) };
}

/** Makes a delivery for each webhook of events whose time has come, in their order. */
export async function spread(events: readonly QueuedEvent[], services: Services): Promise<void> {
  const changes: StoreChange[] = [];
  for (const entry of events) {
    const { eventId, hook, dueMs } = entry;
    const { told, payload } = await contentOf(entry, services);
    changes.push({ change: 'unqueue', entry });
    for (const each of told)
      changes.push({ change: 'queue', entry: { kind: 'delivery', ...each, eventId, hook, dueMs, payload } });
  }
  await services.store.commit(changes);
}
