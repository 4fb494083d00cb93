import type { FastifyInstance } from 'fastify';
import { redactTarget } from '../../contract/redact-target.ts';
import { isOwnUrl } from '../routes.ts';
import type { ControlParts } from './control.ts';

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Path and query of an address as they may be shown. */
export function shownTarget(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? redactTarget(url, '') : redactTarget(url.slice(0, mark), url.slice(mark));
}

/** Notes every request of the service in the log, once it was answered. */
export function noteRequests(app: FastifyInstance, { clock, log }: ControlParts): void {
  app.addHook('onResponse', async (request, reply) => {
    if (isOwnUrl(request.originalUrl)) return;
    const { account_id: accountId } = Object(request.params);
    log.add({
      kind: 'request',
      time: new Date(clock.now()).toISOString(),
      method: request.method,
      path: shownTarget(request.originalUrl),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      account_id: textOf(accountId),
      request_id: textOf(reply.getHeader('x-request-id')),
    });
  });
}
