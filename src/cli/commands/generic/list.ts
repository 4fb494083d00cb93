import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import { type JsonObject, valueAt } from '../../../base/json.ts';
import { formatCount, humanize } from '../../../base/wording.ts';
import type { Api, QueryParameters } from '../../../client/api/api.ts';
import { fieldsNamed } from '../../../contract/field-names.ts';
import { accountParameter, pluralIn, takesAccountInQuery } from '../../../contract/resource.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import { isNotOffered } from '../../../engine/manifest/service.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { getRecord, operationFor } from '../records/find-named.ts';
import { readRecord } from '../records/listed-records.ts';
import {
  type Filter,
  filterItems,
  filterQuery,
  limitList,
  matchesFilters,
  matchesShownFields,
  readFilters,
  readOrder,
} from './chosen-records.ts';

async function listQuery(
  resource: Resource,
  operation: Operation,
  filters: readonly Filter[],
  input: ParsedInput,
  context: Context,
): Promise<QueryParameters> {
  const { query = [] } = operation;
  const isElsewhere = takesAccountInQuery(operation) && context.settings.account.value !== undefined;
  return {
    ...(isElsewhere ? { [accountParameter]: await context.accountId() } : {}),
    ...filterQuery(resource, filters),
    ...Object.fromEntries(
      query.flatMap(({ name }) => {
        // Available numbers are searched by prefix in a country.
        const isCountry = name === 'country' && input.prefix !== undefined;
        const value = isCountry ? context.settings.country.value : input[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    ),
  };
}

/** Streams all pages, and reads records for fields that the list omits. */
export function listHandler(resource: Resource): Handler<ParsedInput> {
  const operation = operationFor(resource, 'list');
  return async (input, context) => {
    // Compatible services list in reverse order by default (Conventions, paging). Others ignore the parameter.
    const filters = await readFilters(resource, input, context);
    const query = { ascending: 'true', ...(await listQuery(resource, operation, filters, input, context)) };
    const api = await context.api();
    const items = filterItems(resource, filters, flattenPages(api.pages({ operation, query })));
    const order = readOrder(resource, input, context);
    const named = namedFields(resource, context, filters, order?.path);
    const inTable = fieldsOfTable(resource, context);
    const { items: found, isOpen } = await completeFields(context, resource, items, {
      ...named,
      shown: [...named.shown, ...inTable],
    });
    const chosen = limitList(found, resource, { order, search: input.search, limit: input.limit });
    return {
      kind: 'list',
      ...chosen,
      isOpen,
      resource: resource.name,
      noun: resource.name,
    };
  };
}

function fieldsOfTable(resource: Resource, { options, settings }: Context): readonly string[] {
  const { fields, query } = options;
  const isTable =
    ['table', 'csv'].includes(settings.output.value) && fields === undefined && query === undefined;
  if (!resource.wholeInTables || !isTable) return [];
  const { properties = {} } = resource.schema;
  const paths = resource.columns.flatMap((column) => column.paths);
  return paths.filter((path) => Object.hasOwn(properties, path) && !resource.listFields.includes(path));
}

export async function* flattenPages(pages: AsyncIterable<readonly JsonObject[]>): AsyncIterable<JsonObject> {
  for await (const page of pages) yield* page;
}

export function getHandler(resource: Resource): Handler<ParsedInput> {
  return async ({ id }, context) => ({
    kind: 'item',
    value: await getRecord(context, resource, String(id)),
    resource: resource.name,
  });
}

const maxUnaskedReads = 100;

interface NamedFields {
  readonly shown: readonly string[];
  readonly queried: readonly string[];
  readonly filters: readonly Filter[];
}

function namedFields(
  resource: Resource,
  { options }: Pick<Context, 'options'>,
  filters: readonly Filter[],
  sortedBy?: string,
): NamedFields {
  const { properties = {} } = resource.schema;
  const { fields = [], query, queryFields } = options;
  return {
    shown: query === undefined ? fields.flatMap((name) => fieldsNamed(resource, name) ?? [name]) : [],
    queried: [...queryFields, ...(sortedBy ? [sortedBy.split('.')[0] ?? sortedBy] : [])].filter((name) =>
      Object.hasOwn(properties, name),
    ),
    filters,
  };
}

const pathsOf = ({ shown, queried, filters }: NamedFields): readonly string[] => [
  ...new Set([...shown, ...queried, ...filters.map(({ path }) => path)]),
];

export interface CompletedList {
  readonly items: AsyncIterable<JsonObject> | readonly JsonObject[];
  /** Returns true for a field that an item omits and whose record was not read. */
  readonly isOpen: (item: JsonObject, path: string) => boolean;
}

/**
 * Returns the items of a list with the named fields, and reads the records of items that omit one. Before many reads
 * it asks at a terminal, and otherwise prints a notice. Throws `interrupted` if the answer is no. Throws `usage` if a
 * query or filter needs an omitted field and the service cannot show single records.
 */
async function completeFields(
  context: Context,
  resource: Resource,
  items: AsyncIterable<JsonObject>,
  named: NamedFields,
): Promise<CompletedList> {
  const paths = pathsOf(named);
  const read = new Set<string>();
  const isOpen: CompletedList['isOpen'] = (item, path) =>
    !read.has(String(item.id)) && isUnlisted(resource, item, path);
  const isIncomplete = (item: JsonObject): boolean => paths.some((path) => isOpen(item, path));
  // The service does not filter by days, so records without a time never match.
  const byDay = named.filters.filter(({ days }) => days !== undefined);
  const complete = async (item: JsonObject): Promise<readonly JsonObject[]> => {
    if (!isIncomplete(item)) return matchesFilters(item, byDay) ? [item] : [];
    const record = await readListedRecord(await context.api(), resource, String(item.id));
    read.add(String(item.id));
    const whole = { ...item, ...record };
    if (!record || !matchesShownFields(resource, named.filters, whole) || !matchesFilters(whole, byDay))
      return [];
    return [{ ...item, ...pickTopFields(record, paths) }];
  };
  if (paths.length === 0) return { items, isOpen };
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  // If the first item has all fields, the list is streamed.
  if (first.done || !isIncomplete(first.value))
    return { items: completeEach(first, iterator, complete), isOpen };
  const all: JsonObject[] = [];
  for await (const item of completeEach(first, iterator, async (each) => [each])) all.push(item);
  const words = paths.filter((path) => all.some((item) => isOpen(item, path)));
  await askToRead(context, resource, all.filter(isIncomplete).length, words);
  let over = 0;
  try {
    const whole = await mapWithConcurrency(all, context.settings.concurrency.value, async (item) => {
      const made = await complete(item);
      context.notices.progress(++over, all.length, `read ${pluralIn(resource)}`);
      return made;
    });
    return { items: whole.flat(), isOpen };
  } catch (error) {
    if (!isNotOffered(error, operationFor(resource, 'get'))) throw error;
    const goesBy = words.filter((path) => !named.shown.includes(path));
    if (goesBy.length === 0) return { items: all, isOpen };
    throw new Failure(
      'usage',
      `The list of ${pluralIn(resource)} does not include ${goesBy.join(', ')}, and this service cannot show a single ${resource.singular}.`,
      { cause: error },
    );
  }
}

async function* completeEach(
  first: IteratorResult<JsonObject>,
  rest: AsyncIterator<JsonObject>,
  complete: (item: JsonObject) => Promise<readonly JsonObject[]>,
): AsyncIterable<JsonObject> {
  for (let next = first; !next.done; next = await rest.next()) yield* await complete(next.value);
}

async function askToRead(
  { ask, notices }: Context,
  { name, singular }: Resource,
  count: number,
  words: readonly string[],
): Promise<void> {
  if (count <= maxUnaskedReads) return;
  const why = `The list of ${humanize(name)} does not include ${words.join(', ')}`;
  const records = formatCount(count, singular, name);
  if (!ask.available) {
    notices.say(`${why}. Reading ${records} one by one.`);
    return;
  }
  if (!(await ask.confirm(`${why}. Read ${records} one by one?`, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was read.', {
      hint: 'Omit those fields, or choose fewer records with --filter.',
    });
}

/** Returns `undefined` if the record was deleted. Throws if the service cannot show single records. */
async function readListedRecord(api: Api, resource: Resource, id: string): Promise<JsonObject | undefined> {
  try {
    return await readRecord(api, resource, id);
  } catch (error) {
    const isGone = error instanceof Failure && error.kind === 'not_found';
    if (isGone && !isNotOffered(error, operationFor(resource, 'get'))) return undefined;
    throw error;
  }
}

const pickTopFields = (record: JsonObject, paths: readonly string[]): JsonObject => {
  const tops = new Set(paths.map((path) => path.split('.')[0]));
  return Object.fromEntries(Object.entries(record).filter(([key]) => tops.has(key)));
};

/** True if the list omits the field, or may omit it as a default (Conventions, what each list item shows). */
function isUnlisted(
  { schema, listFields }: Pick<Resource, 'schema' | 'listFields'>,
  item: JsonObject,
  path: string,
): boolean {
  const [top = ''] = path.split('.');
  if (listFields.length === 0 || top === 'id' || top === '_read_only') return false;
  if (valueAt(item, path) !== undefined) return false;
  const isListed = listFields.some((field) => path === field || path.startsWith(`${field}.`));
  const node = schema.properties?.[top];
  return !isListed || (node?.default ?? node?.['x-convention']?.default) !== undefined;
}
