import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { isoTimeInWords, timeAtAGlance, timeInWords } from '../../base/moment.ts';
import { neutralise, unknownValue } from '../../base/neutralise.ts';
import { shownNumber } from '../../base/shown-form.ts';
import { shortId } from '../../base/wording.ts';
import { daysInWords, hoursInWords } from '../../contract/temporal-match.ts';
import type { Column } from '../../contract/types.ts';
import type { ListResult } from '../command/result.ts';

/** A value in one line of text. What people type is shown as typed; nothing is shown for nothing. */
export function plainText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => !isObject(item) && !Array.isArray(item))) {
    return value.map(plainText).join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function countOf(value: Json | undefined): string {
  // Some services list the count in place of what is counted.
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return String(value.length);
  return isObject(value) ? String(Object.keys(value).length) : '';
}

function textFor(value: Json | undefined, { show, form }: Column): string {
  if (form && typeof value === 'number') return shownNumber(form, value);
  if (show === 'count') return countOf(value);
  if (show !== 'time') return plainText(value);
  // Services say 0 for what never was.
  if (value === 0) return '';
  return typeof value === 'number' ? timeInWords(value) : isoTimeInWords(plainText(value));
}

/** What a column says that is worked out of a whole record. */
function wordsOf(
  record: JsonObject,
  { show, paths: [first = ''] }: Column,
  isOpen: ListResult['isOpen'],
): string | undefined {
  if (show !== 'days' && show !== 'hours') return undefined;
  if (isOpen?.(record, first)) return unknownValue;
  return show === 'days' ? daysInWords(record) : hoursInWords(record);
}

/** How cells are written. */
export interface CellForm {
  /** Ids are not shortened. */
  readonly whole: boolean;
  readonly isOpen?: ListResult['isOpen'];
  /** Times are those that somebody reads now, at a terminal. */
  readonly nowMs?: number | undefined;
}

/** The text of a table's cell, harmless. */
export function cellText(record: JsonObject, column: Column, { whole, isOpen, nowMs }: CellForm): string {
  const words = wordsOf(record, column, isOpen);
  if (words !== undefined) return words;
  const texts = column.paths.map((path) =>
    isOpen?.(record, path) ? unknownValue : textFor(valueAt(record, path), column),
  );
  const text = neutralise(texts.filter((part) => part !== '').join(' '));
  if (column.show === 'id' && !whole) return shortId(text);
  const isTime = column.show === 'time' || column.form === 'moment';
  return isTime && nowMs !== undefined ? timeAtAGlance(text, nowMs) : text;
}

export function columnsOf(fields: readonly string[]): readonly Column[] {
  return fields.map((path) => ({ header: headerOf(path), paths: [path] }));
}

const headerOf = (path: string): string => neutralise(path).toUpperCase();

/** Columns for records of which nothing is known: their plain values, as they first come. */
export function guessedColumns(records: readonly JsonObject[]): readonly Column[] {
  const keys = records.flatMap((record) =>
    Object.entries(record).flatMap(([key, value]) => (isObject(value) ? [] : [key])),
  );
  return [...new Set(keys)].map((key) => ({
    header: headerOf(key),
    paths: [key],
    ...(key === 'id' ? { show: 'id' } : {}),
  }));
}
