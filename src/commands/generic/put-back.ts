import type { Call, Reply } from '../../api/api.ts';
import { storedFields } from '../../api/stored-refusal.ts';
import { Failure, withFacts } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { Resource } from '../../contract/types.ts';
import { operationFor } from './find-record.ts';

/**
 * Sends a change of a record. Where the service refuses it and stores it all the same, offers to set back what was
 * sent to what it was in `before`. Throws the refusal in any case, with what became of it.
 */
export async function sentOrPutBack(
  context: Context,
  resource: Resource,
  call: Call,
  before: JsonObject | undefined,
): Promise<Reply> {
  const api = await context.api();
  try {
    return await api.call(call);
  } catch (error) {
    const stored = storedFields(error);
    if (!(error instanceof Failure) || stored.length === 0 || before === undefined) throw error;
    if (!(await agreed(context, error, stored))) throw error;
    const sent = Object.keys(call.data ?? {}).filter((field) => field !== 'id');
    const data = Object.fromEntries(sent.map((field) => [field, before[field] ?? null]));
    const operation = operationFor(resource, 'patch');
    await api.call({ operation, path: call.path ?? {}, data });
    const old = stored.map((field) => `${field} ${JSON.stringify(before[field] ?? null)}`).join(', ');
    throw withFacts(error, {
      lines: [...error.lines, `It was set back: ${old}.`],
      hint: 'Choose another value.',
    });
  }
}

/** Tells whether the user wants it set back; if nobody can be asked, the answer is no. */
async function agreed(
  { ask, notices }: Context,
  { lines }: Failure,
  stored: readonly string[],
): Promise<boolean> {
  for (const line of lines) notices.warn(line);
  try {
    return await ask.confirm(`Set ${stored.join(' and ')} back?`, { option: '--yes' });
  } catch (error) {
    if (error instanceof Failure && error.kind === 'usage') return false;
    throw error;
  }
}
