import { isEqualJson, isObject, type Json, type JsonObject, ownValue } from '../../../base/json.ts';
import { childOf, resolved, type SchemaNode, stepKind } from '../../../contract/schema-node.ts';
import { canonicalAt } from '../canonical.ts';
import type { Kind } from '../kinds.ts';
import type { Change } from '../plan.ts';
import { mergeFlow } from './merge-flow.ts';
import { withoutHidden, withStoredSecrets } from './stored-secrets.ts';

/** A change as it is found: real values and keys, before anything is hidden or named. */
export interface FieldChange {
  /** Keys from the top of the record. */
  readonly keys: readonly string[];
  readonly node: SchemaNode;
  readonly how: Change['how'];
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** Former place of a moved branch. */
  readonly from?: readonly string[];
}

/** A live value with what the manifest wants put into it. The live value itself where nothing changes. */
export interface MergedValue {
  readonly value: Json | undefined;
  readonly changes: readonly FieldChange[];
}

/** Knowledge of a value that the service does not give back; `withheld`: the ledger lacks its hash. */
export type LastApplied = 'same' | 'other' | 'unknown' | 'withheld';

/** Settings for comparing values. */
export interface Comparing {
  readonly kind: Kind;
  /** Tells whether a value that cannot be read was last applied as it is wanted now. */
  applied(keys: readonly string[]): LastApplied;
  /** Called for values that cannot be read and are not known from the ledger. */
  unverified(keys: readonly string[]): void;
  /** Called for items of lists of which it is not known which stored secrets they keep. */
  doubtful(keys: readonly string[], message: string): void;
  /** Values that cannot be read and are not known are sent. */
  readonly sendUnreadable: boolean;
  /** Inside the data of a flow's step, where text that reads as a number is that number. */
  readonly loose?: true;
  /** The wanted values are old ones of the record: what they replace as a whole gets no other keys. */
  readonly restores?: true;
  /** Inside such a whole value: keys that are not named go. */
  readonly complete?: true;
}

/** The same inside of a value that is replaced as a whole. */
const insideWhole = (comparing: Comparing): Comparing =>
  comparing.restores ? { ...comparing, complete: true } : comparing;

export interface FieldPlace {
  readonly node: SchemaNode;
  readonly keys: readonly string[];
}

/** Puts the fields that a manifest names into a live record. Keys that it does not name stay, unless it is complete. */
export function mergeFields(
  comparing: Comparing,
  { node, keys }: FieldPlace,
  live: JsonObject,
  wanted: JsonObject,
): MergedValue {
  const schema = comparing.kind.schema;
  const changes: FieldChange[] = [];
  const changed = new Map<string, Json | undefined>();
  const gone = comparing.complete
    ? Object.keys(live).filter((key) => ownValue(wanted, key) === undefined)
    : [];
  for (const [key, value] of [...Object.entries(wanted), ...gone.map((key) => [key, null] as const)]) {
    if (value === undefined) continue;
    const place = { node: childOf(schema, node, key) ?? {}, keys: [...keys, key] };
    const merged = mergeValue(comparing, place, ownValue(live, key), value);
    if (merged.changes.length === 0) continue;
    changes.push(...merged.changes);
    changed.set(key, merged.value);
  }
  return { value: changes.length === 0 ? live : replaced(live, changed), changes };
}

/** An object with some of its keys changed; `undefined` takes one away. */
const replaced = (object: JsonObject, changed: ReadonlyMap<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    [...new Map([...Object.entries(object), ...changed])].filter(([, value]) => value !== undefined),
  );

function mergeValue(
  comparing: Comparing,
  place: FieldPlace,
  live: Json | undefined,
  wanted: Json,
): MergedValue {
  const { keys } = place;
  const node = resolved(comparing.kind.schema, place.node);
  const unchanged: MergedValue = { value: live, changes: [] };
  if (node.readOnly === true) return unchanged;
  if (isHidden(node, live)) return mergeHidden(comparing, { node, keys }, wanted, unchanged);
  if (wanted === null) {
    if (live === undefined || isEqualJson(live, defaultOf(node))) return unchanged;
    return { value: undefined, changes: [{ keys, node, how: 'removed', before: live }] };
  }
  if (isFlow(node) && isObject(wanted) && Object.keys(wanted).length > 0)
    return mergeFlow(
      insideWhole(comparing),
      { node, keys },
      isObject(live) ? live : undefined,
      wanted,
      mergeFields,
    );
  if (isObject(wanted) && (live === undefined || live === null || isObject(live))) {
    const before = isObject(live) ? live : {};
    if (isWholeMap(node)) return mergeMap(comparing, { node, keys }, before, wanted, live);
    const merged = mergeFields(comparing, { node, keys }, before, wanted);
    return merged.changes.length === 0 ? unchanged : merged;
  }
  const after = Array.isArray(wanted) ? mergedList(comparing, { node, keys }, live, wanted) : wanted;
  if (equal(comparing, { node, keys }, live, after)) return unchanged;
  if (differsInHiddenAlone(comparing, { node, keys }, live, after)) {
    const applied = comparing.applied(keys);
    if (applied === 'same') return unchanged;
    if (applied === 'withheld' && !comparing.sendUnreadable) {
      comparing.unverified(keys);
      return unchanged;
    }
  }
  return { value: after, changes: [{ keys, node, how: setOrChanged(live), before: live, after }] };
}

