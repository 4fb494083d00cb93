import { resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { reading, refuseUnplain } from '../../../base/reading.ts';
import type { Api } from '../../../client/api/api.ts';
import { tasks, taskTypes } from '../../../contract/resources/tasks.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult, Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { asRecord, findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import {
  type createArguments,
  type downloadArguments,
  type downloadOptions,
  type taskArguments,
  uncovered,
} from './commands.ts';

type Nothing = Record<never, never>;
type OfTask = InputOf<Nothing, typeof taskArguments>;

/** Largest file of rows that is sent, in bytes. */
const largest = 8_000_000;
/** Pause between looks at a task. */
const pauseMs = 2000;

async function readTask(context: Context, id: string): Promise<JsonObject> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationFor(tasks, 'get'), path: pathTo(tasks, id) });
  return uncovered(asRecord(tasks, data));
}

async function tasksNow(api: Api): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for await (const page of api.pages({ operation: operationFor(tasks, 'list') })) all.push(...page);
  return all;
}

/** Makes a task, of a file where one is given. */
export async function createTask(
  { category, action, file: path }: InputOf<Nothing, typeof createArguments>,
  context: Context,
): Promise<Result> {
  const query = { category, action, ...(path === undefined ? {} : { file_name: path.split('/').at(-1) }) };
  const [type] = taskTypes;
  const { host } = context;
  const call =
    path === undefined
      ? { operation: operationFor(tasks, 'submit'), query, data: {} }
      : {
          operation: operationFor(tasks, 'submit-file'),
          query,
          file: { type, bytes: reading(path, () => host.files.readBytes(resolve(host.cwd, path), largest)) },
        };
  const before = context.options.dryRun ? [] : await tasksNow(await context.api());
  return act(context, {
    call,
    message: (data) => {
      const { id } = uncovered(asRecord(tasks, data));
      return `Created task ${id}. Start it with: telctl tasks start ${id}`;
    },
    resource: 'tasks',
    lookUp: async (api) => {
      const others = (await tasksNow(api)).filter(({ id }) => !before.some((each) => each.id === id));
      return others.find((each) => each.category === category && each.action === action);
    },
  });
}

/** Waits until a task has ended. One that never started is not waited for. */
export async function followTask({ id: word }: OfTask, context: Context): Promise<ItemResult> {
  const { id } = await findNamed(context, tasks, word);
  const { clock, interrupted } = context.host;
  for (;;) {
    const value = await readTask(context, id);
    if (value.status === 'pending')
      throw new Failure('conflict', `Task ${id} was not started yet.`, {
        hint: `Start it first: telctl tasks start ${id}`,
      });
    if (value.status !== 'executing') {
      const isWhole = value.status === 'success';
      return { kind: 'item', value, resource: 'tasks', ...(isWhole ? {} : { exit: 'partial' }) };
    }
    await clock.sleep(pauseMs, interrupted);
  }
}

/** Writes a file of a task. */
export async function downloadTask(
  { id: word, file, csv = 'out', force }: InputOf<typeof downloadOptions, typeof downloadArguments>,
  context: Context,
): Promise<Result> {
  const { host } = context;
  const path = resolve(host.cwd, file);
  if (file !== '-') refuseUnplain(host, path, file, 'FILE');
  if (file !== '-' && !force && host.files.kindOf(path) !== undefined)
    throw new Failure('refused', `${file} is there already.`, {
      hint: 'Write over it with --force, or name another file.',
    });
  const { id } = await findNamed(context, tasks, word);
  const operation = operationFor(tasks, csv === 'in' ? 'input' : 'output');
  const { bytes } = await (await context.api()).call({ operation, path: pathTo(tasks, id) });
  if (!bytes) throw new Failure('failed', 'The service answered without the file.');
  const value = { id, bytes: bytes.length };
  if (file === '-') return { kind: 'document', text: Buffer.from(bytes).toString('utf8'), value };
  host.files.writePrivate(path, bytes);
  return { kind: 'done', message: `Wrote ${bytes.length} bytes to ${file}.`, value: { ...value, file } };
}
