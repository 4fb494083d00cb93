import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import type { DoneResult, ItemResult, ListResult } from '../command/result.ts';
import type { View } from './render-value.ts';

type Recorded = ItemResult | ListResult | DoneResult;

interface FieldProblems {
  readonly omitted: readonly string[];
  readonly unknown: readonly string[];
}

const accountColumn = { header: 'ACCOUNT', paths: ['account'] } as const;

const noProblems: FieldProblems = { omitted: [], unknown: [] };

/**
 * Resolves names to paths of the resource's fields or headings of the table. Throws `usage` for unknown names. After
 * a change, unknown names are only reported with the result.
 */
export async function resolveFields(
  result: Recorded,
  names: readonly string[],
  view: Pick<View, 'allowUnknownFields' | 'warn'>,
): Promise<readonly string[]> {
  const columns = result.kind === 'list' ? (result.columns ?? []) : [];
  if (result.resource === undefined || view.allowUnknownFields)
    return names.flatMap(
      (name) => columns.find(({ header }) => header === name.toUpperCase())?.paths ?? name,
    );
  const [{ resourceByName }, { pathsNamed }] = await Promise.all([
    import('../../contract/catalogue.ts'),
    import('../../contract/field-names.ts'),
  ]);
  const resource = resourceByName(result.resource);
  try {
    return pathsNamed({ ...resource, columns: [accountColumn, ...columns, ...resource.columns] }, names);
  } catch (error) {
    if (result.kind !== 'done' || !(error instanceof Failure)) throw error;
    view.warn(error.lines);
    return names;
  }
}

/**
 * Wraps a result to observe its records, and reports unknown fields afterwards. A service may have fields that the
 * contract does not know, so only the records show if a name is valid.
 */
export function watchFields(result: Recorded, fields: readonly string[]) {
  const missing = new Set(fields);
  const keys = new Set<string>();
  let count = 0;
  const observeRecord = (record: Json | undefined): void => {
    if (!isObject(record)) return;
    count += 1;
    for (const field of missing) if (valueAt(record, field) !== undefined) missing.delete(field);
    if (missing.size > 0) for (const key of Object.keys(record)) keys.add(key);
  };
  async function* observeAll(items: ListResult['items']): AsyncGenerator<JsonObject> {
    for await (const item of items) {
      observeRecord(item);
      yield item;
    }
  }
  if (result.kind !== 'list')
    for (const each of Array.isArray(result.value) ? result.value : [result.value]) observeRecord(each);
  return {
    result: result.kind === 'list' ? { ...result, items: observeAll(result.items) } : result,
    problems: async (): Promise<FieldProblems> =>
      count === 0 || missing.size === 0 ? noProblems : describeMissing(missing, keys, result),
  };
}

async function describeMissing(
  missing: ReadonlySet<string>,
  keys: ReadonlySet<string>,
  result: Recorded,
): Promise<FieldProblems> {
  const { known, listed } = await knownFields(result);
  const tops = [...missing].map((field) => field.split('.')[0] ?? field);
  const isKnown = (top: string): boolean => known.has(top) || keys.has(top);
  // Cells of a list that knows its omitted fields already show `?`.
  const isOmitted = (top: string): boolean =>
    result.kind === 'list' && !result.isOpen && listed.size > 0 && !listed.has(top);
  return {
    omitted: tops.flatMap((top) =>
      isKnown(top) && isOmitted(top)
        ? [`The list does not include ${JSON.stringify(top)}. To see it, use get.`]
        : [],
    ),
    unknown: tops.flatMap((top) =>
      isKnown(top)
        ? []
        : [`There is no field ${JSON.stringify(top)}.${didYouMean(findNearest(top, [...keys, ...known]))}`],
    ),
  };
}

async function knownFields(result: Recorded) {
  const columns = result.kind === 'list' ? (result.columns ?? []) : [];
  const shown = columns.flatMap(({ paths }) => paths.map((path) => path.split('.')[0] ?? path));
  const { resource } = result;
  if (resource === undefined) return { known: new Set(shown), listed: new Set<string>() };
  const { resourceByName } = await import('../../contract/catalogue.ts');
  const { schema, listFields } = resourceByName(resource);
  const properties: unknown = schema.properties;
  return {
    known: new Set(['id', ...shown, ...(isObject(properties) ? Object.keys(properties) : []), ...listFields]),
    listed: new Set(listFields.length === 0 ? [] : ['id', ...listFields]),
  };
}
