import {
  isObject,
  type Json,
  type JsonObject,
  omitUndefined,
  splitPath,
  unlessEmpty,
  valueAt,
  valueAtKeys,
} from '../../../base/json.ts';
import { mapValue } from '../../../contract/map-value.ts';
import { findFieldNode, isSecretField } from '../../../contract/schema.ts';
import {
  findChildNode,
  resolveReference,
  type Schema,
  type SchemaNode,
} from '../../../contract/schema-node.ts';
import { bareHash, guessableMark, type LedgerEntry, saltedHash } from '../../state/ledger.ts';
import { canonicalAt } from '../canonical.ts';
import type { Kind } from '../kinds.ts';

/** Equal values of different objects or fields have different hashes. */
interface Hashed {
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

/** Returns true for a secret that the service shows, or a value that contains one, such as a flow with a PIN. */
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

/** Hashes the canonical form of all managed values. */
export const fieldHashes = (of: Hashed, fields: JsonObject): Readonly<Record<string, string>> =>
  leafHashes(of, listLeaves(of.kind.schema, fields));

const leafHashes = (of: Hashed, leaves: readonly Leaf[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    leaves.map((leaf) => [leaf.path, `${isGuessable(leaf) ? guessableMark : ''}${valueHash(of, leaf)}`]),
  );

/** References must be resolved. The hash depends on the order of fields. */
const wholeHash = ({ salt, id }: Hashed, fields: JsonObject): string =>
  saltedHash(salt, `${id}\0${JSON.stringify(fields)}`);

export const fileHash = (
  salt: string,
  { kind, id }: { readonly kind: string; readonly id: string },
  sha256: string,
): string => saltedHash(salt, `${kind}\0${id}\0file\0${sha256}`);

/** Hashes `null` if the record has no value at the path. */
export function liveHash(of: Hashed, record: JsonObject, path: string): string {
  const keys = splitPath(path);
  const node = findFieldNode(of.kind.schema, path) ?? {};
  return valueHash(of, { path, keys, node, value: valueAtKeys(record, keys) ?? null });
}

export function stableText(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => stableText(item)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const parts = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`);
  return `{${parts.join(',')}}`;
}

interface Leaf {
  /** Dotted path. A dot inside a key is `%2E`. */
  readonly path: string;
  readonly keys: readonly string[];
  readonly value: Json;
  readonly node: SchemaNode;
  readonly secret: boolean;
}

/**
 * Returns true for a flow, or a map with values of one shape. Entries that the manifest does not contain are removed
 * there.
 */
function isWhole(node: SchemaNode): boolean {
  if (node.$id !== undefined) return true;
  return typeof node.additionalProperties === 'object' && node.properties === undefined;
}

/** An empty object manages no values. */
export function listLeaves(schema: Schema, fields: JsonObject): readonly Leaf[] {
  const found: Leaf[] = [];
  const visit = (
    parent: SchemaNode,
    value: JsonObject,
    above: Pick<Leaf, 'path' | 'keys' | 'secret'>,
  ): void => {
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      const name = key.replaceAll('.', '%2E');
      const path = above.keys.length === 0 ? name : `${above.path}.${name}`;
      const keys = [...above.keys, key];
      const node = findChildNode(schema, parent, key) ?? {};
      const secret = above.secret || isSecretField(node);
      if (isObject(inner) && !isWhole(node)) visit(node, inner, { path, keys, secret });
      else found.push({ path, keys, value: inner, node, secret });
    }
  };
  visit(resolveReference(schema, schema), fields, { path: '', keys: [], secret: false });
  return found;
}

/** Returns paths that others changed since telctl last wrote or confirmed them. */
export function findDrift(
  entry: LedgerEntry,
  kind: Kind,
  record: JsonObject,
  salt: string,
): readonly string[] {
  const { id, fields, given } = entry;
  return Object.entries(fields).flatMap(([path, sent]) => {
    const expected = bareHash((Object.hasOwn(given, path) ? given[path] : undefined) ?? sent);
    return expected === '' || liveHash({ salt, kind, id }, record, path) === expected ? [] : [path];
  });
}

/** Returns paths for which the service returned another value than was sent, and still does. */
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

/** Returns true if the manifest, with references resolved, is the same as at the last apply. */
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

/** Describes an object after it was written, confirmed or adopted. */
export interface ManagedOf {
  readonly set: string;
  readonly key: string;
  readonly kind: Kind;
  readonly id: string;
  readonly origin: LedgerEntry['origin'];
  readonly protect: boolean;
  /** Dotted paths of values from the environment or a file. */
  readonly confidential?: readonly string[] | undefined;
  /** References are resolved. Omits values that were not sent and cannot be read, such as passwords. */
  readonly fields: JsonObject;
  /** Without a record, drift is not reported. */
  readonly record: JsonObject | undefined;
  readonly file?: LedgerEntry['file'] | undefined;
  /** The service's time of that response, in Gregorian seconds. */
  readonly atSeconds: number | undefined;
  readonly nowMs: number;
}

export function entryOf(salt: string, managed: ManagedOf): LedgerEntry {
  const { set, key, kind, id, origin, protect, fields, record, atSeconds, nowMs, file } = managed;
  const hashed = { salt, kind, id };
  const isOpen = (path: string): boolean => managed.confidential?.includes(path) !== true;
  const leaves = listLeaves(kind.schema, fields);
  const sent = leafHashes(hashed, leaves);
  const cameBack = leaves.flatMap(({ path, keys, node, value }): [string, string][] => {
    // Most values are unchanged and need no second hash.
    if (record && node.writeOnly !== true && valueAtKeys(record, keys) === value) return [];
    const live = node.writeOnly === true || !record ? '' : liveHash(hashed, record, path);
    const ours = sent[path] ?? '';
    return live === bareHash(ours) ? [] : [[path, live === '' ? '' : ours.replace(bareHash(ours), live)]];
  });
  return {
    set,
    key,
    kind: kind.name,
    id,
    natural: naturalValues(kind.keys.filter(isOpen), record ?? fields),
    origin,
    protect,
    ...omitUndefined({ confidential: unlessEmpty(managed.confidential ?? []) }),
    fields: sent,
    whole: wholeHash(hashed, fields),
    given: Object.fromEntries(cameBack),
    ...omitUndefined({ file }),
    seen: record === undefined ? 0 : (atSeconds ?? 0),
    appliedMs: nowMs,
  };
}

function naturalValues(keys: readonly string[], record: JsonObject): Readonly<Record<string, string>> {
  if (!isObject(record)) return {};
  return Object.fromEntries(
    keys.flatMap((key): [string, string][] => {
      const value = valueAt(record, key);
      return typeof value === 'string' ? [[key, value]] : [];
    }),
  );
}
