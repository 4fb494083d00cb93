import { newId } from '../identifiers.ts';
import type { Call } from '../requests/call.ts';
import type { Services } from '../services.ts';

/** Scope of the messages in a voicemail box. */
export const messagesScope = (accountId: string, boxId: string): string => `${accountId}/${boxId}`;

/** How many messages of a box are in a folder. */
export const countIn = (call: Call, scope: string, folder: string): Promise<number> =>
  call.services.store.count('messages', scope, { field: 'folder', value: folder });

/** Id of a new message: it begins with the month, since compatible services keep messages by month. */
export function newMessageId({ clock, random }: Pick<Services, 'clock' | 'random'>): string {
  const [year, month] = new Date(clock.now()).toISOString().split('-');
  return `${year}${month}-${newId(random)}`;
}
