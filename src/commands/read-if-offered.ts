import type { Api, Call, Reply } from '../api/api.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Context } from '../command/context.ts';
import { isNotOffered } from '../manifest/service.ts';

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

/** The record of a reply that there may not be. */
export const recordIn = (reply: Reply | undefined): JsonObject | undefined =>
  isObject(reply?.data) ? reply.data : undefined;

/** The same with all that the reply says. */
export async function replyIfOffered(
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