/** Tells whether two lists are equal but for secrets of their items that the service does not show. */
function differsInHiddenAlone(
  comparing: Comparing,
  place: FieldPlace,
  live: Json | undefined,
  wanted: Json,
): boolean {
  if (!Array.isArray(live) || !Array.isArray(wanted) || live.length !== wanted.length) return false;
  const shown = withoutHidden(comparing.kind, place, live, wanted);
  return shown !== undefined && equal(comparing, place, shown.live, shown.wanted);
}

/** A wanted list with the stored secrets that its items keep. */
function mergedList(
  { kind, doubtful }: Comparing,
  { node, keys }: FieldPlace,
  live: Json | undefined,
  wanted: readonly Json[],
): Json {
  const stored: readonly Json[] = Array.isArray(live) ? live : [];
  const { items, doubts } = withStoredSecrets(kind, { node, keys }, stored, wanted);
  for (const { index, message } of doubts) doubtful([...keys, String(index)], message);
  return items;
}

const setOrChanged = (live: Json | undefined) => (live === undefined || live === null ? 'set' : 'changed');

/** Tells whether the service never shows a value. */
const isHidden = (node: SchemaNode, live: Json | undefined): boolean =>
  node.writeOnly === true || (node['x-secret'] === true && live === undefined);

function mergeHidden(
  comparing: Comparing,
  { node, keys }: FieldPlace,
  wanted: Json,
  unchanged: MergedValue,
): MergedValue {
  const applied = comparing.applied(keys);
  if (applied === 'same' || (wanted === null && node.writeOnly !== true)) return unchanged;
  const isUntold = applied === 'withheld' || (applied === 'unknown' && node.writeOnly === true);
  if (isUntold && !comparing.sendUnreadable) {
    comparing.unverified(keys);
    return unchanged;
  }
  const how = applied === 'other' ? 'changed' : 'set';
  return { value: wanted === null ? undefined : wanted, changes: [{ keys, node, how, after: wanted }] };
}

export const isFlow = (node: SchemaNode): boolean => stepKind(node) !== undefined;

/** A map whose values share one shape is wanted as a whole: what it does not name is removed. */
const isWholeMap = (node: SchemaNode): boolean =>
  typeof node.additionalProperties === 'object' && node.properties === undefined;

function mergeMap(
  comparing: Comparing,
  { node, keys }: FieldPlace,
  live: JsonObject,
  typed: JsonObject,
  unchanged: Json | undefined,
): MergedValue {
  const { schema } = comparing.kind;
  const form = canonicalAt(
    comparing.kind,
    {},
    keys,
    Object.fromEntries(Object.keys(typed).map((key) => [key, key])),
  );
  const wanted = new Map(
    Object.keys(isObject(form) ? form : {}).map((key, index) => [key, Object.values(typed)[index]]),
  );
  const changes: FieldChange[] = [];
  const value = new Map<string, Json | undefined>(Object.entries(live));
  for (const [key, entry] of wanted) {
    if (entry === undefined || entry === null) continue;
    const place = { node: childOf(schema, node, key) ?? {}, keys: [...keys, key] };
    if (!Object.hasOwn(live, key)) {
      changes.push({ ...place, how: 'added', after: entry });
      value.set(key, entry);
      continue;
    }
    const merged = mergeValue(insideWhole(comparing), place, live[key], entry);
    changes.push(...merged.changes);
    value.set(key, merged.value);
  }
  for (const [key, before] of Object.entries(live)) {
    if (wanted.get(key) !== undefined && wanted.get(key) !== null) continue;
    changes.push({ node: childOf(schema, node, key) ?? {}, keys: [...keys, key], how: 'removed', before });
    value.delete(key);
  }
  return changes.length === 0 ? { value: unchanged, changes } : { value: Object.fromEntries(value), changes };
}

const defaultOf = (node: SchemaNode): Json | undefined => {
  const value: unknown = node.default ?? node['x-convention']?.default;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined;
};

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

function equal(
  { kind, loose }: Comparing,
  { node, keys }: FieldPlace,
  live: Json | undefined,
  wanted: Json,
): boolean {
  const before = live ?? defaultOf(node);
  if (before === wanted) return true;
  if (isNothing(before) && isNothing(wanted)) return true;
  if (before === undefined) return false;
  const one = canonicalAt(kind, node, keys, before);
  const other = canonicalAt(kind, node, keys, wanted);
  if (isEqualJson(one, other)) return true;
  return loose === true && isScalar(one) && isScalar(other) && String(one) === String(other);
}

const isScalar = (value: Json): boolean => typeof value === 'string' || typeof value === 'number';
