import type { Json, JsonObject } from '../../base/json.ts';
import type { Event } from '../events/event.ts';
import type { Change, RecordName, Store } from '../store/store.ts';
import { callPut } from '../telephony/ongoing-calls.ts';
import { effectsOf } from './call-effects.ts';
import { eventsOfCall } from './call-events.ts';
import { keptRecords } from './call-records.ts';
import { legsOf, type MadeCall, secondOf } from './made-call.ts';

export interface Kept {
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
  /** Ids of what the call made, for scripts. */
  readonly facts: JsonObject;
  /** Facts of the call that are shown while it is under way: its slot, its conference. */
  readonly shown: JsonObject;
}

/** What is to be written of a call, from the moment on up to which it was kept before. */
export async function keepCall(made: MadeCall): Promise<Kept> {
  const effects = await effectsOf(made);
  return {
    changes: [...keptRecords(made), ...effects.changes],
    events: [...eventsOfCall(made), ...effects.events],
    facts: effects.facts,
    shown: effects.kept,
  };
}

/** A call under way: by it the call is made once more when somebody steers it. */
export interface LiveCall {
  readonly made: Omit<MadeCall, 'services' | 'after'>;
  readonly seed: number;
  /** Records that were written with a later time, which are taken back where the call goes on in another way. */
  readonly written: readonly { readonly name: RecordName; readonly at: number }[];
  /** Events that are still to go out. */
  readonly later: readonly { readonly eventId: string; readonly dueMs: number }[];
}

const live = new WeakMap<Store, Map<string, LiveCall>>();

/** Calls under way of a sandbox, by the ids of their first legs; those from before its start are not there. */
export function liveCallsOf(store: Store): Map<string, LiveCall> {
  const before = live.get(store);
  if (before) return before;
  const made = new Map<string, LiveCall>();
  live.set(store, made);
  return made;
}

/** Longest time that a call lasts. */
const longestMs = 24 * 3600 * 1000;
const manyCalls = 2000;

function forgetEnded(calls: Map<string, LiveCall>, nowMs: number): void {
  for (const [id, { made }] of calls)
    if (made.input.at + Math.min(made.call.seconds * 1000, longestMs) < nowMs) calls.delete(id);
}

/** The write by which a call is under way, and what notes it. `stays`: what was written of it before. */
export function noteLive(
  made: MadeCall,
  seed: number,
  { changes, events, shown }: Kept,
  stays: LiveCall['written'] = [],
): { readonly change: Change; readonly note: () => void } {
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
    from: legsOf(made).get('a1')?.caller.number ?? '',
    to: input.to,
    in_use: inUse(made),
    ...shown,
  };
  const times = { startedAt: secondOf(made, 0), endsAt: secondOf(made, call.seconds) };
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

function inUse({ call }: MadeCall): Json {
  const counted = (way: string): number => call.legs.filter(({ facts }) => facts.trunk === way).length;
  return { inbound: counted('inbound'), outbound: counted('outbound') };
}
