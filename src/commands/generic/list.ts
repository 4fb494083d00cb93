import type { Query } from '../../api/api.ts';
import type { Handler, ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { accountParameter, takesAccountInQuery } from '../../contract/account-parameter.ts';
import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import { operationFor } from './find-record.ts';

/** Splits `key=value` into the query parameter that asks for it (Conventions, filters). */
export function filterQuery(filters: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const query = new Map<string, readonly string[]>();
  for (const filter of filters) {
    const at = filter.indexOf('=');
    if (at < 1)
      throw new Failure(
        'usage',
        `--filter takes key=value, for example --filter enabled=true; not ${JSON.stringify(filter)}.`,
      );
    const name = `filter_${filter.slice(0, at)}`;
    query.set(name, [...(query.get(name) ?? []), filter.slice(at + 1)]);
  }
  return Object.fromEntries(query);
}

/** The query of a list: its filters, the parameters that have an option of their own, and the account chosen. */
async function queryOf(operation: Operation, input: ParsedInput, context: Context): Promise<Query> {
  const { filters } = input;
  const { query = [] } = operation;
  const isElsewhere = takesAccountInQuery(operation) && context.settings.account.value !== undefined;
  return {
    ...(isElsewhere ? { [accountParameter]: await context.accountId() } : {}),
    ...filterQuery(Array.isArray(filters) ? filters.map(String) : []),
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
    const query = { ascending: 'true', ...(await queryOf(operation, input, context)) };
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
