import type { JsonObject } from '../../contract/json.ts';
import { newId } from '../identifiers.ts';
import type { Services } from '../parts.ts';
import type { Event } from './event.ts';

/** A notification of a type with the keys that are its own (Conventions, payloads). `atMs`: when it happens, if later. */
export function notification(
  { random }: Pick<Services, 'random'>,
  type: string,
  {
    accountId,
    keys,
    atMs,
  }: { readonly accountId: string; readonly keys: JsonObject; readonly atMs?: number },
): Event {
  return {
    hook: 'notifications',
    accountId,
    payload: {
      event_category: 'notification',
      event_name: type,
      app_name: 'sandbox',
      app_version: '5.0.0',
      msg_id: newId(random),
      node: 'sandbox@localhost',
      server_id: 'sandbox',
      system_log_id: newId(random),
      account_id: accountId,
      ...keys,
    },
    modifiers: { type },
    ...(atMs === undefined ? {} : { atMs }),
  };
}
