import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { deepest, isDeeperThan, isObject, type JsonObject } from '../../base/json.ts';
import { systemReason } from '../../base/reading.ts';
import { messageOf } from '../../base/wording.ts';
import { callRoutes, trafficRoute } from '../calls/routes.ts';
import type { ControlRoute } from '../control-route.ts';
import { textAt } from '../fields.ts';
import { forbidden, Refusal } from '../refusal.ts';
import type { Seed } from '../seed.ts';
import { healthPath } from '../server.ts';
import type { Services } from '../services.ts';
import { type Faults, faultRoutes } from './fault-routes.ts';
import { accountRoutes, followLog, logRoutes, overviewRoute } from './read-routes.ts';
import type { RequestLog } from './request-log.ts';
import type { Snapshots } from './snapshots.ts';
import { clockRoutes, type SandboxClock } from './turned-clock.ts';
import type { Turnstile } from './turnstile.ts';

export interface ControlParts {
  /** Key that allows its holder to change things. */
  readonly key: string;
  /** Name of the sandbox in replies. */
  readonly node: string;
  readonly clock: SandboxClock;
  readonly log: RequestLog;
  readonly faults: Faults;
  /** Returns the accounts and users in the sandbox now. */
  readonly seed: () => Seed;
  /** Whoever reads and changes records goes through it. */
  readonly turnstile: Turnstile;
  /** Left out: none can be kept. */
  readonly snapshots?: Snapshots;
  /** Others than this machine reach it: reading takes the key, too, and wrong keys are counted and noted. */
  readonly isShared?: boolean;
}

/** Address that says which sandbox it is, to anybody. */
const statusPath = '/sandbox/status';

const keyHeader = 'x-sandbox-key';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isKey = (given: unknown, key: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(key));

/** Refuses (403) a caller who does not know the key. */
function refuseKeyless({ headers }: FastifyRequest, key: string): void {
  if (!isKey(headers[keyHeader], key))
    throw forbidden('This takes the key of the sandbox, which only its owner knows.');
}

/** Tells whether a caller may look at the page: if other machines reach it, only with the key. */
export function mayView(
  { headers }: FastifyRequest,
  { key, isShared }: Pick<ControlParts, 'key' | 'isShared'>,
): boolean {
  if (!isShared || isKey(headers[keyHeader], key)) return true;
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return isKey(password, key);
}

function controlBody({ body }: FastifyRequest): JsonObject {
  if (typeof body !== 'string' || body === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value) && !isDeeperThan(value, deepest)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refusal(400, 'faulty_request', 'The body is not a JSON object.');
}

/** SQLite's number and the system's word for a disk without room. */
const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('errcode' in error && error.errcode === 13) || ('code' in error && error.code === 'ENOSPC'));

/** Returns in words what the file system refused; `undefined` for any other error. */
function diskTrouble(error: unknown): string | undefined {
  const reason = systemReason(error);
  if (reason === undefined || !(error instanceof Error) || !('path' in error)) return undefined;
  return `The sandbox cannot use ${String(error.path)} (${reason}).`;
}

function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  const { status, code, message, data } =
    error instanceof Refusal
      ? error
      : isFull(error)
        ? {
            status: 500,
            code: 'disk_full',
            message: 'The disk that the sandbox writes to is full; nothing was changed.',
            data: { hint: 'Make room, and repeat the command.' },
          }
        : { status: 500, code: 'failed', message: diskTrouble(error) ?? messageOf(error), data: {} };
  return reply.code(status).send({ error: { code, message, data } });
}

/** Adds the routes under `/sandbox` to an app, and all that is noted of its requests. */
export function addControl(app: FastifyInstance, parts: ControlParts, services: Services): void {
  const routes: readonly ControlRoute[] = [
    { method: 'GET', path: statusPath, answer: async () => ({ node: parts.node }) },
    overviewRoute(services, parts),
    { method: 'POST', path: '/sandbox/seed', answer: async () => ({ ...parts.seed() }) },
    doorRoute(services),
    ...clockRoutes(parts.clock),
    ...logRoutes(parts.log),
    ...faultRoutes(parts.faults, () => Math.floor(services.random.fraction() * 1_000_000)),
    ...(parts.snapshots
      ? [...snapshotRoutes(parts.snapshots), resetRoute(parts.snapshots, parts.faults)]
      : []),
    ...accountRoutes(services, parts.seed),
    ...callRoutes(services),
    trafficRoute(services, parts.clock),
  ];
  for (const { method, path, alone, answer } of routes) {
    app.route<{ Params: Record<string, string> }>({
      method,
      url: path,
      errorHandler: (error, _request, reply) => sendError(error, reply),
      handler: async (request, reply) => {
        if (method !== 'GET' || (parts.isShared && path !== statusPath)) refuseKeyless(request, parts.key);
        const mark = request.originalUrl.indexOf('?');
        const query = new URLSearchParams(mark < 0 ? '' : request.originalUrl.slice(mark + 1));
        const work = () => answer({ query, params: request.params, body: controlBody(request) });
        const value = await (alone ? parts.turnstile.alone(work) : parts.turnstile.pass(work));
        return reply.header('cache-control', 'no-store').send(value);
      },
    });
  }
  app.get(
    healthPath,
    { errorHandler: (error, _request, reply) => sendError(error, reply) },
    async (_, reply) => {
      await services.store.queued();
      return reply.header('cache-control', 'no-store').send({ status: 'ok' });
    },
  );
  followLog(app, parts.log, (request) => {
    if (parts.isShared) refuseKeyless(request, parts.key);
  });
}

/** `POST /sandbox/door` opens and closes the door by which manifests come in, in any mode. */
const doorRoute = (services: Services): ControlRoute => ({
  method: 'POST',
  path: '/sandbox/door',
  answer: async ({ body }) => {
    services.openDoor(body.open === true);
    return {};
  },
});

/** `GET` and `POST` of `/sandbox/snapshots`, `POST` of one's `load`, `DELETE` of one. */
const snapshotRoutes = (snapshots: Snapshots): readonly ControlRoute[] => [
  {
    method: 'GET',
    path: '/sandbox/snapshots',
    answer: async () => ({ snapshots: snapshots.list() }),
  },
  {
    method: 'POST',
    path: '/sandbox/snapshots',
    answer: ({ body }) => snapshots.save(textAt(body, 'name') ?? '', body.replace === true),
  },
  {
    method: 'POST',
    path: '/sandbox/snapshots/:name/load',
    alone: true,
    answer: ({ params: { name = '' } }) => snapshots.load(name),
  },
  {
    method: 'DELETE',
    path: '/sandbox/snapshots/:name',
    answer: async ({ params: { name = '' } }) => {
      snapshots.delete(name);
      return { deleted: name };
    },
  },
];

/**
 * `POST /sandbox/reset`: everything as it was at the beginning, ids and secrets too, so that those who were told them
 * can go on. Only a sandbox that kept its beginning can.
 */
const resetRoute = (snapshots: Snapshots, faults: Faults): ControlRoute => ({
  method: 'POST',
  path: '/sandbox/reset',
  alone: true,
  answer: async () => {
    if (!(await snapshots.loadBeginning()))
      throw new Refusal(409, 'no_beginning', 'This sandbox kept nothing of its beginning.');
    faults.clearAll();
    return {};
  },
});
