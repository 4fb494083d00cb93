import { makeCall } from '../../engine/calls/make-call.ts';
import { seededNumbers } from '../../engine/calls/seeded-numbers.ts';
import type { Act } from '../../engine/calls/types.ts';
import type { Event } from '../events/event.ts';
import { textAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import { putOf } from '../placement.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import type { Change, RecordName, StoredRecord } from '../store/store.ts';
import { cutAt, legsToCome } from '../telephony/legs.ts';
import { type Kept, keepCall, type LiveCall, liveCallsOf, noteLive } from './keep-call.ts';
import { idsFor, justAfter, type MadeCall } from './made-call.ts';

/** What steering a call changes, and what webhooks hear of it. */
export interface Steered {
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
}

/** What somebody does to a call that is under way; the leg that does it is an id of the engine. */
export type Doing = (leg: string) => Omit<Act, 'after' | 'since'>;

/** Removes a record that is written anew, or never to be: nobody hears of that. */
const taken = (record: RecordName): Change => ({
  ...{ change: 'remove', record, erase: true, isUntold: true },
});

/** A call that goes on in another way. */
export interface Carried extends Steered {
  /** Notes that it does, once what changes is written. */
  readonly note: () => void;
  readonly made: MadeCall;
  readonly kept: Kept;
}

/**
 * Makes a call that is under way once more, with one act more: what was before stays, what was still to come of it is
 * taken back, and what comes now is kept in its place.
 */
export async function carryOn(
  services: Services,
  { made: before, seed, written, later }: LiveCall,
  doing: Omit<Act, 'after' | 'since'>,
): Promise<Carried> {
  const nowMs = services.clock.now();
  const after = (nowMs - before.input.at) / 1000;
  const acts: readonly Act[] = [...before.input.acts, { ...doing, after: after + justAfter, since: 'begin' }];
  const input = { ...before.input, acts, random: seededNumbers(seed) };
  const call = makeCall(input);
  const made: MadeCall = { ...before, services, input, call, after, ids: idsFor(services, call, before.ids) };
  const kept = await keepCall(made);
  const isOpen = new Set(
    before.call.legs.flatMap(({ id, ended }) => (ended > after ? [before.ids.get(id)] : [])),
  );
  const now = gregorianSeconds(services.clock);
  const gone = written.filter(({ name, at }) =>
    name.kind === 'cdrs' ? [...isOpen].some((id) => id !== undefined && name.id.endsWith(id)) : at > now,
  );
  const untold = later.filter(({ dueMs }) => dueMs > nowMs);
  const stays = written.filter((each) => !gone.includes(each));
  const underWay = noteLive(made, seed, kept, stays);
  const first = { kind: 'calls', scope: made.account.id, id: made.ids.get('a1') ?? '' };
  return {
    ...{ made, kept, note: underWay.note },
    changes: [
      ...untold.map((each): Change => ({ change: 'unqueue-event', ...each })),
      ...gone.map(({ name }) => taken(name)),
      ...kept.changes,
      taken(first),
      ...(call.seconds > after + justAfter ? [underWay.change] : []),
    ],
    // A call that told everything when it was simulated tells nothing again.
    events: made.isRealTime ? kept.events : [],
  };
}

/** The call of a live leg, and the leg as the engine names it. */
function liveCall({ store }: Services, leg: StoredRecord) {
  const callId = textAt(leg.hidden, 'call');
  for (const call of liveCallsOf(store).values())
    for (const [id, each] of call.made.ids) if (each === callId) return { call, leg: id };
  return undefined;
}

/** Does something to the call of a live leg. Refuses (409) one that began before the sandbox was started. */
export async function steer(services: Services, leg: StoredRecord, doing: Doing): Promise<Steered> {
  const found = liveCall(services, leg);
  if (found) {
    const carried = await carryOn(services, found.call, doing(found.leg));
    carried.note();
    return carried;
  }
  if (doing('').does === 'hangs up') return cutOff(services, leg);
  throw new Refusal(409, 'conflict', 'The call began before the sandbox was started: it can only be ended.');
}

/** Ends all legs of a call that nothing more is known of. */
async function cutOff({ store, clock }: Services, leg: StoredRecord): Promise<Steered> {
  const now = gregorianSeconds(clock);
  const legs = await legsToCome(store, leg.scope, now, textAt(leg.hidden, 'interaction') ?? '');
  const end = { hangup_cause: 'NORMAL_CLEARING', hangup_code: 'sip:200' };
  const changes = legs.flatMap((each): readonly Change[] => {
    const cut = cutAt(each, now, end);
    return [taken(each), ...(cut ? [putOf(cut, 'cdrs')] : [])];
  });
  return { changes, events: [] };
}
