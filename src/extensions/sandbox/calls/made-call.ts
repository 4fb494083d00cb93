import { textAt, textOf, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { Call, CallAccount, CallInput, CallLeg } from '../../calls/engine/types.ts';
import type { Event } from '../events/event.ts';
import { newId } from '../made-values.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import { extensionIn, ownerOfMadePhone, personIn } from './call-account.ts';

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

/** Time of a second of a call, in Unix milliseconds. */
const momentOf = ({ input }: MadeCall, at: number): number => Math.round(input.at + at * 1000);

/** When an event of a second goes out, in Unix milliseconds; `undefined`: at once. */
export const dueAt = (made: MadeCall, at: number): number | undefined =>
  made.isRealTime ? momentOf(made, at) : undefined;

/** When an event of a call happens and goes out. */
export const eventTimes = (made: MadeCall, at: number): Pick<Event, 'atMs' | 'momentMs'> => {
  const momentMs = momentOf(made, at);
  return made.isRealTime ? { momentMs, atMs: momentMs } : { momentMs };
};

/** Call ids for legs that have none yet. */
export function idsFor(
  { random }: Pick<Services, 'random'>,
  { legs }: Call,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  return new Map(legs.map(({ id }) => [id, before.get(id) ?? newId(random)]));
}

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

const described = new WeakMap<Call, ReadonlyMap<string, RecordedLeg>>();

/** The legs of a call as records and events tell of them, by their ids in the engine. */
export function legsOf(made: MadeCall): ReadonlyMap<string, RecordedLeg> {
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

/** The party at one end of a leg, as it shows itself. */
export interface Party {
  readonly name: string;
  readonly number: string;
}

/** A leg of a call as records and events tell of it: from a phone or the public network to the service, or from it. */
export interface RecordedLeg {
  readonly callId: string;
  /** Seen from the service. */
  readonly direction: 'inbound' | 'outbound';
  readonly caller: Party;
  readonly callee: Party;
  /** Destination that the leg was made for: a number, or a user's phone. */
  readonly destination: string;
  readonly ownerId: string | undefined;
  /** By whose right it is there. */
  readonly authorizing: { readonly id: string; readonly type: 'user' | 'device' | 'resource' };
  readonly isForwarded: boolean;
}

/** The carrier that takes every call where the service has none. */
const assumedCarrier = 'sandbox-carrier';

interface LegFacts {
  readonly account: CallAccount;
  readonly ids: ReadonlyMap<string, string>;
  /** Name and number of who calls, where they are not those of the leg itself. */
  readonly caller: Party;
  /** User who made the call, if one did. */
  readonly owner: string | undefined;
  /** Name of the callflow that the number led to. */
  readonly flow: string | undefined;
}

function describeLeg(leg: CallLeg, { account, ids, caller, flow, owner }: LegFacts): RecordedLeg {
  const callId = ids.get(leg.id) ?? leg.id;
  const shown: Party = {
    number: leg.callerId.number ?? caller.number,
    name: leg.callerId.name ?? leg.callerId.number ?? caller.name,
  };
  const device = leg.device === undefined ? undefined : account.get('devices', leg.device);
  const user = leg.user === undefined ? undefined : account.get('users', leg.user);
  const isMade = leg.device !== undefined && ownerOfMadePhone(leg.device) !== undefined;
  const authorizing: RecordedLeg['authorizing'] =
    leg.device !== undefined && !isMade
      ? { id: leg.device, type: 'device' }
      : leg.user === undefined
        ? { id: carrierOf(leg), type: 'resource' }
        : { id: leg.user, type: 'user' };
  const facts = {
    callId,
    ownerId: leg.user ?? textAt(leg.facts, 'owner_id') ?? (leg.carrier === undefined ? undefined : owner),
    authorizing,
    isForwarded: leg.facts.call_forward === true,
  };
  if (leg.side === 'A') {
    const callee = { name: flow ?? leg.to, number: leg.to };
    return { ...facts, direction: 'inbound', caller: shown, callee, destination: leg.to };
  }
  const username = textOf(valueAt(device, 'sip.username'));
  const number = leg.carrier === undefined ? (user ? extensionIn(user) : (username ?? leg.to)) : leg.to;
  const name =
    leg.carrier === undefined ? (user ? personIn(user) : (textAt(device ?? {}, 'name') ?? number)) : number;
  return { ...facts, direction: 'outbound', caller: shown, callee: { name, number }, destination: number };
}

const carrierOf = ({ facts }: CallLeg): string => {
  const id = textAt(facts, 'resource_id');
  return id === undefined || facts.assumed === true ? assumedCarrier : id;
};
