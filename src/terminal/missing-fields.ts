import { isObject, type Json, type JsonObject, valueAt } from '../contract/json.ts';
import { nearest } from '../contract/nearest.ts';
import type { ResourceName } from '../contract/types.ts';
import { didYouMean } from '../contract/wording.ts';
import type { DoneResult, ItemResult, ListResult } from './result.ts';

type Recorded = ItemResult | ListResult | DoneResult;

/** A result to be shown in place of another, and what can be said of its fields afterwards. */
export interface Watched {
  readonly result: Recorded;
  /** A sentence for each field of `--fields` that no record had and that is likely a slip. */
  slips(): Promise<readonly string[]>;
}

/**
 * Watches the records of a result go by. A service may have fields that the contract does not know, so that only its
 * records can tell whether a name means something.
 */
export function watchFields(result: Recorded, fields: readonly string[]): Watched {
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
    slips: async () => (count === 0 || left.size === 0 ? [] : slipsAmong(left, keys, result)),
  };
}

async function slipsAmong(
  missing: ReadonlySet<string>,
  keys: ReadonlySet<string>,
  { kind, resource }: Recorded,
): Promise<readonly string[]> {
  const { known, listed } = await fieldsOf(resource);
  return [...missing].flatMap((field) => {
    const [top = field] = field.split('.');
    if (known.has(top) || keys.has(top))
      return kind === 'list' && listed.size > 0 && !listed.has(top)
        ? [`The list leaves out ${JSON.stringify(top)}; get shows it.`]
        : [];
    const near = nearest(top, [...keys, ...known]);
    return [`There is no field ${JSON.stringify(top)}.${didYouMean(near)}`];
  });
}

/** The fields that the contract knows of a resource, and those that a list shows (none: all). */
async function fieldsOf(resource: ResourceName | undefined) {
  if (resource === undefined) return { known: new Set<string>(), listed: new Set<string>() };
  const { resourceByName } = await import('../contract/catalogue.ts');
  const { schema, listFields } = resourceByName(resource);
  const properties: unknown = schema.properties;
  return {
    known: new Set(['id', ...(isObject(properties) ? Object.keys(properties) : []), ...listFields]),
    listed: new Set(listFields.length === 0 ? [] : ['id', ...listFields]),
  };
}
