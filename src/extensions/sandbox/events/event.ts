import { type JsonObject, textAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { objectTypes } from '../../../contract/hooks.ts';
import { pick } from '../fields.ts';
import type { Services } from '../services.ts';
import type { RecordName, StoreChange, StoredRecord } from '../store/store.ts';

/** An event that webhooks can subscribe to (Events). */
export interface Event {
  /** 10 hexadecimal digits (default: random). */
  readonly id?: string;
  /** The hook of the event, such as `channel_create`, `object` or `notifications`. */
  readonly hook: string;
  readonly accountId: string;
  /** Payload of the event, without the properties that subscriptions add. */
  readonly payload: JsonObject;
  /** Values that subscriptions filter by: type and action for `object`, the type for `notifications`. */
  readonly modifiers?: { readonly type?: string; readonly action?: string };
  /** True for a loopback leg. Subscriptions can exclude these. */
  readonly isInternalLeg?: boolean;
  /** Time of the event on the sandbox's clock, in Unix milliseconds (default: now). */
  readonly atMs?: number;
  /** When the event happened in its call, in Unix milliseconds. Orders events that are sent at the same time. */
  readonly momentMs?: number;
}

/**
 * Creates a notification. `payload` has the keys of its type (Conventions, payloads). `atMs` is the time of a later
 * event.
 */
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

/**
 * Returns the account of a record. A record of an account returns the account itself. A message returns the account
 * of its box.
 */
const accountIdOf = ({ kind, scope, id }: RecordName): string =>
  kind === 'accounts' ? id : (scope.split('/')[0] ?? scope);

function objectEvent(change: StoreChange, nowMs: number): readonly Event[] {
  if (change.change !== 'put' && change.change !== 'remove') return [];
  if (change.change === 'remove' && change.isSilent) return [];
  const { record } = change;
  const type = objectTypes.get(record.kind);
  if (type === undefined) return [];
  const action =
    change.change === 'remove' ? 'doc_deleted' : change.record.revision === 0 ? 'doc_created' : 'doc_edited';
  const accountId = accountIdOf(record);
  // The event of a fax in transmission is published when the fax has arrived.
  const atMs = change.change === 'put' ? (change.record.createdAt - gregorianOffset) * 1000 : nowMs;
  return [
    {
      hook: 'object',
      accountId,
      payload: { id: record.id, account_id: accountId, action, type },
      modifiers: { type, action },
      ...(atMs > nowMs ? { atMs } : {}),
    },
  ];
}

/** Returns the `object` events of changes that are written at `nowMs` (Unix milliseconds). */
export const objectEvents = (changes: readonly StoreChange[], nowMs: number): readonly Event[] =>
  changes.flatMap((change) => objectEvent(change, nowMs));

/**
 * Returns the notifications of new users and accounts (Conventions, notification types). Unlike compatible services,
 * the sandbox omits passwords and API keys, so that receivers get no secrets.
 */
export function creationNotices(
  changes: readonly StoreChange[],
  services: Pick<Services, 'random'>,
): readonly Event[] {
  return changes.flatMap((change) => {
    if (change.change !== 'put' || change.record.revision > 0) return [];
    const { kind, id, scope, body } = change.record;
    switch (kind) {
      case 'users':
        return [notification(services, 'new_user', { accountId: scope, keys: { user_id: id } })];
      case 'accounts': {
        const keys = { account_name: textAt(body, 'name') ?? '', account_realm: textAt(body, 'realm') ?? '' };
        return [notification(services, 'new_account', { accountId: id, keys })];
      }
      default:
        return [];
    }
  });
}

/** Splits an address such as `+15551230009@acme.sip.example` into its user and realm. */
export function addressParts(body: JsonObject, key: 'from' | 'to'): JsonObject {
  const address = textAt(body, key);
  if (address === undefined) return {};
  const [user = '', realm = ''] = address.split('@');
  return { [`${key}_user`]: user, [`${key}_realm`]: realm };
}

/** Returns the notification about a message in a voicemail box (Conventions, keys of notification types). */
export function messageNotice(
  services: Pick<Services, 'random'>,
  type: 'voicemail_new' | 'voicemail_saved',
  { accountId, boxId }: { readonly accountId: string; readonly boxId: string },
  { id, body }: Pick<StoredRecord, 'id' | 'body'>,
): Event {
  const keys: JsonObject = {
    ...pick(body, ['call_id', 'caller_id_name', 'caller_id_number']),
    ...addressParts(body, 'from'),
    ...addressParts(body, 'to'),
    voicemail_box: boxId,
    voicemail_id: id,
    voicemail_length: Number(body.length ?? 0),
    voicemail_timestamp: Number(body.timestamp ?? 0),
    ...(type === 'voicemail_new' ? { voicemail_transcription: body.transcription ?? {} } : {}),
  };
  return notification(services, type, { accountId, keys });
}
