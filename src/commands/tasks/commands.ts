import { type Command, defineCommand } from '../../command/command.ts';
import { tasks } from '../../contract/resources/tasks.ts';
import { genericCommands } from '../generic/commands.ts';

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

const get = defineCommand({
  path: ['tasks', 'get'],
  summary: 'Show one task',
  arguments: taskArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl tasks get ID', doc: 'How far it is' }],
  operations: ['tasks.get'],
  shows: 'tasks',
  load: async () => (await load()).getTask,
});

const actions = defineCommand({
  path: ['tasks', 'actions'],
  summary: 'Show what tasks can do, and which columns they need',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl tasks actions', doc: 'By category' }],
  operations: ['tasks.actions'],
  load: async () => (await load()).taskActions,
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

const start = defineCommand({
  path: ['tasks', 'start'],
  summary: 'Start a task',
  arguments: taskArguments,
  options: {},
  effect: 'write',
  examples: [{ line: 'telctl tasks start ID', doc: 'Then follow it' }],
  operations: ['tasks.start'],
  shows: 'tasks',
  load: async () => (await load()).startTask,
});

const stop = defineCommand({
  path: ['tasks', 'stop'],
  summary: 'Stop a task, which cannot be started again',
  arguments: taskArguments,
  options: {},
  effect: 'write',
  examples: [{ line: 'telctl tasks stop ID', doc: 'One that does the wrong thing' }],
  operations: ['tasks.stop'],
  shows: 'tasks',
  load: async () => (await load()).stopTask,
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
