import type { JsonObject } from '../../../base/json.ts';
import { bareHash } from '../../state/hashes.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import type { Kind } from '../kinds.ts';
import { fieldHashes, liveHash, wholeHash } from './hashing.ts';

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
 * Paths of wanted values that were sent before and that the service does not take: it holds what it gave back then,
 * and would again.
 */
export function untakenPaths(
  { id, fields, given }: LedgerEntry,
  kind: Kind,
  { wanted, record }: { readonly wanted: JsonObject; readonly record: JsonObject },
  salt: string,
): readonly string[] {
  const of = { salt, kind, id };
  const hashes = fieldHashes(of, wanted);
  return Object.entries(given).flatMap(([path, hash]) => {
    const isAgain = hash !== '' && fields[path] !== undefined && fields[path] === hashes[path];
    return isAgain && liveHash(of, record, path) === bareHash(hash) ? [path] : [];
  });
}

/**
 * Tells whether the manifest wants just what was last applied: every value that it names, references resolved, is
 * known to be in the service.
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
