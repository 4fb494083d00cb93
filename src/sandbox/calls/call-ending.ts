import type { Json, JsonObject } from '../../base/json.ts';
import type { Event } from '../events/event.ts';
import { newEventId } from '../events/queue-events.ts';
import { textAt, without } from '../fields.ts';
import type { Change, StoredRecord } from '../store/store.ts';
import { calledName } from '../telephony/account-records.ts';
import { joined } from '../telephony/ongoing-calls.ts';
import { leaveMessage } from './leave-message.ts';
import type { Moment } from './ring-legs.ts';
import type { End, Simulation } from './simulation.ts';

/** The results of a call: records, events beside those of its legs, words. */
export interface Ending {
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
  /** For scripts: `outcome`, and ids of what was made. */
  readonly facts: JsonObject;
  /** Kept with the call while it is under way. */
  readonly kept: JsonObject;
  /** For people. */
  readonly words: string;
  /** Begin of the call, in Gregorian seconds. */
  readonly startedAt: number;
}

/** Least that is heard of a message or a talk, in seconds, where the call was to end before. */
const leastHeard = 3;

/** The second of a call at which it ends: who talks, leaves a message or is in a conference does so until it was long enough. */
function lengthOf({ now, timeline, leg, request }: Simulation, { kind }: End): number {
  if (kind === 'hangup') return now + (timeline.isAnswered(leg) ? 1 : 0);
  return kind === 'full' ? now + leastHeard : Math.max(request.durationS, now + leastHeard);
}

/**
 * Ends a call that was made at a moment (Gregorian seconds). It began then, or, where it is over when it was simulated,
 * so long before as it lasted.
 */
export async function endCall(call: Simulation, end: End, madeAt: number): Promise<Ending> {
  const { timeline, leg, request, services } = call;
  const began = call.now;
  call.now = lengthOf(call, end);
  const seconds = call.now - began;
  const startedAt = request.isOver ? madeAt - call.now : madeAt;
  const none = { changes: [], events: [], facts: {}, kept: {}, startedAt };
  timeline.destroy(leg, call.now, end.kind === 'hangup' ? end.cause : 'NORMAL_CLEARING');
  switch (end.kind) {
    case 'hangup':
      return { ...none, words: end.words, facts: { outcome: 'hung up', hangup_cause: end.cause } };
    case 'full': {
      const words = `Voicemail box ${JSON.stringify(calledName(end.box))} is full`;
      const facts = { outcome: 'voicemail full', vmbox_id: end.box.id };
      return { ...none, words, events: [end.told], facts };
    }
    case 'talk': {
      if (end.other) timeline.destroy(end.other, call.now, 'NORMAL_CLEARING');
      const facts = { outcome: end.other ? 'answered' : 'heard', ...end.facts };
      return { ...none, words: end.words, kept: end.kept ?? {}, facts };
    }
    case 'conference': {
      const { conference, isModerator, waits } = end;
      const times = { now: madeAt, at: startedAt + began };
      const kept = await joined(services.store, conference, isModerator, times);
      const where = `conference ${JSON.stringify(calledName(conference))}`;
      const words = waits ? `Waits ${seconds} s for a moderator of ${where}` : `In ${where} for ${seconds} s`;
      const facts = { outcome: 'conference', conference_id: conference.id, is_moderator: isModerator };
      return { ...none, words, kept, facts: { ...facts, ...(waits ? { waits_for_moderator: true } : {}) } };
    }
    case 'message':
      return { ...none, ...messageIn(call, end, { at: startedAt + began, seconds }) };
  }
}

