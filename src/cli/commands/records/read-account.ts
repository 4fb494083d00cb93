import { ignoreFailure } from '../../../base/failure.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { targetName } from '../../../engine/callflows/flow-set.ts';
import { type AccountReader, readSections } from '../../../engine/manifest/account-reader.ts';
import { createService } from '../../../engine/manifest/service.ts';
import type { Context } from '../../command/context.ts';
import { listItems } from './listed-records.ts';

/** Settings for reading records, with the progress that people see. */
export const readOptions = ({ settings, notices, host }: Pick<Context, 'settings' | 'notices' | 'host'>) => ({
  concurrency: settings.concurrency.value,
  progress: (done: number, total: number): void => notices.progress(done, total, 'read records'),
  soon: host.timers.soon,
});

/** Reads kinds of records (default: of the current account). Throws `Failure` if none can be read. */
export async function readAccountSections(
  context: Context,
  wanted: Parameters<typeof readSections>[1],
  { accountId, reader }: { readonly accountId?: string; readonly reader?: AccountReader } = {},
) {
  const from = reader ?? createService(await context.api(), accountId ?? (await context.accountId()));
  const sections = await readSections(from, wanted, readOptions(context));
  const missing = sections.flatMap(({ kind, missing: why }) =>
    why === undefined
      ? []
      : [`The ${kind.name.replaceAll('_', ' ')} were not all read: ${why.replace(/\.$/, '')}.`],
  );
  for (const sentence of missing) context.notices.warn(sentence);
  return { sections, missing };
}

const shownName = (kind: ResourceName, record: JsonObject): Json | undefined =>
  kind === 'users' ? record.username : targetName(kind, record);

/** Returns names by id, or `undefined` if they cannot be listed. */
export async function namesOfRecords(
  kind: ResourceName,
  list: () => Promise<readonly JsonObject[] | undefined>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const items = await ignoreFailure(list());
  const names = items?.flatMap((item) => {
    const name = shownName(kind, item);
    return typeof item.id === 'string' && typeof name === 'string' ? [[item.id, name] as const] : [];
  });
  return names && new Map(names);
}

export const namesById = (context: Pick<Context, 'api'>, kind: ResourceName) =>
  namesOfRecords(kind, async () => listItems(await context.api(), resourceByName(kind)));
