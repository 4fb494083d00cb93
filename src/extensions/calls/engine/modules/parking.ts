import { type JsonObject, valueAt } from '../../../../base/json.ts';
import { type Task, waitForValue } from '../clock.ts';
import { deviceEndpoint, ringingOptions } from '../endpoints.ts';
import {
  branchStep,
  type CallModules,
  type CallRoute,
  dataOf,
  type FlowOutcome,
  type FlowStep,
  leave,
  playAndLeave,
  playSound,
  stop,
  takeBranch,
} from '../outcome.ts';
import { nonEmptyText, numberOr } from '../records.ts';
import { connectCaller, connectLegs, ring } from '../ring.ts';
import { answer, recordEvent, recordHeard, type Slot, setPlace } from '../run.ts';
import { giveUpInTime } from '../waiting.ts';

const firstSlot = 101;

function slotFor(route: CallRoute, data: JsonObject): string {
  const wanted = nonEmptyText(data.slot) ?? route.capture;
  if (wanted !== undefined && wanted !== '') return wanted;
  let slot = firstSlot;
  while (route.run.slots.has(String(slot))) slot += 1;
  return String(slot);
}

const lamps = 'lamps of slots are not simulated';

const reservedSeconds = 30;

function* retrieve(route: CallRoute, slot: string, taken: Slot | undefined): Task<FlowOutcome> {
  const { run, leg } = route;
  answer(run, leg);
  if (!taken) return yield* playAndLeave(route, 'park-no_caller', stop(`No call is parked in slot ${slot}.`));
  taken.taken(leg);
  const name = nonEmptyText(route.party.user?.username) ?? nonEmptyText(route.party.device?.name);
  setPlace(run, taken.leg, { in: 'person', name });
  setPlace(run, leg, { in: 'person' });
  recordEvent(run, { kind: 'retrieved', leg: taken.leg.id, slot });
  yield* connectLegs(run, leg, taken.leg);
  return stop();
}

const usualRingback = 120_000;
const usualCallback = 30_000;

/** Keeps the leg in the slot until it is retrieved, hangs up, or the parking phone answers the callback. */
function* waitInSlot(route: CallRoute, step: FlowStep, slot: string): Task<FlowOutcome> {
  const { run, leg, referredBy } = route;
  const data = dataOf(step);
  const freeSlot = (): void => {
    if (run.slots.get(slot)?.leg === leg) run.slots.delete(slot);
  };
  answer(run, leg);
  setPlace(run, leg, { in: 'parked', name: slot });
  run.slots.set(slot, {
    leg,
    taken() {
      freeSlot();
      leg.stop?.();
    },
  });
  leg.onEnd.push(() => {
    if (run.slots.get(slot)?.leg !== leg) return;
    freeSlot();
    recordEvent(run, { kind: 'abandoned', leg: leg.id, slot });
  });
  giveUpInTime(route);
  recordEvent(run, { kind: 'parked', leg: leg.id, slot });
  recordHeard(run, leg, 'music on hold');
  const own = valueAt(valueAt(data.slots, slot), 'ringback_timeout');
  const seconds = numberOr(own ?? data.default_ringback_timeout, usualRingback) / 1000;
  const parker = route.records.get('devices', referredBy);
  while (parker) {
    yield* waitForValue<void>((give) => run.clock.at(run.clock.now() + seconds, () => give()));
    if (yield* ringBack(route, step, slot)) return { go: 'end' };
    const key = branchStep(step, slot) ? slot : '_';
    if (branchStep(step, key)) {
      freeSlot();
      recordEvent(run, { kind: 'abandoned', leg: leg.id, slot });
      return takeBranch(key, `Nobody retrieved the call from slot ${slot}.`);
    }
  }
  yield* waitForValue<void>(() => () => {});
  return leave;
}

/** Rings the phone that parked the call. Returns true if it answers. */
function* ringBack(route: CallRoute, step: FlowStep, slot: string): Task<boolean> {
  const { run, leg, referredBy, records } = route;
  const data = dataOf(step);
  const device = records.get('devices', referredBy);
  const how = { ...ringingOptions(route, {}), canCallSelf: true };
  const endpoint = device && deviceEndpoint(route, device, how);
  if (!endpoint) return false;
  const own = valueAt(valueAt(data.slots, slot), 'callback_timeout');
  const timeout = numberOr(own ?? data.default_callback_timeout, usualCallback) / 1000;
  const before = route.rewriteId;
  const name = `Parking slot ${slot} - ${leg.callerId.name ?? leg.callerId.number ?? ''}`;
  route.rewriteId = { ...before, name };
  const rung = yield* ring(route, endpoint, { timeout });
  route.rewriteId = before;
  if (!('answered' in rung)) return false;
  if (run.slots.get(slot)?.leg === leg) run.slots.delete(slot);
  recordEvent(run, { kind: 'retrieved', leg: leg.id, slot });
  yield* connectCaller(route, rung.answered);
  return true;
}

export const parkingModules: CallModules = {
  park: {
    simulated: 'action slot slots max_slot_number default_ringback_timeout default_callback_timeout',
    named: { presence_id: lamps, default_presence_type: lamps, custom_presence_id: lamps },
    *run(route, step) {
      const { run, leg } = route;
      const data = dataOf(step);
      const action = nonEmptyText(data.action) ?? 'park';
      const slot = slotFor(route, data);
      const taken = run.slots.get(slot);
      const isReferred = route.referredBy !== undefined;
      const most = numberOr(data.max_slot_number, 0);
      if (action !== 'retrieve' && most > 0 && Number(slot) > most && branchStep(step, 'MAX_SLOT_EXCEEDED'))
        return takeBranch('MAX_SLOT_EXCEEDED', `Slot ${slot} is above ${most}.`);
      if (action === 'retrieve' || (action === 'auto' && taken && !isReferred))
        return yield* retrieve(route, slot, taken);
      if (action === 'direct_park') {
        if (taken) return stop(`Slot ${slot} is occupied.`);
        return yield* waitInSlot(route, step, slot);
      }
      if (isReferred) {
        if (!taken) return yield* waitInSlot(route, step, slot);
        yield* ringBack(route, step, slot);
        return { go: 'end' };
      }
      // Dialing an empty slot reserves it for the call that the phone then transfers there.
      answer(run, leg);
      if (taken) return yield* playAndLeave(route, 'park-already_in_use', stop(`Slot ${slot} is occupied.`));
      setPlace(run, leg, { in: 'parked', name: slot });
      yield* playSound(route, 'park-call_placed_in_spot', reservedSeconds);
      return { go: 'end' };
    },
  },
};
