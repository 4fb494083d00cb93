import { isObject, type JsonObject } from '../../contract/json.ts';
import { referencesIn } from '../desired/references.ts';
import type { Kind, KindName } from '../kinds.ts';
import { cutsOf } from './break-cycles.ts';
import { exportFields } from './export-fields.ts';
import type { Exported, ExportedObject, ExportedSection, Section, Snapshot } from './exported.ts';
import { knownIds } from './known-ids.ts';
import { idOf, type LocalNames, localNames, naturalKey } from './local-names.ts';
import { placeholders } from './placeholders.ts';
import { markReader } from './read-marks.ts';
import { withoutDefaults } from './without-defaults.ts';

/** How an export is made. */
export interface Making {
  /** Secrets in clear. */
  readonly reveal: boolean;
  /** Local names that objects have in a manifest already, by kind and id. */
  readonly taken: ReadonlyMap<KindName, LocalNames>;
}

/**
 * Makes a manifest of what was read of an account: names instead of ids, without what the service makes, without
 * secrets. Pure: the same account gives the same manifest.
 */
export function makeExport(snapshot: Snapshot, { reveal, taken }: Making): Exported {
  const { account, others } = snapshot;
  const sections = snapshot.sections.map((section) => settingsOnly(section, snapshot.sections));
  const names = new Map(
    sections.map(({ kind, records }) => [kind.name, localNames(kind, records, taken.get(kind.name))]),
  );
  const ids = knownIds(sections, names);
  const nextPlaceholder = placeholders();
  const objectOf = (kind: Kind, record: JsonObject): ExportedObject => {
    const id = idOf(kind, record);
    const name = names.get(kind.name)?.get(id) ?? id;
    const placeholder = (path: readonly string[]) => nextPlaceholder(kind.name, name, path);
    const { fields, left } = exportFields(kind, record, { ids, accountId: account.id, reveal, placeholder });
    const key = kind.shape === 'one' ? kind.name : `${kind.name}.${name}`;
    return {
      kind,
      name,
      key,
      id,
      label: labelOf(kind, record),
      fields: withoutDefaults(kind, fields),
      whole: fields,
      left,
    };
  };
  const exported = sections.map((section): ExportedSection => {
    const objects = section.records
      .map((record) => objectOf(section.kind, record))
      .filter(
        ({ kind, fields, left }) => kind.shape === 'many' || Object.keys(fields).length + left.length > 0,
      )
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return {
      kind: section.kind,
      objects,
      ...(section.missing === undefined ? {} : { missing: section.missing }),
    };
  });
  const objects = exported.flatMap((section) => section.objects);
  // Callflows keep their references, users lose theirs: what a call does matters more than where a name is listed.
  const refersTo = new Map(objects.map(({ key, fields }) => [key, referencesIn(fields).filter(isObjectKey)]));
  const cuts = cutsOf([...refersTo.keys()].reverse(), (key) => refersTo.get(key) ?? []);
  const shown = markReader({
    idOf: new Map(objects.map(({ key, id }) => [key, id])),
    labels: new Map(objects.map(({ key, label }) => [key, label])),
    cut: new Map(
      [...Map.groupBy(cuts, ({ from }) => from)].map(([from, each]) => [
        from,
        new Set(each.map(({ to }) => to)),
      ]),
    ),
    others: new Map(
      others.flatMap(({ kind, records }) =>
        records.map(
          (record) => [idOf(kind, record), `${labelOf(kind, record)}, which is not exported`] as const,
        ),
      ),
    ),
  });
  const missing = exported.filter((section) => section.missing !== undefined);
  return { account, sections: exported, isWhole: missing.length === 0, shown };
}

const isObjectKey = (key: string): boolean => !key.startsWith('env.');

/** `user alice`, `callflow "Main line"`; the section's name for what an account has once. */
function labelOf(kind: Kind, record: JsonObject): string {
  if (kind.shape === 'one') return kind.name;
  const key = naturalKey(kind, record);
  const text = key?.text ?? (typeof record.name === 'string' ? record.name : idOf(kind, record));
  return `${kind.resource.singular} ${/^[\w.@+-]+$/.test(text) ? text : JSON.stringify(text)}`;
}

/**
 * A section's records without what is no setting, or stands in another section: the name and the realm of the account
 * itself, which no other may have; its metaflows; comments on port requests, which would be made anew; members of a
 * directory that the service works out from its users.
 */
function settingsOnly(section: Section, all: readonly Section[]): Section {
  const { kind, records } = section;
  const has = (name: KindName) => all.some((each) => each.kind.name === name && each.records.length > 0);
  if (kind.name === 'account_settings') {
    const own = kind.resource.unique.filter(({ within }) => within === 'service').map(({ field }) => field);
    return {
      ...section,
      records: records.map((each) => without(each, [...own, ...(has('metaflows') ? ['metaflows'] : [])])),
    };
  }
  if (kind.name === 'ports')
    return { ...section, records: records.map((each) => without(each, ['comments'])) };
  if (kind.name !== 'directories') return section;
  const users = new Map(
    all.flatMap((each) =>
      each.kind.name === 'users' ? each.records.map((user) => [user.id, user] as const) : [],
    ),
  );
  const isWorkedOut = (directory: JsonObject): boolean =>
    Array.isArray(directory.users) &&
    directory.users.every((member: unknown) => {
      const places =
        isObject(member) && typeof member.user_id === 'string'
          ? users.get(member.user_id)?.directories
          : undefined;
      return isObject(member) && isObject(places) && places[String(directory.id)] === member.callflow_id;
    });
  return {
    ...section,
    records: records.map((each) => (isWorkedOut(each) ? without(each, ['users']) : each)),
  };
}

const without = (record: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
