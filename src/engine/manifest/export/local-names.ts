import { hash } from 'node:crypto';
import { type JsonObject, valueAt } from '../../../base/json.ts';
import { quoted } from '../../../base/wording.ts';
import { comparedForm } from '../../../contract/schema.ts';
import { nameTrouble } from '../desired/drafts.ts';
import type { Kind } from '../kinds.ts';

/** Local names of a kind's objects, by id. */
export type LocalNames = ReadonlyMap<string, string>;

/** Longest local name, so that it stays readable and is a file's name everywhere. */
const longest = 60;

/** Text as a local name: small letters, digits, `-` and `_`; empty where nothing of it is left. */
function slug(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9_]+/g, '-');
  return letters.slice(0, longest).replaceAll(/^[-_]+|[-_]+$/g, '');
}

/** A local name for text in other letters, the same in every account. */
const byText = ({ resource }: Kind, text: string): string =>
  `${resource.singular}-${hash('sha256', text, 'hex').slice(0, 8)}`;

/** The id of a record: an account's objects have one each, what it has once is named by its kind. */
export const idOf = (kind: Kind, record: JsonObject): string =>
  kind.shape === 'one' ? kind.name : typeof record.id === 'string' ? record.id : String(record.id ?? '');

/** A record's natural key: the first of its kind's fields that it has, with its text. */
export interface NaturalKey {
  readonly field: string;
  readonly text: string;
  /** One of several: a number of a callflow. */
  readonly item: boolean;
}

/** The natural key by which an object is found again; fields that hold one text go before those that hold many. */
export function naturalKey(kind: Kind, record: JsonObject): NaturalKey | undefined {
  const { listFields } = kind.resource;
  const found = kind.keys.flatMap((field): readonly NaturalKey[] => {
    // What lists do not show cannot be looked for.
    if (listFields.length > 0 && !listFields.includes(field)) return [];
    const value = valueAt(record, field);
    if (typeof value === 'string' && value !== '') return [{ field, text: value, item: false }];
    if (!Array.isArray(value)) return [];
    const first = value.find((item) => typeof item === 'string' && item !== '');
    return typeof first === 'string' ? [{ field, text: first, item: true }] : [];
  });
  return found.find(({ item }) => !item) ?? found[0];
}

export const compared = ({ resource }: Kind, { field, text }: NaturalKey): string =>
  `${field} ${comparedForm(resource, field, text)}`;

/**
 * Gives every object of a kind a local name made of its natural key, the same in every run. One without a key, or with
 * another's, is named by its id, which finds it all the same. `taken`: names that are given already, by id.
 */
export function localNames(
  kind: Kind,
  records: readonly JsonObject[],
  taken: LocalNames = new Map(),
): LocalNames {
  const names = new Map<string, string>();
  if (kind.shape === 'one') return names.set(kind.name, kind.name);
  const keys = records.map((record) => ({ id: idOf(kind, record), key: naturalKey(kind, record) }));
  if (kind.keys.length === 1 && kind.keys[0] === 'id') {
    for (const { id } of keys) names.set(id, id);
    return names;
  }
  const counts = new Map<string, number>();
  for (const { key } of keys) {
    if (!key) continue;
    const text = compared(kind, key);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const used = new Set<string>();
  const next = new Map<string, number>();
  const ids = new Set(keys.map(({ id }) => id));
  const isTaken = (name: string, own: string): boolean => used.has(name) || (name !== own && ids.has(name));
  /** A name that is not used yet, and no other's id: itself, or with a number behind it. */
  const free = (name: string, own: string): string => {
    let found = name;
    for (let number = next.get(name) ?? 2; isTaken(found, own); number += 1) {
      found = `${name}-${number}`;
      next.set(name, number + 1);
    }
    return found;
  };
  for (const { id } of keys) {
    const name = taken.get(id);
    if (name === undefined || used.has(name)) continue;
    names.set(id, name);
    used.add(name);
  }
  const order = (text: string | undefined, other: string | undefined) =>
    (text ?? '') < (other ?? '') ? -1 : (text ?? '') > (other ?? '') ? 1 : 0;
  const sorted = keys.toSorted((a, b) => order(a.key?.text, b.key?.text) || order(a.id, b.id));
  for (const { id, key } of sorted) {
    if (names.has(id)) continue;
    const alone = key !== undefined && counts.get(compared(kind, key)) === 1;
    const byId = `${kind.resource.singular}-${slug(id).slice(0, 8)}`;
    const name = alone
      ? free(slug(key.text) || byText(kind, key.text), id)
      : nameTrouble(id)
        ? free(byId, id)
        : id;
    names.set(id, name);
    used.add(name);
  }
  return names;
}

/** `user alice`, `callflow "Main line"`; the section's name for what an account has once. */
export function labelOf(kind: Kind, record: JsonObject): string {
  if (kind.shape === 'one') return kind.name;
  const key = naturalKey(kind, record);
  const text = key?.text ?? (typeof record.name === 'string' ? record.name : idOf(kind, record));
  return `${kind.resource.singular} ${quoted(text)}`;
}
