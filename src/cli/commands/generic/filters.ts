import { Failure } from '../../../base/failure.ts';
import { type JsonObject, valueAt } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { numberShown } from '../../../base/shown-form.ts';
import { didYouMean } from '../../../base/wording.ts';
import { choicesOf, fieldsNamed, unknownField } from '../../../contract/field-names.ts';
import { pluralIn } from '../../../contract/resource.ts';
import { fieldAt } from '../../../contract/schema.ts';
import { formAt } from '../../../contract/schema-node.ts';
import type { Resource } from '../../../contract/types.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';

/** A filter of records: the values of a field, or all but them. */
export interface Filter {
  readonly path: string;
  /** Chosen are records without these values. */
  readonly isNot: boolean;
  /** As typed: texts, or JSON lists of them. */
  readonly wanted: readonly string[];
}

/**
 * Reads `--filter KEY=VALUE`. A key is a field of the contract or a heading of the table, `not_` before it turns it
 * round; values of fields that have only some are held against those. Throws `Failure` of kind `usage` for anything
 * else, unless unknown fields are allowed.
 */
export function readFilters(
  resource: Resource,
  { filters }: ParsedInput,
  { options }: Pick<Context, 'options'>,
): readonly Filter[] {
  const given = Array.isArray(filters) ? filters.map(String) : [];
  const byKey = Map.groupBy(given.map(splitFilter), ({ key }) => key);
  return [...byKey].map(([key, pairs]) => {
    const isNot = key.startsWith('not_');
    const filter = { isNot, wanted: pairs.map(({ value }) => value) };
    const name = isNot ? key.slice('not_'.length) : key;
    if (options.allowUnknownFields) return { ...filter, path: name };
    const path = filterPath(resource, name);
    checkValues(resource, { name, path, wanted: filter.wanted });
    return { ...filter, path, wanted: filter.wanted.map((text) => asKept(resource, path, text)) };
  });
}

/** A value as records have it: lengths of time, sizes and times may be written as tables show them. */
function asKept({ schema }: Resource, path: string, text: string): string {
  const form = formAt(schema, path);
  return String((form && numberShown(form, text)) ?? text);
}

function splitFilter(filter: string): { readonly key: string; readonly value: string } {
  const at = filter.indexOf('=');
  if (at >= 1) return { key: filter.slice(0, at), value: filter.slice(at + 1) };
  throw new Failure(
    'usage',
    `--filter takes key=value, for example --filter enabled=true; not ${JSON.stringify(filter)}.`,
  );
}

function filterPath(resource: Resource, name: string): string {
  const [path, ...others] = fieldsNamed(resource, name) ?? [];
  if (path === undefined) throw unknownField(resource, name);
  if (others.length === 0) return path;
  throw new Failure(
    'usage',
    `${JSON.stringify(name)} is ${others.length + 1} fields; filter by one of them: ${[path, ...others].join(', ')}.`,
  );
}

function checkValues(
  resource: Resource,
  {
    name,
    path,
    wanted,
  }: { readonly name: string; readonly path: string; readonly wanted: readonly string[] },
): void {
  const choices = choicesOf(resource, path);
  const wrong = choices.length > 0 && wanted.flatMap(valuesIn).find((value) => !choices.includes(value));
  if (wrong === false || wrong === undefined) return;
  throw new Failure(
    'usage',
    `${pluralIn(resource)} have no ${name} ${JSON.stringify(wrong)}.${didYouMean(nearest(wrong, choices))}`,
    {
      hint: `There are: ${choices.join(', ')}. --allow-unknown-fields accepts others.`,
    },
  );
}

/** The values that a text stands for: itself, or the items of a JSON list (Conventions, filters). */
function valuesIn(text: string): readonly string[] {
  if (!text.startsWith('[')) return [text];
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) ? items.map(String) : [text];
  } catch {
    return [text];
  }
}

/**
 * Name under which the service stores a field; `undefined` for one that it works out for the reply: ids, read-only
 * fields, and the count that a list shows of what is an object.
 */
function storedName({ storedAs = {}, schema }: Resource, path: string): string | undefined {
  if (Object.hasOwn(storedAs, path)) return storedAs[path];
  const keys = path.split('.');
  const nodes = keys.map((_, end) => fieldAt(schema, keys.slice(0, end + 1).join('.')));
  const isWorkedOut = nodes[0] === undefined || nodes.some((node) => node?.readOnly);
  return path === 'id' || isWorkedOut || nodes.at(-1)?.type === 'object' ? undefined : path;
}

/** The query parameters that ask a service for it (Conventions, filters), as far as it keeps the fields. */
export const filterQuery = (
  resource: Resource,
  filters: readonly Filter[],
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    filters.flatMap(({ path, isNot, wanted }) => {
      const stored = storedName(resource, path);
      return stored === undefined ? [] : [[`filter_${isNot ? 'not_' : ''}${stored}`, wanted]];
    }),
  );

/** True for a record that the filters choose. A field that is missing has the value of an empty text. */
export const fits = (record: JsonObject, filters: readonly Filter[]): boolean =>
  filters.every(({ path, isNot, wanted }) => {
    const value = valueAt(record, path) ?? '';
    const texts = (Array.isArray(value) ? value : [value]).map((each) => String(each));
    return wanted.flatMap(valuesIn).some((text) => texts.includes(text)) !== isNot;
  });

/**
 * True for an item of a list, or a record, that the filters choose by what it shows. What it leaves open is the
 * service's to know, where the service stores such a field.
 */
export const fitsAsShown = (resource: Resource, filters: readonly Filter[], item: JsonObject): boolean =>
  fits(
    item,
    filters.filter(
      ({ path }) => valueAt(item, path) !== undefined || storedName(resource, path) === undefined,
    ),
  );

/** Items of a list that fit. Some services do not filter a list, and others filter by what is stored. */
export async function* fittingItems(
  resource: Resource,
  filters: readonly Filter[],
  items: AsyncIterable<JsonObject>,
): AsyncGenerator<JsonObject> {
  for await (const item of items) if (fitsAsShown(resource, filters, item)) yield item;
}
