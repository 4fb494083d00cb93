import { join } from 'node:path';
import { Failure, ignoreMissing } from '../../../base/failure.ts';
import { isObject, type JsonObject, ownValue, textOrUndefined, valueAt } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import { operationOfVerb, pluralIn } from '../../../contract/resource.ts';
import { resourceNouns } from '../../../contract/resource-nouns.ts';
import { comparedForm } from '../../../contract/schema.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import type { Context, NamingContext } from '../../command/context.ts';
import { quotedAccount } from '../labels.ts';

export interface FoundRecord {
  readonly id: string;
  /** The record's entry in the list; `undefined` if it was named by id. */
  readonly summary: JsonObject | undefined;
}

/** Ids of some records start with a month and a hyphen. */
export const idPattern = /^(?:\d{6}-)?[0-9a-f]{32}$/;
const idBeginning = /^(?:\d{6}-)?[0-9a-f]{6,}…?$/;
/** Limit for names that are compared for a suggestion. Large accounts are not read completely. */
const suggestionsFrom = 2_000;

export function operationFor(resource: Resource, verb: string): Operation {
  const operation = operationOfVerb(resource, verb);
  if (!operation) throw new Error(`${resource.name} has no operation ${verb}`);
  return operation;
}

export const pathTo = (resource: Resource, id: string): Readonly<Record<string, string>> =>
  resource.idParameter ? { [resource.idParameter]: id } : {};

/** Throws `usage` for text that cannot be an id or a name. */
export function refuseUnnamed(resource: Resource, word: string): void {
  if (word === '' || word === '.' || word === '..')
    throw new Failure(
      'usage',
      `${JSON.stringify(word)} is neither an id nor a name of a ${resource.singular}.`,
    );
}

/**
 * Finds the id and the list entry of a record by its id or one of its natural keys. Checks each result, because
 * compatible services may ignore filters. Throws `not_found` with the nearest name, `conflict` if several records
 * have the name, and `usage` for text that cannot be a name or an id. `alsoKnown`: further names to suggest.
 * `within`: path of the parent of the list.
 */
export async function findNamed(
  context: NamingContext,
  resource: Resource,
  word: string,
  alsoKnown: readonly string[] = [],
  within: Readonly<Record<string, string>> = {},
): Promise<FoundRecord> {
  if (word === '' || word === '.' || word === '..')
    throw new Failure('usage', `${JSON.stringify(word)} is neither an id nor a name.`);
  const owner = resourceNouns.find(({ name }) => name === resource.oneOfEach);
  if (owner) return findNamed(context, await owner.load(), word, alsoKnown, within);
  const list = resource.operations.find(({ verb }) => verb === 'list');
  const canBegin = idBeginning.test(word) && !idPattern.test(word);
  if (!list || idPattern.test(word) || (resource.naturalKeys.length === 0 && !canBegin))
    return { id: word, summary: undefined };
  const api = await context.api();
  for (const key of resource.naturalKeys.filter((each) => !isListField(resource, each))) {
    for (const text of spellingsOf(resource, key, word)) {
      const query = { ...list.listed?.everything, [`filter_${key}`]: text };
      const found = await searchPages(
        api.pages({ operation: list, path: within, query }),
        [key],
        resource,
        word,
      );
      const [only] = onlyMatch(resource, word, found.matches);
      if (only) return only;
    }
  }
  // No filter finds numbers of callflows and unusual ids, so the whole list is read.
  const { matches, begun, names } = await searchPages(
    api.pages({ operation: list, path: within, query: { ...list.listed?.everything } }),
    [...resource.naturalKeys, 'id'],
    resource,
    word,
  );
  const [only] =
    matches.size > 0
      ? onlyMatch(resource, word, matches)
      : onlyMatch(resource, word, begun, 'have ids that begin with');
  if (only) return only;
  // Without names, the service decides about ids of any form.
  if (resource.naturalKeys.length === 0) return { id: word, summary: undefined };
  throw notFound(resource, word, [...alsoKnown, ...names], await searchedPlace(context, resource, list));
}

async function searchPages(
  pages: AsyncIterable<readonly JsonObject[]>,
  keys: readonly string[],
  resource: Resource,
  word: string,
) {
  const matches = new Map<string, JsonObject>();
  const begun = new Map<string, JsonObject>();
  const beginning = idBeginning.test(word) ? word.replace('…', '') : undefined;
  const names = new Set<string>();
  for await (const page of pages) {
    for (const item of page) {
      const { id } = item;
      if (typeof id === 'string' && keys.some((key) => matchesName(resource, item, key, word)))
        matches.set(id, item);
      if (typeof id === 'string' && beginning !== undefined && id.startsWith(beginning)) begun.set(id, item);
      if (names.size < suggestionsFrom)
        for (const key of keys) for (const name of textsAt(item, key)) if (key !== 'id') names.add(name);
    }
  }
  const exact = [...matches].filter(([, item]) => keys.some((key) => textsAt(item, key).includes(word)));
  return { matches: exact.length > 0 ? new Map(exact) : matches, begun, names };
}

