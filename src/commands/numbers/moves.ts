import { isObject, type Json } from '../../base/json.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import { numbers } from '../../contract/resources/numbers.ts';
import { act } from '../act.ts';
import { readBody } from '../generic/body-input.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { recordIfThere } from '../generic/listed-records.ts';

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
