import { Failure } from '../../base/failure.ts';
import { type JsonObject, valueAt } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { didYouMean, inWords } from '../../base/wording.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { choicesOf, fieldsNamed, unknownField } from '../../contract/field-names.ts';
import type { Resource } from '../../contract/types.ts';

/** A filter of records: the values of a field, or all but them. */
export interface Filter {
  /** Dotted path. */
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
    const path = pathOf(resource, name);
    checkValues(resource, { name, path, wanted: filter.wanted });
    return { ...filter, path };
  });
}

function splitFilter(filter: string): { readonly key: string; readonly value: string } {
  const at = filter.indexOf('=');
  if (at >= 1) return { key: filter.slice(0, at), value: filter.slice(at + 1) };
  throw new Failure(
    'usage',
    `--filter takes key=value, for example --filter enabled=true; not ${JSON.stringify(filter)}.`,
  );
}

function pathOf(resource: Resource, name: string): string {
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
    `${inWords(resource.name)} have no ${name} ${JSON.stringify(wrong)}.${didYouMean(nearest(wrong, choices))}`,
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

/** The query parameters that ask a service for it (Conventions, filters). */
export const filterQuery = (filters: readonly Filter[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    filters.map(({ path, isNot, wanted }) => [`filter_${isNot ? 'not_' : ''}${path}`, wanted]),
  );

/** True for a record that the filters choose. */
export const fits = (record: JsonObject, filters: readonly Filter[]): boolean =>
  filters.every(({ path, isNot, wanted }) => {
    const value = valueAt(record, path);
    const texts = (Array.isArray(value) ? value : [value]).map((each) => String(each));
    return wanted.flatMap(valuesIn).some((text) => texts.includes(text)) !== isNot;
  });
