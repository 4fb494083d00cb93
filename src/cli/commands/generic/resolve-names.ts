import { Failure } from '../../../base/failure.ts';
import { dotted, isObject, type Json, type JsonObject, withTextsAt } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { didYouMean, eitherOf, inWords } from '../../../base/wording.ts';
import { resourceByName, resourceByWord } from '../../../contract/catalogue.ts';
import { lineFormOf, type NamedRecord, wordsOfLine } from '../../../contract/line-form.ts';
import { type RecordReference, referencesOfRecord } from '../../../contract/record-references.ts';
import { comparedForm } from '../../../contract/schema.ts';
import type { LineOption, Resource, ResourceName } from '../../../contract/types.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import { canonicalTexts } from '../../../engine/manifest/match.ts';
import type { Context } from '../../command/context.ts';
import { quotedAccount } from '../labels.ts';
import { idPattern } from '../records/find-named.ts';
import { listItems } from '../records/listed-records.ts';
import type { ReadStored } from './update.ts';

/** A reference that is written as a name, and what it can mean. */
interface Named {
  readonly reference: RecordReference;
  readonly name: string;
  readonly kinds: readonly Resource[];
}

/** The records of kinds; `undefined` where the service offers no list of them. */
type Lists = ReadonlyMap<ResourceName, readonly JsonObject[] | undefined>;

async function listsFrom(context: Context, kinds: readonly Resource[]): Promise<Lists> {
  const api = await context.api();
  return new Map(
    await Promise.all(kinds.map(async (kind) => [kind.name, await listItems(api, kind)] as const)),
  );
}

/**
 * Puts ids in the place of the names by which records refer to others: in fields, in keys of maps, and in the steps of
 * flows. Each kind that is named is listed once; what is an id already is not looked at. Throws `Failure`: `invalid`
 * with every name that fits nothing, or several records; what the list fails with. A kind that the service does not
 * list is a warning, and the text is sent; so is, without a word, what stands in the stored record already.
 */
export async function withIdsForNames(
  context: Context,
  resource: Resource,
  records: readonly InputRecord[],
  stored?: ReadStored,
): Promise<readonly InputRecord[]> {
  const named = records.map(({ value }) =>
    [...referencesOfRecord(resource, value)].flatMap((reference) => asNamed(reference) ?? []),
  );
  const kinds = new Map(named.flat().flatMap((each) => each.kinds.map((kind) => [kind.name, kind] as const)));
  if (kinds.size === 0) return records;
  const lists = await listsFrom(context, [...kinds.values()]);
  for (const [name, list] of lists)
    if (list === undefined)
      context.notices.warn(
        `The service shows no list of ${inWords(name)}, so names of them are sent as they stand.`,
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
        problems.push({ keys, name: id, problem: record.problem(dotted(keys), found.wrong) });
    }
    return ids.size === 0 ? record : { ...record, value: withTextsAt(record.value, ids) };
  });
  if (problems.length === 0) return resolved;
  const before = (await stored?.(records.map(({ value }) => value))) ?? [];
  const told = problems.filter(({ keys, name }) => !before.some((record) => standsAt(record, keys, name)));
  if (told.length > 0)
    throw problemsFailure(
      told.map(({ problem }) => problem),
      'A text that is no name is sent as it stands with --no-resolve.',
    );
  return resolved;
}

/** The field that the line of an option gives, by the form of its schema. Throws `Failure` (`invalid`) for a name that fits nothing. */
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
  for (const word of words) records.push(await recordNamed(context, `--${flag}`, word, form.names));
  return { [field]: form.value(records) };
}

/**
 * Finds the record that a word of an option names, among kinds; `user:alice` says which. Throws `Failure` (`invalid`)
 * where there is none, or several.
 */
async function recordNamed(
  context: Context,
  option: string,
  word: string,
  among: readonly ResourceName[],
): Promise<NamedRecord> {
  const [, prefix = '', rest = ''] = /^([a-z]+):(.+)$/.exec(word) ?? [];
  const said = among.find((name) => name === resourceByWord(prefix)?.name);
  const kinds = (said === undefined ? among : [said]).map(resourceByName);
  const name = said === undefined ? word : rest;
  const lists = await listsFrom(context, kinds);
  const { id, wrong } = idFor(name, kinds, lists, await quotedAccount(context));
  const kind = kinds.find(({ name: each }) => lists.get(each)?.some((item) => item.id === id));
  if (id !== undefined && kind) return { id, resource: kind };
  throw new Failure(
    'invalid',
    `${option}: ${wrong ?? `the service has no list that tells who ${JSON.stringify(name)} is`}`,
  );
}

function standsAt(record: JsonObject, keys: readonly string[], text: string): boolean {
  let here: Json | undefined = record;
  for (const key of keys) {
    if (Array.isArray(here)) here = here[Number(key)];
    else if (isObject(here) && Object.hasOwn(here, key)) here = here[key];
    else return false;
  }
  return here === text || (keys.at(-1) === text && here !== undefined);
}

/** Reads a reference as a name with the kinds that it can mean; `user:alice` says which. Ids, and kinds without names, are none. */
function asNamed(reference: RecordReference): Named | undefined {
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

/** Tells whether records of a kind have names, and are listed in the account itself. */
const isNameable = ({ naturalKeys, operations }: Resource): boolean =>
  naturalKeys.length > 0 &&
  operations.some(({ verb, path }) => verb === 'list' && !/\{(?!account_id\})/.test(path));

/** Finds the id that a name means, or says what is wrong with it; neither where no list is there to tell. */
function idFor(
  name: string,
  kinds: readonly Resource[],
  lists: Lists,
  where: string,
): { readonly id?: string; readonly wrong?: string } {
  const found = kinds.flatMap((kind) =>
    (lists.get(kind.name) ?? []).flatMap((item) =>
      typeof item.id === 'string' && isCalled(kind, item, name) ? [{ kind, id: item.id }] : [],
    ),
  );
  const [first, ...more] = found;
  if (first && more.length === 0) return { id: first.id };
  if (first)
    return {
      wrong: `${JSON.stringify(name)} means ${found.map(({ kind, id }) => `${kind.singular} ${id}`).join(' and ')}; give the id${kinds.length > 1 ? `, or say which: ${kinds.map(({ singular }) => `${singular}:${name}`).join(', ')}` : ''}`,
    };
  if (kinds.some((kind) => lists.get(kind.name) === undefined)) return {};
  const near = nearest(
    name,
    kinds.flatMap((kind) => (lists.get(kind.name) ?? []).flatMap((item) => namesOf(kind, item))),
  );
  const what = eitherOf(kinds.map(({ singular }) => singular));
  return {
    wrong: `there is no ${what} ${JSON.stringify(name)} in ${where}${near === undefined ? '' : `.${didYouMean(near)}`}`,
  };
}

const namesOf = (kind: Resource, item: JsonObject): readonly string[] =>
  kind.naturalKeys.flatMap((key) => canonicalTexts(kind, item, key));

const isCalled = (kind: Resource, item: JsonObject, name: string): boolean =>
  item.id === name ||
  kind.naturalKeys.some((key) =>
    canonicalTexts(kind, item, key).some(
      (text) => comparedForm(kind, key, text) === comparedForm(kind, key, name),
    ),
  );
