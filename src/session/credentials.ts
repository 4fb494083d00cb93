import { createHash } from 'node:crypto';
import type { Identifier } from './profile.ts';

/** The material for a sign-in. Passwords live no longer than the run. */
export type Credentials =
  | {
      readonly kind: 'password';
      readonly username: string;
      readonly password: string;
      readonly identifier: Identifier;
      readonly hash: 'md5' | 'sha';
    }
  | { readonly kind: 'api-key'; readonly apiKey: string }
  | {
      readonly kind: 'basic';
      readonly accountId: string;
      readonly username: string;
      readonly password: string;
    };

/** Hex digest of `<username>:<password>`, the username in lower case (Authentication 3). */
export function digest(username: string, password: string, hash: 'md5' | 'sha'): string {
  return createHash(hash === 'md5' ? 'md5' : 'sha1')
    .update(`${username.toLowerCase()}:${password}`)
    .digest('hex');
}

/** Value of the `Authorization` header for HTTP Basic (Authentication 5). */
export function basicHeader(accountId: string, username: string, password: string): string {
  return `Basic ${Buffer.from(`${accountId}:${digest(username, password, 'md5')}`).toString('base64')}`;
}
