import type { Charging } from '../../src/client/api/accept-charges.ts';
import type { Api } from '../../src/client/api/api.ts';
import { createApi } from '../../src/client/api/create-api.ts';
import { rateLimiters } from '../../src/client/api/rate-limiter.ts';
import type { Transport } from '../../src/client/api/transport.ts';
import type { CalledSandbox } from './called-sandbox.ts';
import { seededRandom } from './clock.ts';
import { injectTransport } from './inject-transport.ts';

export interface ClientOptions {
  readonly transport?: Transport;
  readonly charges?: Charging;
}

/** Accepts all charges. */
export const acceptsCharges: Charging = {
  agreement: async () => ({
    exclusive: (work) => work(),
    agree: async () => ({ text: 'all', release: () => undefined }),
    given: 0,
  }),
  payer: { account: async () => '', mayAsk: false },
  facts: { learned: () => ({}), learn: async () => undefined },
};

/** Returns the client of telctl connected to a sandbox. `token` is called for each request. */
export function clientOf(
  sandbox: CalledSandbox,
  token: () => Promise<string>,
  accountId: string,
  { transport = injectTransport(sandbox.app), charges }: ClientOptions = {},
): Api {
  return createApi({
    transport,
    baseUrl: 'http://127.0.0.1:8000',
    prefix: '/v2',
    accountId,
    authorizer: { token, renew: async (rejected) => rejected },
    clock: sandbox.clock,
    random: seededRandom(5),
    limiters: rateLimiters(sandbox.clock, seededRandom(5), () => undefined),
    timeoutMs: 1000,
    retries: 0,
    userAgent: 'test',
    ...(charges ? { charges } : {}),
  });
}
