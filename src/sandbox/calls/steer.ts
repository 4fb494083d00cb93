import type { JsonObject } from '../../base/json.ts';
import type { Event } from '../events/event.ts';
import { newEventId } from '../events/queue-events.ts';
import { textAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import { putOf } from '../placement.ts';
import type { Services } from '../services.ts';
import type { Change, StoredRecord } from '../store/store.ts';
import { calledName, recordsOf } from '../telephony/account-records.ts';
import { cutAt, legsToCome, timesOf } from '../telephony/legs.ts';
import { messageNotice, messagesScope } from '../telephony/message-notice.ts';
import { callPut } from '../telephony/ongoing-calls.ts';
import { type CallFacts, endCall, eventOf, laterEvents, legEventsOf } from './call-ending.ts';
import { CallLimits } from './call-limits.ts';
import { callOut } from './doors.ts';
import { keepLegs } from './keep-legs.ts';
import { codeOf, type HangupCause, type Leg } from './ring-legs.ts';
import type { Match } from './routing.ts';
import type { End, Simulation } from './simulation.ts';
import { Timeline } from './timeline.ts';
import { walk } from './walk.ts';

/** What steering a call changes, and what webhooks hear of it. */
export interface Steered {
  readonly changes: readonly Change[];
  readonly events: readonly Event[];
}

/** Least that a call lasts that was sent elsewhere, in seconds. */
const leastS = 10;

const variableOf = ({ body }: StoredRecord, key: string): string | undefined => {
  const { custom_channel_vars: variables } = body;
  return typeof variables === 'object' && variables !== null && !Array.isArray(variables)
    ? textAt(variables as JsonObject, key)
    : undefined;
};

/** The leg that a record was made of. */
function legOf(record: StoredRecord): Leg {
  const { body, hidden } = record;
  const said = (key: string): string => textAt(body, key) ?? '';
  const carrier = variableOf(record, 'resource_id');
  const id = carrier ?? variableOf(record, 'authorizing_id');
  const type = carrier === undefined ? variableOf(record, 'authorizing_type') : 'resource';
  return {
    callId: said('call_id'),
    direction: body.call_direction === 'inbound' ? 'inbound' : 'outbound',
    caller: { name: said('caller_id_name'), number: said('caller_id_number') },
    callee: { name: said('callee_id_name'), number: said('callee_id_number') },
    destination: said('request').replace(/@.*$/, ''),
    ownerId: textAt(hidden, 'owner'),
    authorizing: id === undefined || type === undefined ? undefined : { id, type },
  };
}

const factsOf = (account: StoredRecord, leg: StoredRecord, startedAt: number): CallFacts => ({
  account,
  startedAt,
  inception: variableOf(leg, 'inception'),
  interaction: textAt(leg.hidden, 'interaction') ?? '',
  firstId: variableOf(leg, 'bridge_id') ?? '',
  callflow: undefined,
});

/** The end of a leg by now, as its event tells it. */
function destroyed(services: Services, account: StoredRecord, cut: StoredRecord, cause: HangupCause): Event {
  const { body } = cut;
  const { started } = timesOf(cut);
  const more = {
    hangup_cause: cause,
    hangup_code: codeOf(cause),
    duration_seconds: body.duration_seconds,
    ringing_seconds: body.ringing_seconds,
    billing_seconds: body.billing_seconds,
  };
  const moment = {
    ...({ hook: 'channel_destroy', at: cut.createdAt - started, leg: legOf(cut), other: undefined } as const),
    ...{ variables: {}, more },
  };
  return eventOf(moment, newEventId(services.random), factsOf(account, cut, started), undefined);
}

/** Removes a record that is written anew, or never to be: nobody hears of that. */
const taken = ({ kind, scope, id }: StoredRecord): Change => ({
  ...{ change: 'remove', record: { kind, scope, id }, erase: true, isUntold: true },
});

/** The recordings of legs that run on: cut, too. */
async function cutRecordings(services: Services, leg: StoredRecord, now: number): Promise<readonly Change[]> {
  const key = { field: 'call', value: textAt(leg.hidden, 'call') ?? '' };
  const listed = { kind: 'recordings', scope: leg.scope, key, ascending: true, limit: 100 };
  const recordings = await services.store.stretch(listed);
  return recordings
    .filter(({ createdAt }) => createdAt > now)
    .flatMap((recording): readonly Change[] => {
      const seconds = now - Number(recording.body.start);
      const body = { ...recording.body, duration: seconds, duration_ms: seconds * 1000 };
      const cut = { ...recording, body, createdAt: now, modifiedAt: now, revision: 0 };
      return [taken(recording), ...(seconds > 0 ? [putOf(cut, 'recordings')] : [])];
    });
}

/** The message that a call leaves, cut where the call is: one that had not begun is not there. */
async function cutMessage(
  services: Services,
  account: StoredRecord,
  call: StoredRecord | undefined,
  now: number,
): Promise<Steered> {
  const [boxId, id] = [textAt(call?.body ?? {}, 'vmbox_id'), textAt(call?.body ?? {}, 'message_id')];
  if (boxId === undefined || id === undefined) return { changes: [], events: [] };
  const message = await services.store.get({ kind: 'messages', scope: messagesScope(account.id, boxId), id });
  if (message === undefined || message.createdAt <= now) return { changes: [], events: [] };
  const seconds = now - Number(message.body.timestamp);
  if (seconds <= 0) return { changes: [taken(message)], events: [] };
  const times = { createdAt: now, modifiedAt: now, revision: 0 };
  const cut = { ...message, ...times, body: { ...message.body, length: seconds * 1000 } };
  const told = messageNotice(services, 'voicemail_new', { accountId: account.id, boxId }, cut);
  return {
    changes: [taken(message), putOf(cut, 'messages')],
    events: [{ ...told, id: newEventId(services.random) }],
  };
}

/** The call that is kept while it is under way, and the events that it is still to tell. */
async function ongoing(services: Services, scope: string, firstId: string) {
  const record = await services.store.get({ kind: 'calls', scope, id: firstId });
  const { events } = record?.body ?? {};
  const toCome = (Array.isArray(events) ? events : []).flatMap((pair) => {
    const [eventId, dueMs] = Array.isArray(pair) ? pair : [];
    return typeof eventId === 'string' && typeof dueMs === 'number' ? [{ eventId, dueMs }] : [];
  });
  return { record, toCome, isRealTime: events !== undefined };
}

/** The call of a leg from here on: who is in it, and what it was to tell. */
async function under(services: Services, leg: StoredRecord) {
  const now = gregorianSeconds(services.clock);
  const interaction = textAt(leg.hidden, 'interaction') ?? '';
  const legs = await legsToCome(services.store, leg.scope, now, interaction);
  const call = await ongoing(services, leg.scope, variableOf(leg, 'bridge_id') ?? '');
  const nowMs = services.clock.now();
  const untold = call.toCome.filter(({ dueMs }) => dueMs > nowMs);
  const unqueued = untold.map((each): Change => ({ change: 'unqueue-event', ...each }));
  return { now, legs, call, unqueued };
}

/** Ends legs now. Events of calls that told everything when they were simulated are not told again. */
async function ended(
  services: Services,
  account: StoredRecord,
  legs: readonly StoredRecord[],
  { now, isTold }: { readonly now: number; readonly isTold: boolean },
): Promise<Steered> {
  const changes: Change[] = [];
  const events: Event[] = [];
  for (const leg of legs) {
    const { bridged, answered } = timesOf(leg);
    const isUp = (answered ?? now + 1) <= now || (bridged ?? now + 1) <= now;
    const cause = isUp || leg.hidden.first === true ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL';
    const cut = cutAt(leg, now, { hangup_cause: cause, hangup_code: codeOf(cause) });
    changes.push(taken(leg), ...(await cutRecordings(services, leg, now)));
    if (!cut) continue;
    changes.push(putOf(cut, 'cdrs'));
    if (!isTold) events.push(destroyed(services, account, cut, cause));
  }
  return { changes, events };
}

/** Ends the call of a live leg: all its legs, and what was still to come of it. */
export async function hangUp(services: Services, account: StoredRecord, leg: StoredRecord): Promise<Steered> {
  const { now, legs, call, unqueued } = await under(services, leg);
  const { changes, events } = await ended(services, account, legs, { now, isTold: !call.isRealTime });
  const message = await cutMessage(services, account, call.record, now);
  const over: readonly Change[] = call.record ? [taken(call.record)] : [];
  return {
    changes: [...unqueued, ...changes, ...message.changes, ...over],
    events: [...events, ...message.events],
  };
}

/** Where a live leg is sent: to a callflow, or to a number that no callflow takes. */
export type Destination = { readonly match: Match } | { readonly number: string };

/**
 * Sends a live leg elsewhere: all other legs of its call end, and it goes on from here, in the same call, until it
 * would have ended. Throws `Failure` (`refused`) where the limits allow no call out.
 */
export async function redirect(
  services: Services,
  account: StoredRecord,
  leg: StoredRecord,
  to: Destination,
): Promise<Steered> {
  const { now, legs, call, unqueued } = await under(services, leg);
  const others = legs.filter(({ id }) => id !== leg.id);
  const left = await ended(services, account, others, { now, isTold: !call.isRealTime });
  const message = await cutMessage(services, account, call.record, now);
  const { timeline, simulation } = await resumed(services, account, leg, {
    ...{ to, now, isRealTime: call.isRealTime, durationS: Math.max(leg.createdAt - now, leastS) },
  });
  const facts: CallFacts = {
    ...factsOf(account, leg, now),
    callflow:
      'match' in to ? { id: to.match.callflow.id, callId: textAt(leg.hidden, 'call') ?? '' } : undefined,
  };
  const end = await followed(simulation, to);
  const ending = await endCall(simulation, end, now);
  const events = legEventsOf(simulation, facts, services.clock.now());
  const underWay = callPut(account.id, {
    callId: facts.firstId,
    startedAt: now,
    endsAt: now + simulation.now,
    body: {
      ...{ from: simulation.caller.number, to: simulation.request.to, trunks: simulation.limits.taken },
      ...ending.kept,
      ...(call.isRealTime ? { events: laterEvents([...events, ...ending.events]) } : {}),
    },
  });
  const over: readonly Change[] = call.record ? [taken(call.record)] : [];
  const first = timeline.lives.length > 0 && leg.hidden.first === true;
  return {
    changes: [
      ...unqueued,
      ...left.changes,
      ...message.changes,
      ...over,
      taken(leg),
      ...simulation.changes,
      ...ending.changes,
      ...keepLegs(simulation, facts).map((change) => (first ? change : withoutFirst(change))),
      underWay,
    ],
    events: [...left.events, ...message.events, ...events, ...ending.events],
  };
}

/** The first leg of a call stays the one that it was. */
const withoutFirst = (change: Change): Change =>
  change.change === 'put' && change.record.kind === 'cdrs'
    ? { ...change, record: { ...change.record, hidden: { ...change.record.hidden, first: false } } }
    : change;

async function followed(call: Simulation, to: Destination): Promise<End> {
  if ('match' in to) return (await walk(call, to.match.callflow)).end;
  const outcome = callOut(call, to.number);
  const words = `${to.number} ${outcome.note ?? 'was not reached'}`;
  return 'end' in outcome ? outcome.end : { kind: 'hangup', cause: call.cause, words };
}

interface Resuming {
  readonly to: Destination;
  readonly now: number;
  readonly isRealTime: boolean;
  readonly durationS: number;
}

/** A call that goes on with a leg that is there already. */
async function resumed(services: Services, account: StoredRecord, kept: StoredRecord, how: Resuming) {
  const records = recordsOf(services.store, account);
  const leg = legOf(kept);
  const { started, answered } = timesOf(kept);
  const party = leg.direction === 'inbound' ? leg.caller : leg.callee;
  const user = leg.ownerId === undefined ? undefined : await records.get('users', leg.ownerId);
  const number = 'match' in how.to ? how.to.match.text : how.to.number;
  const timeline = new Timeline();
  const answeredAt = answered === undefined || answered > how.now ? undefined : answered - how.now;
  timeline.resume(leg, { createdAt: started - how.now, answeredAt });
  const simulation: Simulation = {
    ...{ services, records, timeline, leg },
    request: {
      ...{ from: party.number, fromName: party.name, to: number, durationS: how.durationS },
      ...{ answering: 'answer', digits: [], realTime: how.isRealTime, dryRun: false },
    },
    caller: { number: party.number, name: party.name || calledName(account), ...(user ? { user } : {}) },
    match: 'match' in how.to ? how.to.match : undefined,
    limits: await CallLimits.of(services.store, account, how.now),
    ...{ changes: [], now: 0, digits: [], recorded: [], cause: 'NO_ANSWER' },
  };
  return { timeline, simulation };
}
