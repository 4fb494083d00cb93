import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { isSubaccount, kinds } from '../../manifest/kinds.ts';
import { accountName } from '../labels.ts';
import { readParts } from '../read-account.ts';
import type { findArguments, findOptions } from './commands.ts';
import { type Hit, search } from './search.ts';

/** Kinds that are searched, in the order in which hits are shown. */
export const searched = kinds.filter(
  (kind) => !isSubaccount(kind) && kind.resource.absent?.find === undefined,
);

/** Handler of `find`. */
export async function find(
  { text, exact }: InputOf<typeof findOptions, typeof findArguments>,
  context: Context,
): Promise<ListResult> {
  const wanted = text.trim();
  if (wanted === '')
    throw new Failure('usage', 'There is nothing to look for.', { hint: 'telctl find alice' });
  const { sections, missing } = await readParts(context, { whole: searched.map(({ name }) => name) });
  const hits = search(sections, wanted, exact === true);
  const where = await accountName(context);
  return {
    kind: 'list',
    items: hits.map(shown),
    noun: 'places',
    among: `in ${where}`,
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'KIND', paths: ['kind'] },
      { header: 'WHERE', paths: ['path'], show: 'sentence' },
      { header: 'VALUE', paths: ['value'] },
      { header: 'MATCH', paths: ['match'], show: 'sentence' },
      { header: 'ID', paths: ['id'], show: 'id' },
    ],
    ...(missing.length > 0 ? { exit: 'partial' } : hits.length === 0 ? { exit: 'not_found' } : {}),
  };
}

const shown = ({ kind, id, name, path, value, fit }: Hit): JsonObject => ({
  name,
  kind: kind.shape === 'one' ? kind.name : kind.resource.singular,
  ...(id === '' ? {} : { id }),
  path,
  value,
  match: fit,
});
