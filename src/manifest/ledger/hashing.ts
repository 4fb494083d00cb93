import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../../contract/json.ts';
import { fieldAt } from '../../contract/schema.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import type { Kind } from '../kinds.ts';
import { canonicalAt } from '../plan/canonical.ts';
import { keysOf, leafAt, leavesOf } from './leaves.ts';
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

function valueHash({ salt, kind, id }: Hashed, path: string, node: SchemaNode, value: Json): string {
  const text = stableText(canonicalAt(kind, node, keysOf(path), value));
  return saltedHash(salt, `${id}\0${path}\0${text}`);
}

/**
 * Hashes of all values that a part of a record manages, by their paths (see `leavesOf`), in the form in which values
 * are compared. References are resolved.
 */
export function fieldHashes(of: Hashed, fields: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    leavesOf(of.kind.schema, fields).map(({ path, value, node }) => [path, valueHash(of, path, node, value)]),
  );
}

/** Hash of what stands at a path of a record; of `null` where nothing does. */
export function liveHash(of: Hashed, record: JsonObject, path: string): string {
  return valueHash(of, path, fieldAt(of.kind.schema, path) ?? {}, leafAt(record, path) ?? null);
}
