import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import type { Services } from '../services.ts';
import type { QueuedDelivery } from '../store/delivery.ts';
import type { Change } from '../store/store.ts';
import type { Event } from './event.ts';
import { payloadOf, type Told, toldOf } from './queue-events.ts';

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

/** Whom an entry of the queue is for, and what they are told. Of events that were to come that is found now. */
async function contentOf({ payload }: QueuedDelivery, services: Services) {
  if (Array.isArray(payload.told))
    return { told: payload.told.flatMap(asTold), payload: objectAt(payload, 'payload') };
  const event = eventOf(payload);
  return { told: await toldOf(event, [], services), payload: payloadOf(event) };
}

/** Makes a delivery for each webhook of entries whose time has come, in their order. */
export async function spread(entries: readonly QueuedDelivery[], services: Services): Promise<void> {
  const changes: Change[] = [];
  for (const entry of entries) {
    const { eventId, hook, dueMs } = entry;
    const { told, payload } = await contentOf(entry, services);
    changes.push({ change: 'unqueue', delivery: entry });
    for (const { webhookId, accountId } of told)
      changes.push({ change: 'queue', delivery: { webhookId, accountId, eventId, hook, dueMs, payload } });
  }
  await services.store.commit(changes);
}
