import { type Json, type JsonObject, valueAt } from '../contract/json.ts';
import { neutralise } from './neutralise.ts';

/** What `-o name` shows of a record: its natural key, else its id, in one line. */
export function nameOf(record: JsonObject, naturalKeys: readonly string[]): string {
  const candidates = [...naturalKeys, 'id', 'name'].map((path) => firstText(valueAt(record, path)));
  return neutralise(candidates.find((text) => text !== '') ?? '');
}

function firstText(value: Json | undefined): string {
  if (Array.isArray(value)) return firstText(value[0]);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
