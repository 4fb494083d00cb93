import { type Command, defineCommand } from '../../command/command.ts';
import { queues } from '../../contract/resources/queues.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { rangeOptions } from '../generic/time-range.ts';

const queue = {
  name: 'QUEUE',
  doc: alternatives(queues.naturalKeys),
  completes: { resource: 'queues' },
} as const;

/** Arguments that name a queue, and one with users. */
export const queueArguments = { queue } as const;
export const rosterArguments = {
  queue,
  users: {
    name: 'USER',
    doc: 'Users who take its calls, by id or username; others leave it',
    rest: true,
    completes: { resource: 'users' },
  },
} as const;
export const eavesdropOptions = {
  device: {
    flag: 'device',
    value: 'DEVICE',
    doc: 'Device that rings and listens, by id or name',
    completes: { resource: 'devices' },
  },
  call: { flag: 'call', value: 'ID', doc: 'Only this call; any of the queue by default' },
  mode: {
    flag: 'mode',
    value: 'MODE',
    choices: ['listen', 'whisper', 'full'],
    doc: 'listen, whisper to the agent, or full to talk to both',
  },
} as const;

const roster = defineCommand({
  path: ['queues', 'roster', 'list'],
  summary: 'List the agents of a queue',
  arguments: queueArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl queues roster list Support', doc: 'Ids of users' }],
  operations: ['queues.roster'],
  load: async () => (await import('./queues.ts')).listRoster,
});

const setRoster = defineCommand({
  path: ['queues', 'roster', 'set'],
  summary: 'Set all agents of a queue; those who are not named leave it',
  arguments: rosterArguments,
  options: {},
  effect: 'write',
  examples: [{ line: 'telctl queues roster set Support alice bob', doc: 'These two and no others' }],
  operations: ['queues.set-roster', 'users.list'],
  load: async () => (await import('./queues.ts')).setRoster,
});

const clearRoster = defineCommand({
  path: ['queues', 'roster', 'clear'],
  summary: 'Take all agents from a queue',
  arguments: queueArguments,
  options: {},
  effect: 'destructive',
  examples: [{ line: 'telctl queues roster clear Support --yes', doc: 'Without being asked' }],
  operations: ['queues.clear-roster'],
  load: async () => (await import('./queues.ts')).clearRoster,
});

const stats = defineCommand({
  path: ['queues', 'stats'],
  summary: 'Show the calls of all queues in the last day, as they are now',
  arguments: {},
  options: rangeOptions,
  effect: 'read',
  examples: [{ line: 'telctl queues stats --from 1h', doc: 'Of the last hour' }],
  operations: ['queues.stats'],
  load: async () => (await import('./queues.ts')).queueStats,
});

const calls = defineCommand({
  path: ['queues', 'calls'],
  summary: 'List the calls of all queues that ended',
  arguments: {},
  options: rangeOptions,
  effect: 'read',
  examples: [{ line: 'telctl queues calls --from 7d -o csv', doc: 'Of a week, for a spreadsheet' }],
  operations: ['queues.calls'],
  load: async () => (await import('./queues.ts')).queueCalls,
});

const eavesdrop = defineCommand({
  path: ['queues', 'eavesdrop'],
  summary: 'Let a device listen to the calls of a queue, or to one of them',
  arguments: queueArguments,
  options: eavesdropOptions,
  effect: 'write',
  examples: [
    { line: "telctl queues eavesdrop Support --device 'Desk' --mode whisper", doc: 'To help an agent' },
  ],
  operations: ['queues.eavesdrop', 'queues.eavesdrop-call', 'devices.list'],
  load: async () => (await import('./queues.ts')).eavesdrop,
});

/** Everything under `telctl queues`. */
export const queuesCommands: readonly Command[] = [
  ...genericCommands(queues, ['queues']),
  roster,
  setRoster,
  clearRoster,
  stats,
  calls,
  eavesdrop,
];
