import { isObject, type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { agentActions } from '../../../contract/resources/agents.ts';
import { answerList, namedRecord, queryRange, viewList } from '../collections/collection.ts';
import { shownAnswer, shownRecord, write } from '../collections/records.ts';
import { pick, textsAt } from '../fields.ts';
import { newId } from '../ids-and-secrets.ts';
import { invalid, missingField, type RefusedField } from '../refusal.ts';
import {
  type Answer,
  accountOf,
  nowOf,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { agentState, agentStatePut, agentsIn, queueCalls } from '../telephony/agent-states.ts';

/** Returns a missing field. The value in its error is the name of the field. */
const neededByName = (path: string): RefusedField => missingField(path, { value: path });

async function writeQueues(
  call: ServiceRequest,
  user: StoredRecord,
  queues: readonly string[],
): Promise<void> {
  await write(call, 'users', user, { ...user.body, queues: [...queues] });
}

/** Replaces the agents of a queue. Ignores unknown ids, like services in the field. */
async function setAgents(
  call: ServiceRequest,
  queue: StoredRecord,
  ids: readonly Json[],
): Promise<readonly string[]> {
  const { store } = call.services;
  const { id: scope } = accountOf(call);
  const before = await agentsIn(store, scope, queue.id);
  for (const user of before)
    if (!ids.includes(user.id))
      await writeQueues(
        call,
        user,
        textsAt(user.body, 'queues').filter((id) => id !== queue.id),
      );
  const agents: string[] = [];
  for (const id of new Set(ids)) {
    const user = typeof id === 'string' ? await store.get({ kind: 'users', scope, id }) : undefined;
    if (!user) continue;
    agents.push(user.id);
    if (!before.some((each) => each.id === user.id))
      await writeQueues(call, user, [...textsAt(user.body, 'queues'), queue.id]);
  }
  return agents;
}

const listRoster: RequestHandler = async (call) => {
  const queue = await namedRecord(call, 'queues');
  const agents = await agentsIn(call.services.store, accountOf(call).id, queue.id);
  return viewList(
    call,
    agents.map(({ id }) => id),
  );
};

const setRoster: RequestHandler = async (call) => {
  const queue = await namedRecord(call, 'queues');
  const { data } = call.envelope;
  const agents = await setAgents(call, queue, Array.isArray(data) ? data : []);
  return {
    data: { ...(await shownRecord(call, 'queues', queue)), agents: [...agents] },
    envelope: { page_size: agents.length },
  };
};

const clearRoster: RequestHandler = async (call) => {
  const queue = await namedRecord(call, 'queues');
  await setAgents(call, queue, []);
  return { data: undefined };
};

/** Returns the range of statistics in the query. Refuses (400) an invalid range. */
function statsRangeOf(call: ServiceRequest): { readonly from: number; readonly to: number } {
  const seconds = (name: string, usual: number): number => Number(call.query.get(name) ?? usual);
  const to = seconds('end_range', nowOf(call));
  const from = seconds('start_range', to - 86_400);
  if (Number.isFinite(from) && Number.isFinite(to) && to >= from) return { from, to };
  throw invalid([{ path: 'end_range', rule: 'maximum', message: 'must not be before start_range' }]);
}

async function queueStatistics(call: ServiceRequest): Promise<readonly JsonObject[]> {
  const wanted = ['status', 'agent_id'].flatMap((name) => {
    const value = call.query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const calls = await queueCalls(call.services.store, accountOf(call).id, statsRangeOf(call));
  return calls.filter((each) => wanted.every(([name, value]) => each[name] === value));
}

function callsByAgent(calls: readonly JsonObject[]): JsonObject {
  const counts = new Map<string, Map<string, { answered: number; missed: number }>>();
  const add = (agent: Json | undefined, queue: string, answered: boolean): void => {
    if (typeof agent !== 'string') return;
    const byQueue = counts.get(agent) ?? new Map<string, { answered: number; missed: number }>();
    const { answered: yes, missed: no } = byQueue.get(queue) ?? { answered: 0, missed: 0 };
    counts.set(
      agent,
      byQueue.set(queue, { answered: yes + Number(answered), missed: no + Number(!answered) }),
    );
  };
  for (const { agent_id, queue_id, misses } of calls) {
    add(agent_id, String(queue_id), true);
    const missed: readonly Json[] = Array.isArray(misses) ? misses : [];
    for (const miss of missed) if (isObject(miss)) add(miss.agent_id, String(queue_id), false);
  }
  const shownCounts = ({ answered, missed }: { readonly answered: number; readonly missed: number }) => ({
    total_calls: answered + missed,
    answered_calls: answered,
    missed_calls: missed,
  });
  return Object.fromEntries(
    [...counts].map(([agent, byQueue]) => {
      const all = [...byQueue.values()];
      const sum = (key: 'answered' | 'missed'): number => all.reduce((total, each) => total + each[key], 0);
      const queues = Object.fromEntries([...byQueue].map(([id, each]) => [id, shownCounts(each)]));
      return [agent, { ...shownCounts({ answered: sum('answered'), missed: sum('missed') }), queues }];
    }),
  );
}

/** Rings a device to eavesdrop. Refuses (400) unknown devices and calls. */
async function eavesdrop(call: ServiceRequest, isOfCall: boolean): Promise<Answer> {
  if (!isOfCall) await namedRecord(call, 'queues');
  const device = await recordIn(call, 'devices', textAt(call.data, 'id') ?? '');
  const missing = { rule: 'not_found', message: 'does not exist' } as const;
  if (!device) throw invalid([{ path: 'id', ...missing }]);
  if (isOfCall) {
    const callId = textAt(call.data, 'call_id');
    if (callId === undefined) throw invalid([neededByName('call_id')]);
    throw invalid([{ path: 'call_id', ...missing, cause: callId }]);
  }
  return { data: { eavesdrop_request_id: newId(call.services.random), status: 'ringing' } };
}

const namedAgent = (call: ServiceRequest): Promise<StoredRecord> => namedRecord(call, 'users');

const setState: RequestHandler = async (call) => {
  const user = await namedAgent(call);
  const status = textAt(call.data, 'status');
  const action = agentActions.find((each) => each === status);
  if (action === undefined)
    throw invalid([
      {
        path: 'status',
        rule: 'enum',
        message: `must be one of ${agentActions.join(', ')}`,
        cause: status ?? null,
      },
    ]);
  const { timeout } = call.data;
  if (action === 'pause' && typeof timeout !== 'number')
    throw invalid([{ path: 'timeout', rule: 'type', message: 'must be a number of seconds' }]);
  const now = nowOf(call);
  const states = {
    login: 'ready',
    logout: 'logged_out',
    pause: 'paused',
    resume: 'ready',
    end_wrapup: 'ready',
  };
  const pause = action === 'pause' && typeof timeout === 'number' ? timeout : 0;
  const state = {
    status: states[action],
    ...(action === 'pause' ? { pause_time: pause, ...(pause > 0 ? { until: now + pause } : {}) } : {}),
  };
  call.changes.push(await agentStatePut(call.services.store, user, state, now));
  return { data: 'status update sent', record: user };
};

const setQueue: RequestHandler = async (call) => {
  const user = await namedAgent(call);
  const queueId = textAt(call.data, 'queue_id');
  const action = textAt(call.data, 'action');
  if (queueId === undefined || action === undefined)
    throw invalid([
      ...(action === undefined ? [neededByName('action')] : []),
      ...(queueId === undefined ? [neededByName('queue_id')] : []),
    ]);
  const others = textsAt(user.body, 'queues').filter((id) => id !== queueId);
  const queues = action === 'login' ? [...others, queueId] : others;
  await writeQueues(call, user, queues);
  return { data: queues, record: user };
};

export const queueHandlers: RequestHandlers = {
  // Queues and their calls (Conventions, Queues).
  'queues.roster': listRoster,
  'queues.set-roster': setRoster,
  'queues.clear-roster': clearRoster,
  'queues.stats': async (call) => ({
    data: { current_timestamp: nowOf(call), stats: await queueStatistics(call) },
  }),
  'queues.calls': async (call) => {
    return { data: await queueCalls(call.services.store, accountOf(call).id, queryRange(call)) };
  },
  'queues.eavesdrop': (call) => eavesdrop(call, false),
  'queues.eavesdrop-call': (call) => eavesdrop(call, true),
  // Agents are users with queues (Conventions, Queues).
  'agents.list': (call) =>
    answerList(call, 'users', {
      has: ({ body }) => Array.isArray(body.queues),
      item: async ({ id, body }) => ({ id, ...pick(body, ['first_name', 'last_name', 'queues']) }),
    }),
  'agents.get': async (call) => shownAnswer(call, 'users', await namedAgent(call)),
  'agents.states': async (call) => {
    const wanted = call.query.get('status');
    const { store } = call.services;
    const agents = await agentsIn(store, accountOf(call).id);
    const states = await Promise.all(
      agents.map(async (user) => [user.id, await agentState(store, user, nowOf(call))] as const),
    );
    return {
      data: Object.fromEntries(states.filter(([, { status }]) => wanted === null || status === wanted)),
    };
  },
  'agents.state': async (call) => ({
    data: await agentState(call.services.store, await namedAgent(call), nowOf(call)),
  }),
  'agents.set-state': setState,
  'agents.queues': async (call) => {
    const record = await namedAgent(call);
    return { data: [...textsAt(record.body, 'queues')], record };
  },
  'agents.set-queue': setQueue,
  'agents.stats': async (call) => ({ data: callsByAgent(await queueStatistics(call)) }),
};