function messageIn(
  call: Simulation,
  { box }: Extract<End, { kind: 'message' }>,
  { at, seconds }: { readonly at: number; readonly seconds: number },
): Pick<Ending, 'changes' | 'events' | 'words' | 'facts' | 'kept'> {
  const { leg, request, services, records, caller } = call;
  const { messageId, changes, events } = leaveMessage(services, {
    account: records.account,
    box,
    caller: { name: caller.name, number: caller.number },
    to: leg.destination,
    callId: leg.callId,
    at,
    seconds,
    toldAtMs: request.realTime ? services.clock.now() + call.now * 1000 : undefined,
  });
  return {
    changes,
    events,
    words: `Message of ${seconds} s in voicemail box ${JSON.stringify(calledName(box))}`,
    facts: { outcome: 'message', vmbox_id: box.id, message_id: messageId },
    kept: { vmbox_id: box.id, message_id: messageId },
  };
}

/** The facts that all events and records of a call share. */
export interface CallFacts {
  readonly account: StoredRecord;
  /** Start time of the call, in Gregorian seconds. */
  readonly startedAt: number;
  /** Number that somebody outside dialled; left out for calls from inside. */
  readonly inception: string | undefined;
  /** Id that all legs of the call and its transfers share. */
  readonly interaction: string;
  /** Id of the first leg. */
  readonly firstId: string;
  /** Callflow that the number led to, and the leg that runs it. */
  readonly callflow: { readonly id: string; readonly callId: string } | undefined;
}

/** The domain of an account's addresses. */
export const realmOf = ({ body }: StoredRecord): string => textAt(body, 'realm') ?? 'sandbox.example';

/** Returns the webhook payload of a moment of a call (Conventions, payloads). Unknown values are left out. */
function payloadOf({ hook, at, leg, other, variables, more }: Moment, facts: CallFacts): JsonObject {
  const { account, startedAt, inception } = facts;
  const realm = realmOf(account);
  const whole: JsonObject = {
    hook_event: hook,
    account_id: account.id,
    reseller_id: textAt(account.hidden, 'reseller_id'),
    owner_id: leg.ownerId,
    authorizing_id: leg.authorizing?.id,
    authorizing_type: leg.authorizing?.type,
    call_id: leg.callId,
    other_leg_call_id: other?.callId,
    call_direction: leg.direction,
    call_forwarded: leg.isForwarded ?? false,
    caller_id_name: leg.caller.name,
    caller_id_number: leg.caller.number,
    callee_id_name: leg.callee.name,
    callee_id_number: leg.callee.number,
    from: `${leg.caller.number}@${realm}`,
    to: `${leg.callee.number}@${realm}`,
    request: `${leg.destination}@${realm}`,
    inception,
    is_internal_leg: leg.isInternal ?? false,
    local_resource_used: false,
    emergency_resource_used: false,
    timestamp: String(startedAt + at),
    custom_channel_vars: {
      account_id: account.id,
      ...(leg.ownerId === undefined ? {} : { owner_id: leg.ownerId }),
    },
    custom_application_vars: variables,
    ...more,
  };
  return without(whole, (key) => whole[key] === undefined);
}

/** The event of a moment. `atMs` is when it goes out; at once where left out. */
export const eventOf = (moment: Moment, id: string, facts: CallFacts, atMs: number | undefined): Event => ({
  id,
  hook: moment.hook,
  accountId: facts.account.id,
  payload: payloadOf(moment, facts),
  ...(moment.leg.isInternal ? { isInternalLeg: true } : {}),
  ...(atMs === undefined ? {} : { atMs }),
});

/** The events of all legs of a call, in order: each at its moment where the call is in real time, else at once. */
export const legEventsOf = (
  { timeline, services, request }: Simulation,
  facts: CallFacts,
  startedMs: number,
): readonly Event[] =>
  timeline.moments.map((moment) =>
    eventOf(
      moment,
      newEventId(services.random),
      facts,
      request.realTime ? startedMs + moment.at * 1000 : undefined,
    ),
  );

/** What a call keeps of events that come later, to take them back where it ends before. */
export const laterEvents = (events: readonly Event[]): Json =>
  events.flatMap(({ id, atMs }) => (id === undefined || atMs === undefined ? [] : [[id, atMs]]));
