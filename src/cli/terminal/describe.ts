import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, valueAt, withTextsAt } from '../../base/json.ts';
import { formatGregorian, formatIsoTime, formatShortTime } from '../../base/moment.ts';
import { neutralise, neutraliseLines, unknownValue } from '../../base/neutralise.ts';
import { formatShownNumber } from '../../base/shown-form.ts';
import { missingName, shortId } from '../../base/wording.ts';
import { mayRefer, type SchemaNode } from '../../contract/schema-node.ts';
import { formatDays, formatHours } from '../../contract/temporal-match.ts';
import type { Column, ResourceName } from '../../contract/types.ts';
import type { ListResult } from '../command/result.ts';
import type { View } from './render-value.ts';
import type { Style } from './style.ts';
import { measureFor } from './width.ts';

/** Formats a value as one line of text. Missing values are empty. */
export function plainText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => !isObject(item) && !Array.isArray(item))) {
    return value.map(plainText).join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function countCell(value: Json | undefined): string {
  // Some services return the count instead of the list.
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return String(value.length);
  return isObject(value) ? String(Object.keys(value).length) : '';
}

function formatValue(value: Json | undefined, { show, form, zone }: Column): string {
  if (form && typeof value === 'number') return formatShownNumber(form, value, zone);
  if (show === 'count') return countCell(value);
  if (show !== 'time') return plainText(value);
  // Some services return 0 for "never".
  if (value === 0) return '';
  return typeof value === 'number' ? formatGregorian(value) : formatIsoTime(plainText(value));
}

function computedText(
  record: JsonObject,
  { show, zone, paths: [first = ''] }: Column,
  isOpen: ListResult['isOpen'],
): string | undefined {
  if (show !== 'days' && show !== 'hours') return undefined;
  if (isOpen?.(record, first)) return unknownValue;
  return show === 'days' ? formatDays(record, zone) : formatHours(record);
}

export interface CellForm {
  readonly whole: boolean;
  readonly isOpen?: ListResult['isOpen'];
  /** Set at a terminal, which shows times relative to now. */
  readonly nowMs?: number | undefined;
}

export function cellText(record: JsonObject, column: Column, { whole, isOpen, nowMs }: CellForm): string {
  const words = computedText(record, column, isOpen);
  if (words !== undefined) return words;
  const texts = column.paths.map((path) =>
    isOpen?.(record, path) ? unknownValue : formatValue(valueAt(record, path), column),
  );
  const text = neutralise(texts.filter((part) => part !== '').join(' '));
  if (column.show === 'id' && !whole) return shortId(text);
  const isTime = column.show === 'time' || column.form === 'moment';
  return isTime && nowMs !== undefined ? formatShortTime(text, nowMs) : text;
}

export function fieldColumns(fields: readonly string[]): readonly Column[] {
  return fields.map((path) => ({ header: columnHeader(path), paths: [path] }));
}

const columnHeader = (path: string): string => neutralise(path).toUpperCase();

/** Guesses columns for records of unknown type: fields with plain values, in order. */
export function guessedColumns(records: readonly JsonObject[]): readonly Column[] {
  const keys = records.flatMap((record) =>
    Object.entries(record).flatMap(([key, value]) => (isObject(value) ? [] : [key])),
  );
  return [...new Set(keys)].map((key) => ({
    header: columnHeader(key),
    paths: [key],
    ...(key === 'id' ? { show: 'id' } : {}),
  }));
}

type Row = readonly [label: string, value: string | readonly string[]];

function describedRows(value: Json, indent: string): readonly Row[] {
  const entries: readonly (readonly [string, Json | undefined])[] = Array.isArray(value)
    ? value.map((item: Json, index) => [String(index), item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, inner]): readonly Row[] => {
    const label = indent + neutralise(key);
    if (inner === undefined) return [];
    const nested =
      isObject(inner) || (Array.isArray(inner) && inner.some((item) => typeof item === 'object'));
    if (!nested) return [[label, plainText(inner)]];
    const below = describedRows(inner, `${indent}  `);
    return below.length === 0 ? [[label, 'none']] : [[label, ''], ...below];
  });
}

/** Describes a record: one line per value, labels on the left. Long texts get their own lines. */
export async function formatRecord(
  value: Json,
  style: Style,
  inLines: ReadonlySet<string> = new Set(),
): Promise<string> {
  if (!isObject(value) && !Array.isArray(value)) return `${neutraliseLines(plainText(value))}\n`;
  const rows = describedRows(value, '').map(
    ([label, text]): Row =>
      inLines.has(label) && typeof text === 'string' ? [label, text.trimEnd().split(/\r?\n/)] : [label, text],
  );
  return formatLabels(rows, style);
}

