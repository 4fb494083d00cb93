import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { numbers } from '../../contract/resources/numbers.ts';
import type { Column } from '../../contract/types.ts';
import { operationFor } from '../generic/find-record.ts';
import type { numbersArguments } from './commands.ts';

const columns: readonly Column[] = [
  { header: 'NUMBER', paths: ['id'] },
  { header: 'LOCALITY', paths: ['locality'] },
  { header: 'REGION', paths: ['region'] },
  { header: 'COUNTRY', paths: ['country'] },
  { header: 'CARRIER', paths: ['carrier'] },
  { header: 'STATUS', paths: ['status'] },
];

/**
 * Shows where numbers are. Compatible services answer with a place under each number; the specification with a
 * phone number record, which is shown as it is where there is nothing else.
 */
export async function showLocality(
  { numbers: asked }: InputOf<Record<never, never>, typeof numbersArguments>,
  context: Context,
): Promise<Result> {
  if (asked.length === 0) throw new Failure('usage', 'Give the numbers to look up.');
  const operation = operationFor(numbers, 'locality');
  const { data } = await (await context.api()).call({ operation, data: { numbers: asked } });
  const places = placesIn(data);
  return places.length > 0
    ? { kind: 'list', items: places, columns, noun: 'numbers' }
    : { kind: 'item', value: data, resource: 'numbers' };
}

/** The places of a reply, each with its number. */
function placesIn(data: Json): readonly JsonObject[] {
  if (Array.isArray(data)) return data.filter(isObject);
  if (!isObject(data)) return [];
  return Object.entries(data).flatMap(([id, place]) =>
    /^\+?\d+$/.test(id) && isObject(place) ? [{ id, ...place }] : [],
  );
}
