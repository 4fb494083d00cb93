import { type JsonObject, textAt, textOrUndefined } from '../../../base/json.ts';
import type { CallEvent } from '../../calls/engine/types.ts';
import type { Event } from '../events/event.ts';
import { withoutKeys } from '../fields.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import type { StoreChange } from '../store/store.ts';
import { agentStatePut, queueCallPut } from '../telephony/agent-states.ts';
import { joinConference } from '../telephony/ongoing-calls.ts';
import { leaveMessage } from './leave-message.ts';
import {
  eventTimes,
  gregorianSecondOf,
  type MadeCall,
  publishTime,
  type RecordedLeg,
  recordedLegs,
} from './made-call.ts';
import { receivedFax } from './receive-fax.ts';

/** Effects of a call, except for the records of its legs. */
export interface Effects {
  readonly changes: readonly StoreChange[];
  readonly events: readonly Event[];
  /** Facts that are stored with the call while it is live. */
  readonly kept: JsonObject;
  readonly facts: JsonObject;
}

type Left = Extract<CallEvent, { kind: 'left' }>;

async function messageLeft(made: MadeCall, { at, box = '', seconds, facts }: Left): Promise<Effects> {
  const { services, account } = made;
  const record = await services.store.get({ kind: 'vmboxes', scope: account.id, id: box });
  const leg = recordedLegs(made).get(textOrUndefined(facts.leg) ?? 'a1');
  if (!record || !leg) return nothing;
  const left = leaveMessage(services, {
    account,
    box: record,
    caller: leg.caller,
    to: leg.destination,
    callId: leg.callId,
    at: gregorianSecondOf(made, at - seconds),
    seconds: Math.floor(seconds),
    toldAtMs: publishTime(made, at),
  });
  const ids = { vmbox_id: box, message_id: left.messageId };
  const events = left.events.map((event) => ({ ...event, ...eventTimes(made, at) }));
  return { changes: left.changes, events, kept: ids, facts: ids };
}

const nothing: Effects = { changes: [], events: [], kept: {}, facts: {} };

function faxLeft(made: MadeCall, { at, box, facts }: Left): Effects {
  const { services, account } = made;
  const leg = recordedLegs(made).get(textOrUndefined(facts.leg) ?? 'a1');
  if (!leg) return nothing;
  const from = leg.caller.number;
  const fax = {
    from,
    name: leg.caller.name,
    to: leg.destination,
    pages: 1,
    box,
    at: gregorianSecondOf(made, at),
  };
  const { record, changes, events: told } = receivedFax(services, account, fax);
  const events = told.map((event) => ({ ...event, ...eventTimes(made, at) }));
  return { changes, events, kept: {}, facts: { fax_id: record.id } };
}

async function writeSetting(
  { services, account, input }: MadeCall,
  { resource, id, fields, at }: Extract<CallEvent, { kind: 'writes' }>,
): Promise<readonly StoreChange[]> {
  const { store } = services;
  const now = gregorianSecondOf({ input }, at);
  const name = { kind: resource === 'agents' ? 'users' : resource, scope: account.id, id };
  const record = await store.get(name);
  if (!record) return [];
  if (resource === 'agents') return [await agentStatePut(store, record, fields, now)];
  // A step removes a field by writing no value.
  const all: JsonObject = { ...record.body, ...fields };
  const body = withoutKeys(all, (key) => all[key] === null);
  return [buildPut({ ...record, body, modifiedAt: gregorianSeconds(services.clock) }, resource)];
}