export async function formatLabels(rows: readonly Row[], style: Style): Promise<string> {
  const { width: widthOf } = await measureFor(rows.map(([label]) => label));
  const width = rows.reduce((most, [label]) => Math.max(most, widthOf(label)), 0);
  return rows
    .map(([label, value]) => {
      const space = ' '.repeat(width - widthOf(label) + 2);
      const [first = '', ...more] = Array.isArray(value) ? value : [value];
      const below = more.map((line) => `${' '.repeat(width + 2)}${neutralise(line)}\n`);
      return `${style.dim(label)}${`${space}${neutralise(first)}`.trimEnd()}\n${below.join('')}`;
    })
    .join('');
}

/** Returns the `-o name` text of a record: its natural key or its id, in one line. */
export function nameInLine(record: JsonObject, naturalKeys: readonly string[]): string {
  const candidates = [...naturalKeys, 'id', 'name'].map((path) => firstText(valueAt(record, path)));
  return neutralise(candidates.find((text) => text !== '') ?? '');
}

function firstText(value: Json | undefined): string {
  if (Array.isArray(value)) return firstText(value[0]);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Fails, because an empty output would look like an empty list. */
export const namelessFailure = (): Failure =>
  new Failure('usage', 'The result has neither a name nor an id, so -o name cannot print it.', {
    hint: 'Choose another format, such as -o json, or select a value with --query.',
  });

const idPattern = /^(?:\d{6}-)?[0-9a-f]{32}$/;

/**
 * Replaces ids with names in columns that refer to other records. Marks ids of missing records, and keeps ids that
 * cannot be checked. Reads each kind of record once, and only if needed.
 */
export async function* withNames(
  records: AsyncIterable<JsonObject>,
  columns: readonly Column[],
  namesOf: View['namesOf'],
): AsyncGenerator<JsonObject> {
  const referring = columns.flatMap(({ paths: [path], refers }) =>
    path && refers ? [{ path, refers }] : [],
  );
  const known = new Map<ResourceName, Promise<ReadonlyMap<string, string> | undefined>>();
  const namesFor = (kind: ResourceName) => {
    const names = known.get(kind) ?? namesOf?.(kind) ?? Promise.resolve(undefined);
    known.set(kind, names);
    return names;
  };
  for await (const record of records) {
    let shown = record;
    for (const { path, refers } of referring) {
      const id = valueAt(record, path);
      if (typeof id !== 'string' || !idPattern.test(id)) continue;
      const names = await namesFor(refers);
      if (names) shown = { ...shown, [path]: names.get(id) ?? missingName(id) };
    }
    yield shown;
  }
}

export const namedColumns = (columns: readonly Column[]): readonly Column[] =>
  columns.map((column) => {
    const { show, ...rest } = column;
    return column.refers && show === 'id' ? rest : column;
  });

/** Replaces ids in a record with names. Two map entries with the same name keep their ids. */
export async function recordWithNames(
  record: JsonObject,
  schema: SchemaNode,
  namesOf: View['namesOf'],
): Promise<JsonObject> {
  if (!namesOf || !mayRefer(schema, record)) return record;
  const { referencesOfRecord } = await import('../../contract/record-references.ts');
  const found = [...referencesOfRecord({ schema }, record)].filter(({ id }) => idPattern.test(id));
  const kindsOf = ({ to, or }: (typeof found)[number]) => [to, or].flatMap((kind) => kind ?? []);
  // The list of accounts only contains descendants of the current account.
  const kinds = new Set<ResourceName>(found.flatMap(kindsOf).filter((kind) => kind !== 'accounts'));
  const lists = new Map(
    await Promise.all([...kinds].map(async (kind) => [kind, await namesOf(kind)] as const)),
  );
  const texts = new Map<string, string>();
  const taken = new Set<string>();
  for (const reference of found) {
    const names = kindsOf(reference).map((kind) => lists.get(kind));
    const name = names.flatMap((list) => list?.get(reference.id) ?? [])[0];
    const isMissing = names.length > 0 && names.every((list) => list !== undefined);
    const text = name ?? (isMissing ? missingName(reference.id) : undefined);
    if (text === undefined) continue;
    const place = (last: string): string => [...reference.keys.slice(0, -1), last].join('\0');
    texts.set(reference.keys.join('\0'), taken.has(place(text)) ? `${text} ${reference.id}` : text);
    taken.add(place(text));
  }
  return withTextsAt(record, texts);
}
