import { Failure } from '../../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../../base/json.ts';
import type { Api } from '../../../../client/api/api.ts';
import { itemsOf } from '../../../../client/api/unwrap.ts';
import { resourceByName, resources } from '../../../../contract/catalogue.ts';
import { operationOfVerb } from '../../../../contract/resource.ts';
import type { Operation, Resource } from '../../../../contract/types.ts';
import type { KindName } from '../../../../engine/manifest/kinds.ts';
import { listItems } from '../../generic/listed-records.ts';

const holds = (value: Json | undefined): boolean => {
  if (Array.isArray(value)) return value.some(holds);
  if (isObject(value)) return Object.entries(value).some(([key, each]) => key !== 'id' && holds(each));
  return value !== undefined && value !== null && value !== '' && value !== false;
};

/** Records below which others are kept, by the parameter that names them in a path. */
const parents = [
  ['list_id', 'lists'],
  ['device_id', 'devices'],
] as const;

/** As many records are looked below. */
const lookedBelow = 200;

/** The records of a kind as they were listed before, if they were. */
type Known = (kind: KindName) => readonly JsonObject[] | undefined;

/** Says what the account has that no manifest can hold, each with the reason. What cannot be read is not told. */
export async function leftOutOf(api: Api, accountId: string, known: Known): Promise<readonly string[]> {
  const has = async (operation: Operation, path: Readonly<Record<string, string>>): Promise<boolean> => {
    try {
      const { data } = await api.call({ operation, path: { account_id: accountId, ...path } });
      return operation.verb === 'list' ? itemsOf(data, { operation }).length > 0 : holds(data);
    } catch (error) {
      if (error instanceof Failure && error.status !== undefined) return false;
      throw error;
    }
  };
  const wordsFor = async (resource: Resource): Promise<string | undefined> => {
    const { leftOutAs: words } = resource;
    const operation = operationOfVerb(resource, resource.kind === 'singleton' ? 'get' : 'list');
    if (!words || !operation) return undefined;
    const parent = parents.find(([parameter]) => operation.path.includes(`{${parameter}}`));
    if (!parent) return (await has(operation, {})) ? words : undefined;
    const [parameter, kind] = parent;
    const items = known(kind) ?? (await listItems(api, resourceByName(kind))) ?? [];
    if (items.length > lookedBelow) return `${words}, which are not looked at in ${items.length} ${kind}`;
    for (const { id } of items) if (await has(operation, { [parameter]: String(id) })) return words;
    return undefined;
  };
  const found = await Promise.all(
    resources.map(async (resource) => {
      const words = await wordsFor(resource);
      const why = resource.absent?.manifests ?? 'A manifest cannot hold them';
      return words === undefined ? [] : [`Left out: ${words}. ${why}.`];
    }),
  );
  return found.flat();
}
