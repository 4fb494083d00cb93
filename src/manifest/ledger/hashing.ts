import type { JsonObject } from '../../base/json.ts';
import { mapValue } from '../../contract/map-value.ts';
import { fieldAt, isSecretField } from '../../contract/schema.ts';
import { guessable, saltedHash } from '../../state/hashes.ts';
import { canonicalAt } from '../canonical.ts';
import type { Kind } from '../kinds.ts';
import { keysOf, type Leaf, leavesOf, valueBelow } from './leaves.ts';
import { stableText } from './stable-text.ts';

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

/** Tells whether a value is a secret that the service shows, or holds one (the PIN in a flow). */
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
