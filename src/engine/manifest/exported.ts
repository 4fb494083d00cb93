import { hash } from 'node:crypto';
import { allTexts, type JsonObject, valueAt } from '../../base/json.ts';
import { formatCount, joinUpTo, quoteName } from '../../base/wording.ts';
import { comparedForm } from '../../contract/schema.ts';
import type { Section } from './account-reader.ts';
import { localNameProblem } from './desired/drafts.ts';
import { referenceTo } from './desired.ts';
import type { Kind } from './kinds.ts';

export interface ExportAccount {
  readonly id: string;
  readonly name: string;
  /** Id of an account without realm. */
  readonly realm: string;
  readonly origin: string;
}

export interface Lists {
  readonly account: ExportAccount;
  readonly exported: readonly Section[];
  /** Objects outside the export that can be referenced. */
  readonly others: readonly Section[];
}

/** References and environment variables in fields are marked text (`desired.ts`). */
export interface Exported {
  readonly account: ExportAccount;
  readonly sections: readonly ExportedSection[];
  readonly isWhole: boolean;
  /** Converts marks to text such as `${users.alice}` or an id. */
  readonly shown: MarkReader;
}

export interface ExportedSection {
  readonly kind: Kind;
  readonly objects: readonly ExportedObject[];
  readonly missing?: string;
}

export interface ExportedObject {
  readonly kind: Kind;
  /** Local name. For an object that an account has once, the section's name. */
  readonly name: string;
  readonly key: string;
  readonly id: string;
  readonly fields: JsonObject;
  /** Includes default values if they were requested. */
  readonly whole: JsonObject;
  /** A line with the reason for each omitted part. */
  readonly left: readonly string[];
  /** Like `left`, for fields that `--all-fields` keeps under `extra`. */
  readonly leftToExtra: readonly string[];
  readonly refersTo: readonly string[];
  readonly variables: readonly string[];
  /** A line for each way in which the object prevents emergency calls. */
  readonly emergency?: readonly string[];
  /** The object has a file, which the export does not contain. */
  readonly hasFile?: true;
  readonly hasUnknownIds: boolean;
}

export interface MarkReader {
  text(object: ExportedObject, marked: string): string;
  note(object: ExportedObject, marked: string): string | undefined;
}

/** Objects in one warning. */
const named = 3;

/** Returns a sentence for each kind of problem. The manifest marks every place. */
export function exportWarnings(exported: Exported): readonly string[] {
  const objects = exported.sections.flatMap((section) => section.objects);
  const byNote = Map.groupBy(
    objects.flatMap((object) => [...listNotes(exported, object)].map((note) => ({ note, key: object.key }))),
    ({ note }) =>
      note.endsWith('circular') ? 'circle' : note.endsWith('not exported') ? 'other' : 'unknown',
  );
  const keysOfNote = (which: 'circle' | 'other' | 'unknown') => [
    ...new Set((byNote.get(which) ?? []).map(({ key }) => key)),
  ];
  const left = objects.filter((object) => object.left.length > 0).map(({ key }) => key);
  const withUnknown = objects.filter(({ leftToExtra }) => leftToExtra.length > 0);
  const unknown = withUnknown.flatMap(({ leftToExtra }) => leftToExtra).length;
  const byId = objects.filter(
    ({ kind, name, id }) => kind.shape === 'many' && kind.keys[0] !== 'id' && name === id,
  );
  const elsewhere = 'ids are used instead, which are not valid in another account';
  const sentences: readonly (readonly [readonly string[], string, string, string])[] = [
    [keysOfNote('circle'), 'refers', 'refer', `in a circle, which manifests do not support; ${elsewhere}`],
    [keysOfNote('other'), 'refers', 'refer', `to objects that are not exported; ${elsewhere}`],
    [
      keysOfNote('unknown'),
      'holds',
      'hold',
      'ids of objects that manifests do not support, such as media; they are not valid in another account',
    ],
    [left, 'has', 'have', 'fields that are left out; comments name them'],
    [
      withUnknown.map(({ key }) => key),
      'has',
      'have',
      `fields that telctl does not know: ${unknown} left out; comments name them, and --all-fields keeps them`,
    ],
    [byId.map(({ key }) => key), 'has', 'have', 'no unique name; their ids are used instead'],
  ];
  return [
    ...describeMissing(exported),
    ...sentences.flatMap(([keys, one, many, rest]) =>
      keys.length === 0
        ? []
        : `${formatCount(keys.length, 'object')} ${keys.length === 1 ? one : many} ${rest} (${joinUpTo(keys, named)}).`,
    ),
  ];
}

