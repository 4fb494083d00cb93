import { isObject, type JsonObject } from '../../base/json.ts';
import type { Store } from '../store/store.ts';
import { ongoingCalls } from './ongoing-calls.ts';

/** Calls of an account that are parked at a moment (Gregorian seconds), by slot. */
export async function parkedCalls(
  store: Store,
  accountId: string,
  now: number,
): Promise<Readonly<Record<string, JsonObject>>> {
  const calls = await ongoingCalls(store, accountId, now);
  return Object.fromEntries(
    calls.flatMap(({ body: { parked } }) => {
      if (!isObject(parked)) return [];
      const { slot, since, until, ...facts } = parked;
      return Number(since) <= now && now < Number(until) ? [[String(slot), facts]] : [];
    }),
  );
}
