import { createHash } from 'node:crypto';
import type { Clock, Random } from '../../base/host/host.ts';
import { gregorianOffset } from '../../base/moment.ts';

const hex = (random: Random, bytes: number): string => Buffer.from(random.bytes(bytes)).toString('hex');

/** Id of the one cluster that the sandbox is, at sign-in and in events. */
export const clusterId = '0'.repeat(32);

/** Id of a record or request: 32 hexadecimal characters. */
export const newId = (random: Random): string => hex(random, 16);

/** Id of a record that is kept by its month: `202611-` and so many hexadecimal characters. */
export const monthId = (clock: Pick<Clock, 'now'>, random: Random, length = 32): string =>
  `${new Date(clock.now()).toISOString().slice(0, 7).replace('-', '')}-${newId(random).slice(0, length)}`;

/** Number of ids drawn at once. */
const batch = 128;

/** Makes ids like `newId`, for where very many are wanted: randomness is drawn for many at a time. */
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

/** Secret of a subject or of the system: 32 hexadecimal characters. */
export const newSecret = (random: Random): string => hex(random, 16);

/** API key: 64 hexadecimal characters. */
export const newApiKey = (random: Random): string => hex(random, 32);

/** Names an API key inside a token without giving it away. */
export const apiKeyId = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

/** Digests by which a user signs in; the username is in lower case (Authentication 3). */
export function credentialDigests(username: string, password: string): { md5: string; sha: string } {
  const text = `${username.toLowerCase()}:${password}`;
  return {
    md5: createHash('md5').update(text).digest('hex'),
    sha: createHash('sha1').update(text).digest('hex'),
  };
}

export const gregorianSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000) + gregorianOffset;

/** Now, as envelopes write it: UTC without fractions. */
export const timestamp = (clock: Clock): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