/** Returns variants of a word for filters: names in lower case, digits as typed and as the stored number. */
function spellingsOf(resource: Resource, key: string, word: string): readonly string[] {
  const form = comparedForm(resource, key, word);
  const rule = resource.unique.find(({ field }) => field === key);
  return rule?.countsDigits ? [...new Set([word, form])] : [form];
}

function onlyMatch(
  resource: Resource,
  word: string,
  matches: ReadonlyMap<string, JsonObject>,
  how = 'are called',
): readonly FoundRecord[] {
  const ids = [...matches.keys()];
  if (ids.length > 1)
    throw new Failure(
      'conflict',
      `${ids.length} ${pluralIn(resource)} ${how} ${JSON.stringify(word)}: ${ids.join(', ')}.`,
      { hint: 'Name the one you mean by its id.', details: { ids } },
    );
  return [...matches].map(([id, summary]) => ({ id, summary }));
}

function textsAt(item: JsonObject, key: string): readonly string[] {
  const value = valueAt(item, key);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string');
}

const matchesName = (resource: Resource, item: JsonObject, key: string, word: string): boolean =>
  textsAt(item, key).some((text) => comparedForm(resource, key, text) === comparedForm(resource, key, word));

const isListField = (resource: Resource, key: string): boolean =>
  resource.schema.properties?.[key]?.type === 'array';

/** ` in acme` or ` below acme`. Empty for records outside accounts. */
async function searchedPlace(context: NamingContext, resource: Resource, list: Operation): Promise<string> {
  if (!list.path.includes('{account_id}')) return '';
  return ` ${resource.name === 'accounts' ? 'below' : 'in'} ${await quotedAccount(context)}`;
}

function notFound(resource: Resource, word: string, names: readonly string[], where: string): Failure {
  const near = findNearest(word, names);
  const sentence = `There is no ${resource.singular} ${JSON.stringify(word)}${where}.`;
  return new Failure('not_found', `${sentence}${didYouMean(near)}`);
}

/** Returns a whole record. Tries the id of an earlier run first. Throws like `findNamed`. */
export async function getRecord(context: Context, resource: Resource, word: string): Promise<JsonObject> {
  const api = await context.api();
  const operation = operationFor(resource, 'get');
  const read = async (id: string): Promise<JsonObject> =>
    asRecord(resource, (await api.call({ operation, path: pathTo(resource, id) })).data);
  if (idPattern.test(word)) return read(word);
  const kept = await idCache(context, resource);
  const before = kept?.idOf(word);
  if (before !== undefined && idPattern.test(before)) {
    const record = await ignoreMissing(read(before));
    if (record && matchesName(resource, record, resource.naturalKeys[0] ?? '', word)) return record;
  }
  const { id, summary } = await findNamed(context, resource, word);
  const record = await read(id);
  if (summary && id !== before) kept?.keep(word, id);
  return record;
}

/** Throws `failed` if the reply contains no record. */
export function asRecord(resource: Resource, data: unknown): JsonObject {
  if (isObject(data)) return data;
  throw new Failure('failed', `The response of the service is not the requested ${resource.singular}.`);
}

/** Returns the record in a reply. Otherwise throws `failed`, which reports that the change was accepted. */
export function changedRecord(resource: Resource, data: unknown): JsonObject {
  if (isObject(data)) return data;
  throw new Failure(
    'failed',
    `The service accepted the change, but its response is not the requested ${resource.singular}.`,
    { hint: 'Check the record before you repeat the change.' },
  );
}

const keptAtMost = 500;

/** Returns the cached ids of a resource with unique names. The caller checks that a name still has its id. */
async function idCache(context: Context, resource: Resource) {
  const [key] = resource.naturalKeys;
  if (!resource.unique.some(({ field }) => field === key)) return undefined;
  const { files, folders } = context.host;
  const { baseUrl } = (await context.session()).profile;
  const service = baseUrl.replace(/\W+/g, '-');
  const path = join(folders.cache, 'ids', service, `${await context.accountId()}-${resource.name}.json`);
  const all = ignoreErrors((): JsonObject => JSON.parse(files.readLargeText(path)?.text ?? '{}'), {});
  const known = isObject(all) ? all : {};
  return {
    idOf: (word: string): string | undefined => textOrUndefined(ownValue(known, word)),
    keep(word: string, id: string): void {
      const entries = [...Object.entries(known).filter(([name]) => name !== word), [word, id]];
      ignoreErrors(
        () => files.writePrivate(path, JSON.stringify(Object.fromEntries(entries.slice(-keptAtMost)))),
        undefined,
      );
    },
  };
}

function ignoreErrors<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
