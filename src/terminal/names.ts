import { Failure } from '../base/failure.ts';
import { type Json, type JsonObject, valueAt } from '../base/json.ts';
import { neutralise } from '../base/neutralise.ts';

/** What `-o name` shows of a record: its natural key, else its id, in one line. */
export function nameOf(record: JsonObject, naturalKeys: readonly string[]): string {
  const candidates = [...naturalKeys, 'id', 'name'].map((path) => firstText(valueAt(record, path)));
  return neutralise(candidates.find((text) => text !== '') ?? '');
}

function firstText(value: Json | undefined): string {
  if (Array.isArray(value)) return firstText(value[0]);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** What `-o name` of a record that has neither name nor id ends with: silence would look like an empty list. */
export const nameless = (): Failure =>
  new Failure(
    'usage',
    'What is shown here has neither a name nor an id, so that -o name has nothing to print.',
    {
      hint: 'Choose another format, such as -o json; --query takes one value out of it.',
    },
  );
