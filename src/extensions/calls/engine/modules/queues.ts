import type { JsonObject } from '../../../../base/json.ts';
import { pause, type Task, waitForValue } from '../clock.ts';
import { type Endpoint, ringingOptions, userEndpoint } from '../endpoints.ts';
import { type CallModules, type CallRoute, childKeys, dataOf, playAndLeave, takeBranch } from '../outcome.ts';
import { booleanOr, filledTexts, mapAt, nameByKind, nonEmptyText, numberOr, recordId } from '../records.ts';
import { connectCaller, type RingResult, ring } from '../ring.ts';
import { answer, type Leg, recordEvent, recordHeard, setPlace } from '../run.ts';
import { giveUpInTime } from '../waiting.ts';
import { startCalledRecording } from './recordings.ts';

const usualWait = 3600;
const usualRing = 5;
const mostFailures = 3;
/** Seconds before agents are tried again if none was available. */
const pauseSeconds = 2;

type AgentState = 'ready' | 'paused' | 'logged_out';

/** Returns the state of an agent: from an earlier step, from the input, or `ready`. */
function stateOf({ run }: CallRoute, agent: string): AgentState {
  const written = run.written.get(`agents ${agent}`)?.status;
  const state = nonEmptyText(written) ?? run.input.agents?.get(agent);
  return state === 'paused' || state === 'logged_out' ? state : 'ready';
}

/** Returns the agents of a queue in ringing order. */
function agentsOf(route: CallRoute, queue: string): readonly JsonObject[] {
  const order = [...(route.run.input.agents?.keys() ?? [])];
  const agentPlace = (user: JsonObject): number => order.indexOf(recordId(user));
  return route.records.account
    .of('users')
    .filter((user) => {
      const queues = route.run.written.get(`users ${recordId(user)}`)?.queues ?? user.queues;
      return filledTexts(queues).includes(queue) && stateOf(route, recordId(user)) !== 'logged_out';
    })
    .toSorted((one, other) => agentPlace(one) - agentPlace(other));
}

function setState({ run }: CallRoute, agent: string, status: string): void {
  run.written.set(`agents ${agent}`, { status });
  recordEvent(run, { kind: 'writes', resource: 'agents', id: agent, fields: { status } });
}

type Left =
  | { readonly answered: Leg }
  | { readonly why: string; readonly reason: 'timeout' | 'exit' | 'empty' };

const publishEvent = ({ run, leg }: CallRoute, hook: string, facts: JsonObject): void =>
  recordEvent(run, { kind: 'hook', hook, facts: { leg: leg.id, ...facts } });

/** Waits until an agent answers, the caller leaves, the time limit is reached, or no agent is left. */
function* waitForAgent(route: CallRoute, queue: JsonObject): Task<Left> {
  const { clock } = route.run;
  const most = numberOr(queue.connection_timeout, usualWait) || usualWait;
  return yield* waitForValue<Left>((give) => {
    let cancel = (): void => {};
    const stopAsking = clock.start(askAgents(route, queue), (left) => {
      cancel();
      finish(left);
    });
    let isOver = false;
    const finish = (left: Left): void => {
      if (isOver) return;
      isOver = true;
      route.run.keyListeners.delete(route.leg);
      give(left);
    };
    cancel = clock.at(clock.now() + most, () => {
      stopAsking();
      finish({ why: `No agent answered within ${most} s.`, reason: 'timeout' });
    });
    const exit = nonEmptyText(queue.caller_exit_key) ?? '#';
    route.run.keyListeners.set(route.leg, (keys) => {
      if (!keys.includes(exit)) return;
      stopAsking();
      cancel();
      clock.at(clock.now() + 1, () => finish({ why: `The caller leaves with ${exit}.`, reason: 'exit' }));
    });
    return () => {
      isOver = true;
      cancel();
      stopAsking();
      route.run.keyListeners.delete(route.leg);
    };
  });
}

