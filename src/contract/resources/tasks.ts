import { freeObject, integer, list, mapOf, object, openObject, text, texts } from '../fields.ts';
import { listOperation, type OperationRow, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const made = { readOnly: true } as const;

const path = '/accounts/{account_id}/tasks';
const one = `${path}/{task_id}`;

/** Content types of input and output. */
export const taskTypes = ['text/csv'] as const;

const kindOfTask = [
  { name: 'category', doc: 'Category of the job, such as number_management', required: true },
  { name: 'action', doc: 'Action of the job, such as list', required: true },
  { name: 'file_name', doc: 'Name of the file, for reference' },
] as const;

/** Lists contain these fields directly, single tasks under `_read_only`. */
const facts = () => ({
  id: shared.id,
  account_id: text('Account of the task', { ...made, ref: 'accounts' }),
  auth_account_id: text('Account that requested it', { ...made, ref: 'accounts' }),
  category: text('Category of the job', made),
  action: text('What it does', made),
  file_name: text('Name of the uploaded file', made),
  created: integer('Time of the request, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  start_timestamp: integer('Start, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  end_timestamp: integer('End, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  total_count: integer('Rows to process', made),
  success_count: integer('Rows that succeeded', made),
  failure_count: integer('Rows that failed', made),
  status: text('pending, executing, success, failure, partial, stopped, internal_error', made),
  node: text('Server that runs it', made),
  csvs: texts('Its files: in.csv, out.csv', made),
});

const fileOperation = (name: string, summary: string): OperationRow => ({
  route: `GET ${one}/${name}`,
  reply: { kind: 'file', types: taskTypes },
  summary,
});

export const tasks = resource({
  name: 'tasks',
  singular: 'task',
  summary: 'Background jobs of the service that process CSV files',
  order: 206,
  shownWithoutId: true,
  section: 'Conventions, Tasks',
  doc: 'A task',
  fields: () => ({ ...facts(), _read_only: object(facts(), 'The task, in a single record', made) }),
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
    manifests: 'A task is a job, not a setting',
    find: 'The rows of a task are not searchable',
    page: 'A task is a job, not a setting',
    trial: 'a task changes what it is about',
  },
  operations: [
    {
      list: listOperation(path, 'List tasks, newest first'),
      get: { route: `GET ${one}`, summary: 'Show one task' },
      submit: {
        route: `PUT ${path}`,
        query: kindOfTask,
        body: value(
          openObject(
            {
              records: list(freeObject('A row, by column'), 'Rows to process'),
              file_name: text('Name of the rows, for reference'),
            },
            'Rows of a task, if the task needs any',
          ),
        ),
        summary: 'Create a task from rows, or without rows; start it separately',
      },
      'submit-file': {
        route: `PUT ${path}`,
        query: kindOfTask,
        body: { kind: 'file', types: taskTypes, largest: 8_000_000 },
        summary: 'Create a task from a CSV file; start it separately',
      },
      start: { route: `PATCH ${one}`, repeat: 'never', summary: 'Start a task' },
      stop: {
        route: `PATCH ${one}/stop`,
        repeat: 'never',
        summary: 'Stop a task; it cannot be restarted',
      },
      delete: { route: `DELETE ${one}`, summary: 'Remove a task that is not running' },
      input: fileOperation('input', 'Download the input rows of a task as CSV'),
      output: fileOperation('output', 'Download the result of each row as CSV'),
      actions: {
        route: 'GET /tasks',
        reply: value(
          openObject(
            { tasks: mapOf(mapOf(freeObject('An action and its columns'), 'By action'), 'By category') },
            'Available tasks',
          ),
        ),
        summary: 'Show the available tasks and their columns',
      },
    },
  ],
});