async function queueStatistics(made: MadeCall): Promise<readonly StoreChange[]> {
  const { services, account, call, input } = made;
  const changes: StoreChange[] = [];
  const hooks = call.events.flatMap((event) => (event.kind === 'hook' ? [event] : []));
  for (const { at, facts } of hooks.filter(({ hook }) => hook === 'queue_entered')) {
    const queueId = textAt(facts, 'queue_id') ?? '';
    const leg = recordedLegs(made).get(textOrUndefined(facts.leg) ?? 'a1');
    if (!leg) continue;
    const own = hooks.filter((each) => each.facts.queue_id === queueId && each.facts.leg === facts.leg);
    const entered: JsonObject = {
      id: `${leg.callId}::${queueId}`,
      queue_id: queueId,
      call_id: leg.callId,
      entered_position: 1,
      caller_id_name: leg.caller.name,
      caller_id_number: leg.caller.number,
      entered_timestamp: gregorianSecondOf(made, at),
      misses: own
        .filter(({ hook }) => hook === 'agent_missed')
        .map((miss) => ({
          agent_id: miss.facts.agent_id,
          miss_reason: miss.facts.reason,
          miss_timestamp: gregorianSecondOf(made, miss.at),
        })),
    };
    const left = own.find(({ hook }) => hook === 'queue_abandoned');
    const taken = call.legs.find(
      ({ facts: f, answered }) =>
        f.queue_id === queueId && f.agent_id !== undefined && answered !== undefined,
    );
    if (!left && taken?.answered !== undefined) {
      const wait = Math.floor(taken.answered - at);
      const talk = Math.floor(taken.ended) - Math.floor(taken.answered);
      const agentId = taken.user ?? textAt(taken.facts, 'agent_id') ?? '';
      const handledAt = gregorianSecondOf(made, taken.answered);
      const handled = { agent_id: agentId, handled_timestamp: handledAt, wait_time: wait, talk_time: talk };
      const over = { status: 'processed', processed_timestamp: gregorianSecondOf(made, taken.ended) };
      changes.push(queueCallPut(account.id, { ...entered, ...handled, ...over }, handledAt));
      const agent = await services.store.get({ kind: 'users', scope: account.id, id: agentId });
      const rest = Number(input.account.get('queues', queueId)?.agent_wrapup_time ?? 0);
      const until = gregorianSecondOf(made, taken.ended) + rest;
      const busy = { status: 'connected', queue_id: queueId, call_id: leg.callId, wait_time: wait, until };
      const named = { caller_id_name: leg.caller.name, caller_id_number: leg.caller.number };
      if (agent) changes.push(await agentStatePut(services.store, agent, { ...busy, ...named }, handledAt));
      continue;
    }
    if (!left) continue;
    const waited = {
      abandoned_timestamp: gregorianSecondOf(made, left.at),
      wait_time: Math.floor(left.at - at),
    };
    const reason = `member_${textOrUndefined(left.facts.reason) ?? 'hangup'}`;
    const abandoned = { ...entered, ...waited, status: 'abandoned', abandoned_reason: reason };
    changes.push(queueCallPut(account.id, abandoned, gregorianSecondOf(made, at)));
  }
  return changes;
}

/** Returns the conference participant and the parking slot of a call. */
async function findPlace(made: MadeCall): Promise<{ readonly kept: JsonObject; readonly facts: JsonObject }> {
  const { call, services, account, input } = made;
  const [caller] = call.legs;
  const id = textAt(caller?.facts ?? {}, 'conference_id');
  const room = id && (await services.store.get({ kind: 'conferences', scope: account.id, id }));
  if (room && caller) {
    const isModerator = caller.facts.conference_role === 'moderator';
    const step = call.events.find(({ kind, at }) => kind === 'step' && at >= (caller.answered ?? 0));
    const times = { now: gregorianSeconds(services.clock), at: gregorianSecondOf(made, step?.at ?? 0) };
    const callId = made.ids.get('a1') ?? '';
    const kept = await joinConference(services.store, room, { callId, isModerator }, times);
    return { kept, facts: { conference_id: room.id, is_moderator: isModerator } };
  }
  const parked = call.events.findLast((event) => event.kind === 'parked');
  const leg = parked?.kind === 'parked' ? recordedLegs(made).get(parked.leg) : undefined;
  if (parked?.kind !== 'parked' || !leg) return { kept: {}, facts: {} };
  const gone = call.events.find(
    (event) =>
      (event.kind === 'retrieved' || event.kind === 'abandoned') &&
      event.leg === parked.leg &&
      event.at >= parked.at,
  );
  const times = {
    since: gregorianSecondOf(made, parked.at),
    until: gregorianSecondOf(made, gone?.at ?? call.seconds),
  };
  const realm = String(input.account.record.realm ?? '');
  return { kept: { parked: { ...slotOf(leg, parked.slot, realm), ...times } }, facts: { slot: parked.slot } };
}

const slotOf = (leg: RecordedLeg, slot: string, realm: string): JsonObject => ({
  slot,
  cid_name: leg.caller.name,
  cid_number: leg.caller.number,
  cid_uri: `${leg.caller.number}@${realm}`,
  presence_id: `${slot}@${realm}`,
  presence_user: slot,
  presence_realm: realm,
  node: 'sandbox',
  attended: false,
  call_id: leg.callId,
  slot_call_id: leg.callId,
});

/** Returns the effects of a call: messages, faxes, changed settings, queue statistics and participants. */
export async function computeEffects(made: MadeCall): Promise<Effects> {
  const parts: Effects[] = [];
  for (const event of made.call.events) {
    if (event.at <= made.after) continue;
    if (event.kind === 'left' && event.what === 'message') parts.push(await messageLeft(made, event));
    if (event.kind === 'left' && event.what === 'fax') parts.push(faxLeft(made, event));
    if (event.kind === 'writes') parts.push({ ...nothing, changes: await writeSetting(made, event) });
  }
  const place = await findPlace(made);
  return {
    changes: [...parts.flatMap(({ changes }) => changes), ...(await queueStatistics(made))],
    events: parts.flatMap(({ events }) => events),
    kept: Object.assign({}, place.kept, ...parts.map(({ kept }) => kept)),
    facts: Object.assign({}, place.facts, ...parts.map(({ facts }) => facts)),
  };
}
