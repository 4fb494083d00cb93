import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import type { Resource } from '../../../contract/types.ts';
import { holdsSent } from '../../../engine/manifest/canonical.ts';
import { canonicalTexts, indexByNaturalKey } from '../../../engine/manifest/match-objects.ts';
import { isNotOffered, listAll } from '../../../engine/manifest/service.ts';
import { asRecord, operationFor, pathTo } from './find-named.ts';

export interface ListedRecords {
  readonly ids: ReadonlySet<string>;
  /** Returns ids of records with the same best natural key, or else with the same fields. */
  find(body: JsonObject, except?: ReadonlySet<string>): Promise<readonly string[]>;
  read(id: string): Promise<JsonObject>;
}

/** Returns the first natural key with a value in a body. */
export const bestKey = (resource: Resource, body: JsonObject): string | undefined =>
  resource.naturalKeys.find((key) => canonicalTexts(resource, body, key).length > 0);

/** Returns true if the service prevents duplicate values of a natural key. */
export const isUniqueKey = ({ unique }: Resource, key: string | undefined): boolean =>
  unique.some(({ field }) => field === key);

/** Lists a whole collection. Returns `undefined` if the service has no such list. Throws `Failure`. */
export async function listRecords(
  api: Api,
  resource: Resource,
  atOnce: number,
): Promise<ListedRecords | undefined> {
  const items = await listItems(api, resource);
  if (items === undefined) return undefined;
  const index = indexByNaturalKey({ ...resource, resource, keys: resource.naturalKeys }, items);
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
      // If the list omits the key, each record is read.
      const meant = key === undefined ? body : { [key]: body[key] ?? null };
      const holding = await mapWithConcurrency(others, atOnce, async (id) =>
        holdsSent(resource, await read(id), meant) ? [id] : [],
      );
      return holding.flat();
    },
  };
}

/** Returns all entries of a list, or `undefined` if the service has no such list. Throws `Failure`. */
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

/** Returns `undefined` if the record no longer exists. Throws `Failure`, also if the service shows no records. */
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
    // Services with only the documented operations lack this read. If no write is documented, a service with the
    // write also has the read.
    const mayLackRead = resource.operations.some(
      ({ source, effect }) => source === 'specification' && effect !== 'read',
    );
    if (isGone && !(mayLackRead && isNotOffered(error, operationFor(resource, 'get')))) return undefined;
    throw error;
  }
}
