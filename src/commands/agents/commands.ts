import { type Command, defineCommand } from '../../command/command.ts';
import { agents } from '../../contract/resources/agents.ts';
import { genericCommands } from '../generic/commands.ts';
import { rangeOptions } from '../generic/time-range.ts';

const agent = {
  name: 'AGENT',
  doc: 'A user, by id or username',
  completes: { resource: 'users' },
} as const;

/** Arguments that name an agent, perhaps, and one with a queue. */
export const agentArguments = { agent } as const;
export const someAgent = { agent: { ...agent, optional: true } } as const;
export const agentInQueue = {
  agent,
  queue: { name: 'QUEUE', doc: 'Its id, or its name', completes: { resource: 'queues' } },
} as const;
export const pauseOptions = {
  for: { flag: 'for', value: 'DURATION', doc: 'Length of the pause, such as 15m; 0s has no end' },
} as const;

/** What the verbs send to an agent, and what they say. */
export const agentVerbs = {
  login: { status: 'login', summary: 'Let an agent take calls', done: 'takes calls' },
  logout: { status: 'logout', summary: 'Let an agent take no more calls', done: 'takes no more calls' },
  resume: { status: 'resume', summary: 'End the pause of an agent', done: 'is back from the pause' },
  'end-wrapup': {
    status: 'end_wrapup',
    summary: 'End the rest of an agent after a call',
    done: 'takes the next call',
  },
} as const;

const get = defineCommand({
  path: ['agents', 'get'],
  summary: 'Show one agent',
  arguments: agentArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl agents get alice', doc: 'The record of the user' }],
  operations: ['agents.get', 'users.list'],
  load: async () => (await import('./agents.ts')).getAgent,
});

const status = defineCommand({
  path: ['agents', 'status'],
  summary: 'Show what agents do now: ready, paused, on a call',
  arguments: someAgent,
  options: {},
  effect: 'read',
  examples: [
    { line: 'telctl agents status', doc: 'All of them' },
    { line: 'telctl agents status alice', doc: 'One' },
  ],
  operations: ['agents.states', 'agents.state', 'users.list'],
  load: async () => (await import('./agents.ts')).agentStatus,
});

const verbs = (['login', 'logout', 'resume', 'end-wrapup'] as const).map((verb) =>
  defineCommand({
    path: ['agents', verb],
    summary: agentVerbs[verb].summary,
    arguments: agentArguments,
    options: {},
    effect: 'write',
    examples: [{ line: `telctl agents ${verb} alice`, doc: agentVerbs[verb].summary }],
    operations: ['agents.set-state', 'users.list'],
    load: async () => (await import('./agents.ts')).agentVerb(verb),
  }),
);

const pause = defineCommand({
  path: ['agents', 'pause'],
  summary: 'Let an agent pause',
  arguments: agentArguments,
  options: pauseOptions,
  effect: 'write',
  examples: [{ line: 'telctl agents pause alice --for 15m', doc: 'A quarter of an hour' }],
  operations: ['agents.set-state', 'users.list'],
  load: async () => (await import('./agents.ts')).pauseAgent,
});

const queuesOf = defineCommand({
  path: ['agents', 'queues'],
  summary: 'List the queues of an agent',
  arguments: agentArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl agents queues alice', doc: 'Ids and names' }],
  operations: ['agents.queues', 'queues.list', 'users.list'],
  load: async () => (await import('./agents.ts')).agentQueues,
});

const memberships = (['join', 'leave'] as const).map((verb) =>
  defineCommand({
    path: ['agents', verb],
    summary: verb === 'join' ? 'Put an agent into a queue' : 'Take an agent out of a queue',
    arguments: agentInQueue,
    options: {},
    effect: 'write',
    examples: [{ line: `telctl agents ${verb} alice Support`, doc: 'Other queues stay' }],
    operations: ['agents.set-queue', 'queues.list', 'users.list'],
    load: async () => (await import('./agents.ts')).changeQueue(verb),
  }),
);

const stats = defineCommand({
  path: ['agents', 'stats'],
  summary: 'Count the calls of each agent',
  arguments: {},
  options: rangeOptions,
  effect: 'read',
  examples: [{ line: 'telctl agents stats --from 8h', doc: 'Of a working day' }],
  operations: ['agents.stats'],
  load: async () => (await import('./agents.ts')).agentStats,
});

/** Everything under `telctl agents`. */
export const agentsCommands: readonly Command[] = [
  ...genericCommands(agents, ['agents'], ['get']),
  get,
  status,
  ...verbs,
  pause,
  queuesOf,
  ...memberships,
  stats,
];
