import { Failure } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { comparedForm } from '../../contract/schema.ts';
import type { LedgerEntry } from '../state/ledger.ts';
import { canonicalField, type Shaped } from './canonical.ts';
import type { DesiredObject } from './desired.ts';
import type { Kind } from './kinds.ts';

export interface Findable extends Shaped, Pick<Kind, 'resource' | 'keys'> {}

export interface KnownObjects {
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  readonly anywhere: ReadonlyMap<string, ReadonlySet<string>>;
  /** Chooses one of several possible objects. Without it, several objects are an error. */
  readonly choose?: ((key: string, ids: readonly string[]) => string) | undefined;
}

/**
 * Finds live objects in this order: id, ledger, local name, natural key. Throws `Failure` (`conflict`) if several
 * match.
 */
export function matchObjects(
  kind: Kind,
  objects: readonly DesiredObject[],
  listed: readonly JsonObject[],
  known: KnownObjects,
): ReadonlyMap<string, string> {
  const ids = new Set(listed.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
  const found = new Map<string, string>();
  const taken = new Map<string, DesiredObject>();
  const claim = (object: DesiredObject, id: string): void => {
    const other = taken.get(id);
    if (other !== undefined) throw sameObjectFailure(kind, object, other, id);
    taken.set(id, object);
    found.set(object.key, id);
  };
  for (const object of objects) {
    // The local name of an object without a name can be its id.
    const said = object.id !== undefined && ids.has(object.id) ? object.id : undefined;
    const id =
      said ?? findInLedger(object, ids, known.entries) ?? (ids.has(object.name) ? object.name : undefined);
    if (id !== undefined) claim(object, id);
  }
  const index = indexByNaturalKey(kind, listed);
  const byLedger = new Set(found.values());
  for (const object of objects) {
    if (found.has(object.key)) continue;
    const id = findByNaturalKey(kind, object, index, ids, byLedger, known);
    if (id !== undefined) claim(object, id);
  }
  return found;
}

function findInLedger(
  { key, kind, renamedFrom }: DesiredObject,
  ids: ReadonlySet<string>,
  entries: ReadonlyMap<string, LedgerEntry>,
): string | undefined {
  return [key, ...(renamedFrom === undefined ? [] : [`${kind}.${renamedFrom}`])]
    .map((each) => entries.get(each)?.id)
    .find((id) => id !== undefined && ids.has(id));
}

/** `taken` contains ids that the ledger has for other objects. */
function findByNaturalKey(
  kind: Kind,
  object: DesiredObject,
  index: ReturnType<typeof indexByNaturalKey>,
  ids: ReadonlySet<string>,
  taken: ReadonlySet<string>,
  { anywhere, choose }: KnownObjects,
): string | undefined {
  if (kind.keys.includes('id')) return [object.name, normalisedNumber(object.name)].find((id) => ids.has(id));
  for (const { key, texts } of listSearches(kind, object)) {
    const candidates = new Set(
      texts.flatMap((text) => index.idsOf(key, text)).filter((id) => !taken.has(id)),
    );
    const own = anywhere.get(object.key);
    const meant = candidates.size > 1 ? [...candidates].filter((id) => own?.has(id)) : [...candidates];
    if (candidates.size > 1 && meant.length !== 1) {
      if (choose === undefined) throw ambiguousFailure(kind, object, key, [...candidates]);
      return choose(object.key, [...candidates].sort());
    }
    for (const id of meant) return id;
  }
  return undefined;
}

/** Returns ids of other live objects with the same name, by key. `managed` objects are not duplicates. */
export function listDoubles(
  kind: Kind,
  objects: readonly DesiredObject[],
  listed: readonly JsonObject[],
  { found, managed }: { readonly found: ReadonlyMap<string, string>; readonly managed: ReadonlySet<string> },
): ReadonlyMap<string, readonly string[]> {
  const meant = new Set(found.values());
  const others = listed.filter(({ id }) => typeof id === 'string' && !meant.has(id) && !managed.has(id));
  if (kind.keys.includes('id') || others.length === 0) return new Map();
  const index = indexByNaturalKey(kind, others);
  return new Map(
    objects.flatMap((object): readonly (readonly [string, readonly string[]])[] => {
      const [best] = listSearches(kind, object);
      if (best === undefined || isListField(kind, best.key) || !found.has(object.key)) return [];
      const ids = new Set(best.texts.flatMap((text) => index.idsOf(best.key, text)));
      return ids.size === 0 ? [] : [[object.key, [...ids].sort()]];
    }),
  );
}

interface Search {
  readonly key: string;
  readonly texts: readonly string[];
}

/** Keys with several values are used only if there is no other key. */
function listSearches(kind: Kind, object: DesiredObject): readonly Search[] {
  const given = kind.keys.flatMap((key): readonly Search[] => {
    const texts = canonicalTexts(kind, object.fields, key);
    return texts.length === 0 ? [] : [{ key, texts }];
  });
  const isUnique = ({ key }: Search): boolean =>
    !isListField(kind, key) && kind.resource.unique.some(({ field }) => field === key);
  const [best, ...others] = given;
  const { renamedFrom } = object;
  const former = renamedFrom === undefined ? [] : kind.keys.filter((key) => !isListField(kind, key));
  return [
    ...(best ? [best] : []),
    ...others.filter(isUnique),
    ...former.map((key) => ({ key, texts: canonicalTexts(kind, { [key]: renamedFrom }, key) })),
  ];
}

const isListField = ({ schema }: Shaped, key: string): boolean => schema.properties?.[key]?.type === 'array';

export function sharedNameKey(kind: Kind): string | undefined {
  const [key] = kind.keys;
  if (key === undefined || key === 'id' || kind.shape === 'one' || isListField(kind, key)) return undefined;
  return kind.resource.unique.some(({ field }) => field === key) ? undefined : key;
}

export function canonicalTexts(kind: Shaped, record: JsonObject, key: string): readonly string[] {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  if (value === undefined || value === null) return [];
  const kept = canonicalField(kind, key, value);
  const values: readonly Json[] = Array.isArray(kept) ? kept : [kept];
  return values.flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
}

export function indexByNaturalKey(kind: Findable, listed: readonly JsonObject[]) {
  const maps = new Map<string, Map<string, string[]>>();
  const folded = (key: string, text: string): string => comparedForm(kind.resource, key, text);
  const indexByKey = (key: string): Map<string, string[]> => {
    const known = maps.get(key);
    if (known) return known;
    const made = new Map<string, string[]>();
    for (const item of listed) {
      if (typeof item.id !== 'string') continue;
      for (const text of new Set(canonicalTexts(kind, item, key).map((each) => folded(key, each)))) {
        const ids = made.get(text);
        if (ids) ids.push(item.id);
        else made.set(text, [item.id]);
      }
    }
    maps.set(key, made);
    return made;
  };
  return {
    idsOf: (key: string, text: string): readonly string[] => indexByKey(key).get(folded(key, text)) ?? [],
  };
}

function ambiguousFailure(kind: Kind, object: DesiredObject, key: string, ids: readonly string[]): Failure {
  const texts = canonicalTexts(kind, object.fields, key);
  const which = texts.length === 1 ? JSON.stringify(texts[0]) : JSON.stringify(texts);
  return new Failure(
    'conflict',
    `${object.place()}: ${object.key} could be ${ids.length} ${kind.resource.name} of the account, whose ${key} is ${which}: ${ids.join(', ')}. Nothing was sent.`,
    {
      hint: `Name the one you mean in ${object.key} (id: ID), or give the others another ${key}. If they are duplicates, --delete-doubles adopts one and deletes the others.`,
      details: { object: object.key, ids },
    },
  );
}

function sameObjectFailure(kind: Kind, one: DesiredObject, other: DesiredObject, id: string): Failure {
  return new Failure(
    'conflict',
    `${one.place()}: ${one.key} and ${other.key} (${other.place()}) mean the same ${kind.resource.singular}, ${id}. Nothing was sent.`,
    { details: { objects: [other.key, one.key], id } },
  );
}
