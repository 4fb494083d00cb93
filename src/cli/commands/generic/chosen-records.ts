import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { counted, type Lines } from '../../../base/wording.ts';
import { fieldsNamed, unknownField } from '../../../contract/field-names.ts';
import { pluralIn } from '../../../contract/resource.ts';
import type { Resource } from '../../../contract/types.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';

/** Order of a list: by the value at a dotted path. */
export interface Order {
  readonly path: string;
  readonly isDescending: boolean;
}

/**
 * Reads `--sort FIELD[:asc|:desc]`; a heading of the table stands for its first field. Throws `Failure` of kind `usage`
 * for a field that the resource does not have.
 */
export function readOrder(
  resource: Resource,
  { sort }: ParsedInput,
  { options }: Pick<Context, 'options'>,
): Order | undefined {
  if (typeof sort !== 'string') return undefined;
  const [, name = sort, direction] = /^(.*?)(?::(asc|desc))?$/.exec(sort) ?? [];
  const path = options.allowUnknownFields ? name : fieldsNamed(resource, name)?.[0];
  if (path === undefined) throw unknownField(resource, name);
  return { path, isDescending: direction === 'desc' };
}

/** The rest of a list, and its size. */
interface Chosen {
  readonly items: Iterable<JsonObject> | AsyncIterable<JsonObject>;
  /** Said at the end, where a limit left records out. */
  readonly cut?: () => Lines | undefined;
}

/**
 * The records in which a text stands, in an order, and no more of them than a limit (0: all). Without an order no page
 * is read that is not shown.
 */
export function chosenFrom(
  items: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  resource: Resource,
  { order, search, limit }: { order: Order | undefined } & Pick<ParsedInput, 'search' | 'limit'>,
): Chosen {
  const found = typeof search === 'string' ? searched(items, search) : items;
  const most = typeof limit === 'number' && limit > 0 ? limit : Number.POSITIVE_INFINITY;
  if (order === undefined && most === Number.POSITIVE_INFINITY) return { items: found };
  const seen = { shown: 0, of: undefined as number | undefined, isCut: false };
  async function* limited(): AsyncGenerator<JsonObject> {
    const ordered = order ? await sorted(found, order, most) : undefined;
    if (ordered) seen.of = ordered.of;
    const inOrder = ordered?.records ?? found;
    for await (const item of inOrder) {
      if (seen.shown === most) {
        seen.isCut = true;
        return;
      }
      seen.shown += 1;
      yield item;
    }
  }
  return {
    items: limited(),
    cut: () => {
      if (!seen.isCut) return undefined;
      const many =
        seen.of === undefined
          ? `The first ${counted(seen.shown, resource.singular, pluralIn(resource))}`
          : `${seen.shown} of ${seen.of} ${pluralIn(resource)}`;
      return `${many}; all: --limit 0`;
    },
  };
}

async function* searched(
  items: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  text: string,
): AsyncGenerator<JsonObject> {
  const wanted = text.toLowerCase();
  // Ids are random: a text stands in one by chance, unless it looks like a part of one.
  const isIdLike = /^[0-9a-f]{6,}$/.test(wanted);
  const holds = (value: Json | undefined): boolean => {
    if (Array.isArray(value)) return value.some((each: Json) => holds(each));
    if (isObject(value))
      return Object.entries(value).some(([key, each]) => (isIdLike || key !== 'id') && holds(each));
    return value !== undefined && String(value).toLowerCase().includes(wanted);
  };
  for await (const item of items) if (holds(item)) yield item;
}

/**
 * The first records in an order, and how many there were: numbers by size, texts as people sort them; records without
 * the value stand last. Little more than `most` are in memory at once.
 */
async function sorted(
  items: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  { path, isDescending }: Order,
  most: number,
): Promise<{ readonly records: readonly JsonObject[]; readonly of: number }> {
  const compareTexts = new Intl.Collator('en', { numeric: true }).compare;
  const compare = (left: Json, right: Json): number =>
    typeof left === 'number' && typeof right === 'number'
      ? left - right
      : compareTexts(String(left), String(right));
  const inOrder = (left: JsonObject, right: JsonObject): number => {
    const [one, other] = [valueAt(left, path) ?? null, valueAt(right, path) ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return isDescending ? compare(other, one) : compare(one, other);
  };
  const records: JsonObject[] = [];
  let of = 0;
  for await (const item of items) {
    records.push(item);
    of += 1;
    if (records.length <= most + sortedAtOnce) continue;
    records.sort(inOrder);
    records.length = most;
  }
  // One more than is shown, so that it is known whether any were left out.
  return { records: records.sort(inOrder).slice(0, most + 1), of };
}

const sortedAtOnce = 2000;
