import type { JsonObject } from '../../contract/json.ts';
import type { Kind } from '../kinds.ts';
import { fieldHashes, liveHash } from './hashing.ts';
import type { LedgerEntry } from './ledger.ts';

/**
 * Paths of managed values that others changed since telctl last wrote or confirmed them: what the service holds now
 * is not what it gave back then. Values that it never shows are not among them.
 */
export function driftOf(
  entry: LedgerEntry,
  { schema }: Kind,
  record: JsonObject,
  salt: string,
): readonly string[] {
  return Object.entries(entry.fields).flatMap(([path, sent]) => {
    const expected = Object.hasOwn(entry.given, path) ? entry.given[path] : sent;
    const unknown = expected === '';
    return unknown || liveHash(salt, entry.id, schema, record, path) === expected ? [] : [path];
  });
}

/**
 * Whether the manifest wants just what was last applied: every value that it names, references resolved, is known to
 * stand in the service.
 */
export function isAsApplied(entry: LedgerEntry, { schema }: Kind, fields: JsonObject, salt: string): boolean {
  const wanted = fieldHashes(salt, entry.id, schema, fields);
  return Object.entries(wanted).every(
    ([path, hash]) => Object.hasOwn(entry.fields, path) && entry.fields[path] === hash,
  );
}
