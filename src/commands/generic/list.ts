import type { Query } from '../../api/api.ts';
import type { Handler, ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { accountParameter, takesAccountInQuery } from '../../contract/account-parameter.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import { filterQuery, readFilters } from './filters.ts';
import { operationFor } from './find-record.ts';

/** The query of a list: its filters, the parameters that have an option of their own, and the account chosen. */
async function queryOf(
  resource: Resource,
  operation: Operation,
  input: ParsedInput,
  context: Context,
): Promise<Query> {
  const { query = [] } = operation;
  const isElsewhere = takesAccountInQuery(operation) && context.settings.account.value !== undefined;
  return {
    ...(isElsewhere ? { [accountParameter]: await context.accountId() } : {}),
    ...filterQuery(readFilters(resource, input, context)),
    ...Object.fromEntries(
      query.flatMap(({ name }) => (typeof input[name] === 'string' ? [[name, input[name]]] : [])),
    ),
  };
}

/** Makes the handler of `list`: all pages, streamed as they come. */
export function listHandler(resource: Resource): Handler<ParsedInput> {
  const operation = operationFor(resource, 'list');
  return async (input, context) => {
    // Compatible services list backwards unless told (Conventions, paging); one that does not know the word ignores it.
    const query = { ascending: 'true', ...(await queryOf(resource, operation, input, context)) };
    const api = await context.api();
    return {
      kind: 'list',
      items: flattened(api.pages({ operation, query })),
      resource: resource.name,
      noun: resource.name,
    };
  };
}

/** Records one by one, page after page. */
export async function* flattened(pages: AsyncIterable<readonly JsonObject[]>): AsyncIterable<JsonObject> {
  for await (const page of pages) yield* page;
}
