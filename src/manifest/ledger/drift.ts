import type { JsonObject } from '../../contract/json.ts';
import type { Kind } from '../kinds.ts';
import { bareHash, fieldHashes, liveHash, wholeHash } from './hashing.ts';
import type { LedgerEntry } from './ledger.ts';

/**
 * Paths of managed values that others changed since telctl last wrote or confirmed them: what the service holds now
 * is not what it gave back then. Values that it never shows are not among them.
 */
export function driftOf(entry: LedgerEntry, kind: Kind, record: JsonObject, salt: string): readonly string[] {
  const { id, fields, given } = entry;
  return Object.entries(fields).flatMap(([path, sent]) => {
    const expected = bareHash((Object.hasOwn(given, path) ? given[path] : undefined) ?? sent);
    return expected === '' || liveHash({ salt, kind, id }, record, path) === expected ? [] : [path];
  });
}

/**
 * Whether the manifest wants just what was last applied: every value that it names, references resolved, is known to
 * stand in the service.
 */
export function isAsApplied(
  { id, fields, whole }: LedgerEntry,
  kind: Kind,
  wanted: JsonObject,
  salt: string,
): boolean {
  const hashed = { salt, kind, id };
  if (whole !== undefined && whole === wholeHash(hashed, wanted)) return true;
  const hashes = fieldHashes(hashed, wanted);
  return Object.entries(hashes).every(([path, hash]) => Object.hasOwn(fields, path) && fields[path] === hash);
}
