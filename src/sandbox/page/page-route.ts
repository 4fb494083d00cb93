import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RequestLog } from '../control/request-log.ts';
import type { SandboxClock } from '../control/turned-clock.ts';
import type { Turnstile } from '../control/turnstile.ts';
import type { Store } from '../store.ts';

/** What the page is made from. */
export interface PageParts {
  readonly store: Store;
  readonly clock: SandboxClock;
  readonly log: RequestLog;
  /** Keeps whoever reads records from those who exchange all of them. */
  readonly turnstile: Turnstile;
  readonly strict: boolean;
}

/** The page is told of changes no oftener than this. */
const pauseMs = 150;
/** Lets proxies and browsers know that the stream lives, and the sandbox that a reader is gone. */
const beatMs = 20_000;

/**
 * Adds the page for looking at the sandbox, at its root. It reads and changes nothing, and shows no secrets, so
 * it needs no sign-in; who may ask is the matter of `listenLocally`. Its parts are loaded when it is first asked for.
 */
export function addPage(app: FastifyInstance, parts: PageParts): void {
  const streams = new Set<PassThrough>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
  app.get('/', async (request, reply) => {
    const mark = request.originalUrl.indexOf('?');
    const query = new URLSearchParams(mark < 0 ? '' : request.originalUrl.slice(mark + 1));
    if (query.has('live')) return sendChanges(reply, parts, streams);
    const { answerPage, pageHeaders } = await import('./answer-page.ts');
    const { status, body } = await parts.turnstile.pass(() => answerPage(query, parts));
    return reply.code(status).headers(pageHeaders).send(body);
  });
}

/** A stream that says whenever something happened, as server-sent events. */
function sendChanges(
  reply: FastifyReply,
  { store, log }: PageParts,
  streams: Set<PassThrough>,
): FastifyReply {
  const stream = new PassThrough();
  streams.add(stream);
  let waiting: NodeJS.Timeout | undefined;
  const tell = (): void => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      stream.write('event: changed\ndata:\n\n');
    }, pauseMs);
  };
  const ends = [store.watch(tell), log.follow(tell)];
  const beat = setInterval(() => stream.write(':\n\n'), beatMs);
  stream.on('close', () => {
    for (const end of ends) end();
    clearTimeout(waiting);
    clearInterval(beat);
    streams.delete(stream);
  });
  reply.raw.on('close', () => stream.destroy());
  stream.write('retry: 1000\n\n');
  return reply.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).send(stream);
}