/** Combines sections with the same reason. */
function describeMissing({ sections }: Exported): readonly string[] {
  const byReason = Map.groupBy(
    sections.filter(({ missing }) => missing !== undefined),
    ({ missing }) => missing,
  );
  return [...byReason].map(
    ([why, missing]) =>
      `The export is incomplete: ${missing.map(({ kind }) => kind.name).join(', ')}: ${why}`,
  );
}

export const exportedVariables = ({ sections, shown }: Exported): readonly string[] =>
  sections.flatMap(({ objects }) =>
    objects.flatMap((object) =>
      object.variables.map((mark) => shown.text(object, referenceTo(mark)).replace(/^\$\{env\.|\?\}$/g, '')),
    ),
  );

function* listNotes({ shown }: Exported, object: ExportedObject): Iterable<string> {
  if (!object.hasUnknownIds && object.refersTo.length === 0) return;
  for (const text of allTexts(object.fields)) {
    const note = shown.note(object, text);
    if (note !== undefined) yield note;
  }
}

export type LocalNames = ReadonlyMap<string, string>;

/** Names stay readable and work as file names everywhere. */
const longest = 60;

/** Returns lowercase letters, digits, `-` and `_`, or an empty text. */
function slug(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9_]+/g, '-');
  return letters.slice(0, longest).replaceAll(/^[-_]+|[-_]+$/g, '');
}

/** Names text without Latin letters. The name is the same in every account. */
const hashedName = ({ resource }: Kind, text: string): string =>
  `${resource.singular}-${hash('sha256', text, 'hex').slice(0, 8)}`;

/** Returns the id of a record. For an object that an account has once, it is the kind's name. */
export const objectId = (kind: Kind, record: JsonObject): string =>
  kind.shape === 'one' ? kind.name : typeof record.id === 'string' ? record.id : String(record.id ?? '');

/** The first natural key that the record has. */
export interface NaturalKey {
  readonly field: string;
  readonly text: string;
  /** True for one of several values, such as a number of a callflow. */
  readonly item: boolean;
}

/** Keys with one value come before keys with several. */
export function naturalKey(kind: Kind, record: JsonObject): NaturalKey | undefined {
  const { listFields } = kind.resource;
  const found = kind.keys.flatMap((field): readonly NaturalKey[] => {
    // A key that lists do not contain cannot be searched.
    if (listFields.length > 0 && !listFields.includes(field)) return [];
    const value = valueAt(record, field);
    if (typeof value === 'string' && value !== '') return [{ field, text: value, item: false }];
    if (!Array.isArray(value)) return [];
    const first = value.find((item) => typeof item === 'string' && item !== '');
    return typeof first === 'string' ? [{ field, text: first, item: true }] : [];
  });
  return found.find(({ item }) => !item) ?? found[0];
}

export const comparedKey = ({ resource }: Kind, { field, text }: NaturalKey): string =>
  `${field} ${comparedForm(resource, field, text)}`;

/** Names objects by natural key, or by id if they have none. `taken` contains existing names by id. */
export function localNames(
  kind: Kind,
  records: readonly JsonObject[],
  taken: LocalNames = new Map(),
): LocalNames {
  const names = new Map<string, string>();
  if (kind.shape === 'one') return names.set(kind.name, kind.name);
  const keys = records.map((record) => ({ id: objectId(kind, record), key: naturalKey(kind, record) }));
  if (kind.keys.length === 1 && kind.keys[0] === 'id') {
    for (const { id } of keys) names.set(id, id);
    return names;
  }
  const counts = new Map<string, number>();
  for (const { key } of keys) {
    if (!key) continue;
    const text = comparedKey(kind, key);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const used = new Set<string>();
  const next = new Map<string, number>();
  const ids = new Set(keys.map(({ id }) => id));
  const isTaken = (name: string, own: string): boolean => used.has(name) || (name !== own && ids.has(name));
  /** Appends a number if the name is used or is the id of another object. */
  const unusedName = (name: string, own: string): string => {
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
    const alone = key !== undefined && counts.get(comparedKey(kind, key)) === 1;
    const byId = `${kind.resource.singular}-${slug(id).slice(0, 8)}`;
    const name = alone
      ? unusedName(slug(key.text) || hashedName(kind, key.text), id)
      : localNameProblem(id)
        ? unusedName(byId, id)
        : id;
    names.set(id, name);
    used.add(name);
  }
  return names;
}

/** Returns `user alice` or `callflow "Main line"`. For objects that an account has once, returns the section's name. */
export function exportedLabel(kind: Kind, record: JsonObject): string {
  if (kind.shape === 'one') return kind.name;
  const key = naturalKey(kind, record);
  const text = key?.text ?? (typeof record.name === 'string' ? record.name : objectId(kind, record));
  return `${kind.resource.singular} ${quoteName(text)}`;
}
