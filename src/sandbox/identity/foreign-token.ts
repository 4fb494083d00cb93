import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import { isObject } from '../../base/json.ts';
import { textAt, textsAt } from '../fields.ts';
import { notSignedIn } from '../refusal.ts';
import type { StoredRecord } from '../store/store.ts';
import { type Identity, identityOf, isIssuer, issuerAndKeys, refusalFor } from './identity-provider.ts';

/** Signatures that only their provider can make. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Returns the issuer that a token claims, unproven; `undefined` for text that is no token. */
export function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Tells whether a provider's record is about an issuer. */
export function isOfIssuer({ body }: StoredRecord, issuer: string): boolean {
  return (
    textsAt(body, 'issuer_domains').some((named) => isIssuer(named, issuer)) ||
    textAt(body, 'discovery') === `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  );
}

/**
 * Checks an ID token that somebody else's program got: signature, issuer, expiry, and that it was made out to one of
 * the applications. Refuses (401) any other.
 */
export async function verifyForeignToken(
  token: string,
  provider: StoredRecord,
  apps: readonly StoredRecord[],
): Promise<{ readonly identity: Identity; readonly app: StoredRecord }> {
  const [first] = apps;
  if (first === undefined) throw notSignedIn('No SSO application uses the provider.');
  const { issuer, keys } = await issuerAndKeys(provider, first);
  try {
    const { payload } = await jwtVerify(token, createRemoteJWKSet(keys), {
      algorithms,
      issuer,
      audience: apps.map(({ id }) => id),
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    const app = apps.find(({ id }) => [payload.aud].flat().includes(id)) ?? first;
    // A token for several is only good for the one that it was made out to.
    if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp !== app.id) {
      throw notSignedIn('The token was made out to another application.');
    }
    if (!isObject(payload)) throw notSignedIn();
    return { identity: identityOf(provider, payload, ['openid']), app };
  } catch (error) {
    throw refusalFor(error);
  }
}
