import { valueAt } from '../../base/json.ts';
import {
  dialledDigits,
  hearsMessages,
  joinConference,
  openBox,
  openDisa,
  placeIn,
} from '../../contract/call-doors.ts';
import { textAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import type { StoredRecord } from '../store/store.ts';
import { classify } from '../telephony/classifiers.ts';
import { participantsIn } from '../telephony/ongoing-calls.ts';
import { fullNotice } from './leave-message.ts';
import { legOut, ringLegs } from './ring-legs.ts';
import { matchNumber } from './routing.ts';
import {
  type Act,
  dialNext,
  found,
  greeting,
  idOf,
  missing,
  type Outcome,
  onwards,
  pickUp,
  type Simulation,
  turnedAway,
} from './simulation.ts';

const rings = 30;

/** Tells whether the account or the caller may not call a number of that kind. */
function isDenied({ records, caller }: Simulation, kind: string): boolean {
  return [records.account, caller.user].some(
    (each) => each && valueAt(each.body, `call_restriction.${kind}.action`) === 'deny',
  );
}

/** Calls a number of the public network, where everybody answers unless the call is told otherwise. */
export function callOut(call: Simulation, number: string): Outcome {
  const kind = textAt(classify(number), 'name') ?? 'unknown';
  if (isDenied(call, kind)) {
    call.cause = 'OUTGOING_CALL_BARRED';
    return { go: '_', note: `calls of the kind ${kind} are denied` };
  }
  const refused = call.limits.take('outbound');
  if (refused !== undefined) throw call.limits.refusal(refused);
  const other = ringLegs(call, [{ leg: legOut(call, number), delay: 0 }], rings);
  if (other) return { end: { kind: 'talk', other, words: `Answered by ${number}` }, note: 'answers' };
  return { go: call.cause, note: call.cause === 'USER_BUSY' ? 'is busy' : 'does not answer' };
}

/** Leaves a message, or hears those that there are. */
export const voicemail: Act = async (call, step) => {
  const isAsked = step.data.action === 'check' && idOf(step) === '';
  const box = isAsked ? await boxDialled(call) : await found(call, 'vmboxes', step);
  if (!box) return isAsked ? turnedAway('the caller dials no box') : missing(call, 'voicemail box');
  pickUp(call);
  const isOwner = call.caller.user !== undefined && call.caller.user.id === box.body.owner_id;
  if (hearsMessages(box.body, step.data, isOwner)) {
    const { passes, words } = openBox(box.body, isOwner, dialNext(call));
    if (!passes) return turnedAway(words);
    const who = isOwner ? 'the owner' : 'the caller';
    return {
      note: [words, `${who} hears messages`].filter(Boolean).join('; '),
      end: { kind: 'talk', words: 'The caller hears messages' },
    };
  }
  if (box.body.skip_greeting !== true) call.now += greeting;
  if (box.body.announcement_only === true) return onwards('plays its announcement and takes no message');
  const toldAtMs = call.request.realTime ? call.services.clock.now() + call.now * 1000 : undefined;
  const told = await fullNotice(call.services, { account: call.records.account, box }, toldAtMs);
  if (told) return { note: 'is full and takes no message', end: { kind: 'full', box, told } };
  return { note: 'the caller leaves a message', end: { kind: 'message', box } };
};

/** The box whose number the caller dials, where messages are to be heard and the step names no box. */
async function boxDialled(call: Simulation): Promise<StoredRecord | undefined> {
  pickUp(call);
  const dialled = dialledDigits(dialNext(call)());
  return dialled === undefined ? undefined : call.records.holding('vmboxes', 'mailbox', dialled);
}

/** Joins a conference, where its rules let the caller in. */
export const conference: Act = async (call, step) => {
  const room = await found(call, 'conferences', step);
  if (!room && idOf(step) !== '') return missing(call, 'conference');
  pickUp(call);
  if (!room) return { end: { kind: 'talk', words: 'In a conference room of its own' } };
  const { passes, words, isModerator } = joinConference(room.body, step.data, dialNext(call));
  if (!passes) return turnedAway(words);
  const present = await participantsIn(call.services.store, room, gregorianSeconds(call.services.clock));
  const moderators = present.filter((each) => valueAt(each.call.body, 'participant.is_moderator') === true);
  const counts = { participants: present.length, moderators: moderators.length };
  const place = placeIn(room.body, counts, isModerator);
  if (place === 'full') return turnedAway(`is full: ${present.length} are in it`);
  const waits = place === 'waits';
  const joins = waits
    ? 'the caller waits for a moderator'
    : `the caller joins as a ${isModerator ? 'moderator' : 'member'}`;
  const note = [words, joins].filter(Boolean).join('; ');
  return { note, end: { kind: 'conference', conference: room, isModerator, waits } };
};

/** Dials on: the next digits are a number, of the account or of the public network. */
export const disa: Act = async (call, { data }) => {
  pickUp(call);
  const { passes, words } = openDisa(data, dialNext(call));
  if (!passes) return turnedAway(words);
  const dialled = dialledDigits(dialNext(call)());
  if (dialled === undefined)
    return turnedAway([words, 'the caller dials no number'].filter(Boolean).join('; '));
  const note = [words, `the caller dials ${dialled}`].filter(Boolean).join('; ');
  const match = await matchNumber(call.records, dialled);
  if (match) return { flow: match.callflow, key: dialled, note };
  return { note, ...callOut(call, dialled) };
};
