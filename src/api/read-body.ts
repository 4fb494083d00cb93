import type { Readable } from 'node:stream';
import { Failure } from '../contract/failure.ts';

/** The longest body that is read: far above any page of a list, far below what would fill the memory. */
const longestBytes = 64 * 1024 * 1024;

/**
 * Reads a body to its end as UTF-8. Throws `Failure`: `unavailable` where it breaks off, `failed` where it is longer
 * than telctl reads.
 */
export async function readBody(body: Readable, origin: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      const part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      bytes += part.length;
      if (bytes > longestBytes) throw tooLong(origin);
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

const tooLong = (origin: string) =>
  new Failure('failed', `${origin} answered with more than ${longestBytes / 1024 / 1024} MB. Ask for less.`);
