import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { mapValue } from '../../../contract/map-value.ts';
import { isPrivateKey } from '../../../contract/name-lists.ts';
import {
  findChildNode,
  resolveReference,
  type Schema,
  type SchemaNode,
} from '../../../contract/schema-node.ts';
import { maskUrl } from '../../../contract/secrets.ts';
import { createShape, looksUnfilled } from '../../input/read-scalar.ts';
import { holdsMarks } from '../desired.ts';
import type { Kind } from '../kinds.ts';
import { listAssigned } from '../sendable.ts';
import { ExtraTree, type KnownIds, type SeenIds } from './known-ids.ts';

export interface FieldTools {
  readonly ids: KnownIds;
  readonly seen: SeenIds;
  readonly seenInExtra: SeenIds;
  readonly accountId: string;
  readonly reveal: boolean;
  /** Returns the marked text that replaces a secret. */
  placeholder(path: readonly string[]): string;
}

const absent = Symbol('absent');
const unfit = Symbol('unfit');
type Made = Json | typeof absent | typeof unfit;

/** Length of an id, and of the shortest key that can contain one. */
const idLength = 32;
const noKeys: ReadonlyMap<string, string> = new Map();

/** These keys of a webhook's custom data select events (Conventions, subscription rules). They are not secret. */
const modifiers = new Set(['type', 'action']);

/** Returns fields in the contract's order. Secrets and references become marked text. */
export function exportFields(kind: Kind, record: JsonObject, tools: FieldTools) {
  const fields = new FieldExport(kind.schema, tools);
  const made = fields.exportMap(kind.schema, listAssigned(kind, record), [], false);
  const { left, leftToExtra, variables } = fields;
  return { fields: isObject(made) ? made : {}, extra: fields.extra.fields, left, leftToExtra, variables };
}

class FieldExport {
  readonly left: string[] = [];
  readonly leftToExtra: string[] = [];
  readonly variables: string[] = [];
  readonly extra: ExtraTree;
  readonly #schema: Schema;
  readonly #tools: FieldTools;

  constructor(schema: Schema, tools: FieldTools) {
    this.#schema = schema;
    this.#tools = tools;
    this.extra = new ExtraTree(tools.ids, tools.seenInExtra);
  }

  /** Exports the fields of a map. `whole` is true inside a list, which an update replaces as a whole. */
  exportMap(reference: SchemaNode, value: JsonObject, path: readonly string[], whole: boolean): Made {
    const node = resolveReference(this.#schema, reference);
    const fields: [string, Json][] = [];
    const replacedKeys = this.#replacedKeys(value);
    for (const key of sortKeys(node, value, replacedKeys)) {
      const inner = Object.hasOwn(value, key) ? value[key] : undefined;
      const made =
        inner !== undefined && inner !== null
          ? this.#exportField(node, key, inner, path, whole)
          : isUnshown(node, key, value)
            ? this.#placeholder([...path, key])
            : absent;
      if (made === unfit) return unfit;
      if (made !== absent) fields.push([replacedKeys.get(key) ?? key, made]);
    }
    return Object.fromEntries(fields);
  }

  #replacedKeys(value: JsonObject): ReadonlyMap<string, string> {
    const { ids, seen } = this.#tools;
    const keys = Object.keys(value).filter((key) => key.length >= idLength && (value[key] ?? null) !== null);
    return keys.length === 0 ? noKeys : new Map(keys.map((key) => [key, ids.replaceIn(key, seen)]));
  }

  #exportField(node: SchemaNode, key: string, value: Json, path: readonly string[], whole: boolean): Made {
    const child = findChildNode(this.#schema, node, key);
    if (child?.readOnly === true || (path.length === 0 && isServiceKey(key))) return absent;
    const here = [...path, key];
    if (!child && !whole) return this.#leaveToExtra(here, value, 'unknown field');
    const made = !child || holdsMarks(key) ? unfit : this.#exportValue(child, value, here, whole);
    return made === unfit && !whole
      ? this.#leaveToExtra(here, value, 'contains a value that a manifest cannot check')
      : made;
  }

  #exportValue(node: SchemaNode, value: Json, path: readonly string[], whole: boolean): Made {
    if (node['x-secret'] === true && !this.#tools.reveal) return this.#exportSecret(value, path);
    if (typeof value === 'string') return this.#exportText(node, value, path);
    if (Array.isArray(value)) return this.#exportList(node, value, path);
    return isObject(value) ? this.exportMap(node, value, path, whole) : value;
  }

