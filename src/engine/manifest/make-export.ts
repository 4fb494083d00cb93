import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject, omitKeys, omitUndefined } from '../../base/json.ts';
import { anyEmergencyNumbers, emergencyNumbers } from '../../contract/emergency-numbers.ts';
import { emergencyProblems } from '../../contract/emergency-problems.ts';
import { stepNode } from '../../contract/module-data.ts';
import { resolved, type SchemaNode, stepKind } from '../../contract/schema-node.ts';
import { extraKey } from '../input/read-fields.ts';
import type { Section } from './account-reader.ts';
import { isNamedById, objectsThatNeedIds } from './desired/natural-keys.ts';
import { exportFields } from './export/export-fields.ts';
import { knownIds, markReader, placeholderAt, placeholderNames, type Sightings } from './export/known-ids.ts';
import {
  type Exported,
  type ExportedObject,
  exportedLabel,
  idOf,
  type Lists,
  type LocalNames,
  localNames,
  type MarkReader,
} from './exported.ts';
import { type Kind, type KindName, keyWithin } from './kinds.ts';
import { cutsOf, neededFirst } from './plan/circles.ts';

export interface Making {
  /** Secrets in clear. */
  readonly reveal: boolean;
  /** Local names that objects have in a manifest already, by kind and id. */
  readonly taken: ReadonlyMap<KindName, LocalNames>;
  /** Fields with default values are kept beside the others, for a manifest that may name them. */
  readonly defaults: boolean;
  /** True when fields that the contract does not know stand under `extra`. */
  readonly allFields: boolean;
}

/** An export in the making: takes records as they are read, in any order, and keeps of each what is written. */
interface Maker {
  take(kind: Kind, record: JsonObject): void;
  /** The export; `missing` says of kinds that were not read whole why. */
  finish(missing: ReadonlyMap<KindName, string>, country?: string): Exported;
  /** True if the country of the account decides about some object. */
  readonly needsCountry: boolean;
}

/**
 * Begins a manifest of an account: names instead of ids, without what the service makes, without secrets. The same
 * account gives the same manifest, in whatever order its records come.
 */
