import { isObject, type Json, type JsonObject, omitKeys, omitUndefined } from '../../base/json.ts';
import { anyEmergencyNumbers, emergencyNumbers } from '../../contract/emergency-numbers.ts';
import { emergencyProblems } from '../../contract/emergency-problems.ts';
import { extraKey } from '../input/read-fields.ts';
import type { Section } from './account-reader.ts';
import { isNamedById, objectsThatNeedIds } from './desired/natural-keys.ts';
import { exportFields } from './export/export-fields.ts';
import {
  createKnownIds,
  createMarkReader,
  type KnownIds,
  placeholderAt,
  placeholderNames,
  type SeenIds,
} from './export/known-ids.ts';
import { omitDefaults } from './export/omit-defaults.ts';
import {
  type Exported,
  type ExportedObject,
  exportedLabel,
  type Lists,
  type LocalNames,
  localNames,
  type MarkReader,
  objectId,
} from './exported.ts';
import { type Kind, type KindName, keyWithin } from './kinds.ts';
import { findCuts, neededKeys } from './plan/circles.ts';

export interface ExportSettings {
  readonly reveal: boolean;
  /** Local names in an existing manifest, by kind and id. */
  readonly taken: ReadonlyMap<KindName, LocalNames>;
  /** Keeps fields with default values in `whole`, because an existing manifest may contain them. */
  readonly defaults: boolean;
  /** Exports unknown fields under `extra`. */
  readonly allFields: boolean;
}

/**
 * Builds the manifest of an account from records in any order. The same account always results in the same manifest.
 */
export class ExportBuilder {
  readonly #lists: Lists;
  readonly #settings: ExportSettings;
  readonly #names: ReadonlyMap<KindName, LocalNames>;
  readonly #described: readonly Section[];
  readonly #ids: KnownIds;
  readonly #objects: ReadonlyMap<KindName, ExportedObject[]>;
  readonly #directoriesByUser = new Map<string, Json>();
  readonly #membersByDirectory = new Map<string, Json>();
  readonly #emergencySuspects = new Map<string, JsonObject>();
  readonly #flows = new Map<string, Json>();

