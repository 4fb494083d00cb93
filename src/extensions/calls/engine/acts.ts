import { type JsonObject, valueAt } from '../../../base/json.ts';
import { beginCall, partyOfCaller } from './callers.ts';
import { findFlow, recordsOf } from './records.ts';
import { placeOfLeg } from './ring.ts';
import {
  bridge,
  type CallRun,
  disconnect,
  endLeg,
  type Leg,
  recordHeard,
  reportGap,
  setPlace,
  visibleLeg,
} from './run.ts';
import type { Act } from './types.ts';
import { delaysHangup, endOfStay } from './waiting.ts';

/** Ends a connected call after its usual length, unless the input sets a length. Waits for pending acts. */
export function endAfterConversation(run: CallRun): void {
  run.onBridge.push((one, other) => {
    const leg = callingLeg(run, one, other);
    const [caller] = run.legs;
    if (leg === caller && run.input.hangsUpAfter !== undefined) return;
    const lastAct = run.input.acts
      .filter((act) => leg.call === caller?.id && delaysHangup(act) && !run.done.has(act))
      .reduce((last, act) => Math.max(last, timeOfAct(run, act)), run.clock.now());
    run.clock.at(endOfStay(run, leg, lastAct), () => {
      const isStill = leg.partner !== undefined && leg.other === (leg === one ? other : one).id;
      if (isStill && leg.ended === undefined) endLeg(run, leg, 'NORMAL_CLEARING');
    });
  });
}

/** Returns the calling leg, or else the leg that began first. */
function callingLeg(run: CallRun, one: Leg, other: Leg): Leg {
  if (one.side !== other.side) return one.side === 'A' ? one : other;
  return run.legs.indexOf(one) < run.legs.indexOf(other) ? one : other;
}

/** Returns the time of an act, counted from the first connection, the first answer, or the start of the call. */
function timeOfAct(run: CallRun, act: Act): number {
  if (act.since === 'begin') return act.after;
  return (run.connectedAt ?? run.legs[0]?.answered ?? 0) + act.after;
}

const needsConnection = ({ does, argument }: Act): boolean =>
  does === 'transfer' ||
  does === 'attended transfer' ||
  does === 'park' ||
  does === 'hold' ||
  (does === 'hangs up' && argument === 'callee');

export function beginActs(run: CallRun): void {
  const { clock, input } = run;
  const schedule = (act: Act, time: number): void => {
    clock.at(time, () => {
      if (run.done.has(act) || timeOfAct(run, act) > clock.now()) return;
      run.done.add(act);
      performAct(run, act);
    });
  };
  for (const act of input.acts) if (act.since === 'begin' || !needsConnection(act)) schedule(act, act.after);
  const scheduleRest = (): void => {
    for (const act of input.acts) if (act.since !== 'begin') schedule(act, timeOfAct(run, act));
  };
  run.onBridge.push(() => {
    if (run.connectedAt !== undefined) return;
    run.connectedAt = clock.now();
    scheduleRest();
  });
  run.onFirstAnswer = () => {
    for (const act of input.acts)
      if (act.since !== 'begin' && !needsConnection(act)) schedule(act, timeOfAct(run, act));
  };
}

function performAct(run: CallRun, act: Act): void {
  const caller = run.legs[0];
  if (!caller) return;
  const argument = act.argument ?? '';
  if (act.does === 'calls') {
    beginCall(run, recordsOf(run.input.account), act.from ?? {}, argument);
    return;
  }
  const named = act.leg === undefined ? undefined : run.legs.find(({ id }) => id === act.leg);
  const far = visibleLeg(caller.partner);
  if (act.does === 'hangs up') {
    const leg = named ?? (argument === 'callee' ? far : caller);
    if (leg) hangUp(run, leg);
    return;
  }
  if (act.does === 'runs') {
    if (named) runFlow(run, named, argument);
    return;
  }
  if (act.does === 'presses' && !far) {
    run.keyListeners.get(named ?? caller)?.(argument);
    return;
  }
  const actor = named ?? transferringLeg(run, caller, far, act);
  const other = actor && visibleLeg(actor.partner);
  if (!actor || !other) {
    reportGap(run, `No other party is connected, so "${act.does}" is skipped.`);
    return;
  }
  if (act.does === 'transfer') transfer(run, actor, other, argument);
  else if (act.does === 'attended transfer') attendedTransfer(run, actor, other, argument);
  else if (act.does === 'park') transfer(run, actor, other, findParkingNumber(run, argument));
  else if (act.does === 'hold') recordHeard(run, other, 'music on hold');
  else reportGap(run, `Keys during a conversation have no effect, because metaflows are disabled.`);
}

