import { textAt, textOrUndefined, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { Call, CallAccount, CallInput, CallLeg } from '../../calls/engine/types.ts';
import type { Event } from '../events/event.ts';
import { newId } from '../ids-and-secrets.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import { ownerOfMadePhone, userDisplayName, userExtension } from './call-account.ts';

export interface MadeCall {
  readonly services: Services;
  readonly account: StoredRecord;
  readonly input: CallInput;
  readonly call: Call;
  /** Id shared by all legs of the call and its transfers: start time and a random part. */
  readonly interaction: string;
  /** Call ids by leg id of the call engine, such as `a1`, `b2`. */
  readonly ids: ReadonlyMap<string, string>;
  /** The caller. Used for legs that show no party. */
  readonly who: Party;
  /** True if events are published when they happen. */
  readonly isRealTime: boolean;
  /** The second of the call up to which it is stored and published. Negative if it is not stored yet. */
  readonly after: number;
}

/** Delay of an act after an earlier event, in seconds. */
export const justAfter = 0.0005;

export const mediaServer = 'sandbox';

/** Returns the SIP domain of an account. */
export const accountRealm = ({ body }: Pick<StoredRecord, 'body'>): string =>
  typeof body.realm === 'string' && body.realm !== '' ? body.realm : 'sandbox.example';

/** Returns the month of the records of a call, such as `202611`. */
export const monthOf = (gregorian: number): string =>
  new Date((gregorian - gregorianOffset) * 1000).toISOString().slice(0, 7).replace('-', '');

export const gregorianSecondOf = ({ input }: Pick<MadeCall, 'input'>, at: number): number =>
  Math.floor(input.at / 1000) + Math.floor(at) + gregorianOffset;

/** Converts a second of a call to Unix milliseconds. */
const unixMsOf = ({ input }: MadeCall, at: number): number => Math.round(input.at + at * 1000);

/** Returns the time when an event is published, in Unix milliseconds. `undefined` means immediately. */
export const publishTime = (made: MadeCall, at: number): number | undefined =>
  made.isRealTime ? unixMsOf(made, at) : undefined;

/** Returns the times when an event of a call happens and is published. */
export const eventTimes = (made: MadeCall, at: number): Pick<Event, 'atMs' | 'momentMs'> => {
  const momentMs = unixMsOf(made, at);
  return made.isRealTime ? { momentMs, atMs: momentMs } : { momentMs };
};

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

/** Returns the legs of a call for records and events, by leg id of the call engine. */
export function recordedLegs(made: MadeCall): ReadonlyMap<string, RecordedLeg> {
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

export interface Party {
  readonly name: string;
  readonly number: string;
}

/** A leg of a call for records and events, between the service and a phone or the public network. */
export interface RecordedLeg {
  readonly callId: string;
  /** As seen from the service. */
  readonly direction: 'inbound' | 'outbound';
  readonly caller: Party;
  readonly callee: Party;
  /** The destination of the leg: a number or a user's phone. */
  readonly destination: string;
  readonly ownerId: string | undefined;
  readonly authorizing: { readonly id: string; readonly type: 'user' | 'device' | 'resource' };
  readonly isForwarded: boolean;
}

/** The assumed carrier if the service has none. */
const assumedCarrier = 'sandbox-carrier';

interface LegFacts {
  readonly account: CallAccount;
  readonly ids: ReadonlyMap<string, string>;
  /** Name and number of the caller, if they differ from those of the leg. */
  readonly caller: Party;
  readonly owner: string | undefined;
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
  const username = textOrUndefined(valueAt(device, 'sip.username'));
  const number = leg.carrier === undefined ? (user ? userExtension(user) : (username ?? leg.to)) : leg.to;
  const name =
    leg.carrier === undefined
      ? user
        ? userDisplayName(user)
        : (textAt(device ?? {}, 'name') ?? number)
      : number;
  return { ...facts, direction: 'outbound', caller: shown, callee: { name, number }, destination: number };
}

const carrierOf = ({ facts }: CallLeg): string => {
  const id = textAt(facts, 'resource_id');
  return id === undefined || facts.assumed === true ? assumedCarrier : id;
};
