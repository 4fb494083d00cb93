import type { Event } from '../events/event.ts';
import { notification } from '../events/event.ts';
import { newEventId } from '../events/queue-events.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import { messagesScope } from '../telephony/message-place.ts';

/** So many messages fill a voicemail box for callers; the API takes more, as that of compatible services does. */
export const mostMessages = 100;

/**
 * What is notified when somebody would leave a message in a box that is full; `undefined` where it takes one
 * (Conventions, keys of notification types). `atMs`: when it happens, if later.
 */
export async function fullNotice(
  services: Services,
  { account, box }: { readonly account: StoredRecord; readonly box: StoredRecord },
  atMs?: number,
): Promise<Event | undefined> {
  const count = await services.store.count('messages', messagesScope(account.id, box.id));
  if (count < mostMessages) return undefined;
  const keys = {
    voicemail_box: box.id,
    message_count: count,
    max_message_count: mostMessages,
  };
  const told = notification(services, 'voicemail_full', { accountId: account.id, keys });
  return { ...told, id: newEventId(services.random), ...(atMs === undefined ? {} : { atMs }) };
}
