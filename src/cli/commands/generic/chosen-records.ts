import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, parseJson, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { findNearest } from '../../../base/nearest.ts';
import { parseShownDay, parseShownNumber } from '../../../base/shown-form.ts';
import { didYouMean, formatCount, type Lines } from '../../../base/wording.ts';
import { startOfDay } from '../../../base/zoned-time.ts';
import { allowedValues, fieldsNamed, unknownField } from '../../../contract/field-names.ts';
import { pluralIn } from '../../../contract/resource.ts';
import { findFieldNode } from '../../../contract/schema.ts';
import { findShownForm } from '../../../contract/schema-node.ts';
import type { Resource } from '../../../contract/types.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { accountZone } from '../records/account-time.ts';

/** Sort order of a list, by the value at a dotted path. */
export interface Order {
  readonly path: string;
  readonly isDescending: boolean;
}

/** Parses `--sort FIELD[:asc|:desc]`, with a field or a column heading. Throws `usage` for an unknown field. */
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

interface LimitedList {
  readonly items: Iterable<JsonObject> | AsyncIterable<JsonObject>;
  readonly cut?: () => Lines | undefined;
}

/** Yields the records that contain a text, sorted and limited. Without sorting, reads only the needed pages. */
export function limitList(
  items: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  resource: Resource,
  { order, search, limit }: { order: Order | undefined } & Pick<ParsedInput, 'search' | 'limit'>,
): LimitedList {
  const found = typeof search === 'string' ? searchRecords(items, search) : items;
  const most = typeof limit === 'number' && limit > 0 ? limit : Number.POSITIVE_INFINITY;
  if (order === undefined && most === Number.POSITIVE_INFINITY) return { items: found };
  const seen = { shown: 0, of: undefined as number | undefined, isCut: false };
  async function* takeLimited(): AsyncGenerator<JsonObject> {
    const ordered = order ? await sortRecords(found, order, most) : undefined;
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
    items: takeLimited(),
    cut: () => {
      if (!seen.isCut) return undefined;
      const many =
        seen.of === undefined
          ? `The first ${formatCount(seen.shown, resource.singular, pluralIn(resource))}`
          : `${seen.shown} of ${seen.of} ${pluralIn(resource)}`;
      return `${many}; all: --limit 0`;
    },
  };
}

async function* searchRecords(
  items: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  text: string,
): AsyncGenerator<JsonObject> {
  const wanted = text.toLowerCase();
  // Ids are random, so only a text that looks like a part of an id is searched in ids.
  const isIdLike = /^[0-9a-f]{6,}$/.test(wanted);
  const containsText = (value: Json | undefined): boolean => {
    if (Array.isArray(value)) return value.some((each: Json) => containsText(each));
    if (isObject(value))
      return Object.entries(value).some(([key, each]) => (isIdLike || key !== 'id') && containsText(each));
    return value !== undefined && String(value).toLowerCase().includes(wanted);
  };
  for await (const item of items) if (containsText(item)) yield item;
}

/**
 * Returns the first records in a sort order, and the number of all. Numbers are sorted by size, and records without
 * the value are last. Keeps little more than `most` records in memory.
 */
