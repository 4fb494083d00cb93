import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../base/failure.ts';
import {
  isDeeperThan,
  isObject,
  type Json,
  type JsonObject,
  maxDepth,
  parseJson,
  textAt,
} from '../../../base/json.ts';
import { systemReason } from '../../../base/read-errors.ts';
import { errorMessage } from '../../../base/wording.ts';
import { coerceValue } from '../../../contract/map-value.ts';
import { createValidator } from '../../../contract/validate.ts';
import type { AccountRecords } from '../calls/call-account.ts';
import { calledAccount, refusalOfFailure } from '../calls/call-request.ts';
import {
  type ControlHandlers,
  type ControlName,
  type ControlOperation,
  controls,
} from '../control-operations.ts';
import { forbidden, invalidRequest, Refusal } from '../refusal.ts';
import { queryOf } from '../requests/routes.ts';
import type { Seed } from '../running-state.ts';
import { healthPath } from '../server.ts';
import type { Services } from '../services.ts';
import { type AdjustableClock, clockHandlers, clockState } from './adjustable-clock.ts';
import { type FaultCount, type Faults, faultHandlers } from './faults.ts';
import { addLogStream, type RequestLog } from './request-log.ts';
import type { SharedLock } from './shared-lock.ts';
import { accountSnapshotHandlers, type Snapshots, snapshotHandlers } from './snapshots.ts';

export interface ControlParts {
  readonly key: string;
  readonly node: string;
  readonly clock: AdjustableClock;
  readonly log: RequestLog;
  readonly faults: Faults;
  /** Returns the current accounts and users of the sandbox. */
  readonly seed: () => Seed;
  readonly lock: SharedLock;
  /** Missing if the sandbox keeps no snapshots. */
  readonly snapshots?: Snapshots;
  /** True if other machines can connect. Reads then need the key, and wrong keys are counted and logged. */
  readonly isShared?: boolean;
}

const keyHeader = 'x-sandbox-key';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const matchesKey = (given: unknown, key: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(key));

function requireKey({ headers }: FastifyRequest, key: string): void {
  if (!matchesKey(headers[keyHeader], key))
    throw forbidden('This request needs the control key of the sandbox.');
}

/** Returns true if a caller can view the page. If other machines can connect, the caller needs the key. */
export function mayView(
  { headers }: FastifyRequest,
  { key, isShared }: Pick<ControlParts, 'key' | 'isShared'>,
): boolean {
  if (!isShared || matchesKey(headers[keyHeader], key)) return true;
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return matchesKey(password, key);
}

function controlBody({ body }: FastifyRequest): JsonObject {
  if (typeof body !== 'string' || body === '') return {};
  const value = parseJson(body);
  if (isObject(value) && !isDeeperThan(value, maxDepth)) return value;
  throw new Refusal(400, 'faulty_request', 'The body is not a JSON object.');
}

/** Detects a full disk by the codes of SQLite and of the system. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('errcode' in error && error.errcode === 13) || ('code' in error && error.code === 'ENOSPC'));

/** Describes an error of the file system. Returns `undefined` for other errors. */
function diskProblem(error: unknown): string | undefined {
  const reason = systemReason(error);
  if (reason === undefined || !(error instanceof Error) || !('path' in error)) return undefined;
  return `The sandbox cannot use ${String(error.path)} (${reason}).`;
}

function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  const { status, code, message, data } =
    error instanceof Refusal
      ? error
      : isDiskFull(error)
        ? {
            status: 500,
            code: 'disk_full',
            message: 'The disk of the sandbox is full. No records were changed.',
            data: { hint: 'Free some space and run the command again.' },
          }
        : { status: 500, code: 'failed', message: diskProblem(error) ?? errorMessage(error), data: {} };
  return reply.code(status).send({ error: { code, message, data } });
}

/** Returns a validator of a control's input. It removes null fields and throws `Refusal`. */
export function inputValidator(name: ControlName): (given: JsonObject) => JsonObject {
  const check = createValidator(controls[name].input, 'specification');
  return (given) => {
    const value = Object.fromEntries(Object.entries(given).filter(([, each]) => each !== null));
    const [problem] = check(value);
    if (problem) throw invalidRequest(`"${problem.path}" ${problem.message}.`);
    return value;
  };
}

function readInput(request: FastifyRequest, { input }: ControlOperation): JsonObject {
  const texts = { ...Object.fromEntries(queryOf(request.originalUrl)), ...Object(request.params) };
  return { ...Object(coerceValue(input, texts)), ...controlBody(request) };
}

