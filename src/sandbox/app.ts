import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { addControl, mayView } from './control/control.ts';
import { noteRequests } from './control/note-requests.ts';
import { putInFaults } from './control/put-in-faults.ts';
import { answerExchange, contentTyping, type Exchange, refuseExchange, strangerFacts } from './exchange.ts';
import { idSource } from './made-values.ts';
import { addPage } from './page/page-route.ts';
import { Refusal } from './refusal.ts';
import { takesFile } from './request.ts';
import { limitAttempts, limitRequests } from './requests/rate-limit.ts';
import {
  answersAt,
  documentedRoutes,
  isOwnUrl,
  methodFinder,
  routedUrl,
  routesOf,
  versionOf,
  withoutOperations,
} from './requests/routes.ts';
import { makeServices, type SandboxParts, type Services } from './services.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies that are no JSON are files. */
    readonly takesFile?: boolean;
    /** Whoever asks brings a secret to sign in with. */
    readonly signsIn?: boolean;
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

/** Longest path parameter that is looked at, in characters. */
const maxParamLength = 1024;

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

/**
 * The service as a Fastify app that does not listen: the contract's operations over a store. Give it a seeded
 * store (`seedSandbox`).
 */
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
    routerOptions: { maxParamLength },
    ...(serverFactory ? { serverFactory } : {}),
    rewriteUrl: ({ url = '/' }) => routedUrl(url, requests.anyVersion),
  });

  app.addHook('onSend', contentTyping(replies.contentType));

  // Bodies stay text until it is known who sends them. No type counts as JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? 'application/json';
    const isForm = /^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(type);
    // Where there is nothing, no type of content is wrong.
    if (request.is404 || /^application\/json\s*(;|$)/i.test(type)) done(null, body.toString());
    else if (!isForm && request.routeOptions.config.takesFile) done(null, body);
    else if (requests.otherBodies === 'ignored') done(null, formAsJson(type, body.toString()));
    else done(new Refusal(415, 'unsupported_media_type', `The content type ${type} is not taken.`));
  });

  if (control) {
    noteRequests(app, control);
    if (control.isShared) {
      limitAttempts(app, services.timers, (request, reply, refusal) =>
        refuseExchange(exchange, request, reply, refusal, 'legacy'),
      );
    }
    addControl(app, control, services);
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
      if (control && isOwnUrl(request.originalUrl)) return;
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

  const served = parts.prefix ?? 'both';
  const allRoutes = withoutOperations(routesOf(), services.behaviour.withheld);
  const routes = services.behaviour.operations === 'documented' ? documentedRoutes(allRoutes) : allRoutes;
  const methodsAt = methodFinder(routes, served);
  const knownAt = methodFinder(allRoutes, served);
  const refuseUnrouted = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = ''] = request.originalUrl.split('?');
    const who = await strangerFacts(request, exchange);
    const { methods } = methodsAt(path);
    const { methods: known, errors } = knownAt(path);
    if (replies.answersPreflights && request.method === 'OPTIONS') reply.headers(preflight(methods));
    const isConvention = known.some((method) => method === request.method);
    if (methods.length === 0 || isConvention) {
      const refusal = new Refusal(404, 'not_found', 'no such path');
      return refuseExchange(exchange, request, reply, refusal, errors, who);
    }
    const allowed = methods.join(', ');
    const refusal = new Refusal(405, 'invalid_method', `This path takes ${allowed}.`);
    return refuseExchange(exchange, request, reply.header('allow', allowed), refusal, errors, who);
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
      config: {
        takesFile: operations.some(takesFile),
        signsIn: operations.some(({ authenticated }) => !authenticated),
      },
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
