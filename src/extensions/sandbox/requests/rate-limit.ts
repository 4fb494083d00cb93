import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Timers } from '../../../base/host/host.ts';
import type { Allowance, RateLimit } from '../../../base/rate-limit.ts';
import { Refusal } from '../refusal.ts';
import { isSandboxUrl } from './routes.ts';

interface Level {
  readonly tokens: number;
  /** Time of the last refill in milliseconds. */
  readonly filledAt: number;
}

export class TokenBuckets {
  readonly #allowance: Allowance;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #levels = new Map<string, Level>();

  constructor(allowance: Allowance, clock: Pick<Clock, 'now'>) {
    this.#allowance = allowance;
    this.#clock = clock;
  }

  remaining(key: string): number {
    return Math.floor(this.#level(key).tokens);
  }

  /** Takes `count` tokens. Returns false and takes none if too few are left. */
  take(key: string, count: number): boolean {
    const level = this.#level(key);
    if (level.tokens < count) return false;
    this.#levels.set(key, { ...level, tokens: level.tokens - count });
    return true;
  }

  giveBack(key: string, count: number): void {
    const { tokens, filledAt } = this.#level(key);
    if (tokens + count >= this.#allowance.burst) this.#levels.delete(key);
    else this.#levels.set(key, { tokens: tokens + count, filledAt });
  }

  #level(key: string): Level {
    const { burst, amount, everyMs } = this.#allowance;
    const now = this.#clock.now();
    const known = this.#levels.get(key);
    if (!known) return { tokens: burst, filledAt: now };
    const steps = Math.max(0, Math.floor((now - known.filledAt) / everyMs));
    return {
      tokens: Math.min(burst, known.tokens + steps * amount),
      filledAt: known.filledAt + steps * everyMs,
    };
  }
}

/** Refuses (429) requests beyond a limit, like a proxy. Requests to the sandbox itself are not limited. */
export function limitRequests(
  app: FastifyInstance,
  limit: RateLimit,
  clock: Clock,
  refuse: (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => FastifyReply,
): void {
  const buckets = new TokenBuckets(limit, clock);
  app.addHook('onRequest', async (request, reply) => {
    if (isSandboxUrl(request.originalUrl) || buckets.take('all', 1)) return;
    const message = `The sandbox was started with --rate-limit ${limit.text}.`;
    return refuse(request, reply, new Refusal(429, 'too_many_requests', message));
  });
}

/** Limits the wrong secrets that an address can try. */
const attemptLimit = { burst: 30, amount: 1, everyMs: 2000 };

/** Returns the statuses that indicate a wrong secret. Returns `undefined` for a request without a secret. */
function failureStatuses({ route, headers, originalUrl }: FastifyRequest): readonly number[] | undefined {
  const isOwn = isSandboxUrl(originalUrl);
  if (isOwn && (headers['x-sandbox-key'] !== undefined || headers.authorization !== undefined))
    return [401, 403];
  if (route?.operations.some(({ authenticated }) => !authenticated)) return [400, 401, 403, 404];
  return !isOwn && headers.authorization !== undefined ? [401] : undefined;
}

/** Refuses (429) addresses with too many wrong secrets, in real time. Correct secrets do not count. */
export function limitAttempts(
  app: FastifyInstance,
  { elapsedMs }: Timers,
  refuse: (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => FastifyReply,
): void {
  const buckets = new TokenBuckets(attemptLimit, { now: elapsedMs });
  const tried = new WeakSet<FastifyRequest>();
  app.addHook('onRequest', async (request, reply) => {
    if (!failureStatuses(request)) return;
    if (buckets.take(request.ip, 1)) return void tried.add(request);
    const message = 'Too many wrong keys or passwords from this address.';
    reply.header('retry-after', String(attemptLimit.everyMs / 1000));
    return refuse(request, reply, new Refusal(429, 'too_many_requests', message));
  });
  app.addHook('onResponse', async (request, reply) => {
    if (tried.has(request) && !failureStatuses(request)?.includes(reply.statusCode))
      buckets.giveBack(request.ip, 1);
  });
}
