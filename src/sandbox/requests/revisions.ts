import { createHash } from 'node:crypto';
import type { Json } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';
import { Refusal } from '../refusal.ts';
import type { Incoming } from '../request.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';

/** The revision of a record as callers see it: how often it was written, and a digest. */
export function revisionOf(
  { kind, scope, id, createdAt, revision }: StoredRecord,
  isWritten = false,
): string {
  const count = revision + (isWritten ? 1 : 0);
  const text = JSON.stringify([kind, scope, id, createdAt, count]);
  return `${count}-${createHash('md5').update(text).digest('hex')}`;
}

export const listRevision = (items: Json): string =>
  createHash('md5').update(JSON.stringify(items)).digest('hex');

const entityTag = (revision: string): string => `"${revision}"`;

export const namesRevision = (header: string, revision: string): boolean =>
  header.split(',').some((tag) => ['*', entityTag(revision)].includes(tag.trim().replace(/^W\//, '')));

/**
 * Refuses (412) a write over another revision of a record than the caller says that it read, and whatever revision it
 * says where services in the field refuse the current one, too.
 */
export function refuseStale(
  record: StoredRecord,
  { resource, method }: Operation,
  { header }: Incoming,
  { behaviour }: Services,
): void {
  const [wanted, unwanted] = [header('if-match'), header('if-none-match')];
  if (!behaviour.replies.revisions) return;
  if (unwanted !== undefined && method !== 'GET' && namesRevision(unwanted, revisionOf(record)))
    throw new Refusal(412, 'precondition_failed', 'There is a record that must not be there.');
  if (wanted === undefined || wanted.trim() === '*') return;
  const isRefused = resourceByName(resource).refusesTag?.includes(method) === true;
  if (isRefused || !namesRevision(wanted, revisionOf(record))) {
    throw new Refusal(412, 'precondition_failed', 'The record was changed since it was read.');
  }
}

export const etagOf = entityTag;
