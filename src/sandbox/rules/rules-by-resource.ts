import { isObject, valueAt } from '../../base/json.ts';
import { countedDigits } from '../../contract/phone-number.ts';
import type { ResourceName } from '../../contract/types.ts';
import { traitsOf } from '../behaviour.ts';
import { textAt } from '../fields.ts';
import { accountOf, type Call } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { countIn, endsOf, messagesScope } from '../telephony/message-notice.ts';
import { participantsIn, shownParticipant } from '../telephony/participants.ts';
import { gregorianSeconds } from '../timestamps.ts';
import { accountRules } from './accounts.ts';
import { callflowRules } from './callflows.ts';
import { faxRules } from './faxes.ts';
import { numberRules } from './numbers.ts';
import { portRules } from './ports.ts';
import type { ResourceRules } from './resource-rules.ts';
import { userRules } from './users.ts';
import { webhookRules } from './webhooks.ts';

/** Voicemail boxes: lists count the messages that are not deleted. */
const vmboxRules: ResourceRules = {
  refine: (draft, _, { services }) => {
    const mailbox = textAt(draft.body, 'mailbox');
    if (mailbox === undefined || services.behaviour.mailboxes === 'as-sent') return draft;
    return { ...draft, body: { ...draft.body, mailbox: countedDigits(mailbox) } };
  },
  summary: async ({ id }, call) => {
    const scope = messagesScope(accountOf(call).id, id);
    const [fresh, saved] = await Promise.all([countIn(call, scope, 'new'), countIn(call, scope, 'saved')]);
    const messages = fresh + saved;
    const isHidden =
      messages === 0 && traitsOf(call.services.behaviour, 'vmboxes').sparse?.includes('folders');
    return { messages, ...(isHidden ? {} : { folders: { new: fresh, saved } }) };
  },
};

/** Voicemail messages: the recording has the message's id. */
const messageRules: ResourceRules = {
  derive: async ({ id, body }, { services }) => ({
    media_id: id,
    ...(services.behaviour.messages.made === 'as-left'
      ? { ...endsOf(body, 'from'), ...endsOf(body, 'to') }
      : {}),
  }),
  summary: async ({ id }) => ({ media_id: id }),
};

/** Returns the state of a conference (Conventions, listing). */
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
const conferenceRules: ResourceRules = {
  derive: async (conference, call) => {
    const { state, participants } = await stateOf(conference, call);
    return { _read_only: { ...state, participants } };
  },
  summary: async (conference, call) => ({ _read_only: (await stateOf(conference, call)).state }),
};

/** Directories: who is in one stands in the records of the users. */
const directoryRules: ResourceRules = {
  derive: async ({ scope, id }, { services: { store } }) => {
    const limit = await store.count('users', scope);
    const users = await store.stretch({ kind: 'users', scope, ascending: true, limit });
    return {
      users: users.flatMap(({ id: userId, body }) => {
        const callflowId = isObject(body.directories) ? textAt(body.directories, id) : undefined;
        return callflowId === undefined ? [] : [{ user_id: userId, callflow_id: callflowId }];
      }),
    };
  },
};

/** Groups: lists show how many endpoints there are, and what is switched on. */
const groupRules: ResourceRules = {
  summary: async ({ body }) => ({
    features: valueAt(body, 'music_on_hold.media_id') === undefined ? [] : ['music_on_hold'],
    endpoints: isObject(body.endpoints) ? Object.keys(body.endpoints).length : 0,
  }),
};

const rules = new Map<ResourceName, ResourceRules>([
  ['accounts', accountRules],
  ['callflows', callflowRules],
  ['conferences', conferenceRules],
  ['directories', directoryRules],
  ['faxes', faxRules],
  ['groups', groupRules],
  ['messages', messageRules],
  ['numbers', numberRules],
  ['ports', portRules],
  ['users', userRules],
  ['vmboxes', vmboxRules],
  ['webhooks', webhookRules],
]);

/** Returns the rules of a resource beyond the generic behaviour. */
export const rulesOf = (name: ResourceName): ResourceRules => rules.get(name) ?? {};
