import type { JsonObject } from '../../base/json.ts';
import { type Event, notification } from '../events/event.ts';
import { pick, textAt } from '../fields.ts';
import { newId } from '../made-values.ts';
import type { Call } from '../requests/call.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';

/** The ends of an address: `+15551230009@acme.sip.example`. */
export function endsOf(body: JsonObject, key: 'from' | 'to'): JsonObject {
  const address = textAt(body, key);
  if (address === undefined) return {};
  const [user = '', realm = ''] = address.split('@');
  return { [`${key}_user`]: user, [`${key}_realm`]: realm };
}

/** Returns the notification of a message in a voicemail box (Conventions, keys of notification types). */
export function messageNotice(
  services: Pick<Services, 'random'>,
  type: 'voicemail_new' | 'voicemail_saved',
  { accountId, boxId }: { readonly accountId: string; readonly boxId: string },
  { id, body }: Pick<StoredRecord, 'id' | 'body'>,
): Event {
  const keys: JsonObject = {
    ...pick(body, ['call_id', 'caller_id_name', 'caller_id_number']),
    ...endsOf(body, 'from'),
    ...endsOf(body, 'to'),
    voicemail_box: boxId,
    voicemail_id: id,
    voicemail_length: Number(body.length ?? 0),
    voicemail_timestamp: Number(body.timestamp ?? 0),
    ...(type === 'voicemail_new' ? { voicemail_transcription: body.transcription ?? {} } : {}),
  };
  return notification(services, type, { accountId, keys });
}

export const messagesScope = (accountId: string, boxId: string): string => `${accountId}/${boxId}`;

export const countIn = (call: Call, scope: string, folder: string): Promise<number> =>
  call.services.store.count('messages', scope, { field: 'folder', value: folder });

/** Id of a new message: it begins with the month, since compatible services keep messages by month. */
export function newMessageId({ clock, random }: Pick<Services, 'clock' | 'random'>): string {
  const [year, month] = new Date(clock.now()).toISOString().split('-');
  return `${year}${month}-${newId(random)}`;
}
