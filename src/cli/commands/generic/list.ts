import { bounded } from '../../../base/bounded.ts';
import { Failure } from '../../../base/failure.ts';
import { type JsonObject, valueAt } from '../../../base/json.ts';
import { counted, inWords } from '../../../base/wording.ts';
import type { Api, Query } from '../../../client/api/api.ts';
import { fieldsNamed } from '../../../contract/field-names.ts';
import { accountParameter, pluralIn, takesAccountInQuery } from '../../../contract/resource.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import { isNotOffered } from '../../../engine/manifest/service.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { getRecord, operationFor } from '../records/find-named.ts';
import { readRecord } from '../records/listed-records.ts';
import {
  chosenFrom,
  type Filter,
  filterQuery,
  fits,
  fitsAsShown,
  fittingItems,
  readFilters,
  readOrder,
} from './chosen-records.ts';

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
      query.flatMap(({ name }) => {
        // Numbers that can be bought are searched by prefix in a country.
        const isCountry = name === 'country' && input.prefix !== undefined;
        const value = isCountry ? context.settings.country.value : input[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    ),
  };
}

/** Makes the handler of `list`: all pages, streamed as they come, unless records are read for what they leave open. */
export function listHandler(resource: Resource): Handler<ParsedInput> {
  const operation = operationFor(resource, 'list');
  return async (input, context) => {
    // Compatible services list backwards unless told (Conventions, paging); one that does not know the word ignores it.
    const filters = await readFilters(resource, input, context);
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

/** Number of records that are read without a question or notice. */
const readUnasked = 100;

interface NamedFields {
  /** Dotted paths that are to be shown: `?` stands there where nobody can read them. */
  readonly shown: readonly string[];
  /** Top-level fields that a query goes by. */
  readonly queried: readonly string[];
  readonly filters: readonly Filter[];
}

/** The fields that `--fields`, `--query`, `--filter` and `--sort` name. */
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

/** The items of a list, and what they leave open. */
export interface Completed {
  readonly items: AsyncIterable<JsonObject> | readonly JsonObject[];
  /** True for what an item does not say, and whose record was not read. */
  readonly isOpen: (item: JsonObject, path: string) => boolean;
}

/**
 * The items of a list with the fields that were named: where the list leaves one open, the record is read. At
 * a terminal a question comes before many reads, elsewhere a notice. Throws `Failure`: `interrupted` if the
 * answer is no, `usage` where the service shows no single records and a query or filter goes by such a field.
 */
async function withOpenFields(
  context: Context,
  resource: Resource,
  items: AsyncIterable<JsonObject>,
  named: NamedFields,
): Promise<Completed> {
  const paths = pathsOf(named);
  const read = new Set<string>();
  const isOpen: Completed['isOpen'] = (item, path) =>
    !read.has(String(item.id)) && leavesOpen(resource, item, path);
  const lacks = (item: JsonObject): boolean => paths.some((path) => isOpen(item, path));
  // Services are not asked for days, so a record without a time fits none.
  const byDay = named.filters.filter(({ days }) => days !== undefined);
  const complete = async (item: JsonObject): Promise<readonly JsonObject[]> => {
    if (!lacks(item)) return fits(item, byDay) ? [item] : [];
    const record = await recordOf(await context.api(), resource, String(item.id));
    read.add(String(item.id));
    const whole = { ...item, ...record };
    if (!record || !fitsAsShown(resource, named.filters, whole) || !fits(whole, byDay)) return [];
    return [{ ...item, ...partOf(record, paths) }];
  };
  if (paths.length === 0) return { items, isOpen };
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  // A list whose first item says everything goes on as it comes.
  if (first.done || !lacks(first.value)) return { items: eachCompleted(first, iterator, complete), isOpen };
  const all: JsonObject[] = [];
  for await (const item of eachCompleted(first, iterator, async (each) => [each])) all.push(item);
  const words = paths.filter((path) => all.some((item) => isOpen(item, path)));
  await askToRead(context, resource, all.filter(lacks).length, words);
  let over = 0;
  try {
    const whole = await bounded(all, context.settings.concurrency.value, async (item) => {
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
      `The list of ${pluralIn(resource)} does not say ${goesBy.join(', ')}, and this service shows no single ${resource.singular} that could.`,
      { cause: error },
    );
  }
}

/** Items from the first one on, after that was looked at. */
async function* eachCompleted(
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
  if (count <= readUnasked) return;
  const why = `The list of ${inWords(name)} does not say ${words.join(', ')}`;
  const records = counted(count, singular, name);
  if (!ask.available) {
    notices.say(`${why}: ${records} are read one by one.`);
    return;
  }
  if (!(await ask.confirm(`${why}. Read ${records} one by one?`, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was read.', {
      hint: 'Leave out those fields, or choose fewer records with --filter.',
    });
}

/** A record; `undefined` where it is gone, but not where the service shows none at all. */
async function recordOf(api: Api, resource: Resource, id: string): Promise<JsonObject | undefined> {
  try {
    return await readRecord(api, resource, id);
  } catch (error) {
    const isGone = error instanceof Failure && error.kind === 'not_found';
    if (isGone && !isNotOffered(error, operationFor(resource, 'get'))) return undefined;
    throw error;
  }
}

/** The top-level fields of a record that paths lead into. */
const partOf = (record: JsonObject, paths: readonly string[]): JsonObject => {
  const tops = new Set(paths.map((path) => path.split('.')[0]));
  return Object.fromEntries(Object.entries(record).filter(([key]) => tops.has(key)));
};

/**
 * True where an item of a list leaves open what its record has at a dotted path: the list does not show the field, or
 * every record has one (there is a default), and this service's list does not say it (Conventions, what each list item
 * shows).
 */
function leavesOpen(
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
