import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../../../base/rate-limit.ts';
import type { AdjustableClock } from '../control/adjustable-clock.ts';
import type { Faults } from '../control/faults.ts';
import { type RequestLog, streamOpener } from '../control/request-log.ts';
import type { SharedLock } from '../control/shared-lock.ts';
import type { SandboxMode } from '../differences.ts';
import { forbidden } from '../refusal.ts';
import { queryOf } from '../requests/routes.ts';
import type { Store } from '../store/store.ts';

export interface PageParts {
  readonly store: Store;
  readonly clock: AdjustableClock;
  readonly log: RequestLog;
  readonly faults: Faults;
  /** Prevents replacement of all records while a page reads them. */
  readonly lock: SharedLock;
  readonly like: SandboxMode | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly mayView: (request: FastifyRequest) => boolean;
}

/** Minimum time between two change events, in milliseconds. */
const minIntervalMs = 150;
/** Interval of messages that keep the stream open and detect closed connections, in milliseconds. */
const beatMs = 20_000;
/** Values of `Sec-Fetch-Site` for requests from the page itself and for typed addresses. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Adds the page of the sandbox at its root. The page is read-only and shows no secrets, so it needs no sign-in on
 * this machine. `listenAt` and `mayView` control access from other machines. The modules of the page load at the
 * first request.
 */
export function addPage(app: FastifyInstance, parts: PageParts): void {
  const open = streamOpener(app);
  app.get('/', async (request, reply) => {
    refuseOtherSites(request);
    if (!parts.mayView(request)) {
      return reply
        .code(401)
        .header('www-authenticate', 'Basic realm="telctl sandbox", charset="UTF-8"')
        .type('text/plain; charset=utf-8')
        .send('Sign in with any name, and the key of the sandbox as the password.\n');
    }
    const query = queryOf(request.originalUrl);
    if (query.has('live')) return sendChanges(reply, parts, open);
    const { answerSandboxPage } = await import('./answer-page.ts');
    const { status, headers, body } = await parts.lock.runShared(() => answerSandboxPage(query, parts));
    return reply.code(status).headers(headers).send(body);
  });
}

/** Refuses (403) requests from pages of other sites, except for followed links. */
function refuseOtherSites({ headers }: FastifyRequest): void {
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (headers['sec-fetch-site'] !== undefined && !ownSites.has(String(headers['sec-fetch-site'])) && !isLink)
    throw forbidden('Pages of other sites cannot read the page of the sandbox.');
}

/** Sends a stream of server-sent events that report changes. */
function sendChanges(
  reply: FastifyReply,
  { store, log, clock }: PageParts,
  open: ReturnType<typeof streamOpener>,
): FastifyReply {
  const ended = new AbortController();
  const stream = open(reply, () => {
    for (const end of ends) end();
    ended.abort();
  });
  /** Runs `work` after a delay, unless the stream ends first. The wait only rejects if the stream ends. */
  const runAfter = (ms: number, work: () => void): void =>
    void clock.sleep(ms, ended.signal).then(work, () => undefined);
  // A slow reader gets a single event when it reads again, so that events do not accumulate.
  const write = (text: string): void => {
    if (!stream.writableNeedDrain) stream.write(text);
  };
  let isWaiting = false;
  const announce = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    runAfter(minIntervalMs, () => {
      isWaiting = false;
      write('event: changed\ndata:\n\n');
    });
  };
  const keepAlive = (): void =>
    runAfter(beatMs, () => {
      write(':\n\n');
      keepAlive();
    });
  keepAlive();
  const ends = [store.watch(announce), log.follow(announce)];
  stream.write('retry: 1000\n\n');
  return reply
    .headers({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .send(stream);
}
