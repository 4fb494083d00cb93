import type { Call } from './call.ts';

/** Scope of the messages in a voicemail box. */
export const messagesScope = (accountId: string, boxId: string): string => `${accountId}/${boxId}`;

/** How many messages of a box are in a folder. */
export const countIn = (call: Call, scope: string, folder: string): Promise<number> =>
  call.services.store.count('messages', scope, { field: 'folder', value: folder });
