import type { Call } from '../../api/api.ts';
import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import { messages } from '../../contract/resources/messages.ts';
import { counted } from '../../contract/wording.ts';
import type { Result } from '../../terminal/result.ts';
import { inBulk } from '../bulk.ts';
import { wouldSend } from '../change.ts';
import { operationFor } from '../generic/find-record.ts';
import type { messagesArguments, moveOptions } from './commands.ts';
import { boxPath, messagePath } from './messages.ts';

/** Moves messages of a box to a folder. */
export async function moveMessages(
  { box, messages: ids, folder }: InputOf<typeof moveOptions, typeof messagesArguments>,
  context: Context,
): Promise<Result> {
  if (folder === undefined)
    throw new Failure('usage', 'It must be said where to.', { hint: 'Give --folder new, saved or deleted.' });
  const operation = operationFor(messages, 'update');
  const calls = (await pathsOf(context, box, ids)).map(
    (path): Call => ({ operation, path, data: { folder } }),
  );
  return changeEach(context, ids, calls, `Moved to ${folder}`);
}

/** Deletes messages of a box, after asking. */
export async function deleteMessages(
  { box, messages: ids }: InputOf<Record<never, never>, typeof messagesArguments>,
  context: Context,
): Promise<Result> {
  const operation = operationFor(messages, 'delete');
  const calls = (await pathsOf(context, box, ids)).map((path): Call => ({ operation, path }));
  const question = `Delete ${counted(ids.length, 'message')} of vmbox ${box}?`;
  if (!context.options.dryRun && !(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was deleted.');
  return changeEach(context, ids, calls, 'Deleted');
}

async function pathsOf(context: Context, box: string, ids: readonly string[]) {
  if (ids.length === 0) throw new Failure('usage', 'Give the ids of the messages.');
  const boxParameters = await boxPath(context, box);
  return Promise.all(ids.map((id) => messagePath(context, boxParameters, id)));
}

/** Makes the calls, each for itself, and says what became of them. */
async function changeEach(
  context: Context,
  ids: readonly string[],
  calls: readonly Call[],
  done: string,
): Promise<Result> {
  const api = await context.api();
  if (context.options.dryRun)
    return wouldSend(
      context,
      calls.map((call) => ({ request: api.plan(call), schema: messages.schema })),
    );
  const outcomes = await inBulk(context, calls, 'messages', async (call) => (await api.call(call)).data);
  const failed = outcomes.flatMap((outcome, index) =>
    outcome.ok ? [] : [{ id: ids[index] ?? '', failure: outcome.failure }],
  );
  const [first] = failed;
  const failedLines = failed.map(({ id, failure }) => `failed  message ${id}: ${failure.message}`);
  if (first && failed.length === ids.length)
    throw ids.length === 1 ? first.failure : undone(first.failure.kind);
  return {
    kind: 'done',
    message: `${done}: ${counted(ids.length - failed.length, 'message')}.`,
    value: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.result] : [])),
    resource: 'messages',
    ...(first ? { failure: undone('partial') } : {}),
  };

  function undone(kind: Failure['kind']): Failure {
    const details = failed.map(({ id, failure: { kind: why, message } }) => ({ id, kind: why, message }));
    const sentence = `${failed.length} of ${counted(ids.length, 'message')} could not be changed.`;
    return new Failure(kind, [...failedLines, sentence], {
      sentence,
      details: { failed: details },
    });
  }
}
