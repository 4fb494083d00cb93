import { type JsonObject, omitUndefined, textAt, textOrUndefined } from '../../../base/json.ts';
import { codeOf } from '../../calls/engine/outcome.ts';
import type { CallEvent, CallLeg } from '../../calls/engine/types.ts';
import { type Event, notification } from '../events/event.ts';
import { newEventId } from '../events/queue-events.ts';
import {
  accountRealm,
  eventTimes,
  gregorianSecondOf,
  type MadeCall,
  type RecordedLeg,
  recordedLegs,
} from './made-call.ts';

interface Moment {
  readonly hook: 'channel_create' | 'channel_answer' | 'channel_bridge' | 'channel_destroy';
  readonly at: number;
  readonly kept: CallLeg;
  /** The other leg, if it exists at that time. */
  readonly other: RecordedLeg | undefined;
  /** True for a loopback leg of a forward. */
  readonly isInternal?: true;
  readonly more?: JsonObject;
}

/** Returns the webhook payload of an event of a leg (Conventions, payloads). Omits unknown values. */
function legPayload(made: MadeCall, moment: Moment, leg: RecordedLeg): JsonObject {
  const { hook, at, kept, other, more, isInternal = false } = moment;
  const { account, call } = made;
  const realm = accountRealm(account);
  return omitUndefined({
    hook_event: hook,
    account_id: account.id,
    reseller_id: textAt(account.hidden, 'reseller_id'),
    owner_id: leg.ownerId,
    authorizing_id: leg.authorizing.id,
    authorizing_type: leg.authorizing.type,
    call_id: leg.callId,
    other_leg_call_id: other?.callId,
    call_direction: leg.direction,
    call_forwarded: leg.isForwarded && !isInternal,
    caller_id_name: leg.caller.name,
    caller_id_number: leg.caller.number,
    callee_id_name: leg.callee.name,
    callee_id_number: leg.callee.number,
    from: `${leg.caller.number}@${realm}`,
    to: `${leg.callee.number}@${realm}`,
    request: `${leg.destination}@${realm}`,
    inception: textOrUndefined(call.legs[0]?.facts.inception),
    is_internal_leg: isInternal,
    local_resource_used: false,
    emergency_resource_used: kept.facts.emergency_resource === true,
    timestamp: String(gregorianSecondOf(made, at)),
    custom_channel_vars: {
      account_id: account.id,
      ...(leg.ownerId === undefined ? {} : { owner_id: leg.ownerId }),
    },
    custom_application_vars: kept.facts.custom_application_vars ?? {},
    ...more,
  });
}

const endFacts = ({ began, answered, ended, cause }: CallLeg): JsonObject => ({
  hangup_cause: cause,
  hangup_code: codeOf(cause),
  duration_seconds: Math.floor(ended) - Math.floor(began),
  ringing_seconds: Math.floor(answered ?? ended) - Math.floor(began),
  billing_seconds: answered === undefined ? 0 : Math.floor(ended) - Math.floor(answered),
});

/** Returns the events of all legs of a call in order, including loopback legs. */
function listMoments(made: MadeCall): readonly Moment[] {
  const kept = new Map(made.call.legs.map((leg) => [leg.id, leg]));
  const legs = recordedLegs(made);
  const others = new Map<string, string>();
  const otherLeg = (id: string): RecordedLeg | undefined => legs.get(others.get(id) ?? '');
  return made.call.events.flatMap((event): readonly Moment[] => {
    if (event.kind !== 'leg' && event.kind !== 'answer' && event.kind !== 'end' && event.kind !== 'bridge')
      return [];
    const leg = kept.get(event.leg);
    if (!leg) return [];
    const { at } = event;
    if (event.kind === 'bridge') {
      others.set(event.leg, event.other).set(event.other, event.leg);
      const other = legs.get(event.other);
      const more = {
        original_number: legs.get(leg.id)?.destination,
        other_leg_destination_number: other?.destination,
      };
      return [{ hook: 'channel_bridge', at, kept: leg, other, more }];
    }
    if (leg.call !== leg.id && event.kind !== 'end') others.set(leg.id, leg.call);
    if (leg.call !== leg.id && event.kind === 'answer') others.set(leg.call, leg.id);
    const other = otherLeg(leg.id);
    const hook =
      `channel_${({ leg: 'create', answer: 'answer', end: 'destroy' } as const)[event.kind]}` as const;
    const moment: Moment = {
      hook,
      at,
      kept: leg,
      other,
      ...(event.kind === 'end' ? { more: endFacts(leg) } : {}),
    };
    return isLooped(leg) ? withLoop(moment, leg) : [moment];
  });
}

