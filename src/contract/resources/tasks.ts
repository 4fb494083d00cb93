import { freeObject, integer, list, mapOf, object, openObject, text, texts } from '../fields.ts';
import { listing, type OperationRow, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const made = { readOnly: true } as const;

const path = '/accounts/{account_id}/tasks';
const one = `${path}/{task_id}`;

/** Content types of what tasks take and give. */
export const taskTypes = ['text/csv'] as const;

const kindOfTask = [
  { name: 'category', doc: 'Category of the job, such as number_management', required: true },
  { name: 'action', doc: 'What to do, such as list', required: true },
  { name: 'file_name', doc: 'Name to remember the file by' },
] as const;

/** Facts of a task; lists show them as they are, single tasks under `_read_only`. */
const facts = () => ({
  id: shared.id,
  account_id: text('Account that it is about', { ...made, ref: 'accounts' }),
  auth_account_id: text('Account of whoever asked for it', { ...made, ref: 'accounts' }),
  category: text('Category of the job', made),
  action: text('What it does', made),
  file_name: text('Name of the file that came with it', made),
  created: integer('When it was asked for, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  start_timestamp: integer('When it started, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  end_timestamp: integer('When it ended, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  total_count: integer('Rows to do', made),
  success_count: integer('Rows that were done', made),
  failure_count: integer('Rows that failed', made),
  status: text('pending, executing, success, failure, partial, stopped, internal_error', made),
  node: text('Machine that does it', made),
  csvs: texts('Its files: in.csv, out.csv', made),
});

const file = (name: string, summary: string): OperationRow => ({
  route: `GET ${one}/${name}`,
  reply: { kind: 'file', types: taskTypes },
  summary,
});

export const tasks = resource({
  name: 'tasks',
  singular: 'task',
  summary: 'Jobs over many rows that the service does by itself, from CSV to CSV',
  order: 206,
  shownWithoutId: true,
  section: 'Conventions, Tasks',
  doc: 'A task',
  fields: () => ({ ...facts(), _read_only: object(facts(), 'The task, where it is read by itself', made) }),
  columns: [
    'created',
    'category',
    'action',
    'status',
    { header: 'ROWS', paths: ['total_count'] },
    { header: 'FAILED', paths: ['failure_count'] },
    'id',
  ],
  absent: {
    manifests: 'A task is a job and no setting',
    find: 'A task is about rows of a file, which are not searched',
    page: 'Tasks are jobs and no settings',
    trial: 'a task changes what it is about',
  },
  operations: [
    {
      list: listing(path, 'List tasks, the newest first'),
      get: { route: `GET ${one}`, summary: 'Show one task' },
      submit: {
        route: `PUT ${path}`,
        query: kindOfTask,
        body: value(
          openObject(
            {
              records: list(freeObject('A row, by column'), 'Rows to do'),
              file_name: text('Name to remember them by'),
            },
            'Rows of a task; nothing for a task that needs none',
          ),
        ),
        summary: 'Make a task of rows, or of none; it does not start by itself',
      },
      'submit-file': {
        route: `PUT ${path}`,
        query: kindOfTask,
        body: { kind: 'file', types: taskTypes, largest: 8_000_000 },
        summary: 'Make a task of a CSV file; it does not start by itself',
      },
      start: { route: `PATCH ${one}`, repeat: 'never', summary: 'Start a task' },
      stop: {
        route: `PATCH ${one}/stop`,
        repeat: 'never',
        summary: 'Stop a task, which cannot be started again',
      },
      delete: { route: `DELETE ${one}`, summary: 'Remove a task that does not run' },
      input: file('input', 'Fetch the rows that a task is to do, as CSV'),
      output: file('output', 'Fetch what became of each row, as CSV'),
      actions: {
        route: 'GET /tasks',
        reply: value(
          openObject(
            { tasks: mapOf(mapOf(freeObject('An action and its columns'), 'By action'), 'By category') },
            'What tasks can do',
          ),
        ),
        summary: 'Show what tasks can do, and which columns they need',
      },
    },
  ],
});
