import type { Services } from '../services.ts';
import type { Change } from '../store/store.ts';
import type { Event } from './event.ts';
import { withDeliveries } from './queue-events.ts';

/**
 * Publishes what happens outside of a request: commits the changes that it makes and the deliveries of its events as
 * one. Changes of objects become `object` events by themselves. Throws `StoreConflict` as the store does.
 */
export async function publish(
  services: Services,
  events: readonly Event[],
  changes: readonly Change[] = [],
): Promise<void> {
  await services.store.commit(await withDeliveries(changes, events, services));
}
