import { join } from 'node:path';
import { isObject, type JsonObject, own, textOf } from '../../../base/json.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';

/** Most names of a kind that are kept. */
const keptAtMost = 500;

/** Ids that earlier runs found under names, in the cache. A cache that cannot be used costs a request and nothing else. */
export interface KeptIds {
  idOf(word: string): string | undefined;
  keep(word: string, id: string): void;
}

/**
 * The ids kept for a resource whose first natural key no two records share; `undefined` for any other. What a name
 * leads to now is for the caller to look at. They are kept by service and account.
 */
export async function keptIds(context: Context, resource: Resource): Promise<KeptIds | undefined> {
  const [key] = resource.naturalKeys;
  if (!resource.unique.some(({ field }) => field === key)) return undefined;
  const { files, folders } = context.host;
  const { baseUrl } = (await context.session()).profile;
  const service = baseUrl.replace(/\W+/g, '-');
  const path = join(folders.cache, 'ids', service, `${await context.accountId()}-${resource.name}.json`);
  const all = quietly((): JsonObject => JSON.parse(files.readKept(path)?.text ?? '{}'), {});
  const known = isObject(all) ? all : {};
  return {
    idOf: (word) => textOf(own(known, word)),
    keep(word, id) {
      const entries = [...Object.entries(known).filter(([name]) => name !== word), [word, id]];
      quietly(
        () => files.writePrivate(path, JSON.stringify(Object.fromEntries(entries.slice(-keptAtMost)))),
        undefined,
      );
    },
  };
}

function quietly<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