/** Disconnects a leg and sends it to a callflow. The other leg ends. */
function runFlow(run: CallRun, leg: Leg, id: string): void {
  const records = recordsOf(run.input.account);
  const flow = records.get('callflows', id);
  if (!flow) return;
  const other = disconnect(run, leg);
  leg.stop?.();
  if (other) endLeg(run, other, 'NORMAL_CLEARING');
  if (leg.ended !== undefined) return;
  const came = leg.side === 'A' ? leg.callerId : { number: leg.to };
  const party = { account: records.account.record };
  const seed = { records, dialled: leg.to, party, came, isOffnet: false, isAuthorised: true };
  run.startRoute(run, leg, { ...seed, flow });
}

/** Returns the transferring leg: the called leg if it has a phone of the account, or else the caller. */
function transferringLeg(run: CallRun, caller: Leg, far: Leg | undefined, act: Act): Leg | undefined {
  if (act.does === 'presses') return caller;
  if (far && (far.device !== undefined || far.user !== undefined)) return far;
  return caller.device !== undefined || caller.user !== undefined ? caller : (far ?? run.legs.at(-1));
}

/** Ends a leg. Before the answer, the caller cancels the call. */
export const hangUp = (run: CallRun, leg: Leg): void =>
  endLeg(run, leg, leg.answered === undefined ? 'ORIGINATOR_CANCEL' : 'NORMAL_CLEARING');

const usualParkNumbers = ['*3', '*4', '*5', '*31', '*3101', '700', '701'];

/**
 * Returns the number to dial to park a call in a slot. An empty `slot` means any slot. The number belongs to a
 * callflow that starts with a parking step.
 */
function findParkingNumber(run: CallRun, slot: string): string {
  const records = recordsOf(run.input.account);
  const parksCalls = (flow: JsonObject): boolean => {
    const action = valueAt(flow.flow, 'data.action');
    return valueAt(flow.flow, 'module') === 'park' && action !== 'retrieve';
  };
  if (slot !== '' && findFlow(records, slot, false)) return slot;
  const byNumber = [...records.flowsByNumber].find(([, flow]) => parksCalls(flow))?.[0];
  const byPattern = usualParkNumbers
    .map((number) => `${number}${slot}`)
    .find((number) => {
      const found = findFlow(records, number, false);
      return found !== undefined && parksCalls(found.flow);
    });
  return slot === '' ? (byNumber ?? byPattern ?? '*3') : (byPattern ?? byNumber ?? `*3${slot}`);
}

/** Transfers the remaining leg to another number. The transferring leg ends. */
function transfer(run: CallRun, actor: Leg, other: Leg, dialled: string): void {
  const records = recordsOf(run.input.account);
  const party = partyOfCaller(records, { device: actor.device, user: actor.user });
  const isOffnet = other.device === undefined && other.user === undefined;
  other.stop?.();
  disconnect(run, actor);
  endLeg(run, actor, 'NORMAL_CLEARING');
  if (other.ended !== undefined) return;
  const came = other.side === 'A' ? other.callerId : { number: other.to };
  run.startRoute(run, other, {
    records,
    dialled,
    party,
    isOffnet,
    came,
    isAuthorised: true,
    retainsId: isOffnet,
    referredBy: actor.device ?? '',
  });
}

/** Calls the target and connects both legs if it answers. Otherwise, the call is not transferred. */
function attendedTransfer(run: CallRun, actor: Leg, other: Leg, dialled: string): void {
  const records = recordsOf(run.input.account);
  recordHeard(run, other, 'music on hold');
  const second = beginCall(run, records, { device: actor.device, user: actor.user }, dialled);
  const connect = (): void => {
    const far = visibleLeg(second.partner);
    other.stop?.();
    disconnect(run, actor);
    if (far) disconnect(run, second);
    endLeg(run, actor, 'ATTENDED_TRANSFER');
    endLeg(run, second, 'ATTENDED_TRANSFER');
    if (!far || other.ended !== undefined || far.ended !== undefined) return;
    setPlace(
      run,
      other,
      far.carrier === undefined ? placeOfLeg(records, far) : { in: 'carrier', name: far.carrier },
    );
    bridge(run, other, far);
  };
  second.onAnswer.push(() => run.clock.at(run.clock.now() + 1, connect));
}
