import { isEqualJson, isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { withDialledNumbers } from '../../../contract/phone-number.ts';
import { findChildNode, type SchemaNode } from '../../../contract/schema-node.ts';
import type { Section } from '../account-reader.ts';
import { canonicalAt } from '../canonical.ts';
import {
  comparedKey,
  type Exported,
  type ExportedObject,
  type ExportedSection,
  type LocalNames,
  naturalKey,
  objectId,
} from '../exported.ts';
import { type Kind, type KindName, kinds } from '../kinds.ts';
import { entriesText, objectText, sectionText, shownValue } from '../manifest-text.ts';
import { isPlaceholder } from './known-ids.ts';
import type { YamlFile, YamlMap, YamlValue } from './yaml-file.ts';

export interface ExistingFile {
  readonly name: string;
  readonly file: YamlFile;
}

export interface Placed {
  readonly kind: Kind;
  readonly name: string;
  readonly key: string;
  readonly fields: YamlMap;
  readonly within: YamlMap;
  readonly document: YamlMap;
  readonly file: ExistingFile;
}

export const documentsAbout = (
  { file }: ExistingFile,
  accountNames: ReadonlySet<string>,
): readonly YamlMap[] =>
  file.documents.filter((document) => {
    const account = document.get('account');
    return account?.kind !== 'scalar' || accountNames.has(account.text.toLowerCase());
  });

export function findPlaced(
  files: readonly ExistingFile[],
  accountNames: ReadonlySet<string>,
): readonly Placed[] {
  return files.flatMap((file) =>
    documentsAbout(file, accountNames).flatMap((document) =>
      kinds.flatMap((kind): readonly Placed[] => {
        const section = document.get(kind.name);
        if (section?.kind !== 'map') return [];
        const common = { kind, document, file };
        if (kind.shape === 'one')
          return [{ ...common, name: kind.name, key: kind.name, fields: section, within: document }];
        return section.keys().flatMap((name) => {
          const fields = section.get(name);
          return fields?.kind === 'map'
            ? [{ ...common, name, key: `${kind.name}.${name}`, fields, within: section }]
            : [];
        });
      }),
    ),
  );
}

/** Returns local names by kind and id. The ledger decides between objects with the same natural key. */
export function takenNames(
  placed: readonly Placed[],
  lists: readonly Section[],
  known: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<KindName, LocalNames> {
  const byKind = Map.groupBy(placed, ({ kind }) => kind.name);
  return new Map(
    lists.flatMap(({ kind, records }) => {
      const objects = byKind.get(kind.name);
      if (!objects || kind.shape === 'one') return [];
      const ids = new Map<string, Set<string>>();
      for (const record of records)
        for (const field of kind.keys) {
          const key = naturalKey({ ...kind, keys: [field] }, record);
          if (!key) continue;
          const text = comparedKey(kind, key);
          ids.set(text, (ids.get(text) ?? new Set()).add(objectId(kind, record)));
        }
      const there = new Set(records.map((record) => objectId(kind, record)));
      const names = new Map<string, string>();
      for (const { name, key: objectKey, fields } of objects) {
        const key = naturalKey(kind, naturalTexts(kind, fields));
        const named = [...((key && ids.get(comparedKey(kind, key))) ?? [])];
        const meant = named.length > 1 ? named.filter((each) => known.get(objectKey)?.has(each)) : named;
        const said = fields.get('id');
        const own = [said?.kind === 'scalar' ? said.text : name, name].find((each) => there.has(each));
        const id = own ?? (meant.length === 1 ? meant[0] : undefined);
        if (id !== undefined && !names.has(id)) names.set(id, name);
      }
      return [[kind.name, names] as const];
    }),
  );
}

const naturalTexts = (kind: Kind, fields: YamlMap): JsonObject =>
  Object.fromEntries(
    kind.keys.map((field) => {
      const value = fields.get(field);
      if (value?.kind === 'scalar') return [field, value.text];
      const items = value?.kind === 'list' ? value.items : [];
      return [field, items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : []))];
    }),
  );

export interface MergedFiles {
  readonly changed: ReadonlySet<ExistingFile>;
  readonly rest: readonly ExportedSection[];
  /** Objects in files that the account does not have. */
  readonly gone: readonly Placed[];
  /** Keys of objects that several files define. The merge does not change them. */
  readonly several: readonly string[];
}

/** Existing objects keep their place, and new objects are added to their section. */
export function mergeManifest(
  placed: readonly Placed[],
  exported: Exported,
  { oneFileEach, removeMissing }: { readonly oneFileEach: boolean; readonly removeMissing: boolean },
): MergedFiles {
  const changed = new Set<ExistingFile>();
  const byKey = Map.groupBy(placed, ({ key }) => key);
  const rest: ExportedSection[] = [];
  const homes = new Map(placed.map((each) => [each.kind.name, each]));
  for (const section of exported.sections) {
    const fresh: ExportedObject[] = [];
    for (const object of section.objects) {
      const [place, ...others] = byKey.get(object.key) ?? [];
      if (!place) fresh.push(object);
      else if (others.length === 0 && mergeObject(place.fields, exported, object)) changed.add(place.file);
    }
    const home = oneFileEach ? undefined : homes.get(section.kind.name);
    if (home && fresh.length > 0 && section.kind.shape === 'many') {
      for (const object of fresh) home.within.add(objectText(exported, object, ''));
      changed.add(home.file);
    } else if (fresh.length > 0) rest.push({ ...section, objects: fresh });
  }
  const live = new Set(exported.sections.flatMap(({ objects }) => objects.map(({ key }) => key)));
  const whole = new Set(
    exported.sections.flatMap(({ kind, missing }) => (missing === undefined ? [kind.name] : [])),
  );
  const gone = placed.filter(
    ({ kind, key }) => kind.shape === 'many' && whole.has(kind.name) && !live.has(key),
  );
  if (removeMissing)
    for (const { within, document, kind, name, file } of gone) {
      within.remove(name);
      if (within.keys().length === 0) document.remove(kind.name);
      changed.add(file);
    }
  const several = [...byKey].flatMap(([key, places]) => (places.length > 1 && live.has(key) ? [key] : []));
  return { changed, rest, gone, several };
}

