import { isEqualJson, isObject, type Json, omitKeys, ownValue } from '../../../base/json.ts';
import { findChildNode, resolveReference, type SchemaNode } from '../../../contract/schema-node.ts';
import { maskUrl } from '../../../contract/secrets.ts';
import { canonicalAt, withMergePatch } from '../canonical.ts';
import type { Kind } from '../kinds.ts';
import { omitNull } from '../sendable.ts';
import type { FieldPlace } from './merge-fields.ts';

/**
 * Adds stored secrets to a list from an equal item, or from the only item with the same required fields, so that no
 * password is sent to another server. `null` means no secret. `doubts` are items whose secrets are unknown.
 */
export function withStoredSecrets(
  kind: Kind,
  place: FieldPlace,
  live: readonly Json[],
  wanted: readonly Json[],
): { readonly items: readonly Json[]; readonly doubts: readonly Doubt[] } {
  const itemNode = resolveReference(kind.schema, findChildNode(kind.schema, place.node, '*') ?? {});
  if (secretNames(kind, itemNode).length === 0) return { items: wanted, doubts: [] };
  return new ItemMatching(kind, place, itemNode, live, wanted).result();
}

/** Maps the index of each wanted list item to the stored item whose secrets it keeps. */
class ItemMatching {
  readonly #kind: Kind;
  readonly #place: FieldPlace;
  readonly #itemNode: SchemaNode;
  readonly #live: readonly Json[];
  readonly #wanted: readonly Json[];
  readonly #required: readonly string[];
  readonly #free: Set<number>;
  readonly #storedIndex = new Map<number, number>();
  readonly #doubts: Doubt[] = [];

