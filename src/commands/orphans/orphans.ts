import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { accountName } from '../labels.ts';
import { readParts } from '../read-account.ts';
import { findOrphans, type Orphan } from './find-orphans.ts';

/** Handler of `orphans`. */
export async function orphans(_input: object, context: Context): Promise<ListResult> {
  const { sections, missing } = await readParts(context, {
    whole: ['users', 'vmboxes', 'groups', 'directories', 'conferences', 'callflows'],
    listed: ['menus', 'numbers'],
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
