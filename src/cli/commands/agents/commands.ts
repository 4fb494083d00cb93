import { agents } from '../../../contract/resources/agents.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { callCommand, type OperationCommandFacts } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const agent = {
  name: 'AGENT',
  doc: 'Id or username of the agent',
  completes: { resource: 'users' },
} as const;
const queue = {
  name: 'QUEUE',
  doc: 'Id or name of the queue',
  completes: { resource: 'queues' },
  into: { data: 'queue_id' },
} as const;

const stateChanges = [
  ['login', 'login', 'Sign an agent in to take calls', 'takes calls'],
  ['logout', 'logout', 'Sign an agent out, so that calls stop', 'takes no more calls'],
  ['resume', 'resume', 'End the pause of an agent', 'is back from the pause'],
  ['end-wrapup', 'end_wrapup', 'End the wrap-up time of an agent after a call', 'takes the next call'],
] as const;

const calls: readonly OperationCommandFacts[] = [
  {
    operation: operationFor(agents, 'get'),
    arguments: { agent },
    examples: { 'telctl agents get alice': 'Show the user record of the agent' },
    gives: { resource: 'users' },
  },
  {
    path: ['agents', 'status'],
    summary: 'Show the current state of agents, such as ready, paused or on a call',
    operation: operationFor(agents, 'states'),
    arguments: { agent: { ...agent, optional: true } },
    examples: { 'telctl agents status': 'Show all agents', 'telctl agents status alice': 'Show one agent' },
    gives: {
      noun: 'agents',
      rows: { keyed: 'agent_id' },
      columns: [
        { header: 'AGENT', paths: ['agent_id'], show: 'id', refers: 'users' },
        { header: 'STATUS', paths: ['status'] },
        { header: 'SINCE', paths: ['timestamp'], show: 'time' },
        { header: 'PAUSE', paths: ['pause_time'], sparse: true },
        { header: 'CALLER', paths: ['caller_id_number'], sparse: true },
      ],
    },
    given: [{ when: { agent: true }, operation: operationFor(agents, 'state'), gives: { word: 'status' } }],
  },
  ...stateChanges.map(
    ([verb, status, summary, done]): OperationCommandFacts => ({
      path: ['agents', verb],
      summary,
      operation: operationFor(agents, 'set-state'),
      arguments: { agent },
      data: { status },
      examples: [{ line: `telctl agents ${verb} alice`, doc: summary }],
      says: `Agent {agent} ${done}.`,
    }),
  ),
  {
    path: ['agents', 'pause'],
    summary: 'Pause an agent',
    operation: operationFor(agents, 'set-state'),
    arguments: { agent },
    options: {
      for: {
        value: 'DURATION',
        doc: 'Length of the pause, such as 15m, or 0s for a pause without end',
        required: true,
        into: { data: 'timeout' },
        as: 'seconds',
      },
    },
    data: { status: 'pause' },
    examples: { 'telctl agents pause alice --for 15m': 'Pause for 15 minutes' },
    says: 'Agent {agent} pauses for {for}.',
  },
  {
    summary: 'List the queues of an agent',
    operation: operationFor(agents, 'queues'),
    arguments: { agent },
    examples: { 'telctl agents queues alice': 'List ids and names' },
    gives: { resource: 'queues', noun: 'queues', rows: { idsOf: 'queues', fields: ['name'] } },
  },
  {
    path: ['agents', 'join'],
    summary: 'Put an agent into a queue',
    operation: operationFor(agents, 'set-queue'),
    arguments: { agent, queue },
    data: { action: 'login' },
    examples: { 'telctl agents join alice Support': 'Alice also stays in her other queues' },
    says: 'Agent {agent} is in queue {queue}.',
  },
  {
    path: ['agents', 'leave'],
    summary: 'Take an agent out of a queue',
    operation: operationFor(agents, 'set-queue'),
    arguments: { agent, queue },
    data: { action: 'logout' },
    examples: { 'telctl agents leave alice Support': 'Alice stays in her other queues' },
    says: 'Agent {agent} is no longer in queue {queue}.',
  },
  {
    summary: 'Count the calls of each agent',
    operation: operationFor(agents, 'stats'),
    range: ['start_range', 'end_range'],
    examples: { 'telctl agents stats --from 8h': 'Count the calls of the last 8 hours' },
    gives: {
      noun: 'agents',
      rows: { keyed: 'agent_id' },
      columns: [
        { header: 'AGENT', paths: ['agent_id'], show: 'id', refers: 'users' },
        { header: 'CALLS', paths: ['total_calls'] },
        { header: 'ANSWERED', paths: ['answered_calls'] },
        { header: 'MISSED', paths: ['missed_calls'] },
      ],
    },
  },
];

export const agentsCommands: readonly Command[] = [
  ...genericCommands(agents, ['agents'], ['get']),
  ...calls.map(callCommand),
];