async function sortRecords(
  items: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  { path, isDescending }: Order,
  most: number,
): Promise<{ readonly records: readonly JsonObject[]; readonly of: number }> {
  const compareTexts = new Intl.Collator('en', { numeric: true }).compare;
  const compareValues = (left: Json, right: Json): number =>
    typeof left === 'number' && typeof right === 'number'
      ? left - right
      : compareTexts(String(left), String(right));
  const compareRecords = (left: JsonObject, right: JsonObject): number => {
    const [one, other] = [valueAt(left, path) ?? null, valueAt(right, path) ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return isDescending ? compareValues(other, one) : compareValues(one, other);
  };
  const records: JsonObject[] = [];
  let of = 0;
  for await (const item of items) {
    records.push(item);
    of += 1;
    if (records.length <= most + sortBatchSize) continue;
    records.sort(compareRecords);
    records.length = most;
  }
  // One more record shows whether any were omitted.
  return { records: records.sort(compareRecords).slice(0, most + 1), of };
}

const sortBatchSize = 2000;

/** A filter by the values of a field, which includes or excludes them. */
export interface Filter {
  readonly path: string;
  readonly isNot: boolean;
  readonly wanted: readonly string[];
  /** Days in the account's time zone, for a field with times. A record with a time on one of them matches. */
  readonly days?: readonly DaySpan[];
}

/** A day in Gregorian seconds, with an exclusive end. */
interface DaySpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses `--filter KEY=VALUE`. A key is a field of the contract or a column heading, and the prefix `not_` negates
 * it. A date without a time is a day in the account's time zone. Throws `usage` for unknown keys and values, unless
 * unknown fields are allowed.
 */
export async function readFilters(
  resource: Resource,
  { filters }: ParsedInput,
  context: Pick<Context, 'options' | 'api' | 'host' | 'notices'>,
): Promise<readonly Filter[]> {
  const { options } = context;
  const given = Array.isArray(filters) ? filters.map(String) : [];
  const byKey = Map.groupBy(given.map(splitFilter), ({ key }) => key);
  const read = [...byKey].map(([key, pairs]): Filter => {
    const isNot = key.startsWith('not_');
    const filter = { isNot, wanted: pairs.map(({ value }) => value) };
    const name = isNot ? key.slice('not_'.length) : key;
    if (options.allowUnknownFields) return { ...filter, path: name };
    const path = filterPath(resource, name);
    checkValues(resource, name, path, filter.wanted);
    return { ...filter, path, wanted: filter.wanted.map((text) => storedValue(resource, path, text)) };
  });
  const typedDay = ({ path }: Filter, text: string) =>
    parseShownDay(findShownForm(resource.schema, path), text);
  if (!read.some((each) => each.wanted.some((text) => typedDay(each, text) !== undefined))) return read;
  const zone = await accountZone(context);
  const daySpan = (day: number): DaySpan => ({
    from: startOfDay(zone, day) + gregorianOffset,
    to: startOfDay(zone, day + 1) + gregorianOffset,
  });
  return read.map((each) => {
    const days = each.wanted.flatMap((text) => typedDay(each, text) ?? []);
    const wanted = each.wanted.filter((text) => typedDay(each, text) === undefined);
    return days.length === 0 ? each : { ...each, wanted, days: days.map(daySpan) };
  });
}

function storedValue({ schema }: Resource, path: string, text: string): string {
  const form = findShownForm(schema, path);
  if (parseShownDay(form, text) !== undefined) return text.trim();
  return String((form && parseShownNumber(form, text)) ?? text);
}

function splitFilter(filter: string): { readonly key: string; readonly value: string } {
  const at = filter.indexOf('=');
  if (at >= 1) return { key: filter.slice(0, at), value: filter.slice(at + 1) };
  throw new Failure(
    'usage',
    `--filter must be key=value, such as enabled=true, not ${JSON.stringify(filter)}.`,
  );
}

function filterPath(resource: Resource, name: string): string {
  const [path, ...others] = fieldsNamed(resource, name) ?? [];
  if (path === undefined) throw unknownField(resource, name);
  if (others.length === 0) return path;
  throw new Failure(
    'usage',
    `${JSON.stringify(name)} shows ${others.length + 1} fields. Filter by one of them: ${[path, ...others].join(', ')}.`,
  );
}

function checkValues(resource: Resource, name: string, path: string, wanted: readonly string[]): void {
  const choices = allowedValues(resource, path);
  const wrong = choices.length > 0 && wanted.flatMap(valuesIn).find((value) => !choices.includes(value));
  if (wrong === false || wrong === undefined) return;
  throw new Failure(
    'usage',
    `${pluralIn(resource)} have no ${name} ${JSON.stringify(wrong)}.${didYouMean(findNearest(wrong, choices))}`,
    { hint: `Known values: ${choices.join(', ')}. To use others, pass --allow-unknown-fields.` },
  );
}

/** Returns the text, or the items of a JSON list (Conventions, filters). */
function valuesIn(text: string): readonly string[] {
  const items = text.startsWith('[') ? parseJson(text) : undefined;
  return Array.isArray(items) ? items.map(String) : [text];
}

/** Returns the stored name of a field, or `undefined` if the service computes the field. */
function storedName({ storedAs = {}, schema }: Resource, path: string): string | undefined {
  if (Object.hasOwn(storedAs, path)) return storedAs[path];
  const keys = path.split('.');
  const nodes = keys.map((_, end) => findFieldNode(schema, keys.slice(0, end + 1).join('.')));
  const isWorkedOut = nodes[0] === undefined || nodes.some((node) => node?.readOnly);
  return path === 'id' || isWorkedOut || nodes.at(-1)?.type === 'object' ? undefined : path;
}

/** Returns the query parameters for filters (Conventions, filters) that the service can apply. */
export const filterQuery = (
  resource: Resource,
  filters: readonly Filter[],
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    filters.flatMap(({ path, isNot, wanted, days }) => {
      const stored = days === undefined ? storedName(resource, path) : undefined;
      return stored === undefined ? [] : [[`filter_${isNot ? 'not_' : ''}${stored}`, wanted]];
    }),
  );

/** A missing field counts as an empty text. */
export const matchesFilters = (record: JsonObject, filters: readonly Filter[]): boolean =>
  filters.every(({ path, isNot, wanted, days = [] }) => {
    const value = valueAt(record, path) ?? '';
    const texts = (Array.isArray(value) ? value : [value]).map((each) => String(each));
    const isWithinDay = ({ from, to }: DaySpan): boolean =>
      texts.some((text) => text !== '' && Number(text) >= from && Number(text) < to);
    return (
      (wanted.flatMap(valuesIn).some((text) => texts.includes(text)) || days.some(isWithinDay)) !== isNot
    );
  });

/** Checks only filters by fields that the item shows. Filters by other stored fields are left to the service. */
export const matchesShownFields = (
  resource: Resource,
  filters: readonly Filter[],
  item: JsonObject,
): boolean =>
  matchesFilters(
    item,
    filters.filter(
      ({ path }) => valueAt(item, path) !== undefined || storedName(resource, path) === undefined,
    ),
  );

/** Yields the matching items of a list. Some services ignore filters, and others only filter by stored fields. */
export async function* filterItems(
  resource: Resource,
  filters: readonly Filter[],
  items: AsyncIterable<JsonObject>,
): AsyncGenerator<JsonObject> {
  for await (const item of items) if (matchesShownFields(resource, filters, item)) yield item;
}
