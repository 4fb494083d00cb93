import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../../base/rate-limit.ts';
import type { Clock } from '../../host/host.ts';
import { Refusal } from '../refusal.ts';
import { isOwnUrl } from './routes.ts';
import { TokenBuckets } from './token-bucket.ts';

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
