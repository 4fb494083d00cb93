import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { isLoopbackAddress } from '../../base/host/loopback-server.ts';
import { parseJson } from '../../base/json.ts';
import type { Method, Operation } from '../../contract/types.ts';
import { offers } from './behaviour.ts';
import { addControlRoutes, mayView } from './control/control.ts';
import { applyFaults } from './control/faults.ts';
import { logRequests, notes } from './control/request-log.ts';
import { answerExchange, type Exchange, refuseExchange, senderFacts, setContentTypes } from './exchange.ts';
import { idSource } from './made-values.ts';
import { addPage } from './page/page-route.ts';
import { forbidden, Refusal } from './refusal.ts';
import { hasFileBody } from './request.ts';
import { limitAttempts, limitRequests } from './requests/rate-limit.ts';
import {
  findRoute,
  isSandboxUrl,
  isServedAt,
  matchesAnyRoute,
  methodsAt,
  normalizeUrl,
  type Route,
  versionOf,
} from './requests/routes.ts';
import { makeServices, type SandboxParts, type Services } from './services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its meaning at the service; `undefined` for one of the sandbox itself, and where the service has no such path. */
    route: Route | undefined;
  }
}

/** Text shown at an address without a version. */
const welcome = 'This is the API of a telephony service. Its addresses begin with /v2.\n';

