import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject, valueAt } from '../../base/json.ts';
import { targetName } from '../../callflows/flow-set.ts';
import { stepsIn } from '../../callflows/step-label.ts';
import type { Context } from '../../command/context.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { referencesOf } from '../../contract/module-references.ts';
import type { ResourceName } from '../../contract/types.ts';
import { operationFor } from '../generic/find-record.ts';

/** The ids in a flow, by the resource that they name. */
function idsIn(flow: JsonObject): ReadonlyMap<ResourceName, ReadonlySet<string>> {
  const found = new Map<ResourceName, Set<string>>();
  for (const { step } of stepsIn(flow))
    for (const { reference, id } of referencesOf(step))
      if (reference.to) found.set(reference.to, (found.get(reference.to) ?? new Set()).add(id));
  return found;
}

/**
 * Names of what a callflow refers to: from the `metadata` that compatible services add to it, else from lists.
 * A list that cannot be read leaves its ids as they are.
 */
export async function namesFor(context: Context, callflow: JsonObject): Promise<ReadonlyMap<string, string>> {
  const flow = isObject(callflow.flow) ? callflow.flow : {};
  const names = new Map<string, string>();
  const wanted = [...idsIn(flow)].map(([resource, ids]) => {
    const missing = new Set(ids);
    for (const id of ids) {
      const name = valueAt(isObject(callflow.metadata) ? callflow.metadata[id] : undefined, 'name');
      // People know a user by the username, which metadata does not hold.
      if (resource === 'users' || typeof name !== 'string' || name === '') continue;
      names.set(id, name);
      missing.delete(id);
    }
    return { resource, missing };
  });
  await Promise.all(
    wanted
      .filter(({ missing }) => missing.size > 0)
      .map(async ({ resource, missing }) => {
        for (const [id, name] of await listNames(context, resource, missing)) names.set(id, name);
      }),
  );
  return names;
}

async function listNames(
  context: Context,
  name: ResourceName,
  ids: ReadonlySet<string>,
): Promise<readonly (readonly [string, string])[]> {
  const resource = resourceByName(name);
  const found: (readonly [string, string])[] = [];
  try {
    const api = await context.api();
    for await (const page of api.pages({ operation: operationFor(resource, 'list') })) {
      for (const item of page) {
        const label = targetName(name, item);
        if (typeof item.id === 'string' && ids.has(item.id) && label) found.push([item.id, label]);
      }
      if (found.length === ids.size) break;
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
  }
  return found;
}
