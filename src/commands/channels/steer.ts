import type { Api } from '../../api/api.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { callflows } from '../../contract/resources/callflows.ts';
import { channels } from '../../contract/resources/channels.ts';
import { act } from '../act.ts';
import { findNamed, operationFor, pathTo, refuseUnnamed } from '../generic/find-named.ts';
import { recordIfThere } from '../generic/listed-records.ts';
import type {
  callflowArguments,
  channelArguments,
  interceptArguments,
  interceptOptions,
  metaflowArguments,
  metaflowOptions,
  transferArguments,
  transferOptions,
} from './commands.ts';

type Nothing = Record<never, never>;

/**
 * Passes an action on a leg to the service, which answers at once. `isDone` looks at the leg after a lost reply
 * (`undefined`: it has ended); left out where nothing shows what became of it.
 */
function send(
  context: Context,
  id: string,
  data: JsonObject,
  message: string,
  isDone?: (leg: JsonObject | undefined) => boolean,
): Promise<Result> {
  refuseUnnamed(channels, id);
  const call = { operation: operationFor(channels, 'act'), path: pathTo(channels, id), data };
  const lookUp = async (api: Api): Promise<Json | undefined> => {
    const leg = await recordIfThere(api, channels, id);
    return isDone?.(leg) ? (leg ?? {}) : undefined;
  };
  return act(context, { call, message: () => message, ...(isDone ? { lookUp } : {}) });
}

const hasEnded = (leg: JsonObject | undefined): boolean => leg === undefined;

/** Ends a live call. */
export const hangUp = async (
  { id }: InputOf<Nothing, typeof channelArguments>,
  context: Context,
): Promise<Result> => send(context, id, { action: 'hangup' }, `Hung up ${id}.`, hasEnded);

/** Stops what is played to a leg. */
export const breakPlaying = async (
  { id }: InputOf<Nothing, typeof channelArguments>,
  context: Context,
): Promise<Result> => send(context, id, { action: 'break' }, `Stopped what was played to ${id}.`);

/** Sends the other leg of a call to a number. */
export const transfer = async (
  { id, target, attended }: InputOf<typeof transferOptions, typeof transferArguments>,
  context: Context,
): Promise<Result> =>
  send(
    context,
    id,
    { action: 'transfer', target, 'transfer-type': attended ? 'attended' : 'blind' },
    `Transferred the other leg of ${id} to ${target}.`,
    hasEnded,
  );

/** Sends a leg to a callflow. */
export async function sendToCallflow(
  { id, callflow }: InputOf<Nothing, typeof callflowArguments>,
  context: Context,
): Promise<Result> {
  const found = await findNamed(context, callflows, callflow);
  const data = { action: 'callflow', id: found.id };
  return send(
    context,
    id,
    data,
    `Sent ${id} to callflow ${callflow}.`,
    (leg) => leg?.callflow_id === found.id,
  );
}

/** Takes a leg over to a device, a user or a number. */
export const intercept = async (
  { id, target, as = 'number' }: InputOf<typeof interceptOptions, typeof interceptArguments>,
  context: Context,
): Promise<Result> =>
  send(
    context,
    id,
    { action: 'intercept', target_type: as, target_id: target },
    `Took ${id} over to ${as} ${target}.`,
  );

/** Runs a step of a metaflow on a leg. */
export async function runMetaflow(
  { id, module, data }: InputOf<typeof metaflowOptions, typeof metaflowArguments>,
  context: Context,
): Promise<Result> {
  refuseUnnamed(channels, id);
  const step = { module, data: dataOf(data), children: {} };
  const call = { operation: operationFor(channels, 'metaflow'), path: pathTo(channels, id), data: step };
  return act(context, { call, message: () => `Sent the step ${module} to ${id}.` });
}

function dataOf(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Failure('usage', `--data takes a JSON object, not ${JSON.stringify(text)}.`);
}
