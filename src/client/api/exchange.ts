import type { Readable } from 'node:stream';
import { Failure } from '../../base/failure.ts';
import { counted } from '../../base/wording.ts';
import type { Repeat } from '../../contract/types.ts';
import type { ApiParts } from './api.ts';
import { statusOf } from './envelope-status.ts';
import type { LimitReply, RateLimiter } from './rate-limiter.ts';
import { finalRefusal, isUnexplained, type Outcome, retryAfterMs, waitBeforeRepeat } from './retry.ts';
import { perhapsDone, wasSent } from './transport.ts';

/** The longest body that is read: far above any page of a list, far below what would fill the memory. */
const longestBytes = 64 * 1024 * 1024;

/** Reads a body. Throws `Failure`: `unavailable` if it breaks off or is late, `failed` if it is too long. */
function readBody(body: Readable, origin: string, isLate: () => boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isWhole = false;
  // Iterating over a stream takes several promises a chunk, and thousands of replies are read one after the other.
  return new Promise((resolve, reject) => {
    const fail = (failure: Failure): void => {
      body.destroy();
      reject(failure);
    };
    const breakOff = (cause?: unknown): void =>
      fail(
        new Failure('unavailable', `The reply of ${origin} broke off after ${counted(bytes, 'byte')}.`, {
          ...(cause === undefined || cause === null ? {} : { cause }),
        }),
      );
    if (body.destroyed) return breakOff(body.errored);
    body.on('data', (chunk: Buffer | string) => {
      const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      bytes += part.length;
      if (bytes > longestBytes) return fail(tooLong(origin));
      // A body that comes drop by drop is never silent for long enough to time out.
      if (isLate()) return fail(tooSlow(origin, bytes));
      chunks.push(part);
    });
    body.on('end', () => {
      isWhole = true;
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    });
    body.on('error', breakOff);
    body.on('close', () => isWhole || breakOff());
  });
}

const tooSlow = (origin: string, bytes: number) =>
  new Failure(
    'unavailable',
    `The reply of ${origin} was not complete in time; ${counted(bytes, 'byte')} arrived.`,
    { hint: 'Wait longer with --timeout SECONDS.' },
  );

const tooLong = (origin: string) =>
  new Failure('failed', `${origin} answered with more than ${longestBytes / 1024 / 1024} MB. Ask for less.`);

/** One request, ready but for its token. */
export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** The reply is kept as bytes, too: it may be a file. */
  readonly keepsBytes?: boolean;
  readonly repeat: Repeat;
  /** It is sent once, whatever the reply. */
  readonly isSentOnce?: boolean;
  /** The status is that of HTTP alone, whatever the envelope says. */
  readonly keepsStatus?: boolean;
  /** Path and query without secrets, for traces and messages. */
  readonly shown: string;
}

export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Body as UTF-8; empty where it is sound or a file. */
  readonly text: string;
  /** Body that is sound, or a file that was asked for, as it came. */
  readonly bytes?: Uint8Array;
}

export interface Standing extends Incoming {
  /** An earlier attempt at the same request had no proper end, and may have been carried out. */
  readonly afterLoss: boolean;
  readonly limiter: RateLimiter;
}

