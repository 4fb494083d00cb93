import { basename } from 'node:path';
import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
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

/** A task without the cover that single ones come in. */
export const uncovered = (record: JsonObject): JsonObject =>
  isObject(record._read_only) ? record._read_only : record;

const actions = callCommand({
  operation: operationFor(tasks, 'actions'),
  examples: { 'telctl tasks actions': 'By category' },
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
  examples: { 'telctl tasks start ID': 'Then follow it' },
  shows: 'tasks',
  says: 'Started task {id}.',
  isDone: (task) => task !== undefined && uncovered(task).status !== 'pending',
});

export const tasksCommands: readonly Command[] = [
  ...genericCommands(tasks, ['tasks'], ['get']),
  callCommand({
    operation: operationFor(tasks, 'get'),
    arguments: taskArguments,
    examples: { 'telctl tasks get ID': 'How far it is' },
    shows: 'tasks',
    gives: { resource: 'tasks', item: uncovered },
  }),
  actions,
  callCommand({
    path: ['tasks', 'create'],
    summary: 'Make a task of a CSV file; it does not start by itself',
    operation: operationFor(tasks, 'submit'),
    arguments: {
      category: {
        name: 'CATEGORY',
        doc: 'Category of the job, such as number_management: see telctl tasks actions',
        into: { query: 'category' },
      },
      action: { name: 'ACTION', doc: 'What to do, such as find', into: { query: 'action' } },
      file: {
        name: 'FILE',
        optional: true,
        doc: 'The rows to do, as CSV with a line of columns; left out where the action needs none',
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
      const { id } = uncovered(asRecord(tasks, made));
      return `Created task ${id}. Start it with: ${nextStep`tasks start ${String(id)}`}`;
    },
    examples: {
      'telctl tasks create number_management find numbers.csv': 'Look many numbers up',
      'telctl tasks create number_management list': 'One that needs no file',
    },
    shows: 'tasks',
  }),
  start,
  defineCommand({
    path: ['tasks', 'follow'],
    summary: 'Wait until a task has ended; rows that failed make the exit code 8',
    arguments: taskArguments,
    effect: 'read',
    examples: { 'telctl tasks follow ID': 'Then download what came of it' },
    operations: ['tasks.get'],
    shows: 'tasks',
    load: async () => followTask,
  }),
  callCommand({
    operation: operationFor(tasks, 'stop'),
    arguments: taskArguments,
    examples: { 'telctl tasks stop ID': 'One that does the wrong thing' },
    shows: 'tasks',
    says: 'Stopped task {id}.',
    isDone: (task) => task !== undefined && uncovered(task).status === 'stopped',
  }),
  callCommand({
    path: ['tasks', 'download'],
    summary: 'Write the CSV file of a task: what became of its rows, or the rows themselves',
    operation: operationFor(tasks, 'output'),
    arguments: taskArguments,
    options: {
      csv: {
        value: 'WORD',
        choices: ['in', 'out'],
        doc: 'in: the rows that were sent; out, the default: what became of them',
        into: 'nowhere',
      },
    },
    given: [{ when: { csv: 'in' }, operation: operationFor(tasks, 'input') }],
    examples: {
      'telctl tasks download ID out.csv': 'What became of each row',
      'telctl tasks download ID - --csv in': 'The rows that were sent',
    },
    saves: { private: true },
  }),
];

type OfTask = InputOf<Record<never, never>, typeof taskArguments>;

const pauseMs = 2000;

async function readTask(context: Context, id: string): Promise<JsonObject> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationFor(tasks, 'get'), path: pathTo(tasks, id) });
  return uncovered(asRecord(tasks, data));
}

/** Waits until a task has ended. One that never started is not waited for. */
async function followTask({ id: word }: OfTask, context: Context): Promise<ItemResult> {
  const { id } = await findNamed(context, tasks, word);
  const { clock, interrupted } = context.host;
  for (;;) {
    const value = await readTask(context, id);
    if (value.status === 'pending')
      throw new Failure('conflict', `Task ${id} was not started yet.`, {
        hint: leadsOn`Start it first: ${nextStep`tasks start ${id}`}`,
      });
    if (value.status !== 'executing') {
      const isWhole = value.status === 'success';
      return { kind: 'item', value, resource: 'tasks', ...(isWhole ? {} : { exit: 'partial' }) };
    }
    await clock.sleep(pauseMs, interrupted);
  }
}
