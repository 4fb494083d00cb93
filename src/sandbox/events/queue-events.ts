import type { JsonObject } from '../../contract/json.ts';
import type { Random } from '../../host/host.ts';
import { textsAt } from '../fields.ts';
import type { Services } from '../parts.ts';
import type { Change, Store } from '../store.ts';
import type { Event } from './event.ts';
import { madeNotices } from './made-notices.ts';
import { objectEvents } from './object-events.ts';

/** Name of the cluster in payloads. */
const clusterId = 'sandbox';

/** Event ids are 10 hexadecimal digits (Conventions, request sent to the receiver). */
export const newEventId = (random: Random): string => Buffer.from(random.bytes(5)).toString('hex');

/** Accounts above one, which may be about to be written. */
async function accountsAbove(
  accountId: string,
  changes: readonly Change[],
  store: Store,
): Promise<readonly string[]> {
  const isNew = (change: Change) =>
    change.change === 'put' && change.record.kind === 'accounts' && change.record.id === accountId;
  const put = changes.find(isNew);
  const record =
    put?.change === 'put' ? put.record : await store.get({ kind: 'accounts', scope: '', id: accountId });
  return record ? textsAt(record.hidden, 'tree') : [];
}

/** An event that is still to happen, as the queue keeps it. */
const keptEvent = ({ hook, accountId, payload, modifiers, isInternalLeg }: Event): JsonObject => ({
  hook,
  accountId,
  payload,
  ...(modifiers ? { modifiers: { ...modifiers } } : {}),
  ...(isInternalLeg ? { isInternalLeg } : {}),
});

type QueueingServices = Pick<Services, 'store' | 'clock' | 'random' | 'subscriptions'>;

/**
 * The deliveries of events, to be committed with the changes that the events come from. Events without subscribers
 * give none; those that are still to happen are kept until they do.
 */
export async function deliveriesOf(
  events: readonly Event[],
  changes: readonly Change[],
  { store, clock, random, subscriptions }: QueueingServices,
): Promise<readonly Change[]> {
  const nowMs = clock.now();
  const isQuiet = await subscriptions.isEmpty();
  const deliveries: Change[] = [];
  for (const event of events) {
    const { hook, accountId, atMs = nowMs } = event;
    if (atMs <= nowMs && isQuiet) continue;
    const eventId = event.id ?? newEventId(random);
    const common = { eventId, hook, dueMs: Math.max(atMs, nowMs) };
    if (atMs > nowMs) {
      const delivery = { ...common, webhookId: '', accountId, payload: keptEvent(event) };
      deliveries.push({ change: 'queue', delivery });
      continue;
    }
    const above = await accountsAbove(accountId, changes, store);
    const payload = { ...event.payload, cluster_id: clusterId };
    for (const { target } of await subscriptions.wanting(event, above)) {
      const delivery = { ...common, webhookId: target.hookId, accountId: target.accountId, payload };
      deliveries.push({ change: 'queue', delivery });
    }
  }
  return deliveries;
}

/**
 * Changes with the deliveries of what they come to: the given events, an `object` event for each object, and what is
 * notified of new ones.
 */
export async function withDeliveries(
  changes: readonly Change[],
  events: readonly Event[],
  services: QueueingServices,
): Promise<readonly Change[]> {
  const all = [...objectEvents(changes, services.clock.now()), ...madeNotices(changes, services), ...events];
  return all.length === 0 ? changes : [...changes, ...(await deliveriesOf(all, changes, services))];
}