/** Returns true for forwarded calls. They use a loopback leg, which ends when the call is answered. */
const isLooped = ({ facts, side }: CallLeg): boolean => side === 'B' && facts.call_forward === true;

function withLoop(moment: Moment, leg: CallLeg): readonly Moment[] {
  const loop: Moment = { ...moment, isInternal: true };
  if (moment.hook === 'channel_create') return [loop, moment];
  const ended = leg.answered ?? leg.ended;
  const gone: Moment = {
    ...loop,
    hook: 'channel_destroy',
    more: endFacts({ ...leg, ended, cause: 'NORMAL_CLEARING' }),
  };
  if (moment.hook === 'channel_answer') return [moment, loop, gone];
  return leg.answered === undefined ? [moment, { ...loop, more: endFacts(leg) }] : [moment];
}

/** Creates the webhook event of a leg. A loopback leg has the id of the forwarded leg with a suffix. */
function legEvent(made: MadeCall, moment: Moment): Event {
  const described = recordedLegs(made).get(moment.kept.id);
  if (!described) throw new Error(`The leg ${moment.kept.id} was never made.`);
  const leg = moment.isInternal ? { ...described, callId: `${described.callId}-loop` } : described;
  return {
    id: newEventId(made.services.random),
    hook: moment.hook,
    accountId: made.account.id,
    payload: legPayload(made, moment, leg),
    ...(moment.isInternal ? { isInternalLeg: true } : {}),
    ...eventTimes(made, moment.at),
  };
}

const parkEvents = {
  parked: 'PARK_PARKED',
  retrieved: 'PARK_RETRIEVED',
  abandoned: 'PARK_ABANDONED',
} as const;

/** Creates the event of the hook `parking` (Conventions, payloads). */
function parkingEvent(
  made: MadeCall,
  { at, kind, leg: id, slot }: Extract<CallEvent, { kind: 'parked' | 'retrieved' | 'abandoned' }>,
): Event {
  const leg = recordedLegs(made).get(id);
  return {
    id: newEventId(made.services.random),
    hook: 'parking',
    accountId: made.account.id,
    payload: omitUndefined({
      event_name: parkEvents[kind],
      hook_event: 'parking',
      parking_slot: slot,
      account_id: made.account.id,
      call_id: leg?.callId,
      caller_id_name: leg?.caller.name,
      caller_id_number: leg?.caller.number,
      callee_id_name: leg?.callee.name,
      callee_id_number: leg?.callee.number,
    }),
    ...eventTimes(made, at),
  };
}

const notices: ReadonlyMap<string, string> = new Map([
  ['missed_call', 'missed_call'],
  ['voicemail_full', 'voicemail_full'],
  ['emergency_bridge', 'emergency_bridge'],
  ['notification', 'cf_notification'],
]);

function noticeOf(
  made: MadeCall,
  { at, hook, facts }: Extract<CallEvent, { kind: 'hook' }>,
): readonly Event[] {
  const type = notices.get(hook);
  if (type === undefined) return [];
  const { leg: id, vmbox_id: box, ...rest } = facts;
  const leg = recordedLegs(made).get(textOrUndefined(id) ?? 'a1');
  const keys = omitUndefined({
    ...rest,
    voicemail_box: box,
    call_id: leg?.callId,
    caller_id_name: leg?.caller.name,
    caller_id_number: leg?.caller.number,
    callee_id_number: leg?.callee.number,
  });
  const told = notification(made.services, type, { accountId: made.account.id, keys });
  return [{ ...told, id: newEventId(made.services.random), ...eventTimes(made, at) }];
}

/** Returns the webhook events of a call in order, except events that were already published. */
export function eventsOfCall(made: MadeCall): readonly Event[] {
  const legs = listMoments(made).map((moment) => ({ at: moment.at, make: () => [legEvent(made, moment)] }));
  const others = made.call.events.flatMap((event) => {
    if (event.kind === 'parked' || event.kind === 'retrieved' || event.kind === 'abandoned')
      return [{ at: event.at, make: () => [parkingEvent(made, event)] }];
    return event.kind === 'hook' ? [{ at: event.at, make: () => noticeOf(made, event) }] : [];
  });
  return [...legs, ...others]
    .filter(({ at }) => at > made.after)
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ make }) => make());
}
