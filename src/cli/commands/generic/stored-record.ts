import { once } from '../../../base/bounded.ts';
import { Failure, withFacts } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Api, Call, Reply } from '../../../client/api/api.ts';
import { storedFields } from '../../../client/api/doubtful-replies.ts';
import type { Resource } from '../../../contract/types.ts';
import { isNotOffered } from '../../../engine/manifest/service.ts';
import type { Context } from '../../command/context.ts';
import { type Found, operationFor, pathTo } from './find-named.ts';

/** Reads the stored records that records of the input are about; none where the service cannot show them. */
export type ReadStored = (input: readonly JsonObject[]) => Promise<readonly JsonObject[]>;

/**
 * A record that `look` finds, looked for and read when that is first needed, and no second time. `without` says what
 * follows where the service does not show it: that is a warning, and nothing is read.
 */
export function namedRecord(
  context: Context,
  resource: Resource,
  look: () => Promise<Found>,
  without: string,
) {
  const find = once(look);
  const read = once(async (): Promise<Reply | undefined> => {
    const { id } = await find();
    const call = { operation: operationFor(resource, 'get'), path: pathTo(resource, id) };
    try {
      return await replyIfOffered(context, await context.api(), call, without);
    } catch (error) {
      // What an account has once may never have been set, which services answer as an id that is not there, or as a
      // request that is wrong (allotments).
      const isUnset = error instanceof Failure && (error.code === 'bad_identifier' || error.status === 400);
      if (isUnset && resource.kind === 'singleton') return undefined;
      throw error;
    }
  });
  return {
    find,
    read,
    stored: async (): Promise<readonly JsonObject[]> => {
      const record = recordIn(await read());
      return record ? [record] : [];
    },
  };
}

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

/**
 * Reads a record that a command shows but can do without. Where the service does not offer the read, warns, with what
 * follows from it, and gives nothing. Throws `Failure` for everything else, a record that is not there among it.
 */
export async function readIfOffered(
  context: Pick<Context, 'notices'>,
  api: Api,
  call: Call,
  without: string,
): Promise<JsonObject | undefined> {
  return recordIn(await replyIfOffered(context, api, call, without));
}

export const recordIn = (reply: Reply | undefined): JsonObject | undefined =>
  isObject(reply?.data) ? reply.data : undefined;

/** The same with all that the reply says. */
async function replyIfOffered(
  { notices }: Pick<Context, 'notices'>,
  api: Api,
  call: Call,
  without: string,
): Promise<Reply | undefined> {
  try {
    return await api.call(call);
  } catch (error) {
    if (!isNotOffered(error, call.operation)) throw error;
    notices.warn(`This service does not offer "${call.operation.summary}": ${without}`);
    return undefined;
  }
}
