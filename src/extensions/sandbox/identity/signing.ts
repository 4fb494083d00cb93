import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { SigningKey } from './authority.ts';

export interface Claims {
  readonly account_id: string;
  /** Missing for API keys. */
  readonly owner_id?: string;
  /** Sign-in method: `cb_user_auth`, `cb_api_auth` or `cb_auth` (refreshed). */
  readonly method: string;
  /** Signature with the secrets of the subject and the system. */
  readonly identity_sig: string;
  readonly key_id?: string;
  /** Unix seconds. */
  readonly exp: number;
}

const algorithm = 'RS256';
const issuer = 'kazoo';

export interface Signer {
  sign(claims: Claims): Promise<string>;
  /** Signs a token for an SSO identity without a user. `exp` is in Unix seconds. */
  signIdentity(claims: { readonly auth_id: string; readonly exp: number }): Promise<string>;
  /** Returns the claims of a valid token. Returns `undefined` for an invalid token. */
  read(token: string, nowMs: number): Promise<Claims | undefined>;
}

export function createSigner(key: SigningKey): Signer {
  const privateKey: KeyObject = createPrivateKey(key.privatePem);
  const publicKey: KeyObject = createPublicKey(key.publicPem);
  const sign = ({ exp, ...claims }: { readonly exp: number }): Promise<string> =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: key.id })
      .setIssuer(issuer)
      .setExpirationTime(exp)
      .sign(privateKey);
  return {
    sign,
    signIdentity: sign,
    async read(token, nowMs) {
      try {
        const { payload } = await jwtVerify<Claims>(token, publicKey, {
          algorithms: [algorithm],
          issuer,
          currentDate: new Date(nowMs),
          requiredClaims: ['account_id', 'method', 'identity_sig', 'exp'],
        });
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
