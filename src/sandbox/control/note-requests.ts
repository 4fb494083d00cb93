import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redactTarget } from '../../contract/secrets.ts';
import { isOwnUrl } from '../requests/routes.ts';
import type { ControlParts } from './control.ts';

/** Notes on requests beside how they were answered: a fault, or why it was refused. They hold no values. */
export const notes = new WeakMap<FastifyRequest, string>();

/** Senders of requests, once they are known. */
export const senders = new WeakMap<FastifyRequest, string>();

const dropped = new WeakSet<FastifyRequest>();

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Path and query of an address as they may be shown. */
function shownTarget(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? redactTarget(url, '') : redactTarget(url.slice(0, mark), url.slice(mark));
}

type Noting = Pick<ControlParts, 'clock' | 'log' | 'isShared'>;

/** Statuses of requests for the sandbox itself that are noted: somebody does not know its key, or tries too often. */
const refused = [401, 403, 429];

function note(
  { clock, log, isShared }: Noting,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number | null,
): void {
  const { account_id: accountId } = Object(request.params);
  const words = notes.get(request);
  const by = senders.get(request);
  log.add({
    kind: 'request',
    time: new Date(clock.now()).toISOString(),
    method: request.method,
    path: shownTarget(request.originalUrl),
    status,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    account_id: textOf(accountId),
    request_id: textOf(reply.getHeader('x-request-id')),
    ...(by === undefined ? {} : { by }),
    ...(words === undefined ? {} : { note: words }),
    ...(isShared ? { from: request.ip } : {}),
  });
}

/** Notes a request whose connection is cut. */
export function noteDropped(parts: Noting, request: FastifyRequest, reply: FastifyReply): void {
  dropped.add(request);
  note(parts, request, reply, null);
}

/** Notes every request of the service in the log, once it was answered. */
export function noteRequests(app: FastifyInstance, parts: Noting): void {
  app.addHook('onResponse', async (request, reply) => {
    const isNoted = !isOwnUrl(request.originalUrl) || (parts.isShared && refused.includes(reply.statusCode));
    if (!isNoted || dropped.has(request)) return;
    note(parts, request, reply, reply.statusCode);
  });
}
