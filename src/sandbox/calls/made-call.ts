import { gregorianOffset } from '../../base/moment.ts';
import type { Call, CallInput } from '../../engine/calls/types.ts';
import { newId } from '../made-values.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import { describeLeg, type Leg, type Party } from './call-legs.ts';

/** A call that the engine made, as the sandbox keeps it and tells of it. */
export interface MadeCall {
  readonly services: Services;
  readonly account: StoredRecord;
  readonly input: CallInput;
  readonly call: Call;
  /** Id that all legs of the call and its transfers share: its begin and a random part. */
  readonly interaction: string;
  /** Call ids by the ids of legs in the engine: `a1`, `b2`. */
  readonly ids: ReadonlyMap<string, string>;
  /** Who calls, for legs that show nobody. */
  readonly who: Party;
  /** Events go out when they happen, rather than all at once. */
  readonly isRealTime: boolean;
  /** What happened up to this second of the call has been kept and told before; below 0: nothing has. */
  readonly after: number;
}

/** An act comes right after all that happened up to now, in seconds. */
export const justAfter = 0.0005;

/** Name of the server in records. */
export const mediaServer = 'sandbox';

/** Returns the domain of an account's addresses. */
export const realmOf = ({ body }: Pick<StoredRecord, 'body'>): string =>
  typeof body.realm === 'string' && body.realm !== '' ? body.realm : 'sandbox.example';

/** Month of a call (`202611`), under which its records are kept however long it lasts. */
export const monthOf = (gregorian: number): string =>
  new Date((gregorian - gregorianOffset) * 1000).toISOString().slice(0, 7).replace('-', '');

export const secondOf = ({ input }: Pick<MadeCall, 'input'>, at: number): number =>
  Math.floor(input.at / 1000) + Math.floor(at) + gregorianOffset;

/** When an event of a second goes out, in Unix milliseconds; `undefined`: at once. */
export const dueAt = ({ isRealTime, input }: MadeCall, at: number): number | undefined =>
  isRealTime ? Math.round(input.at + at * 1000) : undefined;

/** Call ids for legs that have none yet. */
export function idsFor(
  { random }: Pick<Services, 'random'>,
  { legs }: Call,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  return new Map(legs.map(({ id }) => [id, before.get(id) ?? newId(random)]));
}

/** The first callflow that a call came to. */
export const firstFlow = ({ call, input }: Pick<MadeCall, 'call' | 'input'>) => {
  const event = call.events.find((each) => each.kind === 'flow');
  return event?.kind === 'flow'
    ? {
        id: event.callflow,
        name: event.word,
        why: event.why,
        record: input.account.get('callflows', event.callflow),
      }
    : undefined;
};

const described = new WeakMap<Call, ReadonlyMap<string, Leg>>();

/** The legs of a call as records and events tell of them, by their ids in the engine. */
export function legsOf(made: MadeCall): ReadonlyMap<string, Leg> {
  const before = described.get(made.call);
  if (before) return before;
  const { call, input, ids, who } = made;
  const flow = firstFlow(made)?.name;
  const legs = new Map(
    call.legs.map((leg) => [
      leg.id,
      describeLeg(leg, {
        account: input.account,
        ids,
        caller: who,
        flow: leg.id === 'a1' ? flow : undefined,
        owner: call.legs.find(({ id }) => id === leg.call)?.user,
      }),
    ]),
  );
  described.set(call, legs);
  return legs;
}
