import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { mapValue } from '../../../contract/map-value.ts';
import { isPrivateKey } from '../../../contract/name-lists.ts';
import { childOf, resolved, type Schema, type SchemaNode } from '../../../contract/schema-node.ts';
import { maskedUrl } from '../../../contract/secrets.ts';
import { looksUnfilled, shapeOf } from '../../input/read-scalar.ts';
import { holdsMarks } from '../desired.ts';
import type { Kind } from '../kinds.ts';
import { withAssignedListed } from '../sendable.ts';
import { extraTree, type KnownIds, type Sightings } from './known-ids.ts';

/** Tools that turn a record into fields of a manifest. */
export interface FieldTools {
  readonly ids: KnownIds;
  /** Collects the ids that were met. */
  readonly seen: Sightings;
  /** The same of what stands under `extra`. */
  readonly seenInExtra: Sightings;
  /** The account whose objects these are: what names it needs no saying. */
  readonly accountId: string;
  /** Secrets in clear. */
  readonly reveal: boolean;
  /** Marked text that stands for a secret at a path. */
  placeholder(path: readonly string[]): string;
}

/** No value stands here, or none that a manifest can hold. */
const nothing = Symbol('nothing');
const unfit = Symbol('unfit');
type Made = Json | typeof nothing | typeof unfit;

/** Length of the shortest key that can contain an id. */
const idLength = 32;
const noKeys: ReadonlyMap<string, string> = new Map();

/** Keys of a webhook's custom data that choose events (Conventions, subscription rules), and are no secret. */
const modifiers = new Set(['type', 'action']);

/**
 * The fields of a record that a manifest would hold, in the contract's order: without ids, without what the service
 * makes, secrets and references as marked text. Defaults are still there.
 */
export function exportFields(kind: Kind, record: JsonObject, tools: FieldTools) {
  const root: SchemaNode = kind.schema;
  /** What is left out of them, a line each; and what only `extra` holds. */
  const left: string[] = [];
  const leftToExtra: string[] = [];
  const extra = extraTree(tools.ids, tools.seenInExtra);
  /** Marks of the secrets in them. */
  const variables: string[] = [];
  const placeholder = (path: readonly string[]): string => {
    const marked = tools.placeholder(path);
    variables.push(marked.slice(1, -1));
    return marked;
  };
  const leave = (path: readonly string[], why: string): typeof nothing => {
    left.push(`${path.join('.')}: ${why}`);
    return nothing;
  };

  /** Leaves a value to `extra`, but a secret that is not to be shown. */
  const leaveToExtra = (path: readonly string[], value: Json, why: string): typeof nothing => {
    const inRecord = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    if ((!tools.reveal && showsSecret(root, inRecord)) || !extra.keep(path, value)) return leave(path, why);
    leftToExtra.push(`${path.join('.')}: ${why}`);
    return nothing;
  };

  const valueFor = (node: SchemaNode, value: Json, path: readonly string[], whole: boolean): Made => {
    if (node['x-secret'] === true && !tools.reveal) return secretOf(value, path);
    if (typeof value === 'string') return madeText(node, value, path);
    if (Array.isArray(value)) return madeList(node, value, path);
    return isObject(value) ? mapOf(node, value, path, whole) : value;
  };

  const madeText = (node: SchemaNode, text: string, path: readonly string[]): Made => {
    if (node['x-secret-bearing'] === true && !tools.reveal && maskedUrl(text) !== text)
      return placeholder(path);
    if (holdsMarks(text) || isRefused(node, text)) return unfit;
    const to = node['x-ref'];
    if (to === undefined) return tools.ids.referring(text, tools.seen);
    return to === 'accounts' && text === tools.accountId
      ? nothing
      : tools.ids.reference(to, text, tools.seen);
  };

  const secretOf = (value: Json, path: readonly string[]): Made => {
    if (Array.isArray(value)) {
      const items = value.map((item: Json, index) => secretOf(item, [...path, String(index + 1)]));
      const fitting = items.filter((item): item is Json => typeof item !== 'symbol' && !isObject(item));
      // With a variable that is not set a list is left out as a whole; a map in it would only lack a key.
      return fitting.length === items.length ? fitting : unfit;
    }
    if (isObject(value)) {
      const entries = sorted(value).flatMap(([key, inner]): readonly (readonly [string, Json])[] => {
        if (inner === undefined || inner === null) return [];
        const open = path.at(-1) === 'custom_data' && modifiers.has(key);
        const at = [...path, key];
        const made = holdsMarks(key) ? unfit : open ? inner : secretOf(inner, at);
        if (made !== nothing && made !== unfit) return [[key, made]];
        leave(at, 'a secret in a form that a manifest cannot hold');
        return [];
      });
      return Object.fromEntries(entries);
    }
    return (typeof value === 'string' && value !== '') || typeof value === 'number'
      ? placeholder(path)
      : value;
  };

  const madeList = (node: SchemaNode, list: readonly Json[], path: readonly string[]): Made => {
    const items = list.map((item, index) => {
      const at = [...path, String(index)];
      return valueFor(childOf(root, node, String(index)) ?? {}, item, at, true);
    });
    const fitting = items.filter((item) => typeof item !== 'symbol');
    // A list is replaced as a whole: with an item left out it would be another one.
    return fitting.length === items.length ? fitting : unfit;
  };

  const fieldOf = (
    node: SchemaNode,
    key: string,
    value: Json,
    path: readonly string[],
    whole: boolean,
  ): Made => {
    const child = childOf(root, node, key);
    if (child?.readOnly === true || (path.length === 0 && isService(key))) return nothing;
    const here = [...path, key];
    if (!child && !whole) return leaveToExtra(here, value, 'no field that telctl knows');
    const made = !child || holdsMarks(key) ? unfit : valueFor(child, value, here, whole);
    return made === unfit && !whole ? leaveToExtra(here, value, 'holds what a manifest cannot check') : made;
  };

  /** Keys of a map that are ids, with the references that stand for them. */
  const writtenKeys = (value: JsonObject): ReadonlyMap<string, string> => {
    const ids = Object.keys(value).filter((key) => key.length >= idLength && (value[key] ?? null) !== null);
    return ids.length === 0 ? noKeys : new Map(ids.map((key) => [key, tools.ids.referring(key, tools.seen)]));
  };

  const mapOf = (reference: SchemaNode, value: JsonObject, path: readonly string[], whole: boolean): Made => {
    const node = resolved(root, reference);
    const fields: [string, Json][] = [];
    const written = writtenKeys(value);
    for (const key of inOrder(node, value, written)) {
      const inner = Object.hasOwn(value, key) ? value[key] : undefined;
      const made =
        inner !== undefined && inner !== null
          ? fieldOf(node, key, inner, path, whole)
          : isUnshown(node, key, value)
            ? placeholder([...path, key])
            : nothing;
      if (made === unfit) return unfit;
      if (made !== nothing) fields.push([written.get(key) ?? key, made]);
    }
    return Object.fromEntries(fields);
  };

  const made = mapOf(root, withAssignedListed(kind, record), [], false);
  return { fields: isObject(made) ? made : {}, extra: extra.fields(), left, leftToExtra, variables };
}

