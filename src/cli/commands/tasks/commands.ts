import { basename } from 'node:path';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { tasks } from '../../../contract/resources/tasks.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult } from '../../command/result.ts';
import { genericCommands } from '../generic/commands.ts';
import { callCommand, rowsBy } from '../operations/operation-command.ts';
import { asRecord, findNamed, operationFor, pathTo } from '../records/find-named.ts';
import { listItems } from '../records/listed-records.ts';

const taskArguments = { id: { name: 'ID', doc: 'Its id', completes: { resource: 'tasks' } } } as const;

/** Returns a task without the envelope of single tasks. */
export const unwrapTask = (record: JsonObject): JsonObject =>
  isObject(record._read_only) ? record._read_only : record;

const actions = callCommand({
  operation: operationFor(tasks, 'actions'),
  examples: { 'telctl tasks actions': 'List actions by category' },
  gives: {
    noun: 'actions',
    rows: (data) =>
      Object.entries(isObject(data) && isObject(data.tasks) ? data.tasks : {}).flatMap(
        ([category, actions]) => rowsBy('action')(actions ?? null).map((row) => ({ category, ...row })),
      ),
    columns: [
      { header: 'CATEGORY', paths: ['category'] },
      { header: 'ACTION', paths: ['action'] },
      { header: 'NEEDS', paths: ['mandatory'], show: 'list' },
      { header: 'DESCRIPTION', paths: ['description'], show: 'sentence' },
    ],
  },
});

const start = callCommand({
  operation: operationFor(tasks, 'start'),
  arguments: taskArguments,
  examples: { 'telctl tasks start ID': 'Start a task, to follow it later' },
  shows: 'tasks',
  says: 'Started task {id}.',
  isDone: (task) => task !== undefined && unwrapTask(task).status !== 'pending',
});

export const tasksCommands: readonly Command[] = [
  ...genericCommands(tasks, ['tasks'], ['get']),
  callCommand({
    operation: operationFor(tasks, 'get'),
    arguments: taskArguments,
    examples: { 'telctl tasks get ID': 'Show its progress' },
    shows: 'tasks',
    gives: { resource: 'tasks', item: unwrapTask },
  }),
  actions,
  callCommand({
    path: ['tasks', 'create'],
    summary: 'Create a task from a CSV file, without starting it',
    operation: operationFor(tasks, 'submit'),
    arguments: {
      category: {
        name: 'CATEGORY',
        doc: 'Category, such as number_management (telctl tasks actions lists them)',
        into: { query: 'category' },
      },
      action: { name: 'ACTION', doc: 'Action, such as find', into: { query: 'action' } },
      file: {
        name: 'FILE',
        optional: true,
        doc: 'CSV file of rows, with a header line, if the action needs one',
        completes: 'file',
        into: 'nowhere',
      },
    },
    data: {},
    given: [
      {
        when: { file: true },
        operation: operationFor(tasks, 'submit-file'),
        async data(request, _, { file }) {
          request.query.file_name = basename(String(file));
          return undefined;
        },
      },
    ],
    beside: {
      records: async (api) => (await listItems(api, tasks)) ?? [],
      isIt: ({ category, action }, { query }) => category === query.category && action === query.action,
    },
    says(made) {
      const { id } = unwrapTask(asRecord(tasks, made));
      return `Created task ${id}. Start it with: ${nextStep`tasks start ${String(id)}`}`;
    },
    examples: {
      'telctl tasks create number_management find numbers.csv': 'Look up many numbers',
      'telctl tasks create number_management list': 'Create a task that needs no file',
    },
    shows: 'tasks',
  }),
  start,
  defineCommand({
    path: ['tasks', 'follow'],
    summary: 'Wait until a task ends, and exit with 8 if rows failed',
    arguments: taskArguments,
    effect: 'read',
    examples: { 'telctl tasks follow ID': 'Wait for a task, to download its results' },
    operations: ['tasks.get'],
    shows: 'tasks',
    load: async () => followTask,
  }),
  callCommand({
    operation: operationFor(tasks, 'stop'),
    arguments: taskArguments,
    examples: { 'telctl tasks stop ID': 'Stop a wrong task' },
    shows: 'tasks',
    says: 'Stopped task {id}.',
    isDone: (task) => task !== undefined && unwrapTask(task).status === 'stopped',
  }),
  callCommand({
    path: ['tasks', 'download'],
    summary: 'Download the CSV file of a task: its results or its rows',
    operation: operationFor(tasks, 'output'),
    arguments: taskArguments,
    options: {
      csv: {
        value: 'WORD',
        choices: ['in', 'out'],
        doc: 'File to download: in for the rows, out for their results (default: out)',
        into: 'nowhere',
      },
    },
    given: [{ when: { csv: 'in' }, operation: operationFor(tasks, 'input') }],
    examples: {
      'telctl tasks download ID out.csv': 'Download the result of each row',
      'telctl tasks download ID - --csv in': 'Print the rows of the task',
    },
    saves: { private: true },
  }),
];

type OfTask = InputOf<Record<never, never>, typeof taskArguments>;

const pollIntervalMs = 2000;

async function readTask(context: Context, id: string): Promise<JsonObject> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationFor(tasks, 'get'), path: pathTo(tasks, id) });
  return unwrapTask(asRecord(tasks, data));
}

async function followTask({ id: word }: OfTask, context: Context): Promise<ItemResult> {
  const { id } = await findNamed(context, tasks, word);
  const { clock, interrupted } = context.host;
  for (;;) {
    const value = await readTask(context, id);
    if (value.status === 'pending')
      throw new Failure('conflict', `Task ${id} was not started yet.`, {
        hint: createHint`Start it first: ${nextStep`tasks start ${id}`}`,
      });
    if (value.status !== 'executing') {
      const isWhole = value.status === 'success';
      return { kind: 'item', value, resource: 'tasks', ...(isWhole ? {} : { exit: 'partial' }) };
    }
    await clock.sleep(pollIntervalMs, interrupted);
  }
}
