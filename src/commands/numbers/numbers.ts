import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Handler, InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { numbers } from '../../contract/resources/numbers.ts';
import type { Column } from '../../contract/types.ts';
import { act } from '../act.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { readBody } from '../generic/input.ts';
import { recordIfThere } from '../generic/listed-records.ts';
import type { numberArguments, numbersArguments } from './commands.ts';

/** The state that a move leads to; a number that is added may come in any. */
const stateAfter = new Map([
  ['activate', 'in_service'],
  ['reserve', 'reserved'],
  ['port-in', 'port_in'],
]);

/** Makes the handler that adds a number or moves it to another state, with what was given of its record. */
export function numberHandler(verb: string, done: string): Handler<ParsedInput> {
  const operation = operationFor(numbers, verb);
  return async (input, context) => {
    const { id } = await findRecord(context, numbers, String(input.id));
    const data = await readBody(context, numbers, operation, input);
    return act(context, {
      call: { operation, path: pathTo(numbers, id), data },
      message: (answer) => `${done} number ${idIn(answer) ?? id}${stateIn(answer)}.`,
      resource: 'numbers',
      async lookUp(api) {
        const record = await recordIfThere(api, numbers, id);
        const wanted = stateAfter.get(verb) ?? record?.state;
        return record?.state === wanted ? record : undefined;
      },
    });
  };
}

const idIn = (data: Json): string | undefined =>
  isObject(data) && typeof data.id === 'string' ? data.id : undefined;

const stateIn = (data: Json): string =>
  isObject(data) && typeof data.state === 'string' ? ` (${data.state})` : '';

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

/** Shows what kind of number it is, whoever has it. */
export async function classifyNumber(
  { number }: InputOf<Record<never, never>, typeof numberArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, numbers, number);
  const call = { operation: operationFor(numbers, 'classify'), path: pathTo(numbers, id) };
  const { data } = await (await context.api()).call(call);
  return { kind: 'item', value: data, resource: 'numbers' };
}
