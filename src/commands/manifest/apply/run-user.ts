import { Failure } from '../../../base/failure.ts';
import { isObject } from '../../../base/json.ts';
import type { Context } from '../../../command/context.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { StartLine } from '../../../state/log.ts';

/**
 * Returns the user who carries a run out, for the log. A sign-in by API key or single sign-on gives an id, whose name
 * is asked for.
 */
export async function runUser(context: Context): Promise<Pick<StartLine, 'user' | 'userId'>> {
  const { profile } = await context.session();
  const { username, ownerId } = profile;
  if (ownerId === undefined) return { user: username };
  return {
    user: username ?? (await nameOf(context, profile.accountId, ownerId)) ?? ownerId,
    userId: ownerId,
  };
}

/** A user's name; `undefined` where the service does not tell, which stops no run. */
async function nameOf(context: Context, account_id: string, user_id: string): Promise<string | undefined> {
  try {
    const api = await context.api();
    const { data } = await api.call({ operation: operationById('users.get'), path: { account_id, user_id } });
    return isObject(data) && typeof data.username === 'string' ? data.username : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
