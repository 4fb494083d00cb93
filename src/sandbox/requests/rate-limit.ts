import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Allowance, RateLimit } from '../../base/rate-limit.ts';
import type { Clock } from '../../host/host.ts';
import { Refusal } from '../refusal.ts';
import { isOwnUrl } from './routes.ts';

interface Level {
  readonly tokens: number;
  /** Time at which it was last filled, in milliseconds. */
  readonly filledAt: number;
}

/** Buckets of tokens, one for each key: a request takes some, and is refused where too few are left. */
export class TokenBuckets {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #levels = new Map<string, Level>();

  constructor(allowance: Allowance, clock: Clock) {
    this.#allowance = allowance;
    this.#clock = clock;
  }

  /** Returns the number of tokens left under a key. */
  remaining(key: string): number {
    return Math.floor(this.#level(key).tokens);
  }

  /** Takes tokens; false, and nothing taken, where there are too few. */
  take(key: string, count: number): boolean {
    const level = this.#level(key);
    if (level.tokens < count) return false;
    this.#levels.set(key, { ...level, tokens: level.tokens - count });
    return true;
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

/**
 * Refuses (429) requests of the service beyond a limit, as a proxy before it does: whoever sends them, and without
 * saying when to come again. The sandbox's own addresses are free.
 */
export function limitRequests(
  app: FastifyInstance,
  limit: RateLimit,
  clock: Clock,
  refuse: (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => FastifyReply,
): void {
  const buckets = new TokenBuckets(limit, clock);
  app.addHook('onRequest', async (request, reply) => {
    if (isOwnUrl(request.originalUrl) || buckets.take('all', 1)) return;
    const message = `The sandbox was started with --rate-limit ${limit.text}.`;
    return refuse(request, reply, new Refusal(429, 'too_many_requests', message));
  });
}
