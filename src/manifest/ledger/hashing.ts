import { hash } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { mapValue } from '../../contract/map-value.ts';
import { fieldAt, isSecretField } from '../../contract/schema.ts';
import { canonicalAt } from '../canonical.ts';
import type { Kind } from '../kinds.ts';
import { keysOf, type Leaf, leavesOf, valueBelow } from './leaves.ts';
import type { LedgerEntry } from './ledger.ts';
import { stableText } from './stable-text.ts';

/** How many hexadecimal characters of a hash are kept. */
const kept = 20;

/** Salted hash of a text: SHA-256, cut. For values of files and environments as well as for fields. */
export const saltedHash = (salt: string, text: string): string =>
  hash('sha256', `${salt}\0${text}`, 'hex').slice(0, kept);

/** The object whose values are hashed. Equal values of two objects, or of two fields, have different hashes. */
export interface Hashed {
  readonly salt: string;
  readonly kind: Kind;
  readonly id: string;
}

function valueHash(
  { salt, kind, id }: Hashed,
  { path, keys, node, value }: Pick<Leaf, 'path' | 'keys' | 'node' | 'value'>,
): string {
  const text = stableText(canonicalAt(kind, node, keys, value));
  return saltedHash(salt, `${id}\0${path}\0${text}`);
}

/**
 * Stands before the hash of a secret that the service shows, such as a PIN: short ones can be guessed from it, so a
 * ledger that leaves this machine does not have it.
 */
const guessable = 's:';

/** The hash itself, with or without that mark. */
export const bareHash = (hashOrMarked: string): string =>
  hashOrMarked.startsWith(guessable) ? hashOrMarked.slice(guessable.length) : hashOrMarked;

/** An entry as a ledger that leaves this machine has it: empty text for secrets that could be guessed. */
export function withoutGuessable(entry: LedgerEntry): LedgerEntry {
  const isMarked = (each: string): boolean => each.startsWith(guessable);
  if (![...Object.values(entry.fields), ...Object.values(entry.given)].some(isMarked)) return entry;
  const without = (hashes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(hashes).map(([path, each]) => [path, isMarked(each) ? '' : each]));
  const { whole: _, fields, given, ...rest } = entry;
  return { ...rest, fields: without(fields), given: without(given) };
}

/** Whether a value is a secret that the service shows, or holds one (the PIN in a flow). */
function isGuessable({ node, value, secret }: Leaf): boolean {
  if (secret) return node.writeOnly !== true;
  if (typeof value !== 'object' || value === null) return false;
  let found = false;
  mapValue(node, value, (inner) => {
    found ||= isSecretField(inner);
    return undefined;
  });
  return found;
}

/**
 * Hashes of all values that a part of a record manages, by their paths (see `leavesOf`), in the form in which values
 * are compared. References are resolved.
 */
export const fieldHashes = (of: Hashed, fields: JsonObject): Readonly<Record<string, string>> =>
  leafHashes(of, leavesOf(of.kind.schema, fields));

/** The same for values that were looked up before. */
export const leafHashes = (of: Hashed, leaves: readonly Leaf[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    leaves.map((leaf) => [leaf.path, `${isGuessable(leaf) ? guessable : ''}${valueHash(of, leaf)}`]),
  );

/** One hash of all fields as they stand in the manifest, references resolved: differs where only the order does. */
export const wholeHash = ({ salt, id }: Hashed, fields: JsonObject): string =>
  saltedHash(salt, `${id}\0${JSON.stringify(fields)}`);

/** Hash of what stands at a path of a record; of `null` where nothing does. */
export function liveHash(of: Hashed, record: JsonObject, path: string): string {
  const keys = keysOf(path);
  const node = fieldAt(of.kind.schema, path) ?? {};
  return valueHash(of, { path, keys, node, value: valueBelow(record, keys) ?? null });
}
