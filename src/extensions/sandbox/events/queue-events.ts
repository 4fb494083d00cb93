import type { Random } from '../../../base/host/host.ts';
import { isObject, type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { textsAt } from '../fields.ts';
import { clusterId, gregorianSeconds } from '../ids-and-secrets.ts';
import type { Services } from '../services.ts';
import type { QueuedEvent } from '../store/queue.ts';
import type { Store, StoreChange } from '../store/store.ts';
import { creationNotices, type Event, objectEvents } from './event.ts';
import { createMails } from './mails.ts';

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

interface Recipient {
  readonly webhookId: string;
  readonly accountId: string;
}

async function recipientsOf(
  event: Event,
  changes: readonly StoreChange[],
  { store, subscriptions }: Pick<Services, 'store' | 'subscriptions'>,
): Promise<readonly Recipient[]> {
  const above = await accountsAbove(event.accountId, changes, store);
  const wanting = await subscriptions.findSubscribers(event, above);
  return wanting.map(({ target }) => ({ webhookId: target.hookId, accountId: target.accountId }));
}

const payloadWithCluster = ({ payload }: Event): JsonObject => ({ ...payload, cluster_id: clusterId });

const storedEvent = ({ hook, accountId, payload, modifiers, isInternalLeg }: Event): JsonObject => ({
  hook,
  accountId,
  payload,
  ...(modifiers ? { modifiers: { ...modifiers } } : {}),
  ...(isInternalLeg ? { isInternalLeg } : {}),
});

/**
 * Creates the queue entry of an event. It contains the subscriptions, or the complete event if the event is in the
 * future.
 */
async function queueEntry(
  event: Event,
  changes: readonly StoreChange[],
  services: QueueingServices,
): Promise<readonly StoreChange[]> {
  const { hook, accountId } = event;
  const nowMs = services.clock.now();
  const { atMs = nowMs } = event;
  const isFuture = atMs > nowMs;
  const told = isFuture ? [] : await recipientsOf(event, changes, services);
  if (!isFuture && told.length === 0) return [];
  const payload = isFuture
    ? storedEvent(event)
    : { payload: payloadWithCluster(event), told: told.map((each) => [each.webhookId, each.accountId]) };
  const eventId = event.id ?? newEventId(services.random);
  const dueMs = Math.max(atMs, nowMs);
  return [{ change: 'queue', entry: { kind: 'event', accountId, eventId, hook, dueMs, payload } }];
}

/** Sorts events by their moments. Events without a moment come last. */
function sortByMoment(events: readonly Event[]): readonly Event[] {
  const lastMs = Math.max(0, ...events.map(({ momentMs = 0 }) => momentMs));
  return events.toSorted((one, other) => (one.momentMs ?? lastMs) - (other.momentMs ?? lastMs));
}

type QueueingServices = Pick<Services, 'store' | 'clock' | 'random' | 'subscriptions' | 'behaviour'>;

/**
 * Returns changes together with the queue entries of their events, so that both are committed together: the given
 * events, `object` events, and notifications with their mails. Events without subscribers are dropped, except for
 * future events.
 */
export async function withDeliveries(
  changes: readonly StoreChange[],
  events: readonly Event[],
  services: QueueingServices,
): Promise<readonly StoreChange[]> {
  if (
    events.length === 0 &&
    (await services.subscriptions.isEmpty()) &&
    !changes.some(isFutureRecord(services))
  )
    return changes;
  const made = [...objectEvents(changes, services.clock.now()), ...creationNotices(changes, services)];
  const all = sortByMoment([...made, ...events]);
  const entries: StoreChange[] = [];
  for (const event of all) entries.push(...(await queueEntry(event, changes, services)));
  entries.push(...(await createMails(events, services)));
  return entries.length === 0 ? changes : [...changes, ...entries];
}

/** Returns true if a record appears later. Webhooks can subscribe until then. */
const isFutureRecord =
  ({ clock }: Pick<Services, 'clock'>) =>
  (change: StoreChange): boolean =>
    change.change === 'put' && change.record.createdAt > gregorianSeconds(clock);

/**
 * Publishes an event outside of a request. Commits its changes and deliveries together. Throws `StoreConflict` like
 * the store.
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

function restoreEvent(kept: JsonObject): Event {
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

const recipientsIn = (pair: Json): readonly Recipient[] => {
  const [webhookId, accountId] = Array.isArray(pair) ? pair : [];
  return typeof webhookId === 'string' && typeof accountId === 'string' ? [{ webhookId, accountId }] : [];
};

/** Returns the subscriptions and payload of a queued event. For a future event, they are determined when it is due. */
async function deliveryContent({ payload }: QueuedEvent, services: Services) {
  if (Array.isArray(payload.told))
    return { told: payload.told.flatMap(recipientsIn), payload: objectAt(payload, 'payload') };
  const event = restoreEvent(payload);
  return { told: await recipientsOf(event, [], services), payload: payloadWithCluster(event) };
}

export async function queueDeliveries(events: readonly QueuedEvent[], services: Services): Promise<void> {
  const changes: StoreChange[] = [];
  for (const entry of events) {
    const { eventId, hook, dueMs } = entry;
    const { told, payload } = await deliveryContent(entry, services);
    changes.push({ change: 'unqueue', entry });
    for (const each of told)
      changes.push({ change: 'queue', entry: { kind: 'delivery', ...each, eventId, hook, dueMs, payload } });
  }
  await services.store.commit(changes);
}
