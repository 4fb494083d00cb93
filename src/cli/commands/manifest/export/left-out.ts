import { Failure } from '../../../../base/failure.ts';
import { isObject, type Json } from '../../../../base/json.ts';
import type { Api } from '../../../../client/api/api.ts';
import { itemsOf } from '../../../../client/api/each-page.ts';
import { resources } from '../../../../contract/catalogue.ts';
import { operationOfVerb } from '../../../../contract/operations.ts';
import type { Operation, Resource } from '../../../../contract/types.ts';
import type { Exported } from '../../../../engine/manifest/exported.ts';

const holds = (value: Json | undefined): boolean => {
  if (Array.isArray(value)) return value.some(holds);
  if (isObject(value)) return Object.entries(value).some(([key, each]) => key !== 'id' && holds(each));
  return value !== undefined && value !== null && value !== '' && value !== false;
};

/** Says what the account has that no manifest can hold, each with the reason. One read of each; what cannot be read is not told. */
export async function leftOutOf(
  api: Api,
  { account: { id: accountId }, sections }: Exported,
): Promise<readonly string[]> {
  const listIds = sections.flatMap(({ kind, objects }) =>
    kind.name === 'lists' ? objects.map(({ id }) => id) : [],
  );
  const has = async (operation: Operation, path: Readonly<Record<string, string>>): Promise<boolean> => {
    try {
      const { data } = await api.call({ operation, path: { account_id: accountId, ...path } });
      return operation.verb === 'list' ? itemsOf(data, { operation }).length > 0 : holds(data);
    } catch (error) {
      if (error instanceof Failure && error.status !== undefined) return false;
      throw error;
    }
  };
  const isThere = async (resource: Resource): Promise<boolean> => {
    const operation = operationOfVerb(resource, resource.kind === 'singleton' ? 'get' : 'list');
    if (!operation) return false;
    if (!operation.path.includes('{list_id}')) return has(operation, {});
    for (const id of listIds) if (await has(operation, { list_id: id })) return true;
    return false;
  };
  const found = await Promise.all(
    resources.map(async (resource) => {
      const { leftOutAs: words, absent } = resource;
      if (words === undefined || !(await isThere(resource))) return [];
      return `Left out: ${words}. ${absent?.manifests ?? 'A manifest cannot hold them'}.`;
    }),
  );
  return found.flat();
}