  #exportText(node: SchemaNode, text: string, path: readonly string[]): Made {
    const { reveal, ids, seen, accountId } = this.#tools;
    if (node['x-secret-bearing'] === true && !reveal && maskUrl(text) !== text)
      return this.#placeholder(path);
    if (holdsMarks(text) || isRefused(node, text)) return unfit;
    const to = node['x-ref'];
    if (to === undefined) return ids.replaceIn(text, seen);
    return to === 'accounts' && text === accountId ? absent : ids.referenceTo(to, text, seen);
  }

  #exportList(node: SchemaNode, list: readonly Json[], path: readonly string[]): Made {
    const items = list.map((item, index) => {
      const at = [...path, String(index)];
      return this.#exportValue(findChildNode(this.#schema, node, String(index)) ?? {}, item, at, true);
    });
    const fitting = items.filter((item) => typeof item !== 'symbol');
    return fitting.length === items.length ? fitting : unfit;
  }

  #exportSecret(value: Json, path: readonly string[]): Made {
    if (Array.isArray(value)) {
      const items = value.map((item: Json, index) => this.#exportSecret(item, [...path, String(index + 1)]));
      const fitting = items.filter((item): item is Json => typeof item !== 'symbol' && !isObject(item));
      // If a variable is not set, a list is omitted as a whole. A map in it would only lack a key.
      return fitting.length === items.length ? fitting : unfit;
    }
    if (isObject(value)) return this.#exportSecretMap(value, path);
    return (typeof value === 'string' && value !== '') || typeof value === 'number'
      ? this.#placeholder(path)
      : value;
  }

  #exportSecretMap(value: JsonObject, path: readonly string[]): Made {
    const entries = Object.entries(value).sort(([a], [b]) => compareKeys(a, b));
    const made = entries.flatMap(([key, inner]): readonly (readonly [string, Json])[] => {
      if (inner === undefined || inner === null) return [];
      const at = [...path, key];
      const isOpen = path.at(-1) === 'custom_data' && modifiers.has(key);
      const item = holdsMarks(key) ? unfit : isOpen ? inner : this.#exportSecret(inner, at);
      if (item !== absent && item !== unfit) return [[key, item]];
      this.#leave(at, 'a secret in a form that manifests do not support');
      return [];
    });
    return Object.fromEntries(made);
  }

  #placeholder(path: readonly string[]): string {
    const marked = this.#tools.placeholder(path);
    this.variables.push(marked.slice(1, -1));
    return marked;
  }

  #leave(path: readonly string[], why: string): typeof absent {
    this.left.push(`${path.join('.')}: ${why}`);
    return absent;
  }

  #leaveToExtra(path: readonly string[], value: Json, why: string): typeof absent {
    const inRecord = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    const isHidden = !this.#tools.reveal && showsSecret(this.#schema, inRecord);
    if (isHidden || !this.extra.keep(path, value)) return this.#leave(path, why);
    this.leftToExtra.push(`${path.join('.')}: ${why}`);
    return absent;
  }
}

/** Returns true for a secret of the contract, or a URL that contains credentials. */
function showsSecret(schema: Schema, record: Json): boolean {
  let found = false;
  mapValue(schema, record, (node, here) => {
    found ||=
      node['x-secret'] === true ||
      (node['x-secret-bearing'] === true && typeof here === 'string' && maskUrl(here) !== here);
    return undefined;
  });
  return found;
}

/** The reader of manifests refuses text that looks like a mask or a placeholder. */
const isRefused = (node: SchemaNode, text: string): boolean =>
  /[•*#@{\])>]/.test(text) && looksUnfilled(text, createShape(node), node['x-secret'] === true) !== undefined;

/** The service adds these keys to records of every kind. */
const isServiceKey = (key: string): boolean => key === 'id' || isPrivateKey(key);

/** Returns true for a field that the service accepts and never shows, such as a password with its username. */
const isUnshown = (node: SchemaNode, key: string, value: JsonObject): boolean =>
  node.properties?.[key]?.writeOnly === true && (key !== 'password' || typeof value.username === 'string');

/** Sorts numbers by value, then other keys by text, then `_`, the branch for all other keys. */
const compareKeys = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
const rank = (key: string): number =>
  key === '_' ? Number.MAX_VALUE : /^\d{1,9}$/.test(key) ? Number(key) : 1e9;

/** The contract's order of a node's fields, and the fields that are never shown. */
interface FieldOrder {
  readonly positions: ReadonlyMap<string, number>;
  readonly unshown: readonly string[];
}

const orders = new WeakMap<SchemaNode, FieldOrder>();

function fieldOrder(node: SchemaNode): FieldOrder {
  const known = orders.get(node);
  if (known) return known;
  const fields = Object.entries(node.properties ?? {});
  const order = {
    positions: new Map(fields.map(([key], index) => [key, index])),
    unshown: fields.flatMap(([key, field]) => (field.writeOnly === true ? [key] : [])),
  };
  orders.set(node, order);
  return order;
}

/** Sorts keys with ids by the text that replaces them, because ids differ between equal accounts. */
function sortKeys(
  node: SchemaNode,
  value: JsonObject,
  replacedKeys: ReadonlyMap<string, string>,
): readonly string[] {
  const { positions, unshown } = fieldOrder(node);
  const keys = [...Object.keys(value), ...unshown.filter((key) => !Object.hasOwn(value, key))];
  const position = (key: string): number => positions.get(key) ?? positions.size;
  const name = (key: string): string => replacedKeys.get(key) ?? key;
  return keys.sort((a, b) => position(a) - position(b) || compareKeys(name(a), name(b)));
}
