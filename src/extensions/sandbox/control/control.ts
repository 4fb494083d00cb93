import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../base/failure.ts';
import { deepest, isDeeperThan, isObject, type JsonObject, parsedJson, textAt } from '../../../base/json.ts';
import { systemReason } from '../../../base/reading.ts';
import { messageOf } from '../../../base/wording.ts';
import type { AccountRecords } from '../calls/call-account.ts';
import { calledAccount, callRequest, refusalOf } from '../calls/call-request.ts';
import type { Turned } from '../calls/traffic.ts';
import { forbidden, Refusal } from '../refusal.ts';
import { queryOf } from '../requests/routes.ts';
import type { Seed } from '../running-state.ts';
import { healthPath } from '../server.ts';
import type { Services } from '../services.ts';
import { type ControlRequest, type ControlRoute, on, type Turnstile } from './control-route.ts';
import { type FaultCount, type Faults, faultRoutes } from './fault-routes.ts';
import { followLog, logRoutes, type RequestLog } from './request-log.ts';
import { accountRoutes, resetRoute, type Snapshots, snapshotRoutes } from './snapshots.ts';
import { clockRoutes, clockState, type SandboxClock } from './turned-clock.ts';

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
  const value = parsedJson(body);
  if (isObject(value) && !isDeeperThan(value, deepest)) return value;
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
    on('GET', statusPath, async () => ({ node: parts.node })),
    overviewRoute(services, parts),
    on('POST', '/sandbox/seed', async () => ({ ...parts.seed() })),
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
        const query = queryOf(request.originalUrl);
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
const doorRoute = (services: Services): ControlRoute =>
  on('POST', '/sandbox/door', async ({ body }) => {
    services.openDoor(body.open === true);
    return {};
  });

/** Throws a failure of a simulation as what the sandbox replies. */
function refuseFailed(error: unknown): never {
  throw error instanceof Failure ? refusalOf(error) : error;
}

type Simulate = (services: Services, own: AccountRecords, body: JsonObject) => Promise<JsonObject>;

/** Each is loaded when it is first asked for: a sandbox answers sooner. */
const simulations: readonly (readonly [path: `/sandbox/${string}`, load: () => Promise<Simulate>])[] = [
  [
    '/sandbox/call',
    async () => {
      const { simulateCall } = await import('../calls/simulate-call.ts');
      return (services, own, body) => simulateCall(services, own, callRequest(body));
    },
  ],
  ['/sandbox/sms', async () => (await import('../calls/leave-message.ts')).sendSms],
  ['/sandbox/fax', async () => (await import('../calls/receive-fax.ts')).receiveFax],
  ['/sandbox/voicemail', async () => (await import('../calls/leave-message.ts')).leaveInBox],
  ['/sandbox/phones/register', async () => (await import('../calls/register-phone.ts')).registerPhone],
  ['/sandbox/phones/unregister', async () => (await import('../calls/register-phone.ts')).unregisterPhone],
];

/**
 * Routes that let calls, messages and faxes come, and phones register: `POST /sandbox/call`, `sms`, `fax`,
 * `voicemail`, `phones/register` and `phones/unregister`. One is simulated after the other, so that limits count all
 * that came before. `GET /sandbox/phones?account=…` lists the phones.
 */
export function callRoutes(services: Services): readonly ControlRoute[] {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (load: () => Promise<Simulate>, { body }: ControlRequest): Promise<JsonObject> => {
    const mine = last.then(async () => {
      const own = await calledAccount(services.store, body);
      return (await load())(services, own, body);
    });
    last = mine.catch(() => undefined);
    return mine.catch(refuseFailed);
  };
  return [
    ...simulations.map(
      ([path, load]): ControlRoute => ({
        method: 'POST',
        path,
        answer: (request) => inTurn(load, request),
      }),
    ),
    on('GET', '/sandbox/phones', async ({ query }) => {
      const account = query.get('account');
      const own = await calledAccount(services.store, account === null ? {} : { account });
      const { listPhones } = await import('../calls/register-phone.ts');
      return listPhones(services, own);
    }),
  ];
}

/** `POST /sandbox/traffic`: calls and faxes of a while, as of a busy account. */
const trafficRoute = (services: Services, clock: Turned): ControlRoute =>
  on('POST', '/sandbox/traffic', async ({ body }) =>
    (await import('../calls/traffic.ts')).simulateTraffic(services, clock, body).catch(refuseFailed),
  );

/** Tells whether a fault may strike again. */
const isActive = ({ rule, disturbed }: FaultCount): boolean => disturbed < (rule.times ?? Infinity);

/** `GET /sandbox/overview`: in counts, what is not as in a sandbox that was just started. */
const overviewRoute = (services: Services, parts: ControlParts): ControlRoute =>
  on('GET', '/sandbox/overview', async (): Promise<JsonObject> => {
    const [queued, webhooks] = await Promise.all([
      services.store.queued(),
      services.store.everyOf('webhooks'),
    ]);
    const disabled = webhooks.filter(({ body }) => body.enabled === false);
    const seed = parts.seed();
    return {
      clock: clockState(parts.clock),
      faults: parts.faults.list().filter(isActive).length,
      deliveries_queued: queued.deliveries,
      events_queued: queued.events,
      webhooks_disabled: disabled.length,
      webhooks_failed: disabled.filter(({ body }) => textAt(body, 'disable_reason') !== undefined).length,
      snapshots: parts.snapshots?.list().length ?? 0,
      rate_limit: services.rateLimit?.text ?? null,
      account_name: seed.accountName,
      account_id: seed.accountId,
    };
  });
