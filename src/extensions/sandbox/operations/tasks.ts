import { parse } from 'csv-parse/sync';
import { isObject, type JsonObject, textAt } from '../../../base/json.ts';
import { attachFile, fileAnswer, readAttachedFile, removeAttachedFile } from '../attached-files.ts';
import { answerList, namedRecord, removeRecord } from '../collections/collection.ts';
import { newId } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import { invalid, Refusal, serviceFault, unknownId, unknownName } from '../refusal.ts';
import {
  accountOf,
  nowOf,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { newRecord, type StoredRecord } from '../store/store.ts';
import { describedActions, flatRow, type TaskAction, type TaskRow, taskAction } from './task-actions.ts';

/** Runtime of a task in seconds, on the sandbox's clock. */
const taskSeconds = 2;

const isRunning = (call: ServiceRequest, { body }: StoredRecord): boolean =>
  body.status === 'executing' && nowOf(call) < Number(body.end_timestamp);

/** Returns the current state of a task. Its result appears after its runtime. */
function currentState(call: ServiceRequest, record: StoredRecord): JsonObject {
  const { end_timestamp: end, success_count, failure_count, ...begun } = record.body;
  if (begun.status !== 'executing') return { ...record.body, id: record.id };
  if (isRunning(call, record)) return { ...begun, id: record.id, csvs: ['in.csv'].filter(hasRowsIn(record)) };
  const status = textAt(record.hidden, 'outcome') ?? 'success';
  return {
    ...begun,
    id: record.id,
    status,
    success_count: success_count ?? 0,
    failure_count: failure_count ?? 0,
    end_timestamp: end ?? 0,
    csvs: [...['in.csv'].filter(hasRowsIn(record)), 'out.csv'],
  };
}

const hasRowsIn =
  ({ body }: StoredRecord) =>
  (): boolean =>
    body.total_count !== undefined;

const answer = (call: ServiceRequest, record: StoredRecord) => ({
  data: { _read_only: currentState(call, record) },
  record,
});

const formatCsv = (columns: readonly string[], rows: readonly TaskRow[]): Buffer => {
  const quotedCell = (text: string): string =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return Buffer.from(lines.map((cells) => `${cells.map(quotedCell).join(',')}\n`).join(''));
};

const columnNames = (rows: readonly TaskRow[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

const noCsv = () =>
  invalid([{ path: 'csv', rule: 'format', message: 'must have a header and at least one row' }]);

/** Parses a CSV file. Refuses (400) an empty or malformed file. */
function rowsOfFile(bytes: Uint8Array): readonly TaskRow[] {
  let lines: readonly (readonly string[])[];
  try {
    lines = parse(Buffer.from(bytes).toString('utf8'), { bom: true, skip_empty_lines: true });
  } catch {
    throw noCsv();
  }
  const [head, ...rows] = lines;
  if (!head || rows.length === 0) throw noCsv();
  return rows.map((cells) => Object.fromEntries(head.map((column, index) => [column, cells[index] ?? ''])));
}

/** Returns the rows of a task. Refuses (400) unknown columns. */
function taskRows(
  call: ServiceRequest,
  { mandatory, optional = [] }: TaskAction,
): readonly TaskRow[] | undefined {
  if (mandatory === undefined) return undefined;
  const { records } = call.data;
  const sent = Array.isArray(records) ? records.filter(isObject).map((each) => flatRow(each)) : [];
  const rows = call.file ? rowsOfFile(call.file.bytes) : sent;
  if (rows.length === 0) throw noCsv();
  const columns = columnNames(rows);
  const wrong = {
    unknown_fields: columns.filter((each) => !mandatory.includes(each) && !optional.includes(each)),
    missing_mandatory_fields: mandatory.filter((each) => !columns.includes(each)),
    missing_mandatory_values: rows.flatMap((row) =>
      mandatory.some((each) => !row[each]) ? [formatCsv(mandatory, [row]).toString()] : [],
    ),
  };
  const [first] = Object.entries(wrong).filter(([, found]) => found.length > 0);
  if (!first) return rows;
  const [rule, found] = first;
  const message = `${rule.replaceAll('_', ' ')}: ${found.join(', ')}`;
  throw new Refusal(400, 'bad request', message, { attachment: { type: { [rule]: [...found] } } });
}

const submit: RequestHandler = async (call) => {
  const { query, services } = call;
  const [category, action] = [query.get('category'), query.get('action')];
  if (!category || !action) throw serviceFault('invalid request');
  const known = taskAction(category, action);
  if (!known) throw unknownId(`${category} ${action}`);
  const rows = taskRows(call, known);
  const account = accountOf(call);
  const name = query.get('file_name') ?? textAt(call.data, 'file_name');
  const now = nowOf(call);
  const body = {
    account_id: account.id,
    auth_account_id: principalOf(call).account.id,
    category,
    action,
    created: now,
    status: 'pending',
    node: 'sandbox',
    csvs: rows ? ['in.csv'] : [],
    ...(rows ? { total_count: rows.length } : {}),
    ...(name ? { file_name: name } : {}),
  };
  const id = newId(services.random).slice(0, 30);
  const record = newRecord({ kind: 'tasks', scope: account.id, id }, body, now);
  call.changes.push(buildPut(record, 'tasks'));
  if (rows) {
    const columns = columnNames(rows);
    const file = { type: 'text/csv', name: 'in.csv', bytes: formatCsv(columns, rows) };
    await attachFile(call, record, file, 'in');
  }
  return { ...answer(call, record), created: record.id };
};

const taskError = (id: string, reason: string) =>
  new Refusal(404, 'bad_identifier', reason, { message: reason, reason, cause: id });

const start: RequestHandler = async (call) => {
  const before = await namedRecord(call, 'tasks');
  const { category, action, status, total_count } = before.body;
  if (status !== 'pending') throw taskError(before.id, 'task already started');
  const given = await readAttachedFile(call.services.store, before, 'in');
  const known = taskAction(String(category), String(action));
  if (!known) throw unknownId(before.id);
  const { columns, rows, failed } = await known.run(call, given ? rowsOfFile(given.bytes) : []);
  const now = nowOf(call);
  const done = rows.length - failed;
  const record: StoredRecord = {
    ...before,
    body: {
      ...before.body,
      status: 'executing',
      start_timestamp: now,
      end_timestamp: now + taskSeconds,
      success_count: done,
      failure_count: failed,
      ...(total_count === undefined ? {} : { total_count }),
    },
    hidden: { outcome: failed === 0 ? 'success' : done === 0 ? 'failure' : 'partial' },
    modifiedAt: now,
  };
  const file = { type: 'text/csv', name: 'out.csv', bytes: formatCsv(columns, rows) };
  call.changes.push(buildPut(record, 'tasks'));
  await attachFile(call, before, file, 'out');
  return answer(call, record);
};

const stop: RequestHandler = async (call) => {
  const before = await namedRecord(call, 'tasks');
  if (!isRunning(call, before)) throw taskError(before.id, 'task is not running');
  const now = nowOf(call);
  const body = { ...before.body, status: 'stopped', end_timestamp: now };
  const record: StoredRecord = { ...before, body, modifiedAt: now };
  call.changes.push(buildPut(record, 'tasks'));
  removeAttachedFile(call, before, 'out');
  return answer(call, record);
};

const remove: RequestHandler = async (call) => {
  const record = await namedRecord(call, 'tasks');
  if (isRunning(call, record)) throw taskError(record.id, 'task is running');
  const data = { _read_only: currentState(call, record) };
  await removeRecord(call, 'tasks', record);
  for (const part of ['in', 'out']) removeAttachedFile(call, record, part);
  return { data, record };
};

/** Returns a file of a task. The output file exists when the task has ended. */
const showFile =
  (part: 'in' | 'out'): RequestHandler =>
  async (call) => {
    const record = await namedRecord(call, 'tasks');
    const missing = unknownName(record.id, call.services.behaviour);
    if (part === 'out' && isRunning(call, record)) throw missing;
    const { text, ...answer } = await fileAnswer(call, record, missing, part);
    const fileName = `${record.body.category}_${record.body.action}_${record.id}_${text.fileName}`;
    return { ...answer, text: { ...text, fileName } };
  };

export const taskHandlers: RequestHandlers = {
  'tasks.list': async (call) =>
    answerList(call, 'tasks', { item: async (record) => currentState(call, record) }),
  'tasks.get': async (call) => answer(call, await namedRecord(call, 'tasks')),
  'tasks.submit': submit,
  'tasks.submit-file': submit,
  'tasks.start': start,
  'tasks.stop': stop,
  'tasks.delete': remove,
  'tasks.input': showFile('in'),
  'tasks.output': showFile('out'),
  'tasks.actions': async () => ({ data: { tasks: describedActions() } }),
};