/** True where a secret of the contract would be shown, or a URL that may carry one. */
function showsSecret(schema: Schema, record: Json): boolean {
  let found = false;
  mapValue(schema, record, (node, here) => {
    found ||=
      node['x-secret'] === true ||
      (node['x-secret-bearing'] === true && typeof here === 'string' && maskedUrl(here) !== here);
    return undefined;
  });
  return found;
}

/** Text that the reader of manifests refuses, since it looks like a mask or a placeholder. */
const isRefused = (node: SchemaNode, text: string): boolean =>
  /[•*#@{\])>]/.test(text) && looksUnfilled(text, shapeOf(node), node['x-secret'] === true) !== undefined;

/** Tells whether a key is one that the service puts beside a record's fields, whatever its kind. */
const isService = (key: string): boolean => key === 'id' || isPrivateKey(key);

/** A field that is sent and never shown: a password, which goes with a username. */
const isUnshown = (node: SchemaNode, key: string, value: JsonObject): boolean =>
  node.properties?.[key]?.writeOnly === true && (key !== 'password' || typeof value.username === 'string');

/** Entries by name, so that their order is the same in every run. The entry for all other keys comes last. */
const byName = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
const sorted = (value: JsonObject): readonly (readonly [string, Json | undefined])[] =>
  Object.entries(value).sort(([a], [b]) => byName(a, b));
const rank = (key: string): number =>
  key === '_' ? Number.MAX_VALUE : /^\d{1,9}$/.test(key) ? Number(key) : 1e9;

/** Places of a node's named fields in the contract, and those of them that are never shown. */
interface FieldOrder {
  readonly places: ReadonlyMap<string, number>;
  readonly unshown: readonly string[];
}

const orders = new WeakMap<SchemaNode, FieldOrder>();

function orderOf(node: SchemaNode): FieldOrder {
  const known = orders.get(node);
  if (known) return known;
  const fields = Object.entries(node.properties ?? {});
  const order = {
    places: new Map(fields.map(([key], index) => [key, index])),
    unshown: fields.flatMap(([key, field]) => (field.writeOnly === true ? [key] : [])),
  };
  orders.set(node, order);
  return order;
}

/**
 * Named fields as the contract has them, then the others by the key that the manifest has in their place (`written`), so
 * that ids, which differ between equal accounts, do not decide. A field that is never shown has its place, too.
 */
function inOrder(
  node: SchemaNode,
  value: JsonObject,
  written: ReadonlyMap<string, string>,
): readonly string[] {
  const { places, unshown } = orderOf(node);
  const keys = Object.keys(value);
  for (const key of unshown) if (!Object.hasOwn(value, key)) keys.push(key);
  const place = (key: string): number => places.get(key) ?? places.size;
  const name = (key: string): string => written.get(key) ?? key;
  return keys.sort((a, b) => place(a) - place(b) || byName(name(a), name(b)));
}