  constructor(
    kind: Kind,
    place: FieldPlace,
    itemNode: SchemaNode,
    live: readonly Json[],
    wanted: readonly Json[],
  ) {
    this.#kind = kind;
    this.#place = place;
    this.#itemNode = itemNode;
    this.#live = live;
    this.#wanted = wanted;
    this.#required = [
      ...new Set([...(itemNode.required ?? []), ...(itemNode['x-convention']?.required ?? [])]),
    ];
    this.#free = new Set(live.keys());
  }

  result(): { readonly items: readonly Json[]; readonly doubts: readonly Doubt[] } {
    this.#claimEqual();
    this.#claimIdentified();
    const items = this.#wanted.map((item, index) =>
      fillStoredSecrets(this.#kind, this.#itemNode, this.#storedFor(index), item),
    );
    this.#doubtMasked(items);
    return { items, doubts: this.#doubts };
  }

  #claimEqual(): void {
    for (const index of this.#wanted.keys())
      if (this.#free.has(index) && this.#isEqual(index, index)) this.#claim(index, index);
    for (const index of this.#wanted.keys()) {
      if (this.#storedIndex.has(index)) continue;
      const stored = [...this.#free].find((each) => this.#isEqual(index, each));
      if (stored !== undefined) this.#claim(index, stored);
    }
  }

  /** Adds a doubt unless exactly one item matches. */
  #claimIdentified(): void {
    const open = [...this.#wanted.keys()].filter((index) => !this.#storedIndex.has(index));
    // All items are compared before an item is claimed.
    const found = open.map((index) => ({
      index,
      stored: this.#sameIdentity(this.#wanted[index], this.#live, this.#free),
      rivals: this.#sameIdentity(this.#wanted[index], this.#wanted, open).length,
    }));
    for (const { index, stored, rivals } of found)
      if (stored.length === 1 && rivals === 1) this.#claim(index, stored[0] ?? index);
    for (const { index, stored } of found) {
      if (this.#storedIndex.has(index)) continue;
      const [name] = (stored.length > 0 ? stored : [...this.#free]).flatMap((each) =>
        missingSecrets(this.#kind, this.#itemNode, this.#live[each], this.#wanted[index]),
      );
      if (name === undefined) continue;
      const count = stored.length > 0 ? 'more than one' : 'no';
      const why = `${count} stored item has the same ${this.#required.join(' and ')}`;
      this.#doubts.push({ index, message: `${name} is unknown, because ${why}; ${setOrNull}` });
    }
  }

  /** Adds doubts for secrets that the service masks. Only a list that is sent can lose them. */
  #doubtMasked(items: readonly Json[]): void {
    const canonicalList = (list: readonly Json[]): Json =>
      canonicalAt(this.#kind, this.#place.node, this.#place.keys, list);
    if (isEqualJson(canonicalList(items), canonicalList(this.#live))) return;
    for (const [index, item] of this.#wanted.entries()) {
      const stored = this.#storedFor(index);
      const names = missingSecrets(this.#kind, this.#itemNode, stored, item);
      const name = names.find((each) => isMask(ownValue(stored, each)));
      if (name !== undefined)
        this.#doubts.push({
          index,
          message: `${name} is unknown, because the service masks it; ${setOrNull}`,
        });
    }
  }

  #claim(index: number, stored: number): void {
    this.#free.delete(stored);
    this.#storedIndex.set(index, stored);
  }

  #storedFor(index: number): Json | undefined {
    return this.#live[this.#storedIndex.get(index) ?? -1];
  }

  /** Removes values that the service fills in, for comparisons. */
  #form(item: Json | undefined): Json {
    return canonicalAt(this.#kind, this.#place.node, this.#place.keys, [item ?? null]);
  }

  #isEqual(index: number, stored: number): boolean {
    const item = fillStoredSecrets(this.#kind, this.#itemNode, this.#live[stored], this.#wanted[index]);
    return isEqualJson(this.#form(item), this.#form(this.#live[stored]));
  }

  #sameIdentity(item: Json | undefined, list: readonly Json[], among: Iterable<number>): readonly number[] {
    if (this.#required.length === 0) return [];
    const itemIdentity = (of: Json | undefined): Json =>
      this.#form(Object.fromEntries(this.#required.map((name) => [name, ownValue(of, name) ?? null])));
    return [...among].filter((each) => isEqualJson(itemIdentity(list[each]), itemIdentity(item)));
  }
}

const setOrNull = 'set it, or set it to null for no secret';

type Doubt = { readonly index: number; readonly message: string };

/** Services show such text instead of a secret. */
const isMask = (value: Json | undefined): boolean =>
  typeof value === 'string' && /^(?:\*|•){3,}$/.test(value);

/** Omits secrets that the service does not show. Returns `undefined` if there are none. */
export function omitHidden(
  kind: Kind,
  { node }: FieldPlace,
  live: readonly Json[],
  wanted: readonly Json[],
): { readonly live: readonly Json[]; readonly wanted: readonly Json[] } | undefined {
  const itemNode = resolveReference(kind.schema, findChildNode(kind.schema, node, '*') ?? {});
  const secrets = secretNames(kind, itemNode).filter(
    (name) => findChildNode(kind.schema, itemNode, name)?.['x-secret'] === true,
  );
  const hidden = live.map((item, index) =>
    secrets.filter((name) => {
      const [stored, value] = [ownValue(item, name), ownValue(wanted[index], name)];
      return value !== undefined && value !== null && (stored === undefined || isMask(stored));
    }),
  );
  if (hidden.every((names) => names.length === 0)) return undefined;
  const shownItems = (items: readonly Json[]): readonly Json[] =>
    items.map((item, index) => (isObject(item) ? omitKeys(item, hidden[index] ?? []) : item));
  return { live: shownItems(live), wanted: shownItems(wanted) };
}

/** Returns fields of an item that are secret, or that can contain credentials. */
const secretNames = (kind: Kind, node: SchemaNode): readonly string[] =>
  Object.keys(node.properties ?? {}).filter((name) => isSecret(findChildNode(kind.schema, node, name) ?? {}));

const isSecret = (node: SchemaNode): boolean =>
  node['x-secret'] === true || node['x-secret-bearing'] === true;

/** A URL is a secret only if it contains credentials. */
const holdsSecret = (node: SchemaNode, value: Json | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  (node['x-secret'] === true || (typeof value === 'string' && maskUrl(value) !== value));

const missingSecrets = (
  kind: Kind,
  node: SchemaNode,
  live: Json | undefined,
  wanted: Json | undefined,
): readonly string[] =>
  isObject(wanted)
    ? secretNames(kind, node).filter(
        (name) =>
          wanted[name] === undefined &&
          holdsSecret(findChildNode(kind.schema, node, name) ?? {}, ownValue(live, name)),
      )
    : [];

function fillStoredSecrets(
  kind: Kind,
  node: SchemaNode,
  live: Json | undefined,
  wanted: Json | undefined,
): Json {
  if (!isObject(wanted)) return wanted ?? null;
  const kept: Record<string, Json | undefined> = { ...wanted };
  for (const name of missingSecrets(kind, node, live, wanted)) kept[name] = ownValue(live, name);
  for (const name of secretNames(kind, node)) {
    const [value, stored] = [wanted[name], ownValue(live, name)];
    // A map of secrets is merged, like outside lists.
    if (isObject(value) && isObject(stored)) kept[name] = withMergePatch(stored, value);
  }
  return omitNull(kept);
}
