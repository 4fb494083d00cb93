import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import type { DoneResult, ItemResult, ListResult } from '../command/result.ts';
import type { View } from './render-value.ts';

type Recorded = ItemResult | ListResult | DoneResult;

/** Fields of `--fields` that no record had. */
interface Slips {
  /** Fields that a list omits. */
  readonly left: readonly string[];
  /** Fields that no record has. */
  readonly strange: readonly string[];
}

/** First column for records of many accounts. */
const ofMany = { header: 'ACCOUNT', paths: ['account'] } as const;

const none: Slips = { left: [], strange: [] };

/**
 * Resolves names to the paths of the resource's fields or the headings of the table. Throws `usage` for unknown names,
 * unless the command has already changed something. Then they are reported next to the result.
 */
export async function meantFields(
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
    return pathsNamed({ ...resource, columns: [ofMany, ...columns, ...resource.columns] }, names);
  } catch (error) {
    if (result.kind !== 'done' || !(error instanceof Failure)) throw error;
    view.warn(error.lines);
    return names;
  }
}

/**
 * Wraps a result to observe its records, and reports unknown fields afterwards. A service may have fields that the
 * contract does not know, so only the records show whether a name is valid.
 */
export function watchFields(result: Recorded, fields: readonly string[]) {
  const left = new Set(fields);
  const keys = new Set<string>();
  let count = 0;
  const see = (record: Json | undefined): void => {
    if (!isObject(record)) return;
    count += 1;
    for (const field of left) if (valueAt(record, field) !== undefined) left.delete(field);
    if (left.size > 0) for (const key of Object.keys(record)) keys.add(key);
  };
  async function* seen(items: ListResult['items']): AsyncGenerator<JsonObject> {
    for await (const item of items) {
      see(item);
      yield item;
    }
  }
  if (result.kind !== 'list')
    for (const each of Array.isArray(result.value) ? result.value : [result.value]) see(each);
  return {
    result: result.kind === 'list' ? { ...result, items: seen(result.items) } : result,
    slips: async (): Promise<Slips> =>
      count === 0 || left.size === 0 ? none : slipsAmong(left, keys, result),
  };
}

async function slipsAmong(
  missing: ReadonlySet<string>,
  keys: ReadonlySet<string>,
  result: Recorded,
): Promise<Slips> {
  const { known, listed } = await fieldsOf(result);
  const tops = [...missing].map((field) => field.split('.')[0] ?? field);
  const isKnown = (top: string): boolean => known.has(top) || keys.has(top);
  // If a list knows what it omits, its cells show that.
  const isLeftOut = (top: string): boolean =>
    result.kind === 'list' && !result.isOpen && listed.size > 0 && !listed.has(top);
  return {
    left: tops.flatMap((top) =>
      isKnown(top) && isLeftOut(top) ? [`The list leaves out ${JSON.stringify(top)}; get shows it.`] : [],
    ),
    strange: tops.flatMap((top) =>
      isKnown(top)
        ? []
        : [`There is no field ${JSON.stringify(top)}.${didYouMean(findNearest(top, [...keys, ...known]))}`],
    ),
  };
}

/** The fields of a resource in the contract, and those that a list shows (none: all). */
async function fieldsOf(result: Recorded) {
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
