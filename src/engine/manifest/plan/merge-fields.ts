import { isEqualJson, isObject, type Json, type JsonObject, ownValue } from '../../../base/json.ts';
import { findChildNode, resolveReference, type SchemaNode, stepKind } from '../../../contract/schema-node.ts';
import { canonicalAt } from '../canonical.ts';
import type { Kind } from '../kinds.ts';
import type { Change } from '../plan.ts';
import { mergeFlow } from './merge-flow.ts';
import { omitHidden, withStoredSecrets } from './stored-secrets.ts';

/** Values and keys before secrets are hidden and ids are named. */
export interface FieldChange {
  readonly keys: readonly string[];
  readonly node: SchemaNode;
  readonly how: Change['how'];
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  readonly from?: readonly string[];
}

/** The live value with the wanted one merged into it. Identical to the live value if nothing changes. */
export interface MergedValue {
  readonly value: Json | undefined;
  readonly changes: readonly FieldChange[];
}

/** Comparison of a value that the service does not show. `withheld` if the ledger lacks its hash. */
export type LastApplied = 'same' | 'other' | 'unknown' | 'withheld';

export interface Comparing {
  readonly kind: Kind;
  applied(keys: readonly string[]): LastApplied;
  /** Called for values that are neither readable nor in the ledger. */
  unverified(keys: readonly string[]): void;
  /** Called for list items whose stored secrets are unknown. */
  doubtful(keys: readonly string[], message: string): void;
  /** Sends values that are neither readable nor in the ledger. */
  readonly sendUnreadable: boolean;
  /** Set in the data of a flow's step, where numbers and numeric texts are equal. */
  readonly loose?: true;
  /** The wanted values are old values of the record. Other keys of maps and flows are removed. */
  readonly restores?: true;
  /** Set inside such a map or flow. Keys that are not named are removed. */
  readonly complete?: true;
}

/** For the inside of a value that is replaced as a whole. */
const settingsInside = (comparing: Comparing): Comparing =>
  comparing.restores ? { ...comparing, complete: true } : comparing;

export interface FieldPlace {
  readonly node: SchemaNode;
  readonly keys: readonly string[];
}

/** Keeps other keys unless the settings are `complete`. */
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
    const place = { node: findChildNode(schema, node, key) ?? {}, keys: [...keys, key] };
    const merged = mergeValue(comparing, place, ownValue(live, key), value);
    if (merged.changes.length === 0) continue;
    changes.push(...merged.changes);
    changed.set(key, merged.value);
  }
  return { value: changes.length === 0 ? live : replaceKeys(live, changed), changes };
}

const replaceKeys = (object: JsonObject, changed: ReadonlyMap<string, Json | undefined>): JsonObject =>
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
  const node = resolveReference(comparing.kind.schema, place.node);
  const unchanged: MergedValue = { value: live, changes: [] };
  if (node.readOnly === true) return unchanged;
  if (isHidden(node, live)) return mergeHidden(comparing, { node, keys }, wanted, unchanged);
  if (wanted === null) {
    if (live === undefined || isEqualJson(live, defaultValue(node))) return unchanged;
    return { value: undefined, changes: [{ keys, node, how: 'removed', before: live }] };
  }
  if (isFlow(node) && isObject(wanted) && Object.keys(wanted).length > 0)
    return mergeFlow(
      settingsInside(comparing),
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
  const after = Array.isArray(wanted) ? keepStoredSecrets(comparing, { node, keys }, live, wanted) : wanted;
  if (isEqual(comparing, { node, keys }, live, after)) return unchanged;
  if (differsOnlyInHidden(comparing, { node, keys }, live, after)) {
    const applied = comparing.applied(keys);
    if (applied === 'same') return unchanged;
    if (applied === 'withheld' && !comparing.sendUnreadable) {
      comparing.unverified(keys);
      return unchanged;
    }
  }
  return { value: after, changes: [{ keys, node, how: setOrChanged(live), before: live, after }] };
}

/** Returns true if two lists differ only in secrets that the service does not show. */
function differsOnlyInHidden(
  comparing: Comparing,
  place: FieldPlace,
  live: Json | undefined,
  wanted: Json,
): boolean {
  if (!Array.isArray(live) || !Array.isArray(wanted) || live.length !== wanted.length) return false;
  const shown = omitHidden(comparing.kind, place, live, wanted);
  return shown !== undefined && isEqual(comparing, place, shown.live, shown.wanted);
}

function keepStoredSecrets(
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

/** Values of such a map share one shape. Keys that the manifest does not contain are removed. */
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
    const place = { node: findChildNode(schema, node, key) ?? {}, keys: [...keys, key] };
    if (!Object.hasOwn(live, key)) {
      changes.push({ ...place, how: 'added', after: entry });
      value.set(key, entry);
      continue;
    }
    const merged = mergeValue(settingsInside(comparing), place, live[key], entry);
    changes.push(...merged.changes);
    value.set(key, merged.value);
  }
  for (const [key, before] of Object.entries(live)) {
    if (wanted.get(key) !== undefined && wanted.get(key) !== null) continue;
    changes.push({
      node: findChildNode(schema, node, key) ?? {},
      keys: [...keys, key],
      how: 'removed',
      before,
    });
    value.delete(key);
  }
  return changes.length === 0 ? { value: unchanged, changes } : { value: Object.fromEntries(value), changes };
}

const defaultValue = (node: SchemaNode): Json | undefined => {
  const value: unknown = node.default ?? node['x-convention']?.default;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined;
};

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

function isEqual(
  { kind, loose }: Comparing,
  { node, keys }: FieldPlace,
  live: Json | undefined,
  wanted: Json,
): boolean {
  const before = live ?? defaultValue(node);
  if (before === wanted) return true;
  if (isNothing(before) && isNothing(wanted)) return true;
  if (before === undefined) return false;
  const one = canonicalAt(kind, node, keys, before);
  const other = canonicalAt(kind, node, keys, wanted);
  if (isEqualJson(one, other)) return true;
  return loose === true && isScalar(one) && isScalar(other) && String(one) === String(other);
}

const isScalar = (value: Json): boolean => typeof value === 'string' || typeof value === 'number';
