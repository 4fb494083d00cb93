import type { Context } from '../../cli/context.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { Failure } from '../../contract/failure.ts';
import { isObject, type JsonObject } from '../../contract/json.ts';
import { placesOf } from '../find/search.ts';
import { labelOf } from '../labels.ts';
import { operationFor, pathTo } from './find-record.ts';

/** How many records of a kind are read to find uses; beyond that the question does without. */
const readAtMost = 100;
const shownAtMost = 5;
const searched = ['callflows', 'groups', 'vmboxes', 'directories'] as const;

/**
 * What refers to an id, as labels, wherever it stands in callflows, groups, mailboxes and directories. It helps to
 * answer a question and is not complete: what cannot be read is left out, and large accounts are not searched.
 */
export async function usersOf(context: Context, id: string): Promise<readonly string[]> {
  const found = await Promise.all(
    searched.map((name) => referring(context, name, id).catch(nothingOnFailure)),
  );
  const labels = found.flat();
  return labels.length > shownAtMost
    ? [...labels.slice(0, shownAtMost), `${labels.length - shownAtMost} more`]
    : labels;
}

function nothingOnFailure(error: unknown): readonly string[] {
  if (error instanceof Failure && error.kind !== 'interrupted') return [];
  throw error;
}

async function referring(
  context: Context,
  name: (typeof searched)[number],
  id: string,
): Promise<readonly string[]> {
  const resource = resourceByName(name);
  const api = await context.api();
  const items: JsonObject[] = [];
  for await (const page of api.pages({ operation: operationFor(resource, 'list') })) {
    items.push(...page);
    if (items.length > readAtMost) return [];
  }
  const get = operationFor(resource, 'get');
  const ids = items.flatMap((item) => (typeof item.id === 'string' && item.id !== id ? [item.id] : []));
  const records = await Promise.all(
    ids.map((each) => api.call({ operation: get, path: pathTo(resource, each) })),
  );
  return records.flatMap(({ data }) =>
    isObject(data) && placesOf(resource, data, id).length > 0 ? [labelOf(resource, data)] : [],
  );
}
