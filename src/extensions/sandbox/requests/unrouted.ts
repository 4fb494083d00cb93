import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorShape, Operation } from '../../../contract/types.ts';
import { offersOperation } from '../behaviour.ts';
import { type Exchange, refuseExchange, senderFacts } from '../exchange.ts';
import { forbidden, Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { matchesAnyRoute, methodsAt, pathOf } from './routes.ts';

/** Creates a test for operations that the service currently offers. */
export const isOfferedBy =
  (services: Services) =>
  (operation: Operation): boolean =>
    offersOperation(services.behaviour, operation);

/** Creates a test for operations that services of this kind have, even if a strict sandbox does not offer them. */
const isKnown =
  ({ behaviour: { withheld } }: Services) =>
  (operation: Operation): boolean =>
    offersOperation({ operations: 'all', withheld }, operation);

const methodsKnownAt = ({ services, prefix }: Exchange, { originalUrl }: FastifyRequest) =>
  methodsAt(pathOf(originalUrl), prefix, isKnown(services));

export const errorsAt = (exchange: Exchange, request: FastifyRequest): ErrorShape =>
  methodsKnownAt(exchange, request).errors;

/** Returns the CORS headers of a refused OPTIONS request (as recorded, in this order). */
const preflight = (methods: readonly string[]): Readonly<Record<string, string>> => ({
  'access-control-allow-headers':
    'content-type, depth, user-agent, x-http-method-override, x-file-size, x-requested-with, if-modified-since, x-file-name, cache-control, x-auth-token, x-kazoo-cluster-id, if-match',
  'access-control-allow-methods': [
    'OPTIONS',
    ...['PATCH', 'POST', 'PUT', 'GET', 'DELETE'].filter((method) => methods.includes(method)),
  ].join(', '),
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'content-type, x-auth-token, x-request-id, x-kazoo-cluster-id, location, etag, etag',
  'access-control-max-age': '86400',
});

/** Refuses a request that no operation handles: 404 for its path, 405 for its method, or 403. */
export async function refuseUnrouted(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { services, prefix } = exchange;
  const { answersPreflights, superOnly } = services.behaviour.replies;
  const { methods } = methodsAt(pathOf(request.originalUrl), prefix, isOfferedBy(services));
  const known = methodsKnownAt(exchange, request);
  const { isSuper, ...sender } = await senderFacts(request, exchange);
  const refuse = (refusal: Refusal, isReached = false) =>
    refuseExchange(exchange, request, reply, refusal, known.errors, { ...sender, isReached });
  if (answersPreflights && request.method === 'OPTIONS') reply.headers(preflight(methods));
  if (isSuper === false && matchesAnyRoute(superOnly, request.method, pathOf(request.url))) {
    const refusal = forbidden('Only the super administrator may do this.');
    return refuse(refusal, request.url.startsWith('/v2/accounts/'));
  }
  if (methods.length === 0 || known.methods.some((method) => method === request.method))
    return refuse(new Refusal(404, 'not_found', 'no such path'));
  const allowed = methods.join(', ');
  reply.header('allow', allowed);
  return refuse(new Refusal(405, 'invalid_method', `This path supports ${allowed}.`));
}
