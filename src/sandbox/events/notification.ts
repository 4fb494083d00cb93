import type { JsonObject } from '../../base/json.ts';
import type { Services } from '../services.ts';
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
  const ids = Buffer.from(random.bytes(32)).toString('hex');
  return {
    hook: 'notifications',
    accountId,
    payload: {
      event_category: 'notification',
      event_name: type,
      app_name: 'sandbox',
      app_version: '5.0.0',
      msg_id: ids.slice(0, 32),
      node: 'sandbox@localhost',
      server_id: 'sandbox',
      system_log_id: ids.slice(32),
      account_id: accountId,
      ...keys,
    },
    modifiers: { type },
    ...(atMs === undefined ? {} : { atMs }),
  };
}
