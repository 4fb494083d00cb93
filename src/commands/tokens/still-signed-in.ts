import type { Context } from '../../cli/context.ts';
import { operationById } from '../../contract/catalogue.ts';
import { Failure } from '../../contract/failure.ts';

/** Whether the session works, after signing in again where the reset hit it. */
export async function stillSignedIn(context: Context): Promise<boolean> {
  const { profile } = await context.session();
  const api = await context.api();
  try {
    // A read that any token of the account may do: a dead one is renewed on the way.
    const path = { account_id: profile.accountId };
    await api.call({ operation: operationById('accounts.get'), path });
    return true;
  } catch (error) {
    if (error instanceof Failure && error.status !== 401 && error.status !== undefined) return true;
    if (error instanceof Failure && error.kind === 'auth') return false;
    throw error;
  }
}
