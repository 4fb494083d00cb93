import type { objectModifiers } from '../../contract/hooks.ts';
import type { Change, RecordName } from '../store.ts';
import type { Event } from './event.ts';

type ObjectType = (typeof objectModifiers.type)[number];

/** Objects whose changes are events (Events, modifiers of `object`); the changes of all others are none. */
const types: ReadonlyMap<string, ObjectType> = new Map([
  ['accounts', 'account'],
  ['callflows', 'callflow'],
  ['users', 'user'],
  ['vmboxes', 'vmbox'],
  ['faxes', 'fax'],
  ['messages', 'mailbox_message'],
]);

/** Account that a record lies in: of an account itself, of a message the one of its box. */
const accountIn = ({ kind, scope, id }: RecordName): string =>
  kind === 'accounts' ? id : (scope.split('/')[0] ?? scope);

/** What a change of an object is told as (Conventions, payloads). */
function objectEvent(change: Change): readonly Event[] {
  if (change.change !== 'put' && change.change !== 'remove') return [];
  const { record } = change;
  const type = types.get(record.kind);
  if (type === undefined) return [];
  const action =
    change.change === 'remove' ? 'doc_deleted' : change.record.revision === 0 ? 'doc_created' : 'doc_edited';
  const accountId = accountIn(record);
  return [
    {
      hook: 'object',
      accountId,
      payload: { id: record.id, account_id: accountId, action, type },
      modifiers: { type, action },
    },
  ];
}

/** The `object` events of what is to be written: every change that the service makes becomes one here and nowhere else. */
export const objectEvents = (changes: readonly Change[]): readonly Event[] => changes.flatMap(objectEvent);