export function exportMaker(lists: Lists, { reveal, taken, defaults, allFields }: Making): Maker {
  const { account } = lists;
  const names = new Map([
    ...taken,
    ...lists.exported.map(
      ({ kind, records }) => [kind.name, localNames(kind, records, taken.get(kind.name))] as const,
    ),
  ]);
  const described = lists.others.map((list) => describedIn(list, taken));
  const ids = knownIds([...lists.exported, ...described], names);
  const kindNames = new Set(lists.exported.map(({ kind }) => kind.name));
  const objects = new Map<KindName, ExportedObject[]>(lists.exported.map(({ kind }) => [kind.name, []]));
  /** Directories that users are in, by user; members that directories show, by directory. */
  const places = new Map<string, Json>();
  const members = new Map<string, Json>();
  /** Records that may keep somebody from calling for help, by key, and the steps of callflows by id. */
  const suspects = new Map<string, JsonObject>();
  const flows = new Map<string, Json>();

  function take(kind: Kind, record: JsonObject): void {
    const id = idOf(kind, record);
    if (kind.name === 'users' && record.directories !== undefined) places.set(id, record.directories);
    if (kind.name === 'directories' && record.users !== undefined) members.set(id, record.users);
    const made = { ...objectOf(kind, id, settingsOnly(kind, record, kindNames)), ...fileOf(kind, record) };
    const { fields, left, leftToExtra } = made;
    if (record.flow !== undefined) flows.set(id, record.flow);
    const anywhere = { numbers: anyEmergencyNumbers };
    if (emergencyProblems(kind.resource.name, record, anywhere).length > 0) suspects.set(made.key, record);
    if (kind.shape === 'many' || Object.keys(fields).length + left.length + leftToExtra.length > 0)
      objects.get(kind.name)?.push(made);
  }

  function objectOf(kind: Kind, id: string, record: JsonObject): ExportedObject {
    const name = names.get(kind.name)?.get(id) ?? id;
    const key = keyWithin(kind, name);
    const seen: Sightings = { keys: new Set(), strays: false };
    const seenInExtra: Sightings = { keys: new Set(), strays: false };
    const { fields, extra, left, leftToExtra, variables } = exportFields(kind, record, {
      ids,
      seen,
      seenInExtra,
      accountId: account.id,
      reveal,
      placeholder: (path) => placeholderAt(key, path),
    });
    const needed = withoutDefaults(kind, fields);
    // A manifest that is brought up to date may have some of it already.
    const hasExtra = (allFields || defaults) && leftToExtra.length > 0;
    const beside: JsonObject = hasExtra ? { [extraKey]: extra } : {};
    const made: ExportedObject = {
      kind,
      name,
      key,
      id,
      fields: { ...needed, ...(allFields ? beside : {}) },
      whole: { ...(defaults ? fields : needed), ...beside },
      left,
      leftToExtra: allFields ? [] : leftToExtra,
      refersTo: [...new Set([...seen.keys, ...(hasExtra ? seenInExtra.keys : [])])],
      variables,
      strays: seen.strays || (hasExtra && seenInExtra.strays),
    };
    return made;
  }

  /** Returns what an object does to emergency calls, with the mark that allows it. */
  function withEmergency(object: ExportedObject, country: string | undefined): ExportedObject {
    const record = suspects.get(object.key);
    if (record === undefined) return object;
    const facts = { numbers: emergencyNumbers(country), flowOf: (id: string) => flows.get(id) };
    const emergency = emergencyProblems(object.kind.resource.name, record, facts).map(
      ({ message }) => message,
    );
    const marks = { allow_emergency_shadow: true };
    return emergency.length === 0
      ? object
      : {
          ...object,
          fields: { ...object.fields, ...marks },
          whole: { ...object.whole, ...marks },
          emergency,
        };
  }

  function finish(missing: ReadonlyMap<KindName, string>, country?: string): Exported {
    const sections = lists.exported.map(({ kind }) => {
      const found = (objects.get(kind.name) ?? [])
        .map((object) => withEmergency(withoutMembers(object), country))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const made = withIds(kind, found);
      return omitUndefined({ kind, objects: made, missing: missing.get(kind.name) });
    });
    const shown = readerOf(
      sections.flatMap((section) => section.objects),
      described,
    );
    return { account, sections, isWhole: missing.size === 0, shown };
  }

  function withoutMembers(object: ExportedObject): ExportedObject {
    if (object.kind.name !== 'directories' || !isWorkedOut(object.id, members.get(object.id), places))
      return object;
    const { fields, whole } = object;
    return {
      ...object,
      fields: omitKeys(fields, ['users']),
      whole: omitKeys(whole, ['users']),
      refersTo: [],
    };
  }

  function readerOf(all: readonly ExportedObject[], alsoNamed: readonly Section[]): MarkReader {
    const refersTo = new Map(
      all.map(({ key, kind, whole, refersTo }) => [
        key,
        neededFirst({ kind: kind.name, fields: whole, refersTo }),
      ]),
    );
    const keyed = (listed: readonly Section[]) =>
      listed.flatMap(({ kind, records }) =>
        records.map((fields) => {
          const id = idOf(kind, fields);
          return { kind, fields, id, key: `${kind.name}.${names.get(kind.name)?.get(id) ?? id}` };
        }),
      );
    return markReader({
      ids: new Map(keyed(lists.exported).map(({ key, id }) => [key, id])),
      described: new Map([...all, ...keyed(alsoNamed)].map((each) => [each.key, each])),
      cut: cutsOf([...refersTo.keys()].reverse(), (key) => refersTo.get(key) ?? []),
      others: new Map(
        lists.others.flatMap(({ kind, records }) =>
          records.map(
            (item) => [idOf(kind, item), `${exportedLabel(kind, item)}, which is not exported`] as const,
          ),
        ),
      ),
      variables: placeholderNames(all),
    });
  }

  return {
    take,
    finish,
    get needsCountry() {
      return suspects.size > 0;
    },
  };
}

/** Objects of a kind, with their ids where nothing else tells them from others, and their local names are none. */
function withIds(kind: Kind, objects: readonly ExportedObject[]): readonly ExportedObject[] {
  if (kind.keys.includes('id')) return objects;
  const named = objects.map(({ fields }) => ({ kind: kind.name, name: '', fields }));
  const alike = objectsThatNeedIds(named);
  if (alike.size === 0) return objects;
  return objects.map((object, index) => {
    const { id, name, fields, whole } = object;
    const isAlike = named[index] !== undefined && alike.has(named[index]);
    if (!isAlike || isNamedById({ name })) return object;
    return { ...object, fields: { id, ...fields }, whole: { id, ...whole } };
  });
}

