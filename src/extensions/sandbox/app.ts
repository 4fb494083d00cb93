import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { isLoopbackAddress } from '../../base/host/loopback-server.ts';
import { parseJson } from '../../base/json.ts';
import type { Method } from '../../contract/types.ts';
import { addControlRoutes, type ControlParts, mayView } from './control/control.ts';
import { applyFaults, type Refuse } from './control/faults.ts';
import { logRequests, notes } from './control/request-log.ts';
import { answerExchange, type Exchange, refuseExchange, setContentTypes } from './exchange.ts';
import { idSource } from './ids-and-secrets.ts';
import { addPage } from './page/page-route.ts';
import { Refusal } from './refusal.ts';
import { parseBodies } from './requests/bodies.ts';
import { limitAttempts, limitRequests } from './requests/rate-limit.ts';
import {
  findRoute,
  isSandboxUrl,
  isServedAt,
  normalizeUrl,
  pathOf,
  type Route,
  versionOf,
} from './requests/routes.ts';
import { errorsAt, isOfferedBy, refuseUnrouted } from './requests/unrouted.ts';
import { makeServices, type SandboxParts, type Services } from './services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** `undefined` for requests to the sandbox itself, and for unknown paths of the service. */
    route: Route | undefined;
  }
}

const welcome = 'This is the API of a telephony service. Its addresses begin with /v2.\n';

const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

function noSchemas(): never {
  throw new Error('A route has a schema for Fastify.');
}

/** Creates the service as a Fastify app that does not listen. `parts.store` must be seeded (`seedSandbox`). */
export function buildSandbox(parts: SandboxParts, services: Services = makeServices(parts)): FastifyInstance {
  const { control, serverFactory } = parts;
  const exchange: Exchange = {
    services,
    version: parts.version,
    node: parts.nodeName ?? '0'.repeat(32),
    prefix: parts.prefix ?? 'both',
    checkReplies: parts.checkReplies ?? false,
    newRequestId: idSource(parts.random),
  };
  const { requests, replies } = services.behaviour;
  const refuse: Refuse = (request, reply, refusal) =>
    refuseExchange(exchange, request, reply, refusal, 'legacy');
  const app = fastify({
    logger: false,
    bodyLimit: requests.bodyLimit,
    exposeHeadRoutes: false,
    // The compilers of Fastify take time to load, and no route has a schema.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    ...(serverFactory ? { serverFactory } : {}),
    rewriteUrl: ({ url = '/' }) => normalizeUrl(url, requests.lenientVersions),
  });
  resolveRoutes(app, services);
  app.addHook('onSend', setContentTypes(replies.contentType));
  parseBodies(app, requests.otherBodies);
  if (control) addControls(app, control, services, refuse);
  if (requests.lenientVersions) refuseOtherVersions(app, control !== undefined, refuse);
  if (services.rateLimit) limitRequests(app, services.rateLimit, services.clock, refuse);
  if (control) {
    applyFaults(app, control, (request, reply, refusal) =>
      refuseExchange(exchange, request, reply, refusal, errorsAt(exchange, request)),
    );
  }
  app.route({
    method: [...methods],
    url: '/*',
    handler: (request, reply) => {
      if (requests.holes === 'followed' && isLoopbackAddress(request.ip)) followVerb(request, services);
      const { route } = request;
      if (!route || !isServedAt(route.operations[0], request.originalUrl, exchange.prefix))
        return refuseUnrouted(exchange, request, reply);
      const answer = () => answerExchange(exchange, request, reply, route);
      return control ? control.lock.runShared(answer) : answer();
    },
  });
  app.setNotFoundHandler((request, reply) => refuseUnrouted(exchange, request, reply));
  app.setErrorHandler((error, request, reply) =>
    refuseExchange(exchange, request, reply, error, request.route?.operations[0].errors ?? 'legacy'),
  );
  return app;
}

/** Sets the route of each request. Fastify has a single route, so that the contract's paths are parsed only once. */
function resolveRoutes(app: FastifyInstance, services: Services): void {
  app.decorateRequest('route');
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSandboxUrl(request.originalUrl)) {
      request.route = findRoute(request.method, pathOf(request.url), isOfferedBy(services));
      if (request.route) request.params = request.route.params;
    }
    done();
  });
}

function addControls(app: FastifyInstance, control: ControlParts, services: Services, refuse: Refuse): void {
  logRequests(app, control);
  if (control.isShared) limitAttempts(app, services.timers, refuse);
  addControlRoutes(app, control, services);
  addPage(app, {
    store: services.store,
    ...control,
    like: services.behaviour.like,
    rateLimit: services.rateLimit,
    mayView: (request) => mayView(request, control),
  });
}

/** Refuses (410) version 1, and shows a text at addresses without a version. */
function refuseOtherVersions(app: FastifyInstance, hasControls: boolean, refuse: Refuse): void {
  app.addHook('onRequest', async (request, reply) => {
    if (hasControls && isSandboxUrl(request.originalUrl)) return;
    const version = versionOf(request.originalUrl);
    if (version === undefined) {
      return reply.header('content-type', 'text/plain; charset=UTF-8').send(welcome);
    }
    if (version > 1) return;
    const refusal = new Refusal(410, 'gone', 'Version 1 is gone.', 'Version 1 is gone: use version 2.');
    return refuse(request, reply, refusal);
  });
}

/** Routes a request by the verb in its query or body instead of its method (see `holes` in `Behaviour`). */
function followVerb(request: FastifyRequest, services: Services): void {
  const { query, body } = request;
  const { verb: named = bodyVerb(body) } = Object(query);
  if (typeof named !== 'string') return;
  const verb = named.toUpperCase();
  if (request.method === 'GET')
    notes.set(request, `GET treated as ${verb}, a security hole of such services`);
  request.route = findRoute(verb, pathOf(request.url), isOfferedBy(services)) ?? request.route;
}

const bodyVerb = (body: unknown): unknown =>
  typeof body === 'string' && body.includes('"verb"') ? Object(parseJson(body)).verb : undefined;
