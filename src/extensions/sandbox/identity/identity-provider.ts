import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import type { Configuration } from 'openid-client';
import { isObject, type JsonObject, textAt } from '../../../base/json.ts';
import { textsAt, withoutKeys } from '../fields.ts';
import { notSignedIn, Refusal } from '../refusal.ts';
import type { StoredRecord } from '../store/store.ts';

export interface Identity {
  /** Unique identifier of the person at the provider. The record of the provider selects the field. */
  readonly subject: string;
  readonly profile: JsonObject;
  readonly scopes: readonly string[];
}

const timeoutSeconds = 10;
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** Claims about the token itself, not about the person. */
const tokenClaims = new Set([
  'iss',
  'aud',
  'azp',
  'exp',
  'iat',
  'nbf',
  'jti',
  'nonce',
  'at_hash',
  'auth_time',
  'sid',
]);

const isPlainLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopback.has(hostname);

/** Refuses (401) an address without https. On this machine, http is allowed. */
function trustedUrl(address: string | undefined, what: string): URL {
  const url = address === undefined ? null : URL.parse(address);
  if (url !== null && (url.protocol === 'https:' || isPlainLoopback(url))) return url;
  throw notSignedIn(`The provider has no ${what} with https, or with http on this machine.`);
}

/** Returns the discovery URL of a provider. Refuses (401) a disabled provider or one without OpenID Connect. */
function discoveryUrl(provider: StoredRecord): URL {
  if (provider.body.enabled === false) throw notSignedIn('The provider is disabled.');
  return trustedUrl(textAt(provider.body, 'discovery'), 'discovery address');
}

async function discover(provider: StoredRecord, app: StoredRecord): Promise<Configuration> {
  const openid = await import('openid-client');
  const server = discoveryUrl(provider);
  const secret = textAt(app.body, 'secret');
  const config = await openid.discovery(
    server,
    app.id,
    undefined,
    secret === undefined ? openid.None() : openid.ClientSecretBasic(secret),
    { timeout: timeoutSeconds, execute: isPlainLoopback(server) ? [openid.allowInsecureRequests] : [] },
  );
  // By default, the library trusts TLS and does not verify signatures.
  openid.enableNonRepudiationChecks(config);
  const { token_endpoint, jwks_uri, userinfo_endpoint } = config.serverMetadata();
  trustedUrl(token_endpoint, 'token address');
  trustedUrl(jwks_uri, 'address of its keys');
  if (userinfo_endpoint !== undefined) trustedUrl(userinfo_endpoint, 'profile address');
  return config;
}

/** Refuses (401) an issuer that the provider's record does not list. An empty list allows the discovered issuer. */
function refuseForeignIssuer(provider: StoredRecord, issuer: string): void {
  const named = textsAt(provider.body, 'issuer_domains');
  if (named.length === 0 || named.some((one) => namesIssuer(one, issuer))) return;
  throw notSignedIn(`${issuer} is not an issuer of the provider.`);
}

/** Returns true if an entry of `issuer_domains` matches an issuer by its URL or its host. */
function namesIssuer(named: string, issuer: string): boolean {
  const url = URL.parse(issuer);
  return named === issuer || (url !== null && (named === url.host || named === url.hostname));
}

function toIdentity(provider: StoredRecord, claims: JsonObject, scopes: readonly string[]): Identity {
  const subject = textAt(claims, textAt(provider.body, 'profile_identity_field') ?? 'sub');
  if (subject === undefined || subject === '') throw notSignedIn('The provider does not identify the user.');
  return { subject, profile: withoutKeys(claims, (key) => tokenClaims.has(key)), scopes };
}

/**
 * Exchanges an authorization code for an identity, with PKCE if the caller sent a verifier. Checks the signature,
 * issuer, audience, expiry and nonce of the ID token. Refuses invalid tokens (401) and an unreachable provider (503).
 */
export async function redeemCode(
  provider: StoredRecord,
  app: StoredRecord,
  data: JsonObject,
): Promise<Identity> {
  const openid = await import('openid-client');
  try {
    const config = await discover(provider, app);
    const { issuer } = config.serverMetadata();
    refuseForeignIssuer(provider, issuer);
    const answer = trustedUrl(textAt(data, 'redirect_uri'), 'redirect address');
    answer.search = String(new URLSearchParams({ code: textAt(data, 'code') ?? '', iss: issuer }));
    const [verifier, nonce] = [textAt(data, 'code_verifier'), textAt(data, 'nonce')];
    const tokens = await openid.authorizationCodeGrant(config, answer, {
      idTokenExpected: true,
      // The program that redirected the browser has already checked the state.
      expectedState: openid.skipStateCheck,
      ...(verifier === undefined ? {} : { pkceCodeVerifier: verifier }),
      ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    });
    const claims = tokens.claims();
    if (!isObject(claims)) throw notSignedIn('The provider sent no ID token.');
    const more =
      config.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await openid.fetchUserInfo(config, tokens.access_token, String(claims.sub));
    const profile = isObject(more) ? more : {};
    return toIdentity(provider, { ...profile, ...claims }, (tokens.scope ?? 'openid').split(' '));
  } catch (error) {
    throw providerRefusal(error);
  }
}

/** Returns the issuer and the key URL of a provider. Refuses like `redeemCode`. */
async function issuerAndKeys(provider: StoredRecord, app: StoredRecord) {
  try {
    const { issuer, jwks_uri } = (await discover(provider, app)).serverMetadata();
    refuseForeignIssuer(provider, issuer);
    return { issuer, keys: trustedUrl(jwks_uri, 'address of its keys') };
  } catch (error) {
    throw providerRefusal(error);
  }
}

/** Converts errors of a provider to refusals. Returns other errors unchanged. */
function providerRefusal(error: unknown): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error;
  const [first, ...deeper] = causesOf(error);
  const code = first !== undefined && 'code' in first ? String(first.code) : '';
  if (code === 'OAUTH_TIMEOUT' || [first, ...deeper].some((each) => each?.message === 'fetch failed')) {
    return new Refusal(503, 'service_unavailable', 'The provider cannot be reached.');
  }
  const said = first !== undefined && 'error' in first ? ` It said: ${String(first.error)}.` : '';
  if (said !== '') return notSignedIn(`The provider rejected the code.${said}`);
  if (/^(?:OAUTH_|ERR_J)/.test(code)) {
    const why = deeper.at(0)?.message ?? first?.message ?? '';
    return notSignedIn(`The response of the provider is invalid: ${why}.`);
  }
  return error;
}

function causesOf(error: Error): readonly Error[] {
  return [error, ...(error.cause instanceof Error ? causesOf(error.cause) : [])];
}

/** Asymmetric algorithms. Only the provider can sign with them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export function tokenIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

export function hasIssuer({ body }: StoredRecord, issuer: string): boolean {
  return (
    textsAt(body, 'issuer_domains').some((named) => namesIssuer(named, issuer)) ||
    textAt(body, 'discovery') === `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  );
}

/** Verifies an ID token that was issued to one of the applications. Refuses (401) any other token. */
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
    // With several audiences, `azp` identifies the application that can use the token.
    if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp !== app.id) {
      throw notSignedIn('The token was issued to another application.');
    }
    if (!isObject(payload)) throw notSignedIn();
    return { identity: toIdentity(provider, payload, ['openid']), app };
  } catch (error) {
    throw providerRefusal(error);
  }
}
