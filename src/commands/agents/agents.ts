import { durationIn } from '../../base/duration.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { quoted } from '../../base/wording.ts';
import type { Handler, InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { agents } from '../../contract/resources/agents.ts';
import { queues } from '../../contract/resources/queues.ts';
import { users } from '../../contract/resources/users.ts';
import type { Column } from '../../contract/types.ts';
import { act } from '../act.ts';
import { asRecord, findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { type rangeOptions, rangeQuery } from '../generic/time-range.ts';
import {
  type agentArguments,
  type agentInQueue,
  agentVerbs,
  type pauseOptions,
  type someAgent,
} from './commands.ts';

type None = Record<never, never>;
type Named = InputOf<None, typeof agentArguments>;

const agentPath = async (context: Context, agent: string) =>
  pathTo(agents, (await findNamed(context, users, agent)).id);

/** Shows one agent: the user. */
export async function getAgent({ agent }: Named, context: Context): Promise<Result> {
  const path = await agentPath(context, agent);
  const { data } = await (await context.api()).call({ operation: operationFor(agents, 'get'), path });
  return { kind: 'item', value: asRecord(users, data), resource: 'users' };
}

const stateColumns: readonly Column[] = [
  { header: 'AGENT', paths: ['agent_id'], show: 'id' },
  { header: 'STATUS', paths: ['status'] },
  { header: 'SINCE', paths: ['timestamp'], show: 'time' },
  { header: 'PAUSE', paths: ['pause_time'], sparse: true },
  { header: 'CALLER', paths: ['caller_id_number'], sparse: true },
];

/** Shows what one agent does now, or all. */
export async function agentStatus(
  { agent }: InputOf<None, typeof someAgent>,
  context: Context,
): Promise<Result | ListResult> {
  const api = await context.api();
  if (agent !== undefined) {
    const path = await agentPath(context, agent);
    const { data } = await api.call({ operation: operationFor(agents, 'state'), path });
    return { kind: 'item', value: isObject(data) ? data : { ...path, status: data } };
  }
  const { data } = await api.call({ operation: operationFor(agents, 'states') });
  const items = Object.entries(isObject(data) ? data : {}).map(
    ([id, state]): JsonObject => ({ agent_id: id, ...(isObject(state) ? state : { status: state ?? null }) }),
  );
  return { kind: 'list', items, noun: 'agents', columns: stateColumns };
}

async function send(context: Context, agent: string, data: JsonObject, done: string): Promise<Result> {
  const path = await agentPath(context, agent);
  return act(context, {
    call: { operation: operationFor(agents, 'set-state'), path, data },
    message: () => `Agent ${quoted(agent)} ${done}.`,
  });
}

/** Makes the handler of a verb that changes what an agent does. */
export const agentVerb =
  (verb: keyof typeof agentVerbs): Handler<Named> =>
  ({ agent }, context) => {
    const { status, done } = agentVerbs[verb];
    return send(context, agent, { status }, done);
  };

/** Lets an agent pause. */
export async function pauseAgent(
  { agent, for: text }: InputOf<typeof pauseOptions, typeof agentArguments>,
  context: Context,
): Promise<Result> {
  const ms = text === undefined ? undefined : durationIn(text);
  if (ms === undefined)
    throw new Failure('usage', 'Say how long the pause is: --for takes a duration such as 15m.', {
      hint: 'telctl agents pause alice --for 15m',
    });
  return send(context, agent, { status: 'pause', timeout: Math.round(ms / 1000) }, `pauses for ${text}`);
}

const texts = (data: Json | undefined): readonly string[] =>
  (Array.isArray(data) ? data : []).filter((each: Json) => typeof each === 'string');

/** Lists the queues of an agent. */
export async function agentQueues({ agent }: Named, context: Context): Promise<ListResult> {
  const api = await context.api();
  const path = await agentPath(context, agent);
  const { data } = await api.call({ operation: operationFor(agents, 'queues'), path });
  const ids = texts(data);
  const names = new Map<Json | undefined, Json | undefined>();
  if (ids.length > 0)
    for await (const page of api.pages({ operation: operationFor(queues, 'list') }))
      for (const { id, name } of page) names.set(id, name);
  const items = ids.map((id): JsonObject => ({ id, ...(names.has(id) ? { name: names.get(id) } : {}) }));
  return { kind: 'list', items, resource: 'queues', noun: 'queues' };
}

/** Makes the handler that puts an agent into a queue, or takes one out. */
export const changeQueue =
  (verb: 'join' | 'leave'): Handler<InputOf<None, typeof agentInQueue>> =>
  async ({ agent, queue }, context) => {
    const path = await agentPath(context, agent);
    const { id } = await findNamed(context, queues, queue);
    const data = { action: verb === 'join' ? 'login' : 'logout', queue_id: id };
    const is = verb === 'join' ? 'is in' : 'is no longer in';
    return act(context, {
      call: { operation: operationFor(agents, 'set-queue'), path, data },
      message: () => `Agent ${quoted(agent)} ${is} queue ${quoted(queue)}.`,
    });
  };

/** Counts the calls of each agent. */
export async function agentStats(input: InputOf<typeof rangeOptions>, context: Context): Promise<ListResult> {
  const query = rangeQuery(input, context, ['start_range', 'end_range']);
  const { data } = await (await context.api()).call({ operation: operationFor(agents, 'stats'), query });
  const items = Object.entries(isObject(data) ? data : {}).map(
    ([id, counts]): JsonObject => ({ agent_id: id, ...(isObject(counts) ? counts : {}) }),
  );
  return {
    kind: 'list',
    items,
    noun: 'agents',
    columns: [
      { header: 'AGENT', paths: ['agent_id'], show: 'id' },
      { header: 'CALLS', paths: ['total_calls'] },
      { header: 'ANSWERED', paths: ['answered_calls'] },
      { header: 'MISSED', paths: ['missed_calls'] },
    ],
  };
}
