import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { counted, quoted } from '../../base/wording.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { devices } from '../../contract/resources/devices.ts';
import { queues } from '../../contract/resources/queues.ts';
import { users } from '../../contract/resources/users.ts';
import type { Column } from '../../contract/types.ts';
import { act } from '../act.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';
import { type rangeOptions, rangeQuery } from '../generic/time-range.ts';
import type { eavesdropOptions, queueArguments, rosterArguments } from './commands.ts';

type None = Record<never, never>;

const queuePath = async (context: Context, queue: string) =>
  pathTo(queues, (await findNamed(context, queues, queue)).id);

/** Ids of users with their names, as far as the service has them. */
async function named(context: Context, ids: readonly Json[]): Promise<readonly JsonObject[]> {
  const operation = operationFor(users, 'list');
  const names = new Map<Json | undefined, JsonObject>();
  if (ids.length > 0)
    for await (const page of (await context.api()).pages({ operation }))
      for (const user of page) names.set(user.id, user);
  return ids.map((id) => {
    const { username, first_name, last_name } = names.get(id) ?? {};
    return { id, ...(username === undefined ? {} : { username, first_name, last_name }) };
  });
}

/** Lists the agents of a queue. */
export async function listRoster(
  { queue }: InputOf<None, typeof queueArguments>,
  context: Context,
): Promise<ListResult> {
  const path = await queuePath(context, queue);
  const { data } = await (await context.api()).call({ operation: operationFor(queues, 'roster'), path });
  const ids: readonly Json[] = Array.isArray(data) ? data : [];
  return {
    kind: 'list',
    items: await named(context, ids),
    noun: 'agents',
    columns: [
      { header: 'USERNAME', paths: ['username'] },
      { header: 'NAME', paths: ['first_name', 'last_name'] },
      { header: 'ID', paths: ['id'], show: 'id' },
    ],
  };
}

/** Sets all agents of a queue. */
export async function setRoster(
  { queue, users: words }: InputOf<None, typeof rosterArguments>,
  context: Context,
): Promise<Result> {
  const path = await queuePath(context, queue);
  const data: string[] = [];
  for (const word of words) data.push((await findNamed(context, users, word)).id);
  return act(context, {
    call: { operation: operationFor(queues, 'set-roster'), path, data },
    message: () => `Queue ${quoted(queue)} has ${counted(data.length, 'agent')} now.`,
    resource: 'queues',
  });
}

/** Takes all agents from a queue. */
export async function clearRoster(
  { queue }: InputOf<None, typeof queueArguments>,
  context: Context,
): Promise<Result> {
  const path = await queuePath(context, queue);
  if (!context.options.dryRun) {
    const question = `Take all agents from queue ${quoted(queue)}?`;
    if (!(await context.ask.confirm(question, { option: '--yes' })))
      throw new Failure('interrupted', 'Nothing was changed.');
  }
  return act(context, {
    call: { operation: operationFor(queues, 'clear-roster'), path },
    message: () => `Queue ${quoted(queue)} has no agents now.`,
  });
}

const callColumns: readonly Column[] = [
  { header: 'ENTERED', paths: ['entered_timestamp'], show: 'time' },
  { header: 'STATUS', paths: ['status'] },
  { header: 'CALLER', paths: ['caller_id_number'] },
  { header: 'WAITED', paths: ['wait_time'] },
  { header: 'TALKED', paths: ['talk_time'] },
  { header: 'AGENT', paths: ['agent_id'], show: 'id' },
  { header: 'QUEUE', paths: ['queue_id'], show: 'id' },
];

/** Shows the calls of all queues in the last day. */
export async function queueStats(input: InputOf<typeof rangeOptions>, context: Context): Promise<ListResult> {
  const query = rangeQuery(input, context, ['start_range', 'end_range']);
  const { data } = await (await context.api()).call({ operation: operationFor(queues, 'stats'), query });
  const stats: readonly Json[] = isObject(data) && Array.isArray(data.stats) ? data.stats : [];
  return { kind: 'list', items: stats.filter(isObject), noun: 'calls', columns: callColumns };
}

/** Lists the calls of all queues that ended. */
export async function queueCalls(input: InputOf<typeof rangeOptions>, context: Context): Promise<ListResult> {
  const query = rangeQuery(input, context, ['created_from', 'created_to']);
  const pages = (await context.api()).pages({ operation: operationFor(queues, 'calls'), query });
  return { kind: 'list', items: flattened(pages), noun: 'calls', columns: callColumns };
}

/** Lets a device listen. */
export async function eavesdrop(
  { queue, device, call, mode }: InputOf<typeof eavesdropOptions, typeof queueArguments>,
  context: Context,
): Promise<Result> {
  if (device === undefined) throw new Failure('usage', 'Say which device listens: --device DEVICE.');
  const path = await queuePath(context, queue);
  const data = {
    id: (await findNamed(context, devices, device)).id,
    ...(call === undefined ? {} : { call_id: call }),
    ...(mode === undefined ? {} : { mode }),
  };
  return act(context, {
    call:
      call === undefined
        ? { operation: operationFor(queues, 'eavesdrop'), path, data }
        : { operation: operationFor(queues, 'eavesdrop-call'), data },
    message: () =>
      `${quoted(device)} rings to listen to ${call === undefined ? `queue ${quoted(queue)}` : call}.`,
  });
}