/** Rings agents repeatedly, one after another or at the same time. */
function* askAgents(route: CallRoute, queue: JsonObject): Task<Left> {
  const { run } = route;
  const id = recordId(queue);
  const mayBeEmpty = booleanOr(queue.enter_when_empty, true);
  const seconds = numberOr(queue.agent_ring_timeout, usualRing) || usualRing;
  const failures = new Map<string, number>();
  const asked: string[] = [];
  for (;;) {
    const all = agentsOf(route, id);
    if (all.length === 0 && !mayBeEmpty) return { why: 'All agents have signed out.', reason: 'empty' };
    const ready = all.filter((agent) => stateOf(route, recordId(agent)) === 'ready');
    const inTurn = ready.toSorted(
      (one, other) => asked.lastIndexOf(recordId(one)) - asked.lastIndexOf(recordId(other)),
    );
    const chosen = nonEmptyText(queue.strategy) === 'ring_all' ? inTurn : inTurn.slice(0, 1);
    if (chosen.length === 0) {
      // No agent can answer, so the caller waits until the time limit.
      yield* waitForValue<void>(() => () => {});
    }
    const began = run.clock.now();
    const rung = yield* ringAgents(route, chosen, seconds, id);
    if ('answered' in rung) return rung;
    for (const agent of chosen) {
      const agentId = recordId(agent);
      asked.push(agentId);
      const count = (failures.get(agentId) ?? 0) + 1;
      failures.set(agentId, count);
      const reason = rung.failed === 'NO_ANSWER' ? 'timeout' : rung.failed;
      publishEvent(route, 'agent_missed', { queue_id: id, agent_id: agentId, reason });
      if (count >= numberOr(queue.max_connect_failures, mostFailures)) setState(route, agentId, 'logged_out');
    }
    if (run.clock.now() === began) yield* pause(run.clock, pauseSeconds);
  }
}

function* ringAgents(
  route: CallRoute,
  agents: readonly JsonObject[],
  seconds: number,
  queue: string,
): Task<RingResult> {
  const endpoints: readonly Endpoint[] = agents.flatMap(
    (agent) => userEndpoint(route, agent, ringingOptions(route, {})) ?? [],
  );
  if (endpoints.length === 0) return { failed: 'SUBSCRIBER_ABSENT' };
  const facts = { queue_id: queue, ...(agents[0] ? { agent_id: recordId(agents[0]) } : {}) };
  return yield* ring(route, { kind: 'all', of: endpoints }, { timeout: seconds, facts });
}

/** Returns the agent who is signed in on the phone, or else the owner of the phone. */
const agentAt = ({ party, owner, records }: CallRoute): JsonObject | undefined => {
  const [guest] = Object.keys(mapAt(party.device, 'hotdesk.users'));
  return records.get('users', guest ?? owner ?? '');
};

