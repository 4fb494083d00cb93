import { isObject, type Json, textAt } from '../../../base/json.ts';
import type { Doing } from '../calls/keep-call.ts';
import { namedRecord, wholeList } from '../collections/collection.ts';
import { shownRecord } from '../collections/records.ts';
import { invalid, malformedRequest, missingField, Refusal, unknownId } from '../refusal.ts';
import {
  accountOf,
  nowOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { Key, StoredRecord } from '../store/store.ts';
import { listedChannel, liveLeg, liveLegs, singleChannel } from '../telephony/legs.ts';
import {
  applyAction,
  callPut,
  type Participant,
  participantsIn,
  shownParticipant,
} from '../telephony/ongoing-calls.ts';

const listLegs =
  (keyOf: (call: ServiceRequest) => Promise<Key | undefined>): RequestHandler =>
  async (call) => {
    const now = nowOf(call);
    const key = await keyOf(call);
    const legs = await liveLegs(call.services.store, accountOf(call).id, now, key);
    return { data: legs.map((leg) => listedChannel(leg, now)) };
  };

const listLegsOfGroup: RequestHandler = async (call) => {
  const now = nowOf(call);
  const scope = accountOf(call).id;
  const group = await namedRecord(call, 'groups');
  const members = new Set(isObject(group.body.endpoints) ? Object.keys(group.body.endpoints) : []);
  const isMembers = ({ hidden }: StoredRecord): boolean =>
    members.has(textAt(hidden, 'owner') ?? '') || members.has(textAt(hidden, 'endpoint') ?? '');
  const legs = await liveLegs(call.services.store, scope, now);
  return { data: legs.filter(isMembers).map((leg) => listedChannel(leg, now)) };
};

/** Returns the live leg in the path. Refuses (404) an ended or unknown leg. */
async function namedLeg(call: ServiceRequest): Promise<StoredRecord> {
  const id = pathParameter(call, 'channel_id');
  const leg = await liveLeg(call.services.store, accountOf(call).id, nowOf(call), id);
  if (!leg) throw unknownId(id);
  return leg;
}

/** Returns a parameter of an action, from `data` or from the envelope. */
const actionField = ({ data, envelope }: ServiceRequest, key: string): string | undefined =>
  textAt(data, key) ?? textAt(envelope, key);

/** Refuses (400) a leg that is not connected to another leg. */
async function requirePartner(call: ServiceRequest, leg: StoredRecord): Promise<void> {
  const now = nowOf(call);
  const other = singleChannel(leg, now).other_leg_call_id;
  const scope = accountOf(call).id;
  if (typeof other !== 'string' || !(await liveLeg(call.services.store, scope, now, other)))
    throw invalid([missingField('other_leg_call_id')]);
}

async function steerCall(call: ServiceRequest, leg: StoredRecord, doing: Doing): Promise<void> {
  const calls = await import('../calls/keep-call.ts');
  const { changes, events } = await calls.steerLeg(call.services, leg, doing);
  call.changes.push(...changes);
  call.events.push(...events);
}

type Act = (call: ServiceRequest, leg: StoredRecord) => Promise<void>;

const legActions: Readonly<Record<string, Act>> = {
  hangup: (call, leg) => steerCall(call, leg, (id) => ({ does: 'hangs up', leg: id })),
  transfer: async (call, leg) => {
    await requirePartner(call, leg);
    const target = actionField(call, 'target');
    if (!target) throw invalid([missingField('target')]);
    await steerCall(call, leg, (id) => ({ does: 'transfer', leg: id, argument: target }));
  },
  callflow: async (call, leg) => {
    const id = actionField(call, 'id') ?? '';
    const scope = accountOf(call).id;
    const callflow = await call.services.store.get({ kind: 'callflows', scope, id });
    // The service ignores an unknown callflow.
    if (callflow) await steerCall(call, leg, (own) => ({ does: 'runs', leg: own, argument: id }));
  },
  break: async () => undefined,
  intercept: async (call) => {
    for (const key of ['target_type', 'target_id'])
      if (!actionField(call, key)) throw invalid([missingField(key)]);
  },
};

const actOnLeg: RequestHandler = async (call) => {
  const leg = await namedLeg(call);
  const action = actionField(call, 'action') ?? '';
  const perform = Object.hasOwn(legActions, action) ? legActions[action] : undefined;
  if (!perform) throw wrongAction(singleChannel(leg, nowOf(call)));
  await perform(call, leg);
  return { data: `${action} initiated` };
};

const wrongAction = (data: Json): Refusal => new Refusal(400, 'invalid_request', 'Unknown action.', data);

const metaflow: RequestHandler = async (call) => {
  const leg = await namedLeg(call);
  const action = textAt(call.envelope, 'action');
  if (action !== undefined && action !== 'metaflow') throw wrongAction(singleChannel(leg, nowOf(call)));
  return { data: 'metaflow sent' };
};

const participantActions = ['mute', 'unmute', 'deaf', 'undeaf', 'kick', 'play'];

/** Returns the action in the envelope or in `data`. The specification does not require an action. */
function readAction({ data, envelope }: ServiceRequest): string | undefined {
  const action = textAt(envelope, 'action') ?? textAt(data, 'action');
  if (action === undefined || participantActions.includes(action)) return action;
  throw malformedRequest(`The action must be one of ${participantActions.join(', ')}.`);
}

const participantsOf = (call: ServiceRequest, conference: StoredRecord): Promise<readonly Participant[]> =>
  participantsIn(call.services.store, conference, nowOf(call));

async function namedParticipant(
  call: ServiceRequest,
  conference: StoredRecord,
): Promise<Participant | undefined> {
  const id = pathParameter(call, 'participant_id');
  const all = await participantsOf(call, conference);
  return all.find(({ number, call: { id: callId } }) => String(number) === id || callId === id);
}

/** Applies an action to a participant and returns the conference (Conventions, Conferences). */
const actOnOne: RequestHandler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const action = readAction(call);
  const participant = await namedParticipant(call, conference);
  if (participant && action !== undefined) await actOn(call, participant, action);
  const isWord = action !== undefined && call.services.behaviour.participants.acted === 'word';
  const data = isWord ? 'ok' : await shownRecord(call, 'conferences', conference);
  return { data, record: conference, created: conference.id };
};

