import { isObject, type JsonObject } from '../../../base/json.ts';
import { tasks } from '../../../contract/resources/tasks.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { callCommand } from '../call-command.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';
import { rowsBy } from '../generic/reading.ts';

export const taskArguments = { id: { name: 'ID', doc: 'Its id', completes: { resource: 'tasks' } } } as const;

/** Arguments of `tasks create`, and arguments and options of `tasks download`. */
export const createArguments = {
  category: {
    name: 'CATEGORY',
    doc: 'Category of the job, such as number_management: see telctl tasks actions',
  },
  action: { name: 'ACTION', doc: 'What to do, such as find' },
  file: {
    name: 'FILE',
    optional: true,
    doc: 'The rows to do, as CSV with a line of columns; left out where the action needs none',
    completes: 'file',
  },
} as const;
export const downloadArguments = {
  ...taskArguments,
  file: {
    name: 'FILE',
    doc: 'File to write, or - for standard output',
    completes: 'file',
    does: ['writes-files'],
  },
} as const;
export const downloadOptions = {
  csv: {
    flag: 'csv',
    value: 'WORD',
    choices: ['in', 'out'],
    doc: 'in: the rows that were sent; out, the default: what became of them',
  },
  force: { flag: 'force', doc: 'Overwrite an existing file' },
} as const;

const load = async () => import('./tasks.ts');

/** A task without the cover that single ones come in. */
export const uncovered = (record: JsonObject): JsonObject =>
  isObject(record._read_only) ? record._read_only : record;

const get = callCommand({
  path: ['tasks', 'get'],
  summary: 'Show one task',
  operation: operationFor(tasks, 'get'),
  arguments: taskArguments,
  examples: [{ line: 'telctl tasks get ID', doc: 'How far it is' }],
  shows: 'tasks',
  gives: { resource: 'tasks', item: uncovered },
});

const actions = callCommand({
  path: ['tasks', 'actions'],
  summary: 'Show what tasks can do, and which columns they need',
  operation: operationFor(tasks, 'actions'),
  examples: [{ line: 'telctl tasks actions', doc: 'By category' }],
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

const create = defineCommand({
  path: ['tasks', 'create'],
  summary: 'Make a task of a CSV file; it does not start by itself',
  arguments: createArguments,
  options: {},
  effect: 'write',
  examples: [
    {
      line: 'telctl tasks create number_management find numbers.csv',
      doc: 'Look many numbers up',
    },
    {
      line: 'telctl tasks create number_management list',
      doc: 'One that needs no file',
    },
  ],
  operations: ['tasks.submit', 'tasks.submit-file'],
  shows: 'tasks',
  load: async () => (await load()).createTask,
});

const start = callCommand({
  path: ['tasks', 'start'],
  summary: 'Start a task',
  operation: operationFor(tasks, 'start'),
  arguments: taskArguments,
  examples: [{ line: 'telctl tasks start ID', doc: 'Then follow it' }],
  shows: 'tasks',
  says: 'Started task {id}.',
  isDone: (task) => task !== undefined && uncovered(task).status !== 'pending',
});

const stop = callCommand({
  path: ['tasks', 'stop'],
  summary: 'Stop a task, which cannot be started again',
  operation: operationFor(tasks, 'stop'),
  arguments: taskArguments,
  examples: [{ line: 'telctl tasks stop ID', doc: 'One that does the wrong thing' }],
  shows: 'tasks',
  says: 'Stopped task {id}.',
  isDone: (task) => task !== undefined && uncovered(task).status === 'stopped',
});

const follow = defineCommand({
  path: ['tasks', 'follow'],
  summary: 'Wait until a task has ended; rows that failed make the exit code 8',
  arguments: taskArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl tasks follow ID', doc: 'Then download what came of it' }],
  operations: ['tasks.get'],
  shows: 'tasks',
  load: async () => (await load()).followTask,
});

const download = defineCommand({
  path: ['tasks', 'download'],
  summary: 'Write the CSV file of a task: what became of its rows, or the rows themselves',
  arguments: downloadArguments,
  options: downloadOptions,
  effect: 'read',
  examples: [
    { line: 'telctl tasks download ID out.csv', doc: 'What became of each row' },
    { line: 'telctl tasks download ID - --csv in', doc: 'The rows that were sent' },
  ],
  operations: ['tasks.output', 'tasks.input'],
  load: async () => (await load()).downloadTask,
});

export const tasksCommands: readonly Command[] = [
  ...genericCommands(tasks, ['tasks'], ['get']),
  get,
  actions,
  create,
  start,
  follow,
  stop,
  download,
];
