import type { Api } from '../../api/api.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Handler, InputOf } from '../../command/command.ts';
import { ports } from '../../contract/resources/ports.ts';
import type { Operation } from '../../contract/types.ts';
import { act } from '../act.ts';
import { type Found, findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { recordIfThere } from '../generic/listed-records.ts';
import { labelOf } from '../labels.ts';
import type { moveOptions, portArguments } from './commands.ts';

/** Makes the handler that moves a port request to another state. */
export function moveHandler(
  verb: string,
  done: string,
): Handler<InputOf<typeof moveOptions, typeof portArguments>> {
  const operation = operationFor(ports, verb);
  return async ({ id: word, reason }, context) => {
    const found = await findRecord(context, ports, word);
    const data: JsonObject = reason === undefined ? {} : { reason };
    return act(context, {
      call: { operation, path: pathTo(ports, found.id), data },
      message: (answer) => movedSentence(done, found, answer),
      resource: 'ports',
      lookUp: (api) => portIn(api, found.id, operation),
    });
  };
}

/** The port request, where it is in the state that ends the path of a move. */
export async function portIn(api: Api, id: string, { path }: Operation): Promise<JsonObject | undefined> {
  const record = await recordIfThere(api, ports, id);
  return record?.port_state === path.split('/').at(-1) ? record : undefined;
}

/** `Submitted port "Main numbers" (submitted).` A service may answer with less than the whole record. */
export function movedSentence(done: string, { id, summary }: Found, answer: Json): string {
  const record = { id, ...summary, ...(isObject(answer) ? answer : {}) };
  const { port_state: state } = isObject(answer) ? answer : {};
  return `${done} ${labelOf(ports, record)}${typeof state === 'string' ? ` (${state})` : ''}.`;
}
