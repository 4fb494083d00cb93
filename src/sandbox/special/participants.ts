import type { Call, Handler } from '../call.ts';
import { parameter } from '../call.ts';
import { namedRecord } from '../collection.ts';
import { textAt } from '../fields.ts';
import { shown } from '../records.ts';
import { faultyRequest, unknownId } from '../refusal.ts';

/** What can be done to a participant (Conventions, Conferences). */
const actions = ['mute', 'unmute', 'deaf', 'undeaf', 'kick', 'play'];

/** The action stands in the data, or beside it; the specification needs none. */
function refuseUnknownAction({ data, envelope }: Call): void {
  const action = textAt(envelope, 'action') ?? textAt(data, 'action');
  if (action === undefined || actions.includes(action)) return;
  throw faultyRequest(`The action must be one of ${actions.join(', ')}.`);
}

/** Sends an action into the conference, whoever hears it there, and answers with the conference. */
const act: Handler = async (call) => {
  const conference = await namedRecord(call, 'conferences');
  refuseUnknownAction(call);
  return { data: await shown(call, 'conferences', conference) };
};

const list: Handler = async (call) => {
  await namedRecord(call, 'conferences');
  return { data: [], envelope: { page_size: 0 } };
};

const get: Handler = async (call) => {
  await namedRecord(call, 'conferences');
  throw unknownId(parameter(call, 'participant_id'));
};

/**
 * Participants of conferences. The sandbox has no calls, so nobody is in any; actions are taken all the same, as
 * they are for conferences that are not running (Conventions, Conferences).
 */
export const participantHandlers = new Map<string, Handler>([
  ['participants.list', list],
  ['participants.get', get],
  ['participants.update', act],
]);
