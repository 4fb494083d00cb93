import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FaultRule } from '../fault-rule.ts';
import { Refusal } from '../refusal.ts';
import { isOwnUrl } from '../requests/routes.ts';
import type { ControlParts } from './control.ts';
import { noteDropped, notes } from './request-log.ts';

/** The service's words for what a fault answers (Conventions, Errors). */
const words: ReadonlyMap<number, readonly [code: string, message: string]> = new Map([
  [401, ['invalid_credentials', 'The token or the credentials are not valid.']],
  [403, ['forbidden', 'This is not allowed.']],
  [404, ['bad_identifier', 'There is nothing with this id.']],
  [409, ['datastore_conflict', 'Another request changed the record at the same time.']],
  [429, ['too_many_requests', 'Too many requests.']],
  [500, ['unspecified_fault', 'The service failed.']],
  [502, ['unspecified_fault', 'The service failed.']],
  [503, ['datastore_unreachable', 'The service is not available now.']],
  [504, ['unspecified_fault', 'The service took too long.']],
]);

function refusalFor(status: number): Refusal {
  const [code, message] = words.get(status) ?? ['unspecified_fault', 'A fault was put in here.'];
  return new Refusal(status, code, message);
}

const faultName = ({ id, drop, body, status, delayMs }: FaultRule): string => {
  const what = [
    delayMs === undefined ? undefined : `${delayMs} ms late`,
    drop === undefined ? undefined : `dropped ${drop}`,
    body,
    status,
  ].filter((each) => each !== undefined);
  return `fault ${id}: ${what.join(', ')}`;
};

/** Answers a request with an error of the service, in the shape of its group. */
export type Refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => FastifyReply;

/** Lets requests of the service meet the faults that were put in. */
export function putInFaults(app: FastifyInstance, parts: ControlParts, refuse: Refuse): void {
  const { faults, clock } = parts;
  const after = new WeakMap<FastifyRequest, FaultRule>();
  const ending = new AbortController();
  app.addHook('preClose', async () => ending.abort());

  const cut = (request: FastifyRequest, reply: FastifyReply): void => {
    noteDropped(parts, request, reply);
    reply.raw.destroy();
    request.raw.destroy();
  };

  /** Waits; false where the sender went away meanwhile, or the sandbox ends. */
  const waited = async (ms: number, request: FastifyRequest): Promise<boolean> => {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    request.raw.socket?.once?.('close', leave);
    try {
      await clock.sleep(ms, AbortSignal.any([gone.signal, ending.signal]));
      return true;
    } catch {
      return false;
    } finally {
      request.raw.socket?.off?.('close', leave);
    }
  };

  app.addHook('preHandler', async (request, reply) => {
    if (isOwnUrl(request.originalUrl)) return undefined;
    const [path = ''] = request.originalUrl.split('?');
    const rule = faults.take(request.method, path);
    if (!rule) return undefined;
    notes.set(request, faultName(rule));
    if (rule.delayMs !== undefined && !(await waited(rule.delayMs, request))) {
      reply.hijack();
      cut(request, reply);
      return reply;
    }
    if (rule.drop === 'before') {
      reply.hijack();
      cut(request, reply);
      return reply;
    }
    if (rule.drop === 'after' || rule.body) after.set(request, rule);
    if (rule.status === undefined) return undefined;
    if (rule.retryAfter !== undefined) reply.header('retry-after', String(rule.retryAfter));
    return refuse(request, reply, refusalFor(rule.status));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const rule = after.get(request);
    if (rule?.drop === 'after') cut(request, reply);
    if (!rule?.body || typeof payload !== 'string') return payload;
    return payload.slice(0, Math.ceil(payload.length / 2));
  });
}
