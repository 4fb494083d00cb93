import { createHash, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';

/** Key of a shared secret in `custom_data`, and so in every payload (Events, delivery rule 6). */
export const secretKey = 'secret';

/** A long secret that nobody can guess: 256 bits, fit for addresses. */
export const newSecret = ({ host }: Pick<Context, 'host'>): string =>
  Buffer.from(host.random.bytes(32)).toString('base64url');

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Tells whether a payload carries the secret; takes as long for a wrong one as for the right one. */
export function carriesSecret(payload: JsonObject, secret: string): boolean {
  const given = Object.hasOwn(payload, secretKey) ? payload[secretKey] : undefined;
  return timingSafeEqual(digestOf(typeof given === 'string' ? given : ''), digestOf(secret));
}

/** The payload without its secret, to be shown and kept. */
export function withoutSecret(payload: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key !== secretKey));
}
