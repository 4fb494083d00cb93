import { objectsIn, valueAt } from '../../../base/json.ts';
import { queues } from '../../../contract/resources/queues.ts';
import type { Column } from '../../../contract/types.ts';
import type { Command } from '../../command/command.ts';
import { argumentFor, genericCommands } from '../generic/commands.ts';
import { callCommand, type OperationCommandFacts } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const queue = argumentFor(queues, 'QUEUE');

const callColumns: readonly Column[] = [
  { header: 'ENTERED', paths: ['entered_timestamp'], show: 'time' },
  { header: 'STATUS', paths: ['status'] },
  { header: 'CALLER', paths: ['caller_id_number'] },
  { header: 'WAITED', paths: ['wait_time'] },
  { header: 'TALKED', paths: ['talk_time'] },
  { header: 'AGENT', paths: ['agent_id'], show: 'id', refers: 'users' },
  { header: 'QUEUE', paths: ['queue_id'], show: 'id', refers: 'queues' },
];

const calls: readonly OperationCommandFacts[] = [
  {
    path: ['queues', 'roster', 'list'],
    summary: 'List the agents of a queue',
    operation: operationFor(queues, 'roster'),
    arguments: { queue },
    examples: { 'telctl queues roster list Support': 'List the user ids of its agents' },
    gives: {
      noun: 'agents',
      rows: { idsOf: 'users', fields: ['username', 'first_name', 'last_name'] },
      columns: [
        { header: 'USERNAME', paths: ['username'] },
        { header: 'NAME', paths: ['first_name', 'last_name'] },
        { header: 'ID', paths: ['id'], show: 'id' },
      ],
    },
  },
  {
    path: ['queues', 'roster', 'set'],
    summary: 'Replace the agents of a queue',
    operation: operationFor(queues, 'set-roster'),
    arguments: {
      queue,
      users: {
        name: 'USER',
        doc: 'Users who take its calls, by id or username; other agents are removed',
        rest: true,
        completes: { resource: 'users' },
        into: 'body',
      },
    },
    examples: { 'telctl queues roster set Support alice bob': 'Keep only these two agents' },
    counts: { users: 'agent' },
    says: 'Queue {queue} has {users} now.',
  },
  {
    path: ['queues', 'roster', 'clear'],
    operation: operationFor(queues, 'clear-roster'),
    arguments: { queue },
    examples: { 'telctl queues roster clear Support --yes': 'Remove all agents without a question' },
    asks: 'Remove all agents from queue {queue}?',
    says: 'Removed all agents from queue {queue}.',
  },
  {
    summary: 'Show the current calls of all queues and those of the last day',
    operation: operationFor(queues, 'stats'),
    range: ['start_range', 'end_range'],
    examples: { 'telctl queues stats --from 1h': 'Show calls of the last hour' },
    gives: { noun: 'calls', rows: (data) => objectsIn(valueAt(data, 'stats')), columns: callColumns },
  },
  {
    operation: operationFor(queues, 'calls'),
    range: ['created_from', 'created_to'],
    examples: { 'telctl queues calls --from 7d -o csv': 'Export calls of a week for a spreadsheet' },
    gives: { noun: 'calls', rows: 'pages', columns: callColumns },
  },
  {
    summary: 'Let a device listen to the calls of a queue, or to one of them',
    operation: operationFor(queues, 'eavesdrop'),
    arguments: { queue },
    options: {
      device: {
        value: 'DEVICE',
        doc: 'Device that rings and listens, by id or name',
        completes: { resource: 'devices' },
        required: true,
        into: { data: 'id' },
      },
      call: {
        value: 'ID',
        doc: 'Listen only to this call (default: any call of the queue)',
        into: { data: 'call_id' },
      },
      mode: {
        value: 'MODE',
        choices: ['listen', 'whisper', 'full'],
        into: { data: 'mode' },
        doc: 'Mode: listen, whisper to the agent, or full to talk to both',
      },
    },
    examples: { "telctl queues eavesdrop Support --device 'Desk' --mode whisper": 'Whisper to an agent' },
    says: '{device} rings to listen to queue {queue}.',
    given: [
      {
        when: { call: true },
        operation: operationFor(queues, 'eavesdrop-call'),
        says: '{device} rings to listen to call {call}.',
      },
    ],
  },
];

export const queuesCommands: readonly Command[] = [
  ...genericCommands(queues, ['queues']),
  ...calls.map(callCommand),
];
