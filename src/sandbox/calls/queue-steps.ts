import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { textAt, textsAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import { putOf } from '../placement.ts';
import type { StoredRecord } from '../store/store.ts';
import { calledName } from '../telephony/account-records.ts';
import { agentState, agentStatePut, agentsIn, queueCallPut, queueCalls } from '../telephony/agent-states.ts';
import { ring } from './ringing.ts';
import { type Act, choosing, found, missing, onwards, pickUp, type Simulation } from './simulation.ts';

const numberAt = (body: JsonObject, key: string, usual: number): number => {
  const value = body[key];
  return typeof value === 'number' ? value : usual;
};

/** An agent who can take a call now, and since when nobody asked for that. */
interface Waiting {
  readonly user: StoredRecord;
  readonly since: number;
}

/** Agents of a queue who take calls, in the order in which its strategy rings them. */
async function waitingAgents(
  call: Simulation,
  queue: StoredRecord,
  now: number,
): Promise<readonly Waiting[]> {
  const { store } = call.services;
  const calls = await queueCalls(store, queue.scope, { from: 0, to: now });
  const offered = (id: string): number =>
    Math.max(
      0,
      ...calls.flatMap(({ agent_id, handled_timestamp, misses }) => {
        const missed: readonly Json[] = Array.isArray(misses) ? misses : [];
        return [
          ...(agent_id === id ? [Number(handled_timestamp)] : []),
          ...missed.flatMap((miss) =>
            isObject(miss) && miss.agent_id === id ? [Number(miss.miss_timestamp)] : [],
          ),
        ];
      }),
    );
  const agents = await Promise.all(
    (await agentsIn(store, queue.scope, queue.id)).map(async (user): Promise<Waiting | undefined> => {
      const { status, timestamp } = await agentState(store, user, now);
      if (status !== 'ready') return undefined;
      return { user, since: queue.body.strategy === 'most_idle' ? Number(timestamp) : offered(user.id) };
    }),
  );
  return agents.flatMap((agent) => agent ?? []).sort((one, other) => one.since - other.since);
}

/** Lets the caller wait in a queue: agents are rung in turn, and one takes the call, or it goes on by `_`. */
export const acdcMember: Act = async (call, step) => {
  const queue = await found(call, 'queues', step);
  if (!queue) return missing(call, 'queue');
  const { body } = queue;
  const { services, caller, leg, request } = call;
  const now = gregorianSeconds(services.clock) + call.now;
  const agents = await waitingAgents(call, queue, now);
  if (agents.length === 0 && body.enter_when_empty === false) return onwards('no agent takes calls');
  pickUp(call);
  const came = call.now;
  const limit = numberAt(body, 'connection_timeout', 3600) || Number.POSITIVE_INFINITY;
  const entered: JsonObject = {
    ...{ id: `${leg.callId}::${queue.id}`, queue_id: queue.id, call_id: leg.callId, entered_timestamp: now },
    ...{ entered_position: 1, caller_id_name: caller.name, caller_id_number: caller.number },
  };
  const misses: JsonObject[] = [];
  const keep = (more: JsonObject): void => {
    call.changes.push(queueCallPut(queue.scope, { ...entered, ...more, misses }, now));
  };
  const waited = (): number => call.now - came;
  const left = (): boolean => call.digits[0] === (textAt(body, 'caller_exit_key') ?? '#');
  const notes: string[] = [];
  const atOnce = numberAt(body, 'ring_simultaneously', 1);
  for (let next = 0; next < agents.length && waited() < limit && !left(); next += atOnce) {
    const group = agents.slice(next, next + atOnce);
    const targets = group.map(({ user }) => ({ id: user.id, user, delay: 0, ignoresForward: true }));
    const timeout = numberAt(body, 'agent_ring_timeout', 15);
    const rang = await ring(call, targets, { timeout, single: false, repeats: 1 });
    notes.push(...rang.notes);
    const at = now + waited();
    const agent = group.find(({ user }) => user.id === rang.leg?.ownerId) ?? group[0];
    if (rang.leg && agent) {
      const talk = Math.max(request.durationS - call.now, 3);
      const handled = { handled_timestamp: at, wait_time: waited(), agent_id: agent.user.id };
      keep({ ...handled, status: 'processed', processed_timestamp: at + talk, talk_time: talk });
      const { id: _, entered_timestamp: __, entered_position: ___, ...facts } = entered;
      const busy = { ...facts, status: 'connected', wait_time: waited() };
      const until = at + talk + numberAt(body, 'agent_wrapup_time', 0);
      call.changes.push(await agentStatePut(services.store, agent.user, { ...busy, until }, at));
      return {
        note: [...notes, `${calledName(agent.user)} answers after ${waited()} s`].join('; '),
        end: { kind: 'talk', other: rang.leg, words: `Answered by ${calledName(agent.user)}` },
      };
    }
    for (const { user } of group)
      misses.push({ agent_id: user.id, miss_reason: 'no answer', miss_timestamp: at });
  }
  const why = left()
    ? 'the caller leaves the queue'
    : agents.length === 0
      ? 'no agent takes calls'
      : 'nobody answers';
  const rest = Math.min(limit, Math.max(request.durationS - came, waited()));
  if (left()) {
    call.digits.shift();
    call.now += choosing;
  } else call.now = came + Math.max(rest, waited());
  const gaveUp = !why.startsWith('the caller') && rest < limit;
  const abandoned = { abandoned_timestamp: now + waited(), wait_time: waited(), status: 'abandoned' };
  const reason = gaveUp ? 'member_hangup' : why.startsWith('the caller') ? 'member_exit' : 'member_timeout';
  keep({ ...abandoned, abandoned_reason: reason });
  const note = [...notes, `${why}${gaveUp ? '; the caller gives up' : ''} after ${waited()} s`].join('; ');
  if (!gaveUp) return onwards(note);
  return {
    note,
    end: { kind: 'hangup', cause: 'ORIGINATOR_CANCEL', words: 'The caller gave up in the queue' },
  };
};

/** States that feature codes put the calling user into. */
const states = new Map([
  ['login', 'ready'],
  ['resume', 'ready'],
  ['logout', 'logged_out'],
  ['paused', 'paused'],
  ['pause', 'paused'],
]);

/** Changes what the calling user does as an agent. */
export const acdcAgent: Act = async (call, { data }) => {
  const { user } = call.caller;
  const status = states.get(textAt(data, 'action') ?? '');
  if (!user || status === undefined) return onwards('nothing changes');
  const now = gregorianSeconds(call.services.clock) + call.now;
  call.changes.push(await agentStatePut(call.services.store, user, { status }, now));
  pickUp(call);
  return onwards(`${calledName(user)} is ${status.replace('_', ' ')}`);
};

/** Puts the calling user into a queue, or takes one out. */
export const acdcQueue: Act = async (call, step) => {
  const queue = await found(call, 'queues', step);
  const { user } = call.caller;
  if (!queue || !user) return queue ? onwards('nothing changes') : missing(call, 'queue');
  const others = textsAt(user.body, 'queues').filter((id) => id !== queue.id);
  const enters = textAt(step.data, 'action') !== 'logout';
  const body = { ...user.body, queues: enters ? [...others, queue.id] : [...others] };
  call.changes.push(putOf({ ...user, body, modifiedAt: gregorianSeconds(call.services.clock) }, 'users'));
  pickUp(call);
  return onwards(`${calledName(user)} ${enters ? 'enters' : 'leaves'} the queue`);
};