/** The first value of a header. Names are in lower case. */
export function headerOf(headers: Incoming['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

type Ending = { readonly incoming: Incoming } | { readonly lost: Failure };

/**
 * Sends a request, and repeats it where that is safe, until a reply is final. Waits for its turn under the
 * rate limit. If the service still turns it away, it waits for another turn, whatever it asks for, since
 * nothing of it was carried out. Throws `Failure`: `unavailable` if no reply came, `interrupted` if the user
 * stopped it.
 */
export async function exchange(parts: ApiParts, outgoing: Outgoing): Promise<Standing> {
  const { clock, random, retries } = parts;
  const limiter = parts.limiters.of(outgoing.url.origin, outgoing.headers['x-auth-token']);
  /** Start of the first attempt that was not turned away. */
  let startedMs = clock.now();
  let repeated = 0;
  let afterLoss = false;
  /** The last attempt that may have reached the service: a later one that did not leaves that open. */
  let lastSent: Failure | undefined;
  const inDoubt = () => afterLoss && outgoing.repeat !== 'safe';
  for (;;) {
    await interruptible(parts, (signal) => limiter.turn(signal), inDoubt());
    if (repeated === 0) startedMs = clock.now();
    const ending = await attempt(parts, outgoing, limiter);
    if ('lost' in ending && wasSent(ending.lost)) lastSent = ending.lost;
    const outcome = outcomeOf(ending);
    const isWaiting = retries > 0 && outgoing.isSentOnce !== true && limiter.isHopeful();
    if (outcome.kind === 'reply' && outcome.status === 429 && isWaiting) continue;
    if (
      'incoming' in ending &&
      (finalRefusal(ending.incoming) || isUnexplained(ending.incoming, outgoing.shown))
    )
      return { ...ending.incoming, afterLoss, limiter };
    const elapsedMs = clock.now() - startedMs;
    const waitMs = waitBeforeRepeat(
      { outcome, repeat: outgoing.repeat, repeated, retries, elapsedMs },
      clock,
      random,
    );
    if (waitMs === undefined) {
      if (!('lost' in ending)) return { ...ending.incoming, afterLoss, limiter };
      throw perhapsDone(lastSent ?? ending.lost, outgoing.repeat);
    }
    repeated += 1;
    afterLoss ||= outcome.kind === 'lost' || outcome.status >= 500;
    parts.trace?.(`${outgoing.method} ${outgoing.shown}  retry in ${waitMs} ms`);
    await interruptible(parts, (signal) => clock.sleep(waitMs, signal), inDoubt());
  }
}

const outcomeOf = (ending: Ending): Outcome =>
  'lost' in ending
    ? { kind: 'lost' }
    : {
        kind: 'reply',
        status: ending.incoming.status,
        retryAfter: headerOf(ending.incoming.headers, 'retry-after'),
      };

/** A wait that the user may end. */
async function interruptible(
  { signal }: ApiParts,
  wait: (signal: AbortSignal | undefined) => Promise<unknown>,
  inDoubt: boolean,
): Promise<void> {
  try {
    await wait(signal);
  } catch (error) {
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted.', { cause: error, inDoubt });
    throw error;
  }
}

async function attempt(parts: ApiParts, outgoing: Outgoing, limiter: RateLimiter): Promise<Ending> {
  const { transport, clock, timeoutMs, trace } = parts;
  const signal = parts.finishes ? undefined : parts.signal;
  const { method, url, headers, body, shown, repeat } = outgoing;
  const startedMs = clock.now();
  let heard: LimitReply | undefined;
  try {
    const reply = await transport.send({ method, url, headers, body, timeoutMs, signal });
    const retryAfter = headerOf(reply.headers, 'retry-after');
    heard = { status: reply.status, retryAfterMs: retryAfterMs(retryAfter, clock.now()) };
    const bytes = await readBody(reply.body, url.origin, () => clock.now() > startedMs + timeoutMs);
    const id = headerOf(reply.headers, 'x-request-id');
    trace?.(
      `${method} ${shown}  ${reply.status}  ${clock.now() - startedMs} ms${id === undefined ? '' : `  request ${id}`}`,
    );
    const { headers: theirs } = reply;
    const type = headerOf(theirs, 'content-type') ?? '';
    const isFile = type.startsWith('audio/') || (outgoing.keepsBytes === true && !/json/i.test(type));
    const text = isFile ? '' : bytes.toString('utf8');
    const status = outgoing.keepsStatus ? reply.status : statusOf(reply.status, text);
    heard = { ...heard, status };
    return { incoming: { status, headers: theirs, text, ...(isFile ? { bytes } : {}) } };
  } catch (error) {
    if (signal?.aborted)
      throw new Failure('interrupted', 'Interrupted.', { cause: error, inDoubt: repeat !== 'safe' });
    if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error;
    trace?.(`${method} ${shown}  no reply  ${clock.now() - startedMs} ms`);
    return { lost: error };
  } finally {
    limiter.ended(startedMs, heard);
  }
}
