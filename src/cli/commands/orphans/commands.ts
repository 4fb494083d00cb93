import { type JsonObject, textsIn } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { kindsNamed } from '../../../contract/callflow-modules.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { referencesOfRecord, refersByField } from '../../../contract/record-references.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { kindLabel } from '../../../engine/callflows/flow-set.ts';
import type { Section } from '../../../engine/manifest/account-reader.ts';
import { isSubaccount, type Kind, kindOfSection, kinds } from '../../../engine/manifest/kinds.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { quotedAccount } from '../labels.ts';
import { readAccountSections } from '../records/read-account.ts';

export const orphansCommands: readonly Command[] = [
  defineCommand({
    path: ['orphans'],
    summary: 'List unused numbers and callflows, and broken references',
    description:
      'Reads the whole account and lists numbers without a callflow, callflows without a number, and references to missing records. Exits with 0 even if it finds some.',
    arguments: {},
    options: {},
    effect: 'read',
    examples: {
      'telctl orphans': 'Check the account after a delete',
      'telctl orphans -o json': 'Print results for a script',
    },
    operations: ['numbers.list', 'callflows.list', 'callflows.get', 'users.list', 'users.get'],
    load: async () => orphans,
  }),
];

const targetsOf = (kind: Kind): readonly ResourceName[] =>
  [...refersByField(kind).values()].flatMap((targets) => [...targets]);

/** Kinds of records that can refer to other records of the account. */
export const followedKinds = kinds.filter(
  (kind) =>
    kind.shape === 'many' &&
    !isSubaccount(kind) &&
    kind.resource.absent?.orphans === undefined &&
    targetsOf(kind).some((name) => kindOfSection(name)?.shape === 'many'),
);

const targets = new Set(followedKinds.flatMap(targetsOf));

/** Returns true for records that are referred to, and for numbers, where calls start. */
const isNeededByName = ({ name, resource, shape }: Kind): boolean =>
  shape === 'many' && (targets.has(resource.name) || name === 'numbers');

async function orphans(_input: object, context: Context): Promise<ListResult> {
  const { sections, missing } = await readAccountSections(context, {
    whole: followedKinds.map(({ name }) => name),
    listed: kinds.filter(isNeededByName).map(({ name }) => name),
  });
  return {
    kind: 'list',
    items: findOrphans(sections).map(orphanRow),
    noun: 'orphans',
    among: `in ${await quotedAccount(context)}`,
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'KIND', paths: ['kind'] },
      { header: 'PROBLEM', paths: ['problem'], show: 'sentence' },
      { header: 'WHERE', paths: ['path'], show: 'sentence', sparse: true },
      { header: 'NAMES', paths: ['refers_to'], sparse: true },
      { header: 'MISSING ID', paths: ['missing_id'], show: 'id', sparse: true },
    ],
    ...(missing.length > 0 ? { exit: 'partial' } : {}),
  };
}

const orphanRow = ({ problem, kind, id, name, path, missing }: Orphan): JsonObject => ({
  name,
  kind: kind.shape === 'one' ? kind.name : kind.resource.singular,
  problem,
  ...(path === undefined ? {} : { path }),
  ...(missing === undefined ? {} : { refers_to: missing.word, missing_id: missing.id }),
  id,
});

/** A number, callflow or reference that leads nowhere. */
export interface Orphan {
  readonly problem: 'number without a callflow' | 'callflow without a number' | 'reference to nothing';
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly path?: string;
  readonly missing?: { readonly word: string; readonly id: string };
}

/** Records of an incomplete list do not count as missing. */
export function findOrphans(sections: readonly Section[]): readonly Orphan[] {
  const callflows = sections.find(({ kind }) => kind.name === 'callflows');
  return [
    ...(callflows && callflows.missing === undefined ? unroutedNumbers(sections, callflows) : []),
    ...(callflows ? unreachableFlows(sections, callflows) : []),
    ...danglingReferences(sections),
  ];
}

const recordId = (record: JsonObject): string => String(record.id ?? '');

function unroutedNumbers(sections: readonly Section[], callflows: Section): readonly Orphan[] {
  const leading = new Set(callflows.records.flatMap(({ numbers }) => textsIn(numbers).map(normalisedNumber)));
  const patterns = callflows.records.flatMap(({ patterns: texts }) =>
    textsIn(texts).flatMap((text) => compilePattern(text) ?? []),
  );
  return sections
    .filter(({ kind }) => kind.name === 'numbers')
    .flatMap(({ kind, records }) => records.map((record) => ({ kind, record, id: recordId(record) })))
    .filter(({ id, record }) => {
      // Conferences and fax boxes also answer numbers.
      const other = typeof record.used_by === 'string' && !['', 'callflow'].includes(record.used_by);
      return !other && !leading.has(normalisedNumber(id)) && !patterns.some((pattern) => pattern.test(id));
    })
    .map(({ kind, id }) => ({ problem: 'number without a callflow', kind, id, name: id }));
}

function unreachableFlows(sections: readonly Section[], { kind, records }: Section): readonly Orphan[] {
  const led = new Set(
    sections.flatMap((section) =>
      section.records.flatMap((record) =>
        [...referencesOfRecord(section.kind.resource, record)].flatMap(({ to, id }) =>
          to === 'callflows' && id !== record.id ? [id] : [],
        ),
      ),
    ),
  );
  return records
    .filter((record) => textsIn(record.numbers).length + textsIn(record.patterns).length === 0)
    .filter((record) => !led.has(recordId(record)))
    .map((record) => ({
      problem: 'callflow without a number',
      kind,
      id: recordId(record),
      name: kindLabel(kind, record),
    }));
}

function danglingReferences(sections: readonly Section[]): readonly Orphan[] {
  const known = new Map<ResourceName, ReadonlySet<string>>(
    sections
      .filter(({ missing, kind }) => missing === undefined && kind.shape === 'many')
      .map(({ kind, records }) => [kind.resource.name, new Set(records.map(recordId))]),
  );
  return sections.flatMap(({ kind, records }) =>
    records.flatMap((record) =>
      [...referencesOfRecord(kind.resource, record)].flatMap((reference): readonly Orphan[] => {
        const { path, word, id } = reference;
        const ids = kindsNamed(reference).map((kind) => known.get(kind));
        if (ids.length === 0 || ids.some((each) => each === undefined || each.has(id))) return [];
        const orphan = { kind, id: recordId(record), name: kindLabel(kind, record) };
        return [{ problem: 'reference to nothing', ...orphan, path, missing: { word, id } }];
      }),
    ),
  );
}
