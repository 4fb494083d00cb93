import { gregorianOffset } from '../../base/gregorian.ts';
import { objectTypes } from '../../contract/hooks.ts';
import type { Change, RecordName } from '../store/store.ts';
import type { Event } from './event.ts';

/** Account that a record lies in: of an account itself, of a message the one of its box. */
const accountIn = ({ kind, scope, id }: RecordName): string =>
  kind === 'accounts' ? id : (scope.split('/')[0] ?? scope);

/** What a change of an object is told as (Conventions, payloads). */
function objectEvent(change: Change, nowMs: number): readonly Event[] {
  if (change.change !== 'put' && change.change !== 'remove') return [];
  if (change.change === 'remove' && change.isUntold) return [];
  const { record } = change;
  const type = objectTypes.get(record.kind);
  if (type === undefined) return [];
  const action =
    change.change === 'remove' ? 'doc_deleted' : change.record.revision === 0 ? 'doc_created' : 'doc_edited';
  const accountId = accountIn(record);
  // A fax that is on its way is not there before it arrives.
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

/**
 * The `object` events of what is to be written at a moment (Unix milliseconds): every change that the service makes
 * becomes one here and nowhere else.
 */
export const objectEvents = (changes: readonly Change[], nowMs: number): readonly Event[] =>
  changes.flatMap((change) => objectEvent(change, nowMs));
