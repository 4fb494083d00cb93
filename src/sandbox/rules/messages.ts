import { countedDigits } from '../../contract/phone-number.ts';
import { traitsOf } from '../behaviour.ts';
import { textAt } from '../fields.ts';
import { accountOf } from '../requests/call.ts';
import { endsOf } from '../telephony/message-notice.ts';
import { countIn, messagesScope } from '../telephony/message-place.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Voicemail boxes: lists count the messages that are not deleted. */
export const vmboxRules: ResourceRules = {
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
export const messageRules: ResourceRules = {
  derive: async ({ id, body }, { services }) => ({
    media_id: id,
    ...(services.behaviour.messages.made === 'as-left'
      ? { ...endsOf(body, 'from'), ...endsOf(body, 'to') }
      : {}),
  }),
  summary: async ({ id }) => ({ media_id: id }),
};
