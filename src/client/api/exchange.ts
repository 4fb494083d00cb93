import type { Readable } from 'node:stream';
import { Failure } from '../../base/failure.ts';
import { formatCount } from '../../base/wording.ts';
import type { Repeat } from '../../contract/types.ts';
import type { ApiParts } from './api.ts';
import { combinedStatus } from './envelope-status.ts';
import type { LimitReply, RateLimiter } from './rate-limiter.ts';
import { type AttemptOutcome, finalRefusal, isUnexplained, retryAfterMs, waitBeforeRepeat } from './retry.ts';
import { markInDoubt, wasSent } from './transport.ts';

/** Much larger than any page of a list, and small enough for memory. */
const longestBytes = 64 * 1024 * 1024;

/** Reads a body. Throws `Failure`: `unavailable` if it is incomplete or late, `failed` if it is too long. */
function readBody(body: Readable, origin: string, isLate: () => boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isWhole = false;
  // Uses events, because iterating over a stream creates several promises per chunk.
  return new Promise((resolve, reject) => {
    const fail = (failure: Failure): void => {
      body.destroy();
      reject(failure);
    };
    const failIncomplete = (cause?: unknown): void =>
      fail(
        new Failure(
          'unavailable',
          `The response of ${origin} broke off after ${formatCount(bytes, 'byte')}.`,
          {
            ...(cause === undefined || cause === null ? {} : { cause }),
          },
        ),
      );
    if (body.destroyed) return failIncomplete(body.errored);
    body.on('data', (chunk: Buffer | string) => {
      const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      bytes += part.length;
      if (bytes > longestBytes) return fail(longBodyFailure(origin));
      // The idle timeout does not fire if data keeps arriving slowly.
      if (isLate()) return fail(slowBodyFailure(origin, bytes));
      chunks.push(part);
    });
    body.on('end', () => {
      isWhole = true;
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    });
    body.on('error', failIncomplete);
    body.on('close', () => isWhole || failIncomplete());
  });
}

const slowBodyFailure = (origin: string, bytes: number) =>
  new Failure(
    'unavailable',
    `The response of ${origin} was not complete in time. ${formatCount(bytes, 'byte')} arrived.`,
    { hint: 'Wait longer with --timeout SECONDS.' },
  );

const longBodyFailure = (origin: string) =>
  new Failure(
    'failed',
    `${origin} responded with more than ${longestBytes / 1024 / 1024} MB. Request less data.`,
  );

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Also keeps the response as bytes, because it may be a file. */
  readonly keepsBytes?: boolean;
  readonly repeat: Repeat;
  readonly isSentOnce?: boolean;
  /** Ignores the status of the envelope. */
  readonly keepsStatus?: boolean;
  readonly shown: string;
}

export interface IncomingReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** UTF-8. Empty if the body is audio or a file. */
  readonly text: string;
  /** Set if the body is audio or a requested file. */
  readonly bytes?: Uint8Array;
}

export interface FinalReply extends IncomingReply {
  /** True if an earlier attempt may have been carried out. */
  readonly afterLoss: boolean;
  readonly limiter: RateLimiter;
}

/** Returns the first value. Header names are in lower case. */
export function firstHeader(headers: IncomingReply['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

type Ending = { readonly incoming: IncomingReply } | { readonly lost: Failure };

/**
 * Sends a request under the rate limit until a response is final, and retries if it is safe. A request with status
 * 429 was not carried out, so it always waits for another turn. Throws `Failure`: `unavailable` without a response,
 * `interrupted` if the user stopped it.
 */
export async function exchange(parts: ApiParts, outgoing: Outgoing): Promise<FinalReply> {
  const { clock, random, retries } = parts;
  const limiter = parts.limiters.of(outgoing.url.origin, outgoing.headers['x-auth-token']);
  /** Start of the first attempt that was not rate-limited. */
  let startedMs = clock.now();
  let repeated = 0;
  let afterLoss = false;
  /** Failure of the last attempt that may have reached the service. */
  let lastSent: Failure | undefined;
  const isInDoubt = () => afterLoss && outgoing.repeat !== 'safe';
  for (;;) {
    await waitInterruptibly(parts, (signal) => limiter.waitForTurn(signal), isInDoubt());
    if (repeated === 0) startedMs = clock.now();
    const ending = await sendOnce(parts, outgoing, limiter);
    if ('lost' in ending && wasSent(ending.lost)) lastSent = ending.lost;
    const outcome = toOutcome(ending);
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
      throw markInDoubt(lastSent ?? ending.lost, outgoing.repeat);
    }
    repeated += 1;
    afterLoss ||= outcome.kind === 'lost' || outcome.status >= 500;
    parts.trace?.(`${outgoing.method} ${outgoing.shown}  retry in ${waitMs} ms`);
    await waitInterruptibly(parts, (signal) => clock.sleep(waitMs, signal), isInDoubt());
  }
}

const toOutcome = (ending: Ending): AttemptOutcome =>
  'lost' in ending
    ? { kind: 'lost' }
    : {
        kind: 'reply',
        status: ending.incoming.status,
        retryAfter: firstHeader(ending.incoming.headers, 'retry-after'),
      };

async function waitInterruptibly(
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

async function sendOnce(parts: ApiParts, outgoing: Outgoing, limiter: RateLimiter): Promise<Ending> {
  const { transport, clock, timeoutMs, trace } = parts;
  const signal = parts.finishesRequests ? undefined : parts.signal;
  const { method, url, headers, body, shown, repeat } = outgoing;
  const startedMs = clock.now();
  let limitReply: LimitReply | undefined;
  try {
    const reply = await transport.send({ method, url, headers, body, timeoutMs, signal });
    const retryAfter = firstHeader(reply.headers, 'retry-after');
    limitReply = { status: reply.status, retryAfterMs: retryAfterMs(retryAfter, clock.now()) };
    const bytes = await readBody(reply.body, url.origin, () => clock.now() > startedMs + timeoutMs);
    const id = firstHeader(reply.headers, 'x-request-id');
    trace?.(
      `${method} ${shown}  ${reply.status}  ${clock.now() - startedMs} ms${id === undefined ? '' : `  request ${id}`}`,
    );
    const { headers: theirs } = reply;
    const type = firstHeader(theirs, 'content-type') ?? '';
    const isFile = type.startsWith('audio/') || (outgoing.keepsBytes === true && !/json/i.test(type));
    const text = isFile ? '' : bytes.toString('utf8');
    const status = outgoing.keepsStatus ? reply.status : combinedStatus(reply.status, text);
    limitReply = { ...limitReply, status };
    return { incoming: { status, headers: theirs, text, ...(isFile ? { bytes } : {}) } };
  } catch (error) {
    if (signal?.aborted)
      throw new Failure('interrupted', 'Interrupted.', { cause: error, inDoubt: repeat !== 'safe' });
    if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error;
    trace?.(`${method} ${shown}  no reply  ${clock.now() - startedMs} ms`);
    return { lost: error };
  } finally {
    limiter.endTurn(startedMs, limitReply);
  }
}
