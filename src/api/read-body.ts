import type { Readable } from 'node:stream';
import { Failure } from '../base/failure.ts';
import type { Clock } from '../host/host.ts';

/** The longest body that is read: far above any page of a list, far below what would fill the memory. */
const longestBytes = 64 * 1024 * 1024;

/** Until when a body has to be there whole, in milliseconds of that clock. */
export interface Deadline {
  readonly clock: Pick<Clock, 'now'>;
  readonly atMs: number;
}

/**
 * Reads a body to its end as UTF-8. Throws `Failure`: `unavailable` where it breaks off or takes too long, `failed`
 * where it is longer than telctl reads.
 */
export async function readBody(body: Readable, origin: string, deadline: Deadline): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      const part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      bytes += part.length;
      if (bytes > longestBytes) throw tooLong(origin);
      // A body that comes drop by drop is never silent for long enough to time out.
      if (deadline.clock.now() > deadline.atMs) throw tooSlow(origin, bytes);
      chunks.push(part);
    }
  } catch (error) {
    body.destroy();
    if (error instanceof Failure) throw error;
    throw new Failure('unavailable', `The reply of ${origin} broke off after ${bytes} bytes.`, {
      cause: error,
    });
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooSlow = (origin: string, bytes: number) =>
  new Failure('unavailable', `The reply of ${origin} was not whole in time; ${bytes} bytes had come.`, {
    hint: 'Give it longer with --timeout SECONDS.',
  });

const tooLong = (origin: string) =>
  new Failure('failed', `${origin} answered with more than ${longestBytes / 1024 / 1024} MB. Ask for less.`);
