import { bounded } from '../../base/bounded.ts';
import { Failure } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { ResourceName } from '../../contract/types.ts';
import { type Section, targetName } from '../../engine/callflows/flow-set.ts';
import { type KindName, kindByName } from '../../engine/manifest/kinds.ts';
import { listsOf, recordOf } from '../../engine/manifest/read-kind.ts';
import { serviceOf } from '../../engine/manifest/service.ts';
import type { Context } from '../command/context.ts';
import { listItems } from './generic/listed-records.ts';

/**
 * Reads what is wanted of an account, several records at once, with progress; the account acted on where none is
 * named. What cannot be read is warned of. Throws `Failure` where nothing can be read.
 */
export async function readSections(
  context: Context,
  { whole, listed: alsoListed = [] }: { whole: readonly KindName[]; listed?: readonly KindName[] },
  accountId: string | undefined = undefined,
) {
  const service = serviceOf(await context.api(), accountId ?? (await context.accountId()));
  const atOnce = context.settings.concurrency.value;
  const only = alsoListed.filter((name) => !whole.includes(name));
  const listed = await listsOf(service, [...whole, ...only].map(kindByName), atOnce);
  const lists = listed.map(({ items: records, ...list }) => ({ ...list, records }));
  const isReadWhole = ({ kind }: Section): boolean =>
    whole.includes(kind.name) && (kind.shape === 'one' || kind.resource.listFields.length > 0);
  const ids = lists
    .filter(isReadWhole)
    .flatMap(({ kind, records }) => records.map(({ id }) => ({ kind, id: String(id) })));
  let done = 0;
  const read = await bounded(ids, atOnce, async ({ kind, id }) => {
    const found = await recordOf(service, kind, id);
    const got = typeof found === 'object' && kind.shape === 'many' ? { ...found, id } : found;
    context.notices.progress(++done, ids.length, 'read records');
    return { kind, got };
  });
  const byKind = Map.groupBy(read, ({ kind }) => kind.name);
  const sections = lists.map((list) =>
    isReadWhole(list)
      ? withRecords(
          list,
          (byKind.get(list.kind.name) ?? []).map(({ got }) => got),
        )
      : list,
  );
  const missing = sections.flatMap(({ kind, missing: why }) =>
    why === undefined
      ? []
      : [`The ${kind.name.replaceAll('_', ' ')} were not all read: ${why.replace(/\.$/, '')}.`],
  );
  for (const sentence of missing) context.notices.warn(sentence);
  return { sections, missing };
}

/** A list with what reading its records gave: records, nothing where one is gone, or why one cannot be read. */
function withRecords({ kind, missing }: Section, got: readonly (JsonObject | undefined | string)[]): Section {
  const why = missing ?? got.find((each) => typeof each === 'string');
  const records = got.flatMap((each) => (typeof each === 'object' ? [each] : []));
  return { kind, records, ...(why === undefined ? {} : { missing: why }) };
}

/** The name of a record where it is referred to: people know a user by the username. */
const shownName = (kind: ResourceName, record: JsonObject): Json | undefined =>
  kind === 'users' ? record.username : targetName(kind, record);

/** The names of a kind's records by their ids; `undefined` where they cannot be listed. */
export async function namesFrom(
  kind: ResourceName,
  list: () => Promise<readonly JsonObject[] | undefined>,
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const names = (await list())?.flatMap((item) => {
      const name = shownName(kind, item);
      return typeof item.id === 'string' && typeof name === 'string' ? [[item.id, name] as const] : [];
    });
    return names && new Map(names);
  } catch (error) {
    // Without names the ids are shown, as for records that nobody may list.
    if (error instanceof Failure && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}

export const namesById = (context: Pick<Context, 'api'>, kind: ResourceName) =>
  namesFrom(kind, async () => listItems(await context.api(), resourceByName(kind)));
