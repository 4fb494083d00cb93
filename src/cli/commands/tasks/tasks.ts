import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { tasks } from '../../../contract/resources/tasks.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult } from '../../command/result.ts';
import { asRecord, findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { type taskArguments, uncovered } from './commands.ts';

type OfTask = InputOf<Record<never, never>, typeof taskArguments>;

const pauseMs = 2000;

async function readTask(context: Context, id: string): Promise<JsonObject> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationFor(tasks, 'get'), path: pathTo(tasks, id) });
  return uncovered(asRecord(tasks, data));
}

/** Waits until a task has ended. One that never started is not waited for. */
export async function followTask({ id: word }: OfTask, context: Context): Promise<ItemResult> {
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