export function addControlRoutes(app: FastifyInstance, parts: ControlParts, services: Services): void {
  const { snapshots, lock } = parts;
  const handlers: Partial<ControlHandlers> = {
    status: async () => ({ node: parts.node }),
    overview: () => countChanges(services, parts),
    seed: async () => ({ ...parts.seed() }),
    // While it is open, manifests are accepted in every mode.
    async door({ open = false }) {
      services.allowManifests(open);
      return {};
    },
    ...clockHandlers(parts.clock),
    log: async ({ since = 0 }) => ({ entries: parts.log.since(since) }),
    ...faultHandlers(parts.faults, () => Math.floor(services.random.fraction() * 1_000_000)),
    ...(snapshots ? snapshotHandlers(snapshots, parts.faults) : {}),
    ...accountSnapshotHandlers(services, parts.seed),
    ...callHandlers(services),
    traffic: async (input) =>
      (await import('../calls/traffic.ts'))
        .simulateStoredTraffic(services, parts.clock, input)
        .catch(rethrowAsRefusal),
  };
  const each = Object.entries(handlers) as readonly [ControlName, (input: JsonObject) => Promise<Json>][];
  for (const [name, answer] of each) {
    const operation: ControlOperation = controls[name];
    const { method, path, exclusive } = operation;
    const check = inputValidator(name);
    app.route({
      method,
      url: path,
      errorHandler: (error, _request, reply) => sendError(error, reply),
      handler: async (request, reply) => {
        if (method !== 'GET' || (parts.isShared && name !== 'status')) requireKey(request, parts.key);
        const value = check(readInput(request, operation));
        const work = () => answer(value);
        return reply
          .header('cache-control', 'no-store')
          .send(await (exclusive ? lock.runExclusive(work) : lock.runShared(work)));
      },
    });
  }
  app.get(
    healthPath,
    { errorHandler: (error, _request, reply) => sendError(error, reply) },
    async (_, reply) => {
      await services.store.countQueued();
      return reply.header('cache-control', 'no-store').send({ status: 'ok' });
    },
  );
  addLogStream(app, parts.log, (request) => {
    if (parts.isShared) requireKey(request, parts.key);
  });
}

/** Rethrows a failure of a simulation as a response of the sandbox. */
function rethrowAsRefusal(error: unknown): never {
  throw error instanceof Failure ? refusalOfFailure(error) : error;
}

type Simulate<I> = (services: Services, own: AccountRecords, input: I) => Promise<JsonObject>;

/**
 * Creates handlers of simulations. They run one after the other, so that limits count all earlier calls. Their
 * modules load at the first request, so that the sandbox starts faster.
 */
export function callHandlers(
  services: Services,
): Pick<
  ControlHandlers,
  'call' | 'sms' | 'fax' | 'voicemail' | 'phones' | 'registerPhones' | 'unregisterPhones'
> {
  let last: Promise<unknown> = Promise.resolve();
  const runInSequence =
    <I extends { readonly account?: string }>(load: () => Promise<Simulate<I>>) =>
    (input: I): Promise<JsonObject> => {
      const mine = last.then(async () =>
        (await load())(services, await calledAccount(services.store, input), input),
      );
      last = mine.catch(() => undefined);
      return mine.catch(rethrowAsRefusal);
    };
  return {
    call: runInSequence(async () => {
      const [{ simulateStoredCall }, { callRequest }] = await Promise.all([
        import('../calls/simulate-call.ts'),
        import('../calls/call-request.ts'),
      ]);
      return (_, own, input) => simulateStoredCall(services, own, callRequest(input));
    }),
    sms: runInSequence(async () => (await import('../calls/leave-message.ts')).sendSms),
    fax: runInSequence(async () => (await import('../calls/receive-fax.ts')).receiveFax),
    voicemail: runInSequence(async () => (await import('../calls/leave-message.ts')).leaveInBox),
    registerPhones: runInSequence(async () => (await import('../calls/register-phone.ts')).registerPhone),
    unregisterPhones: runInSequence(async () => (await import('../calls/register-phone.ts')).unregisterPhone),
    async phones(input) {
      const own = await calledAccount(services.store, input);
      return (await import('../calls/register-phone.ts')).listPhones(services, own);
    },
  };
}

/** Returns true if a fault can be triggered again. */
const isActive = ({ rule, disturbed }: FaultCount): boolean => disturbed < (rule.times ?? Infinity);

/** Counts changes since the start of the sandbox. */
async function countChanges(services: Services, parts: ControlParts): Promise<JsonObject> {
  const [queued, webhooks] = await Promise.all([
    services.store.countQueued(),
    services.store.allOfKind('webhooks'),
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
}