export const queueModules: CallModules = {
  acdc_member: {
    simulated: 'id',
    named: { priority: 'other calls are not in the same queue' },
    *run(route, step) {
      const { run, leg, records } = route;
      const queue = records.get('queues', nonEmptyText(dataOf(step).id));
      if (!queue) return takeBranch('_', 'The queue does not exist.');
      const id = recordId(queue);
      const waiting = run.queues.get(id) ?? [];
      const most = numberOr(queue.max_queue_size, 0);
      if (most > 0 && waiting.length >= most) return takeBranch('_', 'The queue is full.');
      answer(run, leg);
      const mayBeEmpty = booleanOr(queue.enter_when_empty, true);
      if (!mayBeEmpty && agentsOf(route, id).length === 0) return takeBranch('_', 'No agent is signed in.');
      setPlace(run, leg, { in: 'queue', name: nameByKind('queues', queue) });
      leg.facts.queue_id = id;
      run.queues.set(id, [...waiting, leg]);
      publishEvent(route, 'queue_entered', { queue_id: id });
      giveUpInTime(route);
      const leaveQueue = (): void => {
        run.queues.set(
          id,
          (run.queues.get(id) ?? []).filter((each) => each !== leg),
        );
      };
      leg.onEnd.push(() => {
        if (run.queues.get(id)?.includes(leg))
          publishEvent(route, 'queue_abandoned', { queue_id: id, reason: 'hangup' });
        leaveQueue();
      });
      recordHeard(run, leg, nonEmptyText(queue.moh) ?? 'music on hold');
      const left = yield* waitForAgent(route, queue);
      leaveQueue();
      if ('answered' in left) {
        route.isTakenOver = true;
        startCalledRecording(route, left.answered);
        yield* connectCaller(route, left.answered);
        return { go: 'end' };
      }
      publishEvent(route, 'queue_abandoned', { queue_id: id, reason: left.reason });
      return takeBranch('_', left.why);
    },
  },
  acdc_agent: {
    simulated: 'action',
    named: {
      timeout: 'pauses of agents do not end automatically',
      presence_id: 'lamps of agents are not simulated',
      presence_state: 'lamps of agents are not simulated',
    },
    *run(route, step) {
      answer(route.run, route.leg);
      const found = agentAt(route);
      if (!found)
        return yield* playAndLeave(
          route,
          'agent-not_call_center_agent',
          takeBranch('_', 'The phone has no owner.'),
        );
      const id = recordId(found);
      const before = stateOf(route, id);
      const action = nonEmptyText(dataOf(step).action);
      const isKnown = route.run.input.agents !== undefined || route.run.written.has(`agents ${id}`);
      const moves: Readonly<Record<string, readonly [boolean, string, string]>> = {
        login: [!isKnown || before === 'logged_out', 'ready', 'agent-logged_in'],
        logout: [true, 'logged_out', 'agent-logged_out'],
        paused: [before === 'ready', 'paused', 'agent-pause'],
        resume: [before !== 'logged_out', 'ready', 'agent-resume'],
      };
      const move = action === undefined ? undefined : moves[action];
      const refusal = action === 'login' ? 'agent-already_logged_in' : 'agent-invalid_choice';
      if (move?.[0]) setState(route, id, move[1]);
      const outcome = takeBranch('_', `The agent is ${stateOf(route, id)}.`);
      return yield* playAndLeave(route, move?.[0] ? move[2] : refusal, outcome);
    },
  },
  acdc_queue: {
    simulated: 'action id',
    *run(route, step) {
      const { run, leg, records } = route;
      const data = dataOf(step);
      answer(run, leg);
      const queue = records.get('queues', nonEmptyText(data.id) ?? route.capture ?? '');
      const found = agentAt(route);
      const missing = 'The queue does not exist, or the phone has no owner.';
      if (!queue || !found)
        return yield* playAndLeave(route, 'agent-invalid_choice', takeBranch('_', missing));
      const signsIn = nonEmptyText(data.action) !== 'logout';
      const others = filledTexts(found.queues).filter((id) => id !== recordId(queue));
      const fields = { queues: signsIn ? [...others, recordId(queue)] : others };
      run.written.set(`users ${recordId(found)}`, fields);
      recordEvent(run, { kind: 'writes', resource: 'users', id: recordId(found), fields });
      return yield* playAndLeave(route, signsIn ? 'agent-logged_in' : 'agent-logged_out', takeBranch());
    },
  },
  acdc_wait_time: {
    simulated: 'id',
    named: { window: 'the average wait is the same for all calls' },
    run({ run }, step) {
      const average = run.input.averageWait?.get(nonEmptyText(dataOf(step).id) ?? '') ?? 0;
      const fitting = childKeys(step)
        .filter((key) => /^\d+$/.test(key) && Number(key) <= average)
        .toSorted((one, other) => Number(other) - Number(one));
      return takeBranch(fitting[0] ?? '_', `Callers wait ${average} s on average.`);
    },
  },
};
