import type { JsonObject } from '../../../base/json.ts';
import type { Query } from '../../../client/api/api.ts';
import { accountParameter, takesAccountInQuery } from '../../../contract/operations.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { chosenFrom, readOrder } from './chosen-records.ts';
import { type Filter, filterQuery, fittingItems, readFilters } from './filters.ts';
import { getRecord, operationFor } from './find-named.ts';
import { namedFields, withOpenFields } from './open-fields.ts';

/** The query of a list: its filters, the parameters that have an option of their own, and the account chosen. */
async function queryOf(
  resource: Resource,
  operation: Operation,
  filters: readonly Filter[],
  input: ParsedInput,
  context: Context,
): Promise<Query> {
  const { query = [] } = operation;
  const isElsewhere = takesAccountInQuery(operation) && context.settings.account.value !== undefined;
  return {
    ...(isElsewhere ? { [accountParameter]: await context.accountId() } : {}),
    ...filterQuery(resource, filters),
    ...Object.fromEntries(
      query.flatMap(({ name }) => (typeof input[name] === 'string' ? [[name, input[name]]] : [])),
    ),
  };
}

/** Makes the handler of `list`: all pages, streamed as they come, unless records are read for what they leave open. */
export function listHandler(resource: Resource): Handler<ParsedInput> {
  const operation = operationFor(resource, 'list');
  return async (input, context) => {
    // Compatible services list backwards unless told (Conventions, paging); one that does not know the word ignores it.
    const filters = readFilters(resource, input, context);
    const query = { ascending: 'true', ...(await queryOf(resource, operation, filters, input, context)) };
    const api = await context.api();
    const items = fittingItems(resource, filters, flattened(api.pages({ operation, query })));
    const order = readOrder(resource, input, context);
    const named = namedFields(resource, context, filters, order?.path);
    const inTable = fieldsOfTable(resource, context);
    const { items: found, isOpen } = await withOpenFields(context, resource, items, {
      ...named,
      shown: [...named.shown, ...inTable],
    });
    const chosen = chosenFrom(found, resource, { order, search: input.search, limit: input.limit });
    return {
      kind: 'list',
      ...chosen,
      isOpen,
      resource: resource.name,
      noun: resource.name,
    };
  };
}

/** Fields that the columns of a table show and the list leaves out, where a table is shown. */
function fieldsOfTable(resource: Resource, { options, settings }: Context): readonly string[] {
  const { fields, query } = options;
  const isTable =
    ['table', 'csv'].includes(settings.output.value) && fields === undefined && query === undefined;
  if (!resource.wholeInTables || !isTable) return [];
  const { properties = {} } = resource.schema;
  const paths = resource.columns.flatMap((column) => column.paths);
  return paths.filter((path) => Object.hasOwn(properties, path) && !resource.listFields.includes(path));
}

export async function* flattened(pages: AsyncIterable<readonly JsonObject[]>): AsyncIterable<JsonObject> {
  for await (const page of pages) yield* page;
}

export function getHandler(resource: Resource): Handler<ParsedInput> {
  return async ({ id }, context) => ({
    kind: 'item',
    value: await getRecord(context, resource, String(id)),
    resource: resource.name,
  });
}
