import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../../contract/json.ts';
import { fieldAt } from '../../contract/schema.ts';
import type { Schema } from '../../contract/schema-node.ts';
import { canonicalText } from './canonical.ts';
import { leafAt, leavesOf } from './leaves.ts';

/** How many hexadecimal characters of a hash are kept. */
const kept = 20;

/** Salted hash of a text: SHA-256, cut. For values of files and environments as well as for fields. */
export const saltedHash = (salt: string, text: string): string =>
  hash('sha256', `${salt}\0${text}`, 'hex').slice(0, kept);

/** What is hashed of a value: it stands at one place of one object, so that equal values are not seen to be equal. */
const hashed = (salt: string, id: string, path: string, text: string): string =>
  saltedHash(salt, `${id}\0${path}\0${text}`);

/** Hashes of all values that a part of a record manages, by their paths (see `leavesOf`). References are resolved. */
export function fieldHashes(
  salt: string,
  id: string,
  schema: Schema,
  fields: JsonObject,
): Readonly<Record<string, string>> {
  const found: [string, string][] = leavesOf(schema, fields).map(({ path, value, node }) => [
    path,
    hashed(salt, id, path, canonicalText(schema, node, lastKey(path), value)),
  ]);
  return Object.fromEntries(found);
}

/** Hash of what stands at a path of a record; of `null` where nothing does. */
export function liveHash(salt: string, id: string, schema: Schema, record: JsonObject, path: string): string {
  const value: Json | undefined = leafAt(record, path);
  return hashed(salt, id, path, canonicalText(schema, fieldAt(schema, path) ?? {}, lastKey(path), value));
}

const lastKey = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
