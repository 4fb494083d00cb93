import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { addControl } from '../control/control.ts';
import { noteRequests } from '../control/note-requests.ts';
import { putInFaults } from '../control/put-in-faults.ts';
import { idSource } from '../identifiers.ts';
import { makeServices } from '../make-services.ts';
import { addPage } from '../page/page-route.ts';
import type { SandboxParts, Services } from '../parts.ts';
import { answerExchange, contentTyping, type Exchange, refuseExchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import { answersAt, documentedRoutes, methodFinder, routedUrl, routesOf } from './routes.ts';

/** Largest request body, in bytes (Conventions, Sizes and times). */
const bodyLimit = 8_000_000;
/** Longest path parameter that is looked at, in characters. */
const maxParamLength = 1024;

/**
 * The service as a Fastify app that does not listen: the contract's operations over a store. Give it a seeded
 * store (`seedSandbox`).
 */
export function buildSandbox(parts: SandboxParts, services: Services = makeServices(parts)): FastifyInstance {
  const { random, version, control } = parts;
  const exchange: Exchange = {
    services,
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
    rewriteUrl: ({ url = '/' }) => routedUrl(url),
  });

  app.addHook('onSend', contentTyping(services.behaviour.replies.contentType));

  // Bodies stay text until it is known who sends them. No type counts as JSON; other types are refused.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? 'application/json';
    if (/^application\/json\s*(;|$)/i.test(type)) done(null, body);
    else done(new Refusal(415, 'unsupported_media_type', `The content type ${type} is not taken.`));
  });

  if (control) {
    noteRequests(app, control);
    addControl(app, control, services);
    addPage(app, { store: services.store, ...control, like: services.behaviour.like });
  }

  const served = parts.prefix ?? 'both';
  const allRoutes = routesOf();
  const routes = services.behaviour.operations === 'documented' ? documentedRoutes(allRoutes) : allRoutes;
  const methodsAt = methodFinder(routes, served);
  const knownAt = methodFinder(allRoutes, served);
  const refuseUnrouted = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const [path = ''] = request.originalUrl.split('?');
    const { methods } = methodsAt(path);
    const { methods: known, errors } = knownAt(path);
    const isConvention = known.some((method) => method === request.method);
    if (methods.length === 0 || isConvention) {
      const refusal = new Refusal(404, 'not_found', 'no such path');
      return refuseExchange(exchange, request, reply, refusal, errors);
    }
    const allowed = methods.join(', ');
    const refusal = new Refusal(405, 'invalid_method', `This path takes ${allowed}.`);
    return refuseExchange(exchange, request, reply.header('allow', allowed), refusal, errors);
  };
  if (control) {
    putInFaults(app, control, (request, reply, refusal) => {
      const { errors } = knownAt(request.originalUrl.split('?')[0] ?? '');
      return refuseExchange(exchange, request, reply, refusal, errors);
    });
  }
  const pass = <T>(work: () => Promise<T>): Promise<T> => (control ? control.turnstile.pass(work) : work());
  for (const { url, method, operations } of routes) {
    const [{ errors }] = operations;
    app.route<{ Params: Record<string, string> }>({
      method,
      url,
      errorHandler: (error, request, reply) => refuseExchange(exchange, request, reply, error, errors),
      handler: (request, reply) =>
        answersAt(operations[0], request.originalUrl, served)
          ? pass(() => answerExchange(exchange, request, reply, operations))
          : refuseUnrouted(request, reply),
    });
  }
  app.setNotFoundHandler(refuseUnrouted);
  app.setErrorHandler((error, request, reply) => refuseExchange(exchange, request, reply, error, 'legacy'));
  return app;
}