export function addSections(
  document: YamlMap,
  exported: Exported,
  sections: readonly ExportedSection[],
): void {
  for (const section of sections) {
    // An empty section may exist.
    document.remove(section.kind.name);
    document.add(sectionText(exported, section).join('\n'));
  }
}

const aboutObjects: ReadonlySet<string> = new Set([
  'renamed_from',
  'protect',
  'allow_emergency_shadow',
  'id',
  'file',
]);

/** The value is unknown here, so it stays. */
const fromOutside = /(?<!\$)\$\{\s*(?:env|file|var)\./;

/**
 * Returns true if the object changed. Keeps values from outside the manifest, and values that the service never
 * shows.
 */
function mergeObject(map: YamlMap, exported: Exported, object: ExportedObject): boolean {
  const { kind } = object;
  const text = (value: JsonObject): string => entriesText(exported, object, value);
  const toShownValue = (value: Json): Json => shownValue(exported, object, value);
  const keyText = (key: string): string => exported.shown.text(object, key);

  const mergeMap = (
    into: YamlMap,
    whole: JsonObject,
    pruned: JsonObject,
    node: SchemaNode,
    path: readonly string[],
  ): boolean => {
    let changed = false;
    const marked = new Map(Object.keys(whole).map((key) => [keyText(key), key]));
    for (const key of into.keys()) {
      const value = into.get(key);
      if (value === undefined || (path.length === 0 && aboutObjects.has(key))) continue;
      const source = marked.get(key);
      const live = source === undefined ? undefined : whole[source];
      if (source === undefined || live === undefined) {
        if (isKept(value)) continue;
        into.remove(key);
        changed = true;
        continue;
      }
      const child = findChildNode(kind.schema, node, key) ?? {};
      const rest = pruned[source];
      const at = [...path, key];
      if (value.kind === 'map' && isObject(live)) {
        if (mergeMap(value, live, isObject(rest) ? rest : {}, child, at)) changed = true;
      } else if (
        !holdsOutside(value) &&
        !isHiddenSecret(live) &&
        !hasSameMeaning(kind, value, toShownValue(live), { node: child, path: at })
      ) {
        into.replace(key, text({ [source]: rest ?? live }));
        changed = true;
      }
    }
    const known = new Set(into.keys());
    const fresh = Object.entries(pruned).filter(([key]) => !known.has(keyText(key)));
    if (fresh.length > 0) into.add(text(Object.fromEntries(fresh)));
    return changed || fresh.length > 0;
  };

  return mergeMap(map, object.whole, object.fields, kind.schema, []);
}

function hasSameMeaning(
  kind: Kind,
  value: YamlValue,
  live: Json,
  { node, path }: { readonly node: SchemaNode; readonly path: readonly string[] },
): boolean {
  const toCanonical = (each: Json): Json => canonicalAt(kind, node, path, each);
  return isEqualJson(toCanonical(withoutPunctuation(kind, toJson(value, live), path)), toCanonical(live));
}

/** Returns numbers without spaces and punctuation, as they are sent. */
const withoutPunctuation = (kind: Kind, value: Json, [field = '', ...below]: readonly string[]): Json =>
  below.length > 0 ? value : (withDialledNumbers(kind.schema, { [field]: value })[field] ?? value);

/** Returns true for an empty value, or one from outside the manifest. It stays even if the account does not have it. */
const isKept = (value: YamlValue): boolean => isNull(value) || holdsOutside(value) || value.kind === 'other';

const isNull = (value: YamlValue): boolean =>
  value.kind === 'scalar' && value.plain && /^(?:null|Null|NULL|~|)$/.test(value.text);

function holdsOutside(value: YamlValue): boolean {
  if (value.kind === 'scalar') return fromOutside.test(value.text);
  if (value.kind === 'list') return value.items.some(holdsOutside);
  return (
    value.kind === 'map' && value.keys().some((key) => holdsOutside(value.get(key) ?? { kind: 'other' }))
  );
}

function isHiddenSecret(value: Json): boolean {
  if (typeof value === 'string') return isPlaceholder(value);
  return Array.isArray(value) && value.some((item: Json) => isHiddenSecret(item));
}

function toJson(value: YamlValue, like: Json | undefined): Json {
  if (value.kind === 'list') {
    const items: readonly Json[] = Array.isArray(like) ? like : [];
    return value.items.map((item, index) => toJson(item, items[index] ?? items[0]));
  }
  if (value.kind === 'map') {
    const inner = isObject(like) ? like : {};
    return Object.fromEntries(
      value.keys().map((key) => [key, toJson(value.get(key) ?? { kind: 'other' }, inner[key])]),
    );
  }
  if (value.kind === 'other' || isNull(value)) return null;
  if (!value.plain || typeof like === 'string') return value.text;
  if (/^(?:true|false)$/i.test(value.text)) return value.text.toLowerCase() === 'true';
  const number = Number(value.text);
  return typeof like === 'number' && value.text !== '' && !Number.isNaN(number) ? number : value.text;
}
