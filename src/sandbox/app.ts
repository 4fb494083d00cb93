import { type FastifyInstance, fastify } from 'fastify';
import { Authority } from './authority.ts';
import { usualPrices } from './charges.ts';
import { answerExchange, type Exchange, refuseExchange } from './exchange.ts';
import { idSource } from './identifiers.ts';
import type { SandboxParts } from './parts.ts';
import { Refusal } from './refusal.ts';
import { routesOf } from './routes.ts';

/** Largest request body, in bytes (Conventions, Sizes and times). */
const bodyLimit = 8_000_000;
/** Longest path parameter that is looked at, in characters. */
const maxParamLength = 1024;

const methods = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * The service as a Fastify app that does not listen: the contract's operations over a store. Give it a seeded
 * store (`seedSandbox`).
 */
export function buildSandbox(parts: SandboxParts): FastifyInstance {
  const { clock, random, store, version } = parts;
  const exchange: Exchange = {
    services: {
      store,
      clock,
      random,
      authority: new Authority({ store, clock, random }),
      prices: parts.prices ?? usualPrices,
    },
    version,
    node: parts.nodeName ?? '0'.repeat(32),
    checkReplies: parts.checkReplies ?? false,
    newRequestId: idSource(random),
  };
  const app = fastify({
    logger: false,
    bodyLimit,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength },
  });

  // Bodies stay text until it is known who sends them. No type counts as JSON; other types are refused.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? 'application/json';
    if (/^application\/json\s*(;|$)/i.test(type)) done(null, body);
    else done(new Refusal(415, 'unsupported_media_type', `The content type ${type} is not taken.`));
  });

  for (const { url, byMethod } of routesOf(parts.prefix ?? 'both')) {
    const shape = byMethod.values().next().value?.[0]?.errors ?? 'legacy';
    app.route<{ Params: Record<string, string> }>({
      method: methods,
      url,
      errorHandler: (error, request, reply) => refuseExchange(exchange, request, reply, error, shape),
      handler: (request, reply) => {
        const candidates = byMethod.get(request.method);
        if (candidates) return answerExchange(exchange, request, reply, candidates);
        const allowed = [...byMethod.keys()].join(', ');
        const refusal = new Refusal(405, 'invalid_method', `This path takes ${allowed}.`);
        return refuseExchange(exchange, request, reply.header('allow', allowed), refusal, shape);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const refusal = new Refusal(404, 'not_found', `The service has no path ${request.url.split('?')[0]}.`);
    return refuseExchange(exchange, request, reply, refusal, 'legacy');
  });
  app.setErrorHandler((error, request, reply) => refuseExchange(exchange, request, reply, error, 'legacy'));
  return app;
}
