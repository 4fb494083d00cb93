import { isEqualJson, isObject, type Json, omitKeys, ownValue } from '../../../base/json.ts';
import { childOf, resolved, type SchemaNode } from '../../../contract/schema-node.ts';
import { maskedUrl } from '../../../contract/secrets.ts';
import { canonicalAt, withMergePatch } from '../canonical.ts';
import type { Kind } from '../kinds.ts';
import { withoutNull } from '../sendable.ts';
import type { FieldPlace } from './merge-fields.ts';

/**
 * Gives items of a list the secrets that a manifest leaves out, since a list is replaced as a whole: those of the
 * stored item that is equal otherwise, else of the only one that agrees in the needed fields (a gateway's server), so
 * that no password goes to another server. `null`: no secret. `doubts`: nobody knows which are kept.
 */
export function withStoredSecrets(
  kind: Kind,
  { node, keys }: FieldPlace,
  live: readonly Json[],
  wanted: readonly Json[],
): { readonly items: readonly Json[]; readonly doubts: readonly Doubt[] } {
  const itemNode = resolved(kind.schema, childOf(kind.schema, node, '*') ?? {});
  const names = secretNames(kind, itemNode);
  if (names.length === 0) return { items: wanted, doubts: [] };
  const free = new Set(live.keys());
  const from = new Map<number, number>();
  const claim = (index: number, stored: number): void => {
    free.delete(stored);
    from.set(index, stored);
  };
  // Compared as the lists are: without what the service fills in.
  const form = (item: Json | undefined): Json => canonicalAt(kind, node, keys, [item ?? null]);
  const equals = (index: number, stored: number): boolean =>
    isEqualJson(form(filled(kind, itemNode, live[stored], wanted[index])), form(live[stored]));
  for (const index of wanted.keys()) if (free.has(index) && equals(index, index)) claim(index, index);
  for (const index of wanted.keys()) {
    const stored = from.has(index) ? undefined : [...free].find((each) => equals(index, each));
    if (stored !== undefined) claim(index, stored);
  }
  const needed = [...new Set([...(itemNode.required ?? []), ...(itemNode['x-convention']?.required ?? [])])];
  const identity = (item: Json | undefined): Json =>
    form(Object.fromEntries(needed.map((name) => [name, ownValue(item, name) ?? null])));
  const doubts: Doubt[] = [];
  const open = [...wanted.keys()].filter((index) => !from.has(index));
  const namesakes = (of: Json | undefined, lists: readonly Json[], among: Iterable<number>): number[] =>
    needed.length === 0 ? [] : [...among].filter((each) => isEqualJson(identity(lists[each]), identity(of)));
  // All are matched before any is found to be new: what one claims is no longer lost.
  const found = open.map((index) => ({
    index,
    stored: namesakes(wanted[index], live, free),
    rivals: namesakes(wanted[index], wanted, open).length,
  }));
  for (const { index, stored, rivals } of found)
    if (stored.length === 1 && rivals === 1) claim(index, stored[0] ?? index);
  for (const { index, stored } of found) {
    if (from.has(index)) continue;
    const lacking = (each: number): readonly string[] => leftOut(kind, itemNode, live[each], wanted[index]);
    const lost = (stored.length > 0 ? stored : [...free]).flatMap(lacking);
    const [name] = lost;
    if (name === undefined) continue;
    const unlike =
      stored.length > 0
        ? `more than one stored item has the same ${needed.join(' and ')}`
        : `no stored item has the same ${needed.join(' and ')}`;
    doubts.push({ index, message: `${unlike}, so that ${name} is not known: give it, or null for none` });
  }
  const storedOf = (index: number): Json | undefined => live[from.get(index) ?? -1];
  const items = wanted.map((item, index) => filled(kind, itemNode, storedOf(index), item));
  // Only a list that is sent can lose what the service masks.
  if (!isEqualJson(canonicalAt(kind, node, keys, items), canonicalAt(kind, node, keys, live)))
    for (const [index, item] of wanted.entries()) {
      const stored = storedOf(index);
      const name = leftOut(kind, itemNode, stored, item).find((each) => isMask(ownValue(stored, each)));
      if (name !== undefined)
        doubts.push({
          index,
          message: `the service masks ${name}, so that it is not known: give it, or null for none`,
        });
    }
  return { items, doubts };
}

type Doubt = { readonly index: number; readonly message: string };

/** Text that stands for a secret in the replies of services. */
const isMask = (value: Json | undefined): boolean =>
  typeof value === 'string' && /^(?:\*|•){3,}$/.test(value);

/**
 * Two lists without the secrets of their items that the service holds back: those that it leaves out or masks, and the
 * manifest names. `undefined` where there are none. Items are taken in their order.
 */
export function withoutHidden(
  kind: Kind,
  { node }: FieldPlace,
  live: readonly Json[],
  wanted: readonly Json[],
): { readonly live: readonly Json[]; readonly wanted: readonly Json[] } | undefined {
  const itemNode = resolved(kind.schema, childOf(kind.schema, node, '*') ?? {});
  const secrets = secretNames(kind, itemNode).filter(
    (name) => childOf(kind.schema, itemNode, name)?.['x-secret'] === true,
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

/** Fields of an item that are secret, or that may carry one, at its top. */
const secretNames = (kind: Kind, node: SchemaNode): readonly string[] =>
  Object.keys(node.properties ?? {}).filter((name) => isSecret(childOf(kind.schema, node, name) ?? {}));

const isSecret = (node: SchemaNode): boolean =>
  node['x-secret'] === true || node['x-secret-bearing'] === true;

/** Tells whether a stored value is a secret: an address is one only where it carries one. */
const holdsSecret = (node: SchemaNode, value: Json | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  (node['x-secret'] === true || (typeof value === 'string' && maskedUrl(value) !== value));

/** Secrets of a stored item of which a wanted one says nothing. */
const leftOut = (
  kind: Kind,
  node: SchemaNode,
  live: Json | undefined,
  wanted: Json | undefined,
): readonly string[] =>
  isObject(wanted)
    ? secretNames(kind, node).filter(
        (name) =>
          wanted[name] === undefined &&
          holdsSecret(childOf(kind.schema, node, name) ?? {}, ownValue(live, name)),
      )
    : [];

/** A wanted item with the secrets of the stored one that it leaves out. Values that are `null` are none. */
function filled(kind: Kind, node: SchemaNode, live: Json | undefined, wanted: Json | undefined): Json {
  if (!isObject(wanted)) return wanted ?? null;
  const kept: Record<string, Json | undefined> = { ...wanted };
  for (const name of leftOut(kind, node, live, wanted)) kept[name] = ownValue(live, name);
  for (const name of secretNames(kind, node)) {
    const [value, stored] = [wanted[name], ownValue(live, name)];
    // A map of secrets is merged, as one outside a list is.
    if (isObject(value) && isObject(stored)) kept[name] = withMergePatch(stored, value);
  }
  return withoutNull(kept);
}
