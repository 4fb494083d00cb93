import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ControlRoute } from '../control-route.ts';
import type { LogEntry, RequestLog } from './request-log.ts';

const lineOf = (entry: LogEntry): string => `${JSON.stringify(entry)}\n`;

/** `GET /sandbox/log?since=SEQUENCE`: what is kept, oldest first. */
export const logRoutes = (log: RequestLog): readonly ControlRoute[] => [
  {
    method: 'GET',
    path: '/sandbox/log',
    answer: async ({ query }) => ({ entries: log.since(Number(query.get('since') ?? 0)) }),
  },
];

/** `GET /sandbox/log/follow?since=SEQUENCE`: the same and all that comes, a JSON object a line, without end. */
export function followLog(app: FastifyInstance, log: RequestLog): void {
  const streams = new Set<PassThrough>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
  app.get<{ Querystring: { readonly since?: string } }>('/sandbox/log/follow', (request, reply) => {
    const stream = new PassThrough();
    streams.add(stream);
    // The reply begins at once, also where there is nothing to tell yet.
    stream.write('\n');
    for (const entry of log.since(Number(request.query.since ?? 0))) stream.write(lineOf(entry));
    const unfollow = log.follow((entry) => stream.write(lineOf(entry)));
    const end = (): void => {
      unfollow();
      streams.delete(stream);
    };
    stream.on('close', end);
    reply.raw.on('close', () => stream.destroy());
    return reply
      .header('content-type', 'application/x-ndjson')
      .header('cache-control', 'no-store')
      .send(stream);
  });
}