  constructor(lists: Lists, settings: ExportSettings) {
    const { exported, others } = lists;
    const { taken } = settings;
    this.#lists = lists;
    this.#settings = settings;
    this.#names = new Map([
      ...taken,
      ...exported.map(
        ({ kind, records }) => [kind.name, localNames(kind, records, taken.get(kind.name))] as const,
      ),
    ]);
    this.#described = others.map(({ kind, records }) => ({
      kind,
      records: records.filter((item) => taken.get(kind.name)?.has(objectId(kind, item))),
    }));
    this.#ids = createKnownIds([...exported, ...this.#described], this.#names);
    this.#objects = new Map(exported.map(({ kind }) => [kind.name, []]));
  }

  /** Returns true if the account's country determines whether an object prevents emergency calls. */
  get needsCountry(): boolean {
    return this.#emergencySuspects.size > 0;
  }

  addRecord(kind: Kind, record: JsonObject): void {
    const id = objectId(kind, record);
    if (kind.name === 'users' && record.directories !== undefined)
      this.#directoriesByUser.set(id, record.directories);
    if (kind.name === 'directories' && record.users !== undefined)
      this.#membersByDirectory.set(id, record.users);
    if (record.flow !== undefined) this.#flows.set(id, record.flow);
    const object = this.#objectOf(kind, id, record);
    const { fields, left, leftToExtra } = object;
    if (emergencyProblems(kind.resource.name, record, { numbers: anyEmergencyNumbers }).length > 0)
      this.#emergencySuspects.set(object.key, record);
    if (kind.shape === 'many' || Object.keys(fields).length + left.length + leftToExtra.length > 0)
      this.#objects.get(kind.name)?.push(object);
  }

  /** `missing` contains the reason for each incomplete kind. */
  finish(missing: ReadonlyMap<KindName, string>, country?: string): Exported {
    const sections = this.#lists.exported.map(({ kind }) => {
      const objects = (this.#objects.get(kind.name) ?? [])
        .map((object) => this.#withEmergency(this.#withoutMembers(object), country))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      return omitUndefined({ kind, objects: withNeededIds(kind, objects), missing: missing.get(kind.name) });
    });
    const shown = this.#markReader(sections.flatMap(({ objects }) => objects));
    return { account: this.#lists.account, sections, isWhole: missing.size === 0, shown };
  }

  #keyOf(kind: Kind, id: string): string {
    return keyWithin(kind, this.#names.get(kind.name)?.get(id) ?? id);
  }

  #objectOf(kind: Kind, id: string, record: JsonObject): ExportedObject {
    const { allFields, defaults, reveal } = this.#settings;
    const key = this.#keyOf(kind, id);
    const seen: SeenIds = { keys: new Set(), hasUnknown: false };
    const seenInExtra: SeenIds = { keys: new Set(), hasUnknown: false };
    const settings = settingsOnly(kind, record, this.#objects.has('metaflows'));
    const { fields, extra, left, leftToExtra, variables } = exportFields(kind, settings, {
      ids: this.#ids,
      seen,
      seenInExtra,
      accountId: this.#lists.account.id,
      reveal,
      placeholder: (path) => placeholderAt(key, path),
    });
    const needed = omitDefaults(kind, fields);
    // An existing manifest may contain some of the unknown fields.
    const hasExtra = (allFields || defaults) && leftToExtra.length > 0;
    const unknown: JsonObject = hasExtra ? { [extraKey]: extra } : {};
    return {
      kind,
      name: this.#names.get(kind.name)?.get(id) ?? id,
      key,
      id,
      fields: { ...needed, ...(allFields ? unknown : {}) },
      whole: { ...(defaults ? fields : needed), ...unknown },
      left,
      leftToExtra: allFields ? [] : leftToExtra,
      refersTo: [...new Set([...seen.keys, ...(hasExtra ? seenInExtra.keys : [])])],
      variables,
      hasUnknownIds: seen.hasUnknown || (hasExtra && seenInExtra.hasUnknown),
      ...(hasOwnFile(kind, record) ? { hasFile: true } : {}),
    };
  }

  /** Adds the effects on emergency calls, and the mark that allows them. */
  #withEmergency(object: ExportedObject, country: string | undefined): ExportedObject {
    const record = this.#emergencySuspects.get(object.key);
    if (record === undefined) return object;
    const facts = { numbers: emergencyNumbers(country), flowOf: (id: string) => this.#flows.get(id) };
    const problems = emergencyProblems(object.kind.resource.name, record, facts);
    if (problems.length === 0) return object;
    const marks = { allow_emergency_shadow: true };
    return {
      ...object,
      fields: { ...object.fields, ...marks },
      whole: { ...object.whole, ...marks },
      emergency: problems.map(({ message }) => message),
    };
  }

  /** The service computes these members from users (Conventions, directories). */
  #withoutMembers(object: ExportedObject): ExportedObject {
    const members = this.#membersByDirectory.get(object.id);
    if (object.kind.name !== 'directories' || !this.#areComputed(object.id, members)) return object;
    const { fields, whole } = object;
    return {
      ...object,
      fields: omitKeys(fields, ['users']),
      whole: omitKeys(whole, ['users']),
      refersTo: [],
    };
  }

  #areComputed(directoryId: string, members: Json | undefined): boolean {
    return (
      Array.isArray(members) &&
      members.every((member: unknown) => {
        if (!isObject(member) || typeof member.user_id !== 'string') return false;
        const directories = this.#directoriesByUser.get(member.user_id);
        return (
          isObject(directories) &&
          Object.hasOwn(directories, directoryId) &&
          directories[directoryId] === member.callflow_id
        );
      })
    );
  }

  #markReader(objects: readonly ExportedObject[]): MarkReader {
    const { exported, others } = this.#lists;
    const refersTo = new Map(
      objects.map(({ key, kind, whole, refersTo }) => [
        key,
        neededKeys({ kind: kind.name, fields: whole, refersTo }),
      ]),
    );
    const withKeys = (sections: readonly Section[]) =>
      sections.flatMap(({ kind, records }) =>
        records.map((fields) => {
          const id = objectId(kind, fields);
          return { kind, fields, id, key: this.#keyOf(kind, id) };
        }),
      );
    const othersById = others.flatMap(({ kind, records }) =>
      records.map(
        (item) => [objectId(kind, item), `${exportedLabel(kind, item)}, which is not exported`] as const,
      ),
    );
    return createMarkReader({
      ids: new Map(withKeys(exported).map(({ key, id }) => [key, id])),
      described: new Map([...objects, ...withKeys(this.#described)].map((each) => [each.key, each])),
      cut: findCuts([...refersTo.keys()].reverse(), (key) => refersTo.get(key) ?? []),
      others: new Map(othersById),
      variables: placeholderNames(objects),
    });
  }
}

/** Adds ids to objects that only their ids distinguish, unless the local name is an id. */
function withNeededIds(kind: Kind, objects: readonly ExportedObject[]): readonly ExportedObject[] {
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

/** The service generates the audio of `tts` media itself. */
const hasOwnFile = ({ calls }: Kind, { content_length: size, media_source: source }: JsonObject): boolean =>
  calls.download !== undefined && typeof size === 'number' && source !== 'tts';

/** Omits values that are not settings or belong to another section, such as the account's name or port comments. */
function settingsOnly(kind: Kind, record: JsonObject, withMetaflows: boolean): JsonObject {
  if (kind.name === 'ports') return omitKeys(record, ['comments']);
  if (kind.calls.upload) return omitKeys(record, ['content_type', 'content_length']);
  if (kind.name !== 'account_settings') return record;
  const own = kind.resource.unique.filter(({ within }) => within === 'service').map(({ field }) => field);
  return omitKeys(record, withMetaflows ? [...own, 'metaflows'] : own);
}
