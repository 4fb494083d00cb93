import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, joinPath, withTextsAt } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean, humanize, joinWithOr } from '../../../base/wording.ts';
import { resourceByName, resourceByWord } from '../../../contract/catalogue.ts';
import { lineFormOf, type NamedRecord, wordsOfLine } from '../../../contract/line-form.ts';
import { type RecordReference, referencesOfRecord } from '../../../contract/record-references.ts';
import { comparedForm } from '../../../contract/schema.ts';
import type { LineOption, Resource, ResourceName } from '../../../contract/types.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import { canonicalTexts } from '../../../engine/manifest/match-objects.ts';
import type { Context } from '../../command/context.ts';
import { quotedAccount } from '../labels.ts';
import { idPattern } from '../records/find-named.ts';
import { listItems } from '../records/listed-records.ts';
import type { ReadStored } from './update.ts';

interface NamedReference {
  readonly reference: RecordReference;
  readonly name: string;
  readonly kinds: readonly Resource[];
}

/** The records of each kind; `undefined` if the service cannot list them. */
type Lists = ReadonlyMap<ResourceName, readonly JsonObject[] | undefined>;

async function readLists(context: Context, kinds: readonly Resource[]): Promise<Lists> {
  const api = await context.api();
  return new Map(
    await Promise.all(kinds.map(async (kind) => [kind.name, await listItems(api, kind)] as const)),
  );
}

/**
 * Replaces names in references with ids: in fields, keys of maps, and steps of flows. Lists each kind once, and skips
 * ids. Throws `invalid` with every unknown or ambiguous name, and failures of the lists. Warns about a kind that the
 * service cannot list, and sends its names unchanged. Values of the stored record are sent unchanged.
 */
export async function withIdsForNames(
  context: Context,
  resource: Resource,
  records: readonly InputRecord[],
  stored?: ReadStored,
): Promise<readonly InputRecord[]> {
  const named = records.map(({ value }) =>
    [...referencesOfRecord(resource, value)].flatMap((reference) => parseReference(reference) ?? []),
  );
  const kinds = new Map(named.flat().flatMap((each) => each.kinds.map((kind) => [kind.name, kind] as const)));
  if (kinds.size === 0) return records;
  const lists = await readLists(context, [...kinds.values()]);
  for (const [name, list] of lists)
    if (list === undefined)
      context.notices.warn(
        `The service shows no list of ${humanize(name)}, so their names are sent unchanged.`,
      );
  const where = await quotedAccount(context);
  const problems: { readonly keys: readonly string[]; readonly name: string; readonly problem: Problem }[] =
    [];
  const resolved = records.map((record, index) => {
    const ids = new Map<string, string>();
    for (const { reference, name, kinds: meant } of named[index] ?? []) {
      const found = idFor(name, meant, lists, where);
      const { keys, id } = reference;
      if (found.id !== undefined) ids.set(keys.join('\0'), found.id);
      else if (found.wrong !== undefined)
        problems.push({ keys, name: id, problem: record.problem(joinPath(keys), found.wrong) });
    }
    return ids.size === 0 ? record : { ...record, value: withTextsAt(record.value, ids) };
  });
  if (problems.length === 0) return resolved;
  const before = (await stored?.(records.map(({ value }) => value))) ?? [];
  const told = problems.filter(({ keys, name }) => !before.some((record) => hasTextAt(record, keys, name)));
  if (told.length > 0)
    throw problemsFailure(
      told.map(({ problem }) => problem),
      'Use --no-resolve to send the text unchanged.',
    );
  return resolved;
}

/** Parses the line of an option by the form of its schema. Throws `invalid` for an unknown name. */
export async function fieldInLine(
  context: Context,
  { name, schema }: Resource,
  { flag, fields: [field = ''] }: LineOption,
  text: string,
): Promise<JsonObject> {
  const form = lineFormOf(schema, schema.properties?.[field] ?? {});
  if (form === undefined) throw new Error(`The field ${field} of ${name} does not fit in a line.`);
  const words = wordsOfLine(form, text);
  if (form.names === undefined) return { [field]: form.value(words) };
  const records: NamedRecord[] = [];
  for (const word of words) records.push(await findByName(context, `--${flag}`, word, form.names));
  return { [field]: form.value(records) };
}