/** The JSON among the parts of a body; empty where there is none. */
function jsonPart(type: string, body: string): string {
  const [, boundary] = /boundary="?([^";]+)/i.exec(type) ?? [];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`);
  const part = parts.find((each) => /^content-type:\s*application\/json/im.test(each)) ?? '';
  return part.slice(part.search(/\r?\n\r?\n/)).trim();
}

/** A form, or a body of several parts, as the JSON that it stands for; other types count as no body. */
function formAsJson(type: string, body: string): string {
  if (type.startsWith('multipart/')) return jsonPart(type, body);
  return type.startsWith('application/x-www-form-urlencoded')
    ? JSON.stringify(Object.fromEntries(new URLSearchParams(body)))
    : '';
}

/** Methods by which the service is asked. */
const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? '';

/** Headers that tell a page of another origin which methods of a path it could ask for, in the recorded order. */
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

/** The verb that a request names beside its method: in its query, or in the envelope of its body. */
function verbIn({ query, body }: FastifyRequest): string | undefined {
  const {
    verb = typeof body === 'string' && body.includes('"verb"') ? Object(parseJson(body)).verb : undefined,
  } = Object(query);
  return typeof verb === 'string' ? verb.toUpperCase() : undefined;
}

function noSchemas(): never {
  throw new Error('A route has a schema for Fastify.');
}

/** The service as a Fastify app that does not listen, over a seeded store (`seedSandbox`). */
export function buildSandbox(parts: SandboxParts, services: Services = makeServices(parts)): FastifyInstance {
  const { random, version, control, serverFactory } = parts;
  const exchange: Exchange = {
    services,
    version,
    node: parts.nodeName ?? '0'.repeat(32),
    checkReplies: parts.checkReplies ?? false,
    newRequestId: idSource(random),
  };
  const { requests, replies } = services.behaviour;
  const app = fastify({
    logger: false,
    bodyLimit: requests.bodyLimit,
    exposeHeadRoutes: false,
    // No route has a schema for Fastify: what makes code of those is loaded for nothing.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    ...(serverFactory ? { serverFactory } : {}),
    rewriteUrl: ({ url = '/' }) => normalizeUrl(url, requests.anyVersion),
  });

  const served = parts.prefix ?? 'both';
  const { withheld } = services.behaviour;
  /** True for what services of this kind have, if only by convention: a strict sandbox knows it, and does not offer it. */
  const isKnown = (operation: Operation): boolean => offers({ operations: 'all', withheld }, operation);
  const isServed = (operation: Operation): boolean => offers(services.behaviour, operation);
  app.decorateRequest('route');
  // One route of Fastify's stands for all of the service: the contract's tree of paths is grown once, not for each app.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSandboxUrl(request.originalUrl)) {
      request.route = findRoute(request.method, withoutQuery(request.url), isServed);
      if (request.route) request.params = request.route.params;
    }
    done();
  });

  app.addHook('onSend', setContentTypes(replies.contentType));

  // Bodies stay text until it is known who sends them. No type counts as JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? 'application/json';
    const isForm = /^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(type);
    // At a path that does not exist no content type is refused.
    const isOfNone = !request.route && !isSandboxUrl(request.originalUrl);
    if (isOfNone || request.is404 || /^application\/json\s*(;|$)/i.test(type)) done(null, body.toString());
    else if (!isForm && request.route?.operations.some(hasFileBody)) done(null, body);
    else if (requests.otherBodies === 'ignored') done(null, formAsJson(type, body.toString()));
    else done(new Refusal(415, 'unsupported_media_type', `The content type ${type} is not taken.`));
  });

  if (control) {
    logRequests(app, control);
    if (control.isShared) {
      limitAttempts(app, services.timers, (request, reply, refusal) =>
        refuseExchange(exchange, request, reply, refusal, 'legacy'),
      );
    }
    addControlRoutes(app, control, services);
    addPage(app, {
      store: services.store,
      ...control,
      like: services.behaviour.like,
      rateLimit: services.rateLimit,
      mayView: (request) => mayView(request, control),
    });
  }

  if (requests.anyVersion) {
    app.addHook('onRequest', async (request, reply) => {
      if (control && isSandboxUrl(request.originalUrl)) return;
      const version = versionOf(request.originalUrl);
      if (version === undefined) {
        return reply.header('content-type', 'text/plain; charset=UTF-8').send(welcome);
      }
      if (version > 1) return;
      const refusal = new Refusal(410, 'gone', 'Version 1 is gone.', 'Version 1 is gone: use version 2.');
      return refuseExchange(exchange, request, reply, refusal, 'legacy');
    });
  }

  if (services.rateLimit) {
    limitRequests(app, services.rateLimit, services.clock, (request, reply, refusal) =>
      refuseExchange(exchange, request, reply, refusal, 'legacy'),
    );
  }

  const refuseUnrouted = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = withoutQuery(request.originalUrl);
    const who = await senderFacts(request, exchange);
    const { methods: taken } = methodsAt(path, served, isServed);
    const { methods: known, errors } = methodsAt(path, served, isKnown);
    if (replies.answersPreflights && request.method === 'OPTIONS') reply.headers(preflight(taken));
    if (
      who.isSuper === false &&
      matchesAnyRoute(replies.keptToSuper, request.method, withoutQuery(request.url))
    ) {
      const refusal = forbidden('Only the super administrator may do this.');
      const isReached = request.url.startsWith('/v2/accounts/');
      return refuseExchange(exchange, request, reply, refusal, errors, { ...who, isReached });
    }
    const isConvention = known.some((method) => method === request.method);
    if (taken.length === 0 || isConvention) {
      const refusal = new Refusal(404, 'not_found', 'no such path');
      return refuseExchange(exchange, request, reply, refusal, errors, who);
    }
    const allowed = taken.join(', ');
    const refusal = new Refusal(405, 'invalid_method', `This path takes ${allowed}.`);
    return refuseExchange(exchange, request, reply.header('allow', allowed), refusal, errors, who);
  };
  if (control) {
    applyFaults(app, control, (request, reply, refusal) => {
      const { errors } = methodsAt(withoutQuery(request.originalUrl), served, isKnown);
      return refuseExchange(exchange, request, reply, refusal, errors);
    });
  }
  const pass = <T>(work: () => Promise<T>): Promise<T> => (control ? control.lock.runShared(work) : work());
  app.route({
    method: [...methods],
    url: '/*',
    handler: (request, reply) => {
      const verb =
        requests.holes === 'followed' && isLoopbackAddress(request.ip) ? verbIn(request) : undefined;
      if (verb !== undefined && request.method === 'GET')
        notes.set(request, `a GET that is taken as ${verb}: a hole of services in the field`);
      const meant = verb === undefined ? undefined : findRoute(verb, withoutQuery(request.url), isServed);
      request.route = meant ?? request.route;
      const { route } = request;
      return route && isServedAt(route.operations[0], request.originalUrl, served)
        ? pass(() => answerExchange(exchange, request, reply, route))
        : refuseUnrouted(request, reply);
    },
  });
  app.setNotFoundHandler(refuseUnrouted);
  app.setErrorHandler((error, request, reply) =>
    refuseExchange(exchange, request, reply, error, request.route?.operations[0].errors ?? 'legacy'),
  );
  return app;
}