/** Applies an action to a participant. `kick` hangs up their call. */
async function actOn(call: ServiceRequest, participant: Participant, action: string): Promise<void> {
  const { id, createdAt, revision, body } = participant.call;
  const scope = accountOf(call).id;
  if (action === 'kick') {
    const leg = await liveLeg(call.services.store, scope, nowOf(call), id);
    if (leg) await steerCall(call, leg, (own) => ({ does: 'hangs up', leg: own }));
    return;
  }
  const after = applyAction(participant, action);
  const times = { startedAt: createdAt, endsAt: Number(body.ends_at) };
  if (after) call.changes.push(callPut(scope, { callId: id, ...times, body: after }, revision));
}

const actOnAll: RequestHandler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const action = readAction(call);
  if (action !== undefined)
    for (const participant of await participantsOf(call, conference)) await actOn(call, participant, action);
  return {
    data: await shownRecord(call, 'conferences', conference),
    record: conference,
    created: conference.id,
  };
};

/** Actions on a conference, with their required field (Conventions, Conferences). */
const conferenceActions: Readonly<Record<string, string | undefined>> = {
  lock: undefined,
  unlock: undefined,
  play: 'media_id',
  record: 'action',
  dial: 'endpoints',
};

/** Checks an action on a conference. In a sandbox, it has no effect. */
const actOnConference: RequestHandler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const action = textAt(call.envelope, 'action') ?? textAt(call.data, 'action') ?? '';
  if (!Object.hasOwn(conferenceActions, action))
    throw malformedRequest(`The action must be one of ${Object.keys(conferenceActions).join(', ')}.`);
  const wanted = conferenceActions[action];
  const { data } = call.data;
  if (wanted !== undefined && (!isObject(data) || data[wanted] === undefined))
    throw invalid([missingField(`data.${wanted}`)]);
  return {
    data: action === 'record' ? 'starting recording' : 'ok',
    record: conference,
    created: conference.id,
  };
};

const list: RequestHandler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const all = await participantsOf(call, conference);
  const data = all.map((each) => shownParticipant(each, conference, nowOf(call)));
  return call.services.behaviour.participants.listed === 'alone'
    ? wholeList(data)
    : { data, record: conference };
};

const get: RequestHandler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  const participant = await namedParticipant(call, conference);
  if (!participant && call.services.behaviour.participants.unknown === 'empty')
    return { data: {}, record: conference };
  if (!participant) throw unknownId(pathParameter(call, 'participant_id'));
  return { data: shownParticipant(participant, conference, nowOf(call)) };
};

export const liveCallHandlers: RequestHandlers = {
  // Live legs (Conventions, live calls).
  'channels.list': listLegs(async () => undefined),
  'channels.of-user': listLegs(async (call) => ({
    field: 'owner',
    value: (await namedRecord(call, 'users')).id,
  })),
  'channels.of-device': listLegs(async (call) => ({
    field: 'endpoint',
    value: (await namedRecord(call, 'devices')).id,
  })),
  'channels.of-group': listLegsOfGroup,
  'channels.get': async (call) => ({ data: singleChannel(await namedLeg(call), nowOf(call)) }),
  'channels.act': actOnLeg,
  'channels.metaflow': metaflow,
  // Participants of conferences. Their calls are simulated.
  'participants.list': list,
  'participants.get': get,
  'participants.update': actOnOne,
  'participants.update-all': actOnAll,
  'conferences.act': actOnConference,
};