/** Finds the record of a name such as `user:alice`. Throws `invalid` if the name is unknown or ambiguous. */
async function findByName(
  context: Context,
  option: string,
  word: string,
  among: readonly ResourceName[],
): Promise<NamedRecord> {
  const [, prefix = '', rest = ''] = /^([a-z]+):(.+)$/.exec(word) ?? [];
  const said = among.find((name) => name === resourceByWord(prefix)?.name);
  const kinds = (said === undefined ? among : [said]).map(resourceByName);
  const name = said === undefined ? word : rest;
  const lists = await readLists(context, kinds);
  const { id, wrong } = idFor(name, kinds, lists, await quotedAccount(context));
  const kind = kinds.find(({ name: each }) => lists.get(each)?.some((item) => item.id === id));
  if (id !== undefined && kind) return { id, resource: kind };
  throw new Failure(
    'invalid',
    `${option}: ${wrong ?? `the service has no list to look up ${JSON.stringify(name)}`}`,
  );
}

function hasTextAt(record: JsonObject, keys: readonly string[], text: string): boolean {
  let here: Json | undefined = record;
  for (const key of keys) {
    if (Array.isArray(here)) here = here[Number(key)];
    else if (isObject(here) && Object.hasOwn(here, key)) here = here[key];
    else return false;
  }
  return here === text || (keys.at(-1) === text && here !== undefined);
}

/** Parses a reference by name, such as `user:alice`. Returns `undefined` for ids, and for kinds without names. */
function parseReference(reference: RecordReference): NamedReference | undefined {
  const { id, to, or } = reference;
  if (idPattern.test(id)) return undefined;
  const kinds = [to, or]
    .flatMap((name) => (name === undefined ? [] : [resourceByName(name)]))
    .filter(isNameable);
  if (kinds.length === 0) return undefined;
  const [, word = '', rest = ''] = /^([a-z]+):(.+)$/.exec(id) ?? [];
  const kind = kinds.find(({ name }) => name === resourceByWord(word)?.name);
  return kind ? { reference, name: rest, kinds: [kind] } : { reference, name: id, kinds };
}

const isNameable = ({ naturalKeys, operations }: Resource): boolean =>
  naturalKeys.length > 0 &&
  operations.some(({ verb, path }) => verb === 'list' && !/\{(?!account_id\})/.test(path));

/** Returns the id of a name, or the problem with it, or an empty result if the service has no list. */
function idFor(
  name: string,
  kinds: readonly Resource[],
  lists: Lists,
  where: string,
): { readonly id?: string; readonly wrong?: string } {
  const found = kinds.flatMap((kind) =>
    (lists.get(kind.name) ?? []).flatMap((item) =>
      typeof item.id === 'string' && hasName(kind, item, name) ? [{ kind, id: item.id }] : [],
    ),
  );
  const [first, ...more] = found;
  if (first && more.length === 0) return { id: first.id };
  if (first)
    return {
      wrong: `${JSON.stringify(name)} means ${found.map(({ kind, id }) => `${kind.singular} ${id}`).join(' and ')}; pass the id${kinds.length > 1 ? `, or one of: ${kinds.map(({ singular }) => `${singular}:${name}`).join(', ')}` : ''}`,
    };
  if (kinds.some((kind) => lists.get(kind.name) === undefined)) return {};
  const near = findNearest(
    name,
    kinds.flatMap((kind) => (lists.get(kind.name) ?? []).flatMap((item) => recordNames(kind, item))),
  );
  const what = joinWithOr(kinds.map(({ singular }) => singular));
  return {
    wrong: `there is no ${what} ${JSON.stringify(name)} in ${where}${near === undefined ? '' : `.${didYouMean(near)}`}`,
  };
}

const recordNames = (kind: Resource, item: JsonObject): readonly string[] =>
  kind.naturalKeys.flatMap((key) => canonicalTexts(kind, item, key));

const hasName = (kind: Resource, item: JsonObject, name: string): boolean =>
  item.id === name ||
  kind.naturalKeys.some((key) =>
    canonicalTexts(kind, item, key).some(
      (text) => comparedForm(kind, key, text) === comparedForm(kind, key, name),
    ),
  );
