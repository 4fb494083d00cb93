import type { Context } from '../command/context.ts';
import { accounts } from '../contract/resources/accounts.ts';
import { operationFor } from './generic/find-record.ts';

/**
 * Now, by the service's clock, in Unix milliseconds: what is asked of the service by time goes by its clock, whatever
 * this machine's says. It is known from any reply of this run; where there was none yet, the account is read. By this
 * machine's clock where the service does not say.
 */
export async function serviceNowMs(context: Pick<Context, 'api' | 'host'>): Promise<number> {
  const api = await context.api();
  if (api.serviceNowMs() === undefined) await api.call({ operation: operationFor(accounts, 'get') });
  return api.serviceNowMs() ?? context.host.clock.now();
}
