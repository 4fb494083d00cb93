import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import { list_entries } from '../../../contract/resources/list_entries.ts';
import { lists } from '../../../contract/resources/lists.ts';
import type { Context } from '../../command/context.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';

/** Path parameters of the entries of a list, which is named by name or id. */
export const listPath = async (context: Context, word: unknown): Promise<Readonly<Record<string, string>>> =>
  pathTo(lists, (await findNamed(context, lists, String(word))).id);

/** An entry of a list, which compatible services put under `value` beside the id. */
export const uncovered = (item: JsonObject): JsonObject =>
  isObject(item.value) ? { id: item.id, ...item.value } : item;

export async function allEntries(
  api: Api,
  path: Readonly<Record<string, string>>,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  const pages = api.pages({ operation: operationFor(list_entries, 'list'), path });
  for await (const page of pages) found.push(...page.map(uncovered));
  return found;
}

/** An entry as it is sent: numbers lose their plus sign, with which they would fit nobody. */
export const sentEntry = (body: JsonObject): JsonObject =>
  typeof body.number === 'string' ? { ...body, number: body.number.replace(/^\s*\+/, '') } : body;
