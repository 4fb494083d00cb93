import { isObject, type JsonObject } from '../../base/json.ts';
import type { Store } from '../store/store.ts';
import { ongoingCalls } from './ongoing-calls.ts';

/** The first slot that a call without a number of its own is parked in. */
const firstSlot = 100;

/** Calls of an account that are parked at a moment (Gregorian seconds), by slot. */
export async function parkedCalls(
  store: Store,
  accountId: string,
  now: number,
): Promise<Readonly<Record<string, JsonObject>>> {
  const calls = await ongoingCalls(store, accountId, now);
  return Object.fromEntries(
    calls.flatMap(({ id, body: { parked } }) =>
      isObject(parked) ? [[String(parked.slot), { call_id: id, slot_call_id: id, ...factsOf(parked) }]] : [],
    ),
  );
}

const factsOf = ({ slot: _, ...facts }: JsonObject): JsonObject => facts;

/** The first slot that no call is parked in. */
export function freeSlot(taken: Readonly<Record<string, JsonObject>>): string {
  let slot = firstSlot;
  while (Object.hasOwn(taken, String(slot))) slot += 1;
  return String(slot);
}
