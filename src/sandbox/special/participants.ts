import { isObject } from '../../base/json.ts';
import { namedRecord } from '../collections/collection.ts';
import { shownRecord } from '../collections/records.ts';
import { textAt } from '../fields.ts';
import { faultyRequest, invalid, unknownId } from '../refusal.ts';
import { accountOf, type Call, type Handler, type Handlers, nowOf, parameter } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { liveLeg } from '../telephony/legs.ts';
import {
  actedOn,
  callPut,
  type Participant,
  participantsIn,
  shownParticipant,
} from '../telephony/ongoing-calls.ts';
import { steer } from './channels.ts';

/** Actions on a participant (Conventions, Conferences). */
const actions = ['mute', 'unmute', 'deaf', 'undeaf', 'kick', 'play'];

/** The action stands in the data, or beside it; the specification needs none. */
function actionOf({ data, envelope }: Call): string | undefined {
  const action = textAt(envelope, 'action') ?? textAt(data, 'action');
  if (action === undefined || actions.includes(action)) return action;
  throw faultyRequest(`The action must be one of ${actions.join(', ')}.`);
}

const within = (call: Call, conference: StoredRecord): Promise<readonly Participant[]> =>
  participantsIn(call.services.store, conference, nowOf(call));

async function named(call: Call, conference: StoredRecord): Promise<Participant | undefined> {
  const id = parameter(call, 'participant_id');
  const all = await within(call, conference);
  return all.find(({ number, call: { id: callId } }) => String(number) === id || callId === id);
}

/**
 * Sends an action into the conference and answers with the conference: whoever hears it there, nobody where it is not
 * running (Conventions, Conferences).
 */
const act: Handler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const action = actionOf(call);
  const participant = await named(call, conference);
  if (participant && action !== undefined) await actOn(call, participant, action);
  const isWord = action !== undefined && call.services.behaviour.participants.acted === 'word';
  const data = isWord ? 'ok' : await shownRecord(call, 'conferences', conference);
  return { data, record: conference, created: conference.id };
};

/** Lets an action have its effect on a participant: who is kicked out is hung up. */
async function actOn(call: Call, participant: Participant, action: string): Promise<void> {
  const { id, createdAt, revision, body } = participant.call;
  const scope = accountOf(call).id;
  if (action === 'kick') {
    const leg = await liveLeg(call.services.store, scope, nowOf(call), id);
    if (leg) await steer(call, leg, (own) => ({ does: 'hangs up', leg: own }));
    return;
  }
  const after = actedOn(participant, action);
  const times = { startedAt: createdAt, endsAt: Number(body.ends_at) };
  if (after) call.changes.push(callPut(scope, { callId: id, ...times, body: after }, revision));
}

/** Does the same to everybody who is in the conference. */
const actOnAll: Handler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const action = actionOf(call);
  if (action !== undefined)
    for (const participant of await within(call, conference)) await actOn(call, participant, action);
  return {
    data: await shownRecord(call, 'conferences', conference),
    record: conference,
    created: conference.id,
  };
};

/** Actions on a conference as a whole, with what each needs (Conventions, Conferences). */
const whole: Readonly<Record<string, string | undefined>> = {
  lock: undefined,
  unlock: undefined,
  play: 'media_id',
  record: 'action',
  dial: 'endpoints',
};

/** Takes an action on a conference; nobody hears it in a sandbox. */
const actOnWhole: Handler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const action = textAt(call.envelope, 'action') ?? textAt(call.data, 'action') ?? '';
  if (!Object.hasOwn(whole, action))
    throw faultyRequest(`The action must be one of ${Object.keys(whole).join(', ')}.`);
  const needed = whole[action];
  const { data } = call.data;
  if (needed !== undefined && (!isObject(data) || data[needed] === undefined))
    throw invalid([{ path: `data.${needed}`, rule: 'required', message: 'is required' }]);
  return {
    data: action === 'record' ? 'starting recording' : 'ok',
    record: conference,
    created: conference.id,
  };
};

const list: Handler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const all = await within(call, conference);
  const data = all.map((each) => shownParticipant(each, conference, nowOf(call)));
  return call.services.behaviour.participants.listed === 'alone'
    ? { data, envelope: { page_size: data.length } }
    : { data, record: conference };
};

const get: Handler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const participant = await named(call, conference);
  if (!participant && call.services.behaviour.participants.unknown === 'empty')
    return { data: {}, record: conference };
  if (!participant) throw unknownId(parameter(call, 'participant_id'));
  return { data: shownParticipant(participant, conference, nowOf(call)) };
};

/** Participants of conferences: those whom a simulated call brought there, until it ends. */
export const participantHandlers: Handlers = {
  'participants.list': list,
  'participants.get': get,
  'participants.update': act,
  'participants.update-all': actOnAll,
  'conferences.act': actOnWhole,
};
