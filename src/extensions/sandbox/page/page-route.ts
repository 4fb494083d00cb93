import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimit } from '../../../base/rate-limit.ts';
import type { Faults } from '../control/faults.ts';
import { openStreams, type RequestLog } from '../control/request-log.ts';
import type { SandboxClock } from '../control/turned-clock.ts';
import type { Turnstile } from '../control/turnstile.ts';
import type { Likeness } from '../differences.ts';
import { forbidden } from '../refusal.ts';
import { queryOf } from '../requests/routes.ts';
import type { Store } from '../store/store.ts';

export interface PageParts {
  readonly store: Store;
  readonly clock: SandboxClock;
  readonly log: RequestLog;
  readonly faults: Faults;
  /** Keeps whoever reads records from those who exchange all of them. */
  readonly turnstile: Turnstile;
  readonly like: Likeness | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Tells who may look at it. */
  readonly mayView: (request: FastifyRequest) => boolean;
}

/** Shortest time between two notices of changes to the page. */
const pauseMs = 150;
/** Lets proxies and browsers know that the stream lives, and the sandbox that a reader is gone. */
const beatMs = 20_000;
/** Values that browsers send with requests that the page itself or its reader made. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Adds the page for looking at the sandbox, at its root. It reads and changes nothing, and shows no secrets, so
 * it needs no sign-in on this machine; who else may ask is the matter of `listenAt` and `mayView`. Its parts are loaded
 * when it is first asked for.
 */
export function addPage(app: FastifyInstance, parts: PageParts): void {
  const open = openStreams(app);
  app.get('/', async (request, reply) => {
    refuseOtherSites(request);
    if (!parts.mayView(request)) {
      return reply
        .code(401)
        .header('www-authenticate', 'Basic realm="telctl sandbox", charset="UTF-8"')
        .type('text/plain; charset=utf-8')
        .send('The page takes any name, and the key of the sandbox as the password.\n');
    }
    const query = queryOf(request.originalUrl);
    if (query.has('live')) return sendChanges(reply, parts, open);
    const { answerPage } = await import('./answer-page.ts');
    const { status, headers, body } = await parts.turnstile.pass(() => answerPage(query, parts));
    return reply.code(status).headers(headers).send(body);
  });
}

/** Refuses (403) what a page of another site asks for, but for following a link. */
function refuseOtherSites({ headers }: FastifyRequest): void {
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (headers['sec-fetch-site'] !== undefined && !ownSites.has(String(headers['sec-fetch-site'])) && !isLink)
    throw forbidden('The page of the sandbox is for no page of another site.');
}

/** A stream that says whenever something happened, as server-sent events. */
function sendChanges(
  reply: FastifyReply,
  { store, log, clock }: PageParts,
  open: ReturnType<typeof openStreams>,
): FastifyReply {
  const ended = new AbortController();
  const stream = open(reply, () => {
    for (const end of ends) end();
    ended.abort();
  });
  /** Works after a while, unless the stream has ended by then: only that rejects the wait. */
  const after = (ms: number, work: () => void): void =>
    void clock.sleep(ms, ended.signal).then(work, () => undefined);
  // A reader that sleeps is told once it reads again; nothing piles up for it.
  const write = (text: string): void => {
    if (!stream.writableNeedDrain) stream.write(text);
  };
  let isWaiting = false;
  const tell = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    after(pauseMs, () => {
      isWaiting = false;
      write('event: changed\ndata:\n\n');
    });
  };
  const beat = (): void =>
    after(beatMs, () => {
      write(':\n\n');
      beat();
    });
  beat();
  const ends = [store.watch(tell), log.follow(tell)];
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