/** Says that an object has a file that somebody gave it: the service speaks texts by itself. */
const fileOf = (
  { calls }: Kind,
  { content_length: size, media_source: source }: JsonObject,
): Pick<ExportedObject, 'hasFile'> =>
  calls.download !== undefined && typeof size === 'number' && source !== 'tts' ? { hasFile: true } : {};

/** Those objects of a list that a manifest describes already. */
const describedIn = ({ kind, records }: Section, taken: Making['taken']): Section => ({
  kind,
  records: records.filter((item) => taken.get(kind.name)?.has(idOf(kind, item))),
});

/**
 * Fields without those that say nothing: a value that the service gives by itself, an object or list with nothing in it
 * (Conventions, Values that are filled in). Lists and maps stay as they are, since they are compared as a whole; so do
 * defaults of what an account has once, which exists before a manifest is applied.
 */
function withoutDefaults(kind: Kind, fields: JsonObject): JsonObject {
  const needed = neededBy(kind);
  const visit = (reference: SchemaNode, value: JsonObject, top: boolean): JsonObject => {
    const plain = resolved(kind.schema, reference);
    const isStep = stepKind(plain) !== undefined;
    const node = stepNode(kind.schema, plain, value.module);
    const kept: (readonly [string, Json])[] = [];
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      const child = node.properties && Object.hasOwn(node.properties, key) ? node.properties[key] : undefined;
      if (!child || (top && needed.has(key))) kept.push([key, inner]);
      else if (isStep && key === 'children' && isObject(inner)) kept.push(...branches(plain, inner));
      else {
        const field = resolved(kind.schema, child);
        const isNeeded = node.required?.includes(key) === true;
        if (kind.shape === 'many' && (isDefault(field, inner) || (isEmptyList(field, inner) && !isNeeded)))
          continue;
        const rest = isObject(inner) ? visit(field, inner, false) : inner;
        if (!isObject(rest) || isStep || Object.keys(rest).length > 0) kept.push([key, rest]);
      }
    }
    return Object.fromEntries(kept);
  };
  /** Returns the steps that follow a step; nothing where the flow ends. */
  const branches = (node: SchemaNode, children: JsonObject): readonly (readonly [string, Json])[] => {
    const entries = Object.entries(children).map(([key, step]) => [
      key,
      isObject(step) ? visit(node, step, false) : (step ?? null),
    ]);
    return entries.length === 0 ? [] : [['children', Object.fromEntries(entries)]];
  };
  return visit(kind.schema, fields, true);
}

const neededFields = new WeakMap<Kind, ReadonlySet<string>>();

function neededBy(kind: Kind): ReadonlySet<string> {
  const needed = neededFields.get(kind) ?? new Set(kind.resource.required.flatMap((rule) => rule.fields));
  neededFields.set(kind, needed);
  return needed;
}

const defaultOf = (node: SchemaNode): unknown => node.default ?? node['x-convention']?.default;

const isEmptyList = (node: SchemaNode, value: Json): boolean =>
  Array.isArray(value) && value.length === 0 && defaultOf(node) === undefined;

function isDefault(node: SchemaNode, value: Json): boolean {
  const given = defaultOf(node);
  if (given === undefined || typeof given !== 'object') return given === value;
  return isDeepStrictEqual(given, value);
}

/**
 * A record without what is no setting or stands in another section: name and realm of the account; its metaflows, where
 * they are exported too; comments on port requests; what an upload sets.
 */
function settingsOnly(kind: Kind, record: JsonObject, exported: ReadonlySet<KindName>): JsonObject {
  if (kind.name === 'ports') return omitKeys(record, ['comments']);
  if (kind.calls.upload) return omitKeys(record, ['content_type', 'content_length']);
  if (kind.name !== 'account_settings') return record;
  const own = kind.resource.unique.filter(({ within }) => within === 'service').map(({ field }) => field);
  return omitKeys(record, exported.has('metaflows') ? [...own, 'metaflows'] : own);
}

/** True for members that the service works out from the directories that users name (Conventions, directories). */
function isWorkedOut(
  directoryId: string,
  members: Json | undefined,
  places: ReadonlyMap<string, Json>,
): boolean {
  return (
    Array.isArray(members) &&
    members.every((member: unknown) => {
      if (!isObject(member)) return false;
      const named = typeof member.user_id === 'string' ? places.get(member.user_id) : undefined;
      return (
        isObject(named) && Object.hasOwn(named, directoryId) && named[directoryId] === member.callflow_id
      );
    })
  );
}
