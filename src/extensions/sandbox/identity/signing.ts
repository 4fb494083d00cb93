import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { SigningKey } from './authority.ts';

/** Claims of a token about its holder. */
export interface Claims {
  readonly account_id: string;
  /** Left out: the token stands for the account. */
  readonly owner_id?: string;
  /** Method by which it was got: `cb_user_auth`, `cb_api_auth`, `cb_auth` (refreshed). */
  readonly method: string;
  /** Binds the token to the secrets of its subject and of the system. */
  readonly identity_sig: string;
  /** API key behind it, hashed. */
  readonly key_id?: string;
  /** Unix seconds. */
  readonly exp: number;
}

const algorithm = 'RS256';
const issuer = 'kazoo';

export interface Signer {
  sign(claims: Claims): Promise<string>;
  /** A token that names an identity at a provider, and opens nothing. `exp` in Unix seconds. */
  signIdentity(claims: { readonly auth_id: string; readonly exp: number }): Promise<string>;
  /** The claims of a good token; `undefined` for a forged, foreign or expired one. */
  read(token: string, nowMs: number): Promise<Claims | undefined>;
}

/** Prepares a key pair for use. */
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
