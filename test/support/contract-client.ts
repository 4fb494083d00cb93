import type { Api } from '../../src/api/api.ts';
import { createApi } from '../../src/api/create-api.ts';
import { rateLimiters } from '../../src/api/rate-limiter.ts';
import type { Transport } from '../../src/api/transport.ts';
import type { CalledSandbox } from './called-sandbox.ts';
import { seededRandom } from './clock.ts';
import { injectTransport } from './inject-transport.ts';

/** telctl's own client on a sandbox, speaking with whatever token `token` gives at the time of a call. */
export function clientOf(
  sandbox: CalledSandbox,
  token: () => Promise<string>,
  accountId: string,
  transport: Transport = injectTransport(sandbox.app),
): Api {
  return createApi({
    transport,
    baseUrl: 'http://127.0.0.1:8000',
    prefix: '/v2',
    accountId,
    authorizer: { token, renew: async (rejected) => rejected },
    clock: sandbox.clock,
    random: seededRandom(5),
    limiters: rateLimiters(sandbox.clock, () => undefined),
    timeoutMs: 1000,
    retries: 0,
    userAgent: 'test',
  });
}
