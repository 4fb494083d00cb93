import { createHash } from 'node:crypto';
import type { Clock, Random } from '../../base/host/host.ts';
import { gregorianOffset } from '../../base/moment.ts';

const hex = (random: Random, bytes: number): string => Buffer.from(random.bytes(bytes)).toString('hex');

export const clusterId = '0'.repeat(32);

/** Returns the id of a record or request: 32 hexadecimal characters. */
export const newId = (random: Random): string => hex(random, 16);

/** Returns the id of a record stored by month: `202611-` and `length` hexadecimal characters. */
export const monthId = (clock: Pick<Clock, 'now'>, random: Random, length = 32): string =>
  `${new Date(clock.now()).toISOString().slice(0, 7).replace('-', '')}-${newId(random).slice(0, length)}`;

const batch = 128;

/** Returns a faster `newId` for many ids. It reads random bytes in batches. */
export function idSource(random: Random): () => string {
  let drawn = '';
  let next = 0;
  return () => {
    if (next >= drawn.length) {
      drawn = hex(random, 16 * batch);
      next = 0;
    }
    next += 32;
    return drawn.slice(next - 32, next);
  };
}

/** Returns a secret of a user, an account or the system: 32 hexadecimal characters. */
export const newSecret = (random: Random): string => hex(random, 16);

export const newApiKey = (random: Random): string => hex(random, 32);

/** Returns an identifier of an API key for tokens. It does not reveal the key. */
export const apiKeyId = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

/** Returns digests of a user's credentials (Authentication 3). */
export function credentialDigests(username: string, password: string): { md5: string; sha: string } {
  const text = `${username.toLowerCase()}:${password}`;
  return {
    md5: createHash('md5').update(text).digest('hex'),
    sha: createHash('sha1').update(text).digest('hex'),
  };
}

export const gregorianSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000) + gregorianOffset;

/** Formats the current time for envelopes: UTC without fractions. */
export const timestamp = (clock: Clock): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
