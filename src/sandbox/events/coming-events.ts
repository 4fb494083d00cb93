import { isObject, type JsonObject } from '../../contract/json.ts';
import type { QueuedDelivery } from '../delivery.ts';
import { textAt } from '../fields.ts';
import type { Services } from '../parts.ts';
import type { Event } from './event.ts';
import { deliveriesOf } from './queue-events.ts';

const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isObject(value) ? value : {};
};

/** An event as the queue kept it until it happens. */
function eventOf({ eventId, payload: kept }: QueuedDelivery): Event {
  const { type, action } = objectAt(kept, 'modifiers');
  return {
    id: eventId,
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

/** Lets events happen whose time has come: their subscribers are found now. */
export async function letHappen(due: readonly QueuedDelivery[], services: Services): Promise<void> {
  const deliveries = await deliveriesOf(due.map(eventOf), [], services);
  await services.store.commit([
    ...due.map(({ sequence }) => ({ change: 'unqueue', sequence }) as const),
    ...deliveries,
  ]);
}
