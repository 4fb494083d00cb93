import { bounded } from '../../../base/bounded.ts';
import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import type { Resource } from '../../../contract/types.ts';
import { holdsSent } from '../../../engine/manifest/canonical.ts';
import { canonicalTexts, indexOf } from '../../../engine/manifest/match.ts';
import { isNotOffered, listAll } from '../../../engine/manifest/service.ts';
import { asRecord, operationFor, pathTo } from './find-named.ts';

export interface ListedRecords {
  readonly ids: ReadonlySet<string>;
  /**
   * Ids of the records that a body means, less those in `except`: the ones with its best natural key, or, where it
   * has none, with all its fields.
   */
  find(body: JsonObject, except?: ReadonlySet<string>): Promise<readonly string[]>;
  /** A whole record, read no second time. */
  read(id: string): Promise<JsonObject>;
}

/** The first natural key of which a body has a value; `undefined` where it has none. */
export const bestKey = (resource: Resource, body: JsonObject): string | undefined =>
  resource.naturalKeys.find((key) => canonicalTexts(resource, body, key).length > 0);

/** True when the service keeps two records from having the same value of a natural key. */
export const isUniqueKey = ({ unique }: Resource, key: string | undefined): boolean =>
  unique.some(({ field }) => field === key);

/** Lists a collection, whole; `undefined` where the service has no such list. Throws `Failure`. */
export async function listRecords(
  api: Api,
  resource: Resource,
  atOnce: number,
): Promise<ListedRecords | undefined> {
  const items = await listItems(api, resource);
  if (items === undefined) return undefined;
  const index = indexOf({ ...resource, resource, keys: resource.naturalKeys }, items);
  const isWhole = resource.listFields.length === 0;
  const records = new Map<string, Promise<JsonObject>>(
    items.flatMap((item) =>
      isWhole && typeof item.id === 'string' ? [[item.id, Promise.resolve(item)] as const] : [],
    ),
  );
  const read = (id: string): Promise<JsonObject> => {
    const record = records.get(id) ?? readRecord(api, resource, id);
    records.set(id, record);
    return record;
  };
  const ids = new Set(items.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
  return {
    ids,
    read,
    async find(body, except = new Set()) {
      const key = bestKey(resource, body);
      const isShown = isWhole || (key !== undefined && resource.listFields.includes(key));
      if (key !== undefined && isShown) {
        const found = canonicalTexts(resource, body, key).flatMap((text) => index.idsOf(key, text));
        return [...new Set(found)].filter((id) => !except.has(id));
      }
      const others = [...ids].filter((id) => !except.has(id));
      // A list that does not show the key leaves only the records themselves.
      const meant = key === undefined ? body : { [key]: body[key] ?? null };
      const holding = await bounded(others, atOnce, async (id) =>
        holdsSent(resource, await read(id), meant) ? [id] : [],
      );
      return holding.flat();
    },
  };
}

/** All entries of a list; `undefined` where the service has no such list. Throws `Failure`. */
export async function listItems(api: Api, resource: Resource): Promise<readonly JsonObject[] | undefined> {
  const operation = resource.operations.find(({ verb }) => verb === 'list');
  if (operation === undefined) return undefined;
  try {
    return (await listAll(api, operation)).items;
  } catch (error) {
    if (isNotOffered(error, operation)) return undefined;
    throw error;
  }
}

/** A whole record. Throws `Failure`. */
export async function readRecord(
  api: Api,
  resource: Resource,
  id: string,
  above: Readonly<Record<string, string>> = {},
): Promise<JsonObject> {
  const path = { ...above, ...pathTo(resource, id) };
  const { data } = await api.call({ operation: operationFor(resource, 'get'), path });
  return { ...asRecord(resource, data), id };
}

/** The same, or `undefined` where the record is gone. Throws `Failure`, also where the service shows no records. */
export async function recordIfThere(
  api: Api,
  resource: Resource,
  id: string,
  above: Readonly<Record<string, string>> = {},
): Promise<JsonObject | undefined> {
  try {
    return await readRecord(api, resource, id, above);
  } catch (error) {
    const isGone = error instanceof Failure && error.kind === 'not_found';
    // A service with the documented operations alone lacks this read. Where no write is documented, a service that
    // offers the write offers the read as well.
    const mayLackRead = resource.operations.some(
      ({ source, effect }) => source === 'specification' && effect !== 'read',
    );
    if (isGone && !(mayLackRead && isNotOffered(error, operationFor(resource, 'get')))) return undefined;
    throw error;
  }
}
