import type { Api, Call } from '../api/api.ts';
import type { Context } from '../cli/context.ts';
import { isObject, type JsonObject } from '../contract/json.ts';
import { isNotOffered } from '../manifest/state/service.ts';

/**
 * Reads a record that a command shows but can do without. Where the service does not offer the read, warns, with what
 * follows from it, and gives nothing. Throws `Failure` for everything else, a record that is not there among it.
 */
export async function readIfOffered(
  { notices }: Pick<Context, 'notices'>,
  api: Api,
  call: Call,
  without: string,
): Promise<JsonObject | undefined> {
  try {
    const { data } = await api.call(call);
    return isObject(data) ? data : undefined;
  } catch (error) {
    if (!isNotOffered(error, call.operation)) throw error;
    notices.warn(`This service does not offer "${call.operation.summary}": ${without}`);
    return undefined;
  }
}
