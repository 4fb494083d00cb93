import { type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { seededNumbers } from '../../calls/engine/clock.ts';
import { makeCall } from '../../calls/engine/make-call.ts';
import type { Act } from '../../calls/engine/types.ts';
import type { Event } from '../events/event.ts';
import { accountRecordName } from '../identity/principal.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import type { Services } from '../services.ts';
import type { RecordName, Store, StoreChange, StoredRecord } from '../store/store.ts';
import { endLegAt, unfinishedLegsOfCall } from '../telephony/legs.ts';
import { callPut } from '../telephony/ongoing-calls.ts';
import { loadCallAccount } from './call-account.ts';
import { computeEffects } from './call-effects.ts';
import { eventsOfCall } from './call-events.ts';
import { callInput } from './call-input.ts';
import { keptRecords } from './call-records.ts';
import { gregorianSecondOf, idsFor, justAfter, type MadeCall, recordedLegs } from './made-call.ts';

export interface KeptCall {
  readonly changes: readonly StoreChange[];
  readonly events: readonly Event[];
  readonly facts: JsonObject;
  /** Facts that are shown while the call is live, such as its slot or conference. */
  readonly shown: JsonObject;
}

/** Returns the changes and events of a call since it was last stored. */
export async function keepCall(made: MadeCall): Promise<KeptCall> {
  const effects = await computeEffects(made);
  return {
    changes: [...keptRecords(made), ...effects.changes],
    events: [...eventsOfCall(made), ...effects.events],
    facts: effects.facts,
    shown: effects.kept,
  };
}

/** A live call. Steering it repeats the simulation. */
export interface LiveCall {
  readonly made: Omit<MadeCall, 'services' | 'after'>;
  readonly seed: number;
  /** Records of future legs. They are removed if the call continues differently. */
  readonly written: readonly { readonly name: RecordName; readonly at: number }[];
  readonly later: readonly { readonly eventId: string; readonly dueMs: number }[];
}

const live = new WeakMap<Store, Map<string, LiveCall>>();

/** Returns the live calls of a sandbox by the id of the first leg. Calls from before its last start are missing. */
export function liveCallsOf(store: Store): Map<string, LiveCall> {
  const before = live.get(store);
  if (before) return before;
  const made = new Map<string, LiveCall>();
  live.set(store, made);
  return made;
}

const longestMs = 24 * 3600 * 1000;
const manyCalls = 2000;

function forgetEnded(calls: Map<string, LiveCall>, nowMs: number): void {
  for (const [id, { made }] of calls)
    if (made.input.at + Math.min(made.call.seconds * 1000, longestMs) < nowMs) calls.delete(id);
}

/**
 * Returns the change that stores a live call, and a function that notes the call. `stays` are records that were
 * written earlier.
 */
export function storeLiveCall(
  made: MadeCall,
  seed: number,
  { changes, events, shown }: KeptCall,
  stays: LiveCall['written'] = [],
): { readonly change: StoreChange; readonly note: () => void } {
  const { services, account, call, input } = made;
  const firstId = made.ids.get('a1') ?? '';
  const later = events.flatMap(({ id, atMs }) =>
    id === undefined || atMs === undefined ? [] : [{ eventId: id, dueMs: atMs }],
  );
  const written = changes.flatMap((change) =>
    change.change === 'put' && takenBack.has(change.record.kind)
      ? [{ name: bareName(change.record), at: change.record.createdAt }]
      : [],
  );
  const { services: _, after: __, ...rest } = made;
  const entry: LiveCall = { made: rest, seed, written: [...stays, ...written], later };
  const body: JsonObject = {
    from: recordedLegs(made).get('a1')?.caller.number ?? '',
    to: input.to,
    in_use: trunksInUse(made),
    ...shown,
  };
  const times = { startedAt: gregorianSecondOf(made, 0), endsAt: gregorianSecondOf(made, call.seconds) };
  return {
    change: callPut(account.id, { callId: firstId, ...times, body }),
    note() {
      const calls = liveCallsOf(services.store);
      if (calls.size > manyCalls) forgetEnded(calls, services.clock.now());
      calls.set(firstId, entry);
    },
  };
}

const bareName = ({ kind, scope, id }: RecordName): RecordName => ({ kind, scope, id });

const takenBack = new Set(['cdrs', 'recordings', 'messages', 'faxes', 'queue_calls']);

function trunksInUse({ call }: MadeCall): Json {
  const countTrunkLegs = (way: string): number => call.legs.filter(({ facts }) => facts.trunk === way).length;
  return { inbound: countTrunkLegs('inbound'), outbound: countTrunkLegs('outbound') };
}

export interface Steered {
  readonly changes: readonly StoreChange[];
  readonly events: readonly Event[];
}

/** Returns an action on a live call. `leg` is an id of the call engine. */
export type Doing = (leg: string) => Omit<Act, 'after' | 'since'>;

const silentRemoval = (record: RecordName): StoreChange => ({
  change: 'remove',
  record,
  erase: true,
  isSilent: true,
});

/** A call that continues differently. */
export interface Carried extends Steered {
  /** Notes the new state of the call. Call it after the changes are written. */
  readonly note: () => void;
  readonly made: MadeCall;
  readonly kept: KeptCall;
}

/** Simulates a live call again with an additional act. The past is unchanged. The planned future is replaced. */
export async function resimulateCall(
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
  const underWay = storeLiveCall(made, seed, kept, stays);
  const first = { kind: 'calls', scope: made.account.id, id: made.ids.get('a1') ?? '' };
  return {
    made,
    kept,
    note: underWay.note,
    changes: [
      ...untold.map((each): StoreChange => ({ change: 'unqueue-event', ...each })),
      ...gone.map(({ name }) => silentRemoval(name)),
      ...kept.changes,
      silentRemoval(first),
      ...(call.seconds > after + justAfter ? [underWay.change] : []),
    ],
    // Calls not in real time have already published all events.
    events: made.isRealTime ? kept.events : [],
  };
}

function liveCall({ store }: Services, leg: StoredRecord) {
  const callId = textAt(leg.hidden, 'call');
  for (const call of liveCallsOf(store).values())
    for (const [id, each] of call.made.ids) if (each === callId) return { call, leg: id };
  return undefined;
}

export async function steerLeg(services: Services, leg: StoredRecord, doing: Doing): Promise<Steered> {
  const found = liveCall(services, leg);
  if (found) {
    const carried = await resimulateCall(services, found.call, doing(found.leg));
    carried.note();
    return carried;
  }
  const act = doing('');
  return act.does === 'hangs up' ? endCallOfLeg(services, leg) : startNewCall(services, leg, act);
}

/** Steers a call from before the start of the sandbox. Only its legs are known, so the leg continues in a new call. */
async function startNewCall(
  services: Services,
  leg: StoredRecord,
  { does, argument = '' }: Omit<Act, 'after' | 'since'>,
): Promise<Steered> {
  const { store, behaviour, clock } = services;
  const account = await store.get(accountRecordName(leg.scope));
  if (!account) return { changes: [], events: [] };
  const interaction = textAt(leg.hidden, 'interaction') ?? '';
  const legs = await unfinishedLegsOfCall(store, leg.scope, gregorianSeconds(clock), interaction);
  const otherId = textAt(leg.body, 'other_leg_call_id');
  const mine = (does === 'transfer' && legs.find(({ hidden }) => hidden.call === otherId)) || leg;
  const calls = await loadCallAccount(store, account, behaviour);
  const owner = textAt(mine.hidden, 'owner');
  const number = textAt(mine.body, 'caller_id_number') ?? '';
  const caller = owner === undefined ? { number } : { user: owner };
  const to = does === 'runs' ? (textAt(mine.body, 'callee_id_number') ?? '') : argument;
  const others = { does: 'answers', after: 6 } as const;
  const request = { from: number, fromName: undefined, to, durationS: anewSeconds, others, presses: [] };
  const live = { ...request, realTime: true, dryRun: false };
  const input = {
    ...(await callInput(services, { account, calls, caller, to }, live, { atMs: clock.now(), seed: 1 })),
    ...(does === 'runs' ? { flow: argument } : {}),
  };
  const call = makeCall(input);
  const ids = idsFor(services, call, new Map([['a1', textAt(mine.hidden, 'call') ?? '']]));
  const who = { number, name: textAt(mine.body, 'caller_id_name') ?? number };
  const made: MadeCall = {
    services,
    account,
    input,
    call,
    interaction,
    ids,
    who,
    isRealTime: true,
    after: -1,
  };
  const kept = await keepCall(made);
  const underWay = storeLiveCall(made, 1, kept);
  underWay.note();
  const cut = endLegs(
    services,
    legs.filter(({ id }) => id !== mine.id),
  );
  return { changes: [...cut, silentRemoval(mine), ...kept.changes, underWay.change], events: kept.events };
}

const anewSeconds = 30;

/** Ends all legs of a call from before the start of the sandbox. */
async function endCallOfLeg(services: Services, leg: StoredRecord): Promise<Steered> {
  const now = gregorianSeconds(services.clock);
  const interaction = textAt(leg.hidden, 'interaction') ?? '';
  const legs = await unfinishedLegsOfCall(services.store, leg.scope, now, interaction);
  return { changes: endLegs(services, legs), events: [] };
}

function endLegs({ clock }: Services, legs: readonly StoredRecord[]): readonly StoreChange[] {
  const now = gregorianSeconds(clock);
  const end = { hangup_cause: 'NORMAL_CLEARING', hangup_code: 'sip:200' };
  return legs.flatMap((each): readonly StoreChange[] => {
    const cut = endLegAt(each, now, end);
    return [silentRemoval(each), ...(cut ? [buildPut(cut, 'cdrs')] : [])];
  });
}
