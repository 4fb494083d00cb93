import type { JsonObject } from '../../contract/json.ts';
import { referencesIn } from '../desired/references.ts';
import type { Kind, KindName } from '../kinds.ts';
import { cutsOf } from './break-cycles.ts';
import { exportFields } from './export-fields.ts';
import type { Exported, ExportedObject, ExportedSection, Section, Snapshot } from './exported.ts';
import { knownIds } from './known-ids.ts';
import { idOf, type LocalNames, labelOf, localNames } from './local-names.ts';
import { placeholders } from './placeholders.ts';
import { markReader } from './read-marks.ts';
import { settingsOnly } from './settings-only.ts';
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
  const names = new Map([
    ...taken,
    ...sections.map(
      ({ kind, records }) => [kind.name, localNames(kind, records, taken.get(kind.name))] as const,
    ),
  ]);
  const ids = knownIds([...sections, ...others.map((section) => described(section, taken))], names);
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
    const { kind } = section;
    const nameOf = (record: JsonObject) => names.get(kind.name)?.get(idOf(kind, record)) ?? '';
    const objects = section.records
      .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
      .map((record) => objectOf(kind, record))
      .filter(({ fields, left }) => kind.shape === 'many' || Object.keys(fields).length + left.length > 0);
    return {
      kind,
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

/** Those objects of a section that a manifest describes already. */
const described = (section: Section, taken: Making['taken']): Section => ({
  ...section,
  records: section.records.filter((record) => taken.get(section.kind.name)?.has(idOf(section.kind, record))),
});

const isObjectKey = (key: string): boolean => !key.startsWith('env.');
