import type { JsonObject } from '../../base/json.ts';
import { makeCall } from '../../engine/calls/make-call.ts';
import type { CallInput } from '../../engine/calls/types.ts';
import { publish } from '../events/queue-events.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import { liveCallsOf } from './keep-call.ts';
import type { MadeCall } from './made-call.ts';
import { shownCall } from './shown-call.ts';
import { carryOn } from './steer.ts';

/** Modules by which a call comes to another one that is under way: it is retrieved, picked up or listened to. */
const meeting = new Set([
  ...['park', 'group_pickup', 'group_pickup_feature', 'intercept', 'intercept_feature'],
  ...['eavesdrop', 'eavesdrop_feature'],
]);

const comesToOthers = (input: CallInput): boolean =>
  makeCall(input).events.some((event) => event.kind === 'step' && meeting.has(event.step.module));

/**
 * Lets a new call meet one that is under way, where it goes to a parked or ringing call: both are one from here on.
 * Gives what the caller came to; `undefined` where there is nobody to meet.
 */
export async function meet(
  services: Services,
  account: StoredRecord,
  input: CallInput,
): Promise<JsonObject | undefined> {
  const under = [...liveCallsOf(services.store).values()].filter(
    ({ made }) =>
      made.account.id === account.id &&
      made.isRealTime &&
      made.input.at + made.call.seconds * 1000 > input.at,
  );
  if (under.length === 0 || !comesToOthers(input)) return undefined;
  for (const live of under) {
    const carried = await carryOn(services, live, { does: 'calls', argument: input.to, from: input.from });
    const { made, kept } = carried;
    const mine = made.call.legs.findLast(({ side, began }) => side === 'A' && began >= made.after);
    if (!mine || !isConnected(made, mine.id)) continue;
    await publish(services, carried.events, carried.changes);
    carried.note();
    return shownCall(made, kept, mine.id);
  }
  return undefined;
}

/** Tells whether a leg that came to a call was connected with one that had been there. */
const isConnected = ({ call, after }: MadeCall, id: string): boolean =>
  call.events.some((event) => {
    if (event.kind !== 'bridge' || (event.leg !== id && event.other !== id)) return false;
    const other = event.leg === id ? event.other : event.leg;
    return call.legs.some((leg) => leg.id === other && leg.began < after);
  });
