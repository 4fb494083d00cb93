import { type JsonObject, valueAt } from '../../../base/json.ts';
import { beginCall, partyOfCaller } from './callers.ts';
import { findFlow, recordsOf } from './records.ts';
import { personAt } from './ring.ts';
import { bridge, type CallRun, endLeg, gap, heard, type Leg, seen, separate, setPlace } from './run.ts';
import type { Act } from './types.ts';
import { endOfStay, waitsFor } from './waiting.ts';

/** A caller hangs up some time after he was connected, unless the call says when; acts that are due are waited for. */
export function endWhenTalked(run: CallRun): void {
  run.onBridge.push((one, other) => {
    const leg = callerOf(run, one, other);
    const [caller] = run.legs;
    if (leg === caller && run.input.hangsUpAfter !== undefined) return;
    const lastAct = run.input.acts
      .filter((act) => leg.call === caller?.id && waitsFor(act) && !run.done.has(act))
      .reduce((last, act) => Math.max(last, timeOf(run, act)), run.clock.now());
    run.clock.at(endOfStay(run, leg, lastAct), () => {
      const isStill = leg.partner !== undefined && leg.other === (leg === one ? other : one).id;
      if (isStill && leg.ended === undefined) endLeg(run, leg, 'NORMAL_CLEARING');
    });
  });
}

/** Of two legs the one that called, or that was there first. */
function callerOf(run: CallRun, one: Leg, other: Leg): Leg {
  if (one.side !== other.side) return one.side === 'A' ? one : other;
  return run.legs.indexOf(one) < run.legs.indexOf(other) ? one : other;
}

/** The time at which an act is due: from the first connection, else from the first answer, else from the begin. */
function timeOf(run: CallRun, act: Act): number {
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
  const later = (act: Act, time: number): void => {
    clock.at(time, () => {
      if (run.done.has(act) || timeOf(run, act) > clock.now()) return;
      run.done.add(act);
      perform(run, act);
    });
  };
  for (const act of input.acts) if (act.since === 'begin' || !needsConnection(act)) later(act, act.after);
  const again = (): void => {
    for (const act of input.acts) if (act.since !== 'begin') later(act, timeOf(run, act));
  };
  run.onBridge.push(() => {
    if (run.connectedAt !== undefined) return;
    run.connectedAt = clock.now();
    again();
  });
  run.onFirstAnswer = () => {
    for (const act of input.acts)
      if (act.since !== 'begin' && !needsConnection(act)) later(act, timeOf(run, act));
  };
}

function perform(run: CallRun, act: Act): void {
  const caller = run.legs[0];
  if (!caller) return;
  const argument = act.argument ?? '';
  if (act.does === 'calls') {
    beginCall(run, recordsOf(run.input.account), act.from ?? {}, argument);
    return;
  }
  const named = act.leg === undefined ? undefined : run.legs.find(({ id }) => id === act.leg);
  const far = seen(caller.partner);
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
  const actor = named ?? actorOf(run, caller, far, act);
  const other = actor && seen(actor.partner);
  if (!actor || !other) {
    gap(run, `Nobody is connected, so that "${act.does}" is not done.`);
    return;
  }
  if (act.does === 'transfer') transfer(run, actor, other, argument);
  else if (act.does === 'attended transfer') attended(run, actor, other, argument);
  else if (act.does === 'park') transfer(run, actor, other, parkNumber(run, argument));
  else if (act.does === 'hold') heard(run, other, 'music on hold');
  else gap(run, `Keys that are pressed while people talk have no effect: metaflows are switched off.`);
}

/** Takes a leg out of its talk and through a callflow; who it talked with is out. */
function runFlow(run: CallRun, leg: Leg, id: string): void {
  const records = recordsOf(run.input.account);
  const flow = records.get('callflows', id);
  if (!flow) return;
  const other = separate(run, leg);
  leg.stop?.();
  if (other) endLeg(run, other, 'NORMAL_CLEARING');
  if (leg.ended !== undefined) return;
  const came = leg.side === 'A' ? leg.callerId : { number: leg.to };
  const party = { account: records.account.record };
  const seed = { records, dialled: leg.to, party, came, isOffnet: false, isAuthorised: true };
  run.startRoute(run, leg, { ...seed, flow });
}

/** Who transfers: the called one, where he has a phone of the account, else the caller. */
function actorOf(run: CallRun, caller: Leg, far: Leg | undefined, act: Act): Leg | undefined {
  if (act.does === 'presses') return caller;
  if (far && (far.device !== undefined || far.user !== undefined)) return far;
  return caller.device !== undefined || caller.user !== undefined ? caller : (far ?? run.legs.at(-1));
}

/** A party hangs up: before the answer the caller cancels. */
export const hangUp = (run: CallRun, leg: Leg): void =>
  endLeg(run, leg, leg.answered === undefined ? 'ORIGINATOR_CANCEL' : 'NORMAL_CLEARING');

const usualParkNumbers = ['*3', '*4', '*5', '*31', '*3101', '700', '701'];

/** The number that parks calls in a slot, or in any: that of a callflow which begins with the module. */
function parkNumber(run: CallRun, slot: string): string {
  const records = recordsOf(run.input.account);
  const parks = (flow: JsonObject): boolean => {
    const action = valueAt(flow.flow, 'data.action');
    return valueAt(flow.flow, 'module') === 'park' && action !== 'retrieve';
  };
  if (slot !== '' && findFlow(records, slot, false)) return slot;
  const byNumber = [...records.flowsByNumber].find(([, flow]) => parks(flow))?.[0];
  const byPattern = usualParkNumbers
    .map((number) => `${number}${slot}`)
    .find((number) => {
      const found = findFlow(records, number, false);
      return found !== undefined && parks(found.flow);
    });
  return slot === '' ? (byNumber ?? byPattern ?? '*3') : (byPattern ?? byNumber ?? `*3${slot}`);
}

/** The party that remains is taken to another number; who transferred it is out. */
function transfer(run: CallRun, actor: Leg, other: Leg, dialled: string): void {
  const records = recordsOf(run.input.account);
  const party = partyOfCaller(records, { device: actor.device, user: actor.user });
  const isOffnet = other.device === undefined && other.user === undefined;
  other.stop?.();
  separate(run, actor);
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

/** The transferor calls the target first, and connects both when it answers; who does not answer stays out. */
function attended(run: CallRun, actor: Leg, other: Leg, dialled: string): void {
  const records = recordsOf(run.input.account);
  heard(run, other, 'music on hold');
  const second = beginCall(run, records, { device: actor.device, user: actor.user }, dialled);
  const connect = (): void => {
    const far = seen(second.partner);
    other.stop?.();
    separate(run, actor);
    if (far) separate(run, second);
    endLeg(run, actor, 'ATTENDED_TRANSFER');
    endLeg(run, second, 'ATTENDED_TRANSFER');
    if (!far || other.ended !== undefined || far.ended !== undefined) return;
    setPlace(
      run,
      other,
      far.carrier === undefined ? personAt(records, far) : { in: 'carrier', name: far.carrier },
    );
    bridge(run, other, far);
  };
  second.onAnswer.push(() => run.clock.at(run.clock.now() + 1, connect));
}
