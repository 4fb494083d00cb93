import { valueAt } from '../../base/json.ts';
import type { Call } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { participantsIn, shownParticipant } from '../telephony/participants.ts';
import { gregorianSeconds } from '../timestamps.ts';
import type { ResourceRules } from './resource-rules.ts';

/** What goes on in a conference (Conventions, listing). */
async function stateOf(conference: StoredRecord, { services }: Call) {
  const now = gregorianSeconds(services.clock);
  const all = await participantsIn(services.store, conference, now);
  const moderators = all.filter(({ call }) => valueAt(call.body, 'participant.is_moderator') === true).length;
  const began = Math.min(now, ...all.map(({ call }) => Number(valueAt(call.body, 'participant.join_time'))));
  return {
    state: { members: all.length - moderators, moderators, duration: now - began, is_locked: false },
    participants: all.map((each) => shownParticipant(each, conference, now)),
  };
}

/** Conferences: who is in them is told beside their settings. */
export const conferenceRules: ResourceRules = {
  derive: async (conference, call) => {
    const { state, participants } = await stateOf(conference, call);
    return { _read_only: { ...state, participants } };
  },
  summary: async (conference, call) => ({ _read_only: (await stateOf(conference, call)).state }),
};
