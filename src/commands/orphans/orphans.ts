import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { refersByField } from '../../contract/record-references.ts';
import type { ResourceName } from '../../contract/types.ts';
import { isSubaccount, type Kind, kindOf, kinds } from '../../manifest/kinds.ts';
import { accountName } from '../labels.ts';
import { readParts } from '../read-account.ts';
import { findOrphans, type Orphan } from './find-orphans.ts';

const targetsOf = (kind: Kind): readonly ResourceName[] =>
  [...refersByField(kind).values()].flatMap((targets) => [...targets]);

/** Kinds whose references are followed: records of the account that can refer to others of it. */
export const followed = kinds.filter(
  (kind) =>
    kind.shape === 'many' &&
    !isSubaccount(kind) &&
    kind.resource.absent?.orphans === undefined &&
    targetsOf(kind).some((name) => kindOf(name)?.shape === 'many'),
);

const targets = new Set(followed.flatMap(targetsOf));

/** True for what is referred to, and for the numbers, from which calls come. */
export const isNeededByName = ({ name, resource, shape }: Kind): boolean =>
  shape === 'many' && (targets.has(resource.name) || name === 'numbers');

/** Handler of `orphans`. */
export async function orphans(_input: object, context: Context): Promise<ListResult> {
  const { sections, missing } = await readParts(context, {
    whole: followed.map(({ name }) => name),
    listed: kinds.filter(isNeededByName).map(({ name }) => name),
  });
  return {
    kind: 'list',
    items: findOrphans(sections).map(shown),
    noun: 'orphans',
    among: `in ${await accountName(context)}`,
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

const shown = ({ problem, kind, id, name, path, missing }: Orphan): JsonObject => ({
  name,
  kind: kind.shape === 'one' ? kind.name : kind.resource.singular,
  problem,
  ...(path === undefined ? {} : { path }),
  ...(missing === undefined ? {} : { refers_to: missing.word, missing_id: missing.id }),
  id,
});
