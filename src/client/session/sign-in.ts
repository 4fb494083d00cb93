import { createHash } from 'node:crypto';
import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, omitUndefined, textOrUndefined } from '../../base/json.ts';
import { operationIn } from '../../contract/resource.ts';
import { metaflows } from '../../contract/resources/metaflows.ts';
import { links } from '../../contract/resources/sso.ts';
import { tokens } from '../../contract/resources/tokens.ts';
import { callForToken, createApi } from '../api/create-api.ts';
import type { Identifier, StoredToken } from './profile-store.ts';
import { apiPartsFor, type RequestParts, type SessionParts } from './session.ts';
import { decodeClaims } from './token-cache.ts';

export interface TokenHolder {
  readonly accountId: string;
  readonly accountName?: string;
  readonly ownerId?: string;
}

export interface SignedIn {
  readonly token: StoredToken;
  readonly who: TokenHolder;
}

/** Milliseconds. Tokens are valid for about one hour (Limits, other constants). */
export const lifetimeMs = 3_600_000;

/**
 * Signs in at a service. A refresh exchanges HTTP Basic for a token, so that requests do not contain the password.
 * Throws `Failure` (`auth`) if the service does not accept the credentials.
 */
export async function signIn(
  parts: RequestParts,
  baseUrl: string,
  credentials: Credentials,
): Promise<SignedIn> {
  try {
    return await exchangeCredentials(parts, baseUrl, credentials);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (isNotService(error))
      throw new Failure('failed', `${baseUrl} responds, but does not support sign-in (${error.status}).`, {
        hint: 'Check that this is the address of the service.',
        status: error.status,
        cause: error,
      });
    throw explainRefusedSignIn(error, credentials);
  }
}

function exchangeCredentials(
  parts: RequestParts,
  baseUrl: string,
  credentials: Credentials,
): Promise<SignedIn> {
  switch (credentials.kind) {
    case 'password': {
      const { username, password, identifier, hash } = credentials;
      return requestToken(parts, baseUrl, 'user-auth', {
        data: {
          credentials: digest(username, password, hash),
          method: hash,
          [identifier.kind]: identifier.value,
        },
      });
    }
    case 'api-key':
      return requestToken(parts, baseUrl, 'api-auth', { data: { api_key: credentials.apiKey } });
    case 'basic': {
      const { accountId, username, password } = credentials;
      const word = `${accountId}:${digest(username, password, 'md5')}`;
      const authorization = `Basic ${Buffer.from(word).toString('base64')}`;
      return requestToken(parts, baseUrl, 'refresh', { headers: { authorization } });
    }
  }
}

/** Throws `Failure` (`auth`) if the token was revoked. */
export function refreshToken(parts: RequestParts, baseUrl: string, token: string): Promise<SignedIn> {
  return requestToken(parts, baseUrl, 'refresh', { headers: { 'x-auth-token': token } });
}

async function requestToken(
  parts: RequestParts,
  baseUrl: string,
  verb: string,
  { data, headers }: { readonly data?: JsonObject; readonly headers?: Readonly<Record<string, string>> },
): Promise<SignedIn> {
  const { token, who, reply } = await sendSignIn(parts, baseUrl, verb, data, headers);
  if (token !== undefined && who !== undefined) return { token, who };
  throw new Failure('failed', `${baseUrl} accepted the sign-in but returned no token for an account.`, {
    hint: 'Sign in another way: by user, or with --api-key-stdin.',
    requestId: reply.requestId,
  });
}

async function sendSignIn(
  parts: RequestParts,
  baseUrl: string,
  verb: string,
  data?: JsonObject,
  headers: Readonly<Record<string, string>> = {},
) {
  const api = await apiPartsFor(parts, { baseUrl, prefix: '', accountId: undefined, headers });
  const issuedAtMs = parts.host.clock.now();
  const { token, reply } = await callForToken(api, {
    operation: operationIn(tokens, verb),
    ...omitUndefined({ data }),
  });
  const kept = token === undefined ? token : { token, issuedAtMs, expiresAtMs: issuedAtMs + lifetimeMs };
  return { token: kept, who: parseHolder(reply.data), reply };
}

function parseHolder(data: Json): TokenHolder | undefined {
  if (!isObject(data) || typeof data.account_id !== 'string') return undefined;
  const { account_id: accountId, account_name, owner_id } = data;
  return {
    accountId,
    ...omitUndefined({ accountName: textOrUndefined(account_name), ownerId: textOrUndefined(owner_id) }),
  };
}

/** Returns true for a 404 of a server that is not a service. A service adds a request id. */
const isNotService = ({ kind, code, requestId }: Failure): boolean =>
  kind === 'not_found' && code === undefined && requestId === undefined;

/**
 * Returns a clearer message. The service does not say which part of the credentials is wrong, so neither does telctl.
 */
function explainRefusedSignIn(failure: Failure, { kind }: Credentials): Failure {
  const { status, requestId, code, details } = failure;
  if (isObject(details) && details.answered_by !== undefined) return failure;
  const facts = { status, requestId, code, cause: failure };
  const refused = status === 401 || status === 403;
  // The service's sentence is more specific than its code, such as for a blocked address or a disabled account.
  const [, sentence] = /^The service does not allow this: (\S+ .*)$/s.exec(failure.message) ?? [];
  if (status === 403 && sentence !== undefined)
    return new Failure('auth', `The service refused the sign-in: ${sentence}`, { ...facts, details });
  if (kind === 'api-key' && (refused || failure.kind === 'not_found' || failure.kind === 'invalid')) {
    return new Failure(
      'auth',
      'The service refused the API key: it is unknown, or was replaced by a newer one.',
      { ...facts, details },
    );
  }
  if (refused)
    return new Failure('auth', 'The service refused the sign-in: wrong user, password or account.', facts);
  if (failure.kind === 'invalid' || failure.kind === 'not_found') {
    return new Failure('auth', failure.lines, { ...facts, details });
  }
  return failure;
}

/** Asks the service, or decodes the token. Sends the token in the body, never in a URL. */
export async function tokenHolder(parts: RequestParts, baseUrl: string, token: string): Promise<TokenHolder> {
  const headers = { 'x-auth-token': token };
  const api = createApi(await apiPartsFor(parts, { baseUrl, prefix: '', accountId: undefined, headers }));
  const { data } = await api.call({ operation: operationIn(tokens, 'info'), data: { token } });
  // Some services return token information in another format. Then the token is decoded.
  const who = parseHolder(data) ?? parseHolder(decodeClaims(token) ?? {});
  if (who !== undefined) return who;
  throw new Failure('failed', 'The service accepts the token, but does not say whose it is.', {
    hint: createHint`Sign in another way: ${nextStep`login`}`,
  });
}

/** Passwords are not kept after the run. */
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

/** Hex digest of `<username>:<password>`, with the username in lower case (Authentication 3). */
function digest(username: string, password: string, hash: 'md5' | 'sha'): string {
  return createHash(hash === 'md5' ? 'md5' : 'sha1')
    .update(`${username.toLowerCase()}:${password}`)
    .digest('hex');
}

/** A provider's code, with the proof that it was issued to this run. */
interface Grant {
  readonly provider: string;
  readonly clientId: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** PKCE verifier. Omitted if the sign-in started without PKCE. */
  readonly codeVerifier?: string | undefined;
}

/** `link` is the id of the link of an identity that belongs to no user. */
export type GrantOutcome =
  | { readonly kind: 'signed-in'; readonly signedIn: SignedIn }
  | { readonly kind: 'not-linked'; readonly linkId: string | undefined };

/** Sends a provider's code to the service (Authentication 10). Throws `Failure` (`auth`) if it is not accepted. */
export function redeemGrant(parts: SessionParts, baseUrl: string, grant: Grant): Promise<GrantOutcome> {
  const { provider, clientId: client_id, redirectUri: redirect_uri, code, state, nonce } = grant;
  const verifier = grant.codeVerifier === undefined ? {} : { code_verifier: grant.codeVerifier };
  const data = { provider, client_id, redirect_uri, code, state, nonce, ...verifier };
  return redeemProof(parts, baseUrl, 'callback', data, `code from ${provider}`);
}

/** Signs in with an ID token from another program, such as a CI runner. Throws like `redeemGrant`. */
export const redeemIdToken = (
  parts: SessionParts,
  baseUrl: string,
  given: { readonly provider: string; readonly token: string },
): Promise<GrantOutcome> =>
  redeemProof(
    parts,
    baseUrl,
    'authorize',
    { provider: given.provider, token: given.token },
    `ID token of ${given.provider}`,
  );

async function redeemProof(
  parts: SessionParts,
  baseUrl: string,
  verb: string,
  data: JsonObject,
  what: string,
): Promise<GrantOutcome> {
  const { token, who, reply } = await sendSignIn(parts, baseUrl, verb, data).catch((failure: unknown) => {
    if (!(failure instanceof Failure) || (failure.status !== 401 && failure.status !== 403)) throw failure;
    const { status, requestId, code, message } = failure;
    const hint = "If the service does not hand PKCE's verifier on, sign in with --no-pkce.";
    throw new Failure('auth', `The service did not accept the ${what}: ${message}`, {
      status,
      requestId,
      code,
      cause: failure,
      hint: 'code_verifier' in data ? hint : undefined,
    });
  });
  if (who === undefined) return { kind: 'not-linked', linkId: readLink(token?.token) };
  if (token !== undefined) return { kind: 'signed-in', signedIn: { token, who } };
  throw new Failure('failed', `${baseUrl} accepted the sign-in but returned no token.`, {
    requestId: reply.requestId,
  });
}

/**
 * Returns the link of a token without an account. It is only informational, because the service decides who can link.
 */
function readLink(token: string | undefined): string | undefined {
  const link = decodeClaims(token ?? '')?.auth_id;
  return typeof link === 'string' ? link : undefined;
}

/** Links the identity to the signed-in user. Throws `Failure` if it is linked to another user. */
export async function linkIdentity(
  parts: SessionParts,
  baseUrl: string,
  { token, who }: SignedIn,
  linkId: string,
): Promise<void> {
  const headers = { 'x-auth-token': token.token };
  const api = createApi(await apiPartsFor(parts, { baseUrl, prefix: '', accountId: who.accountId, headers }));
  await api.call({ operation: operationIn(links, 'link'), path: { link_id: linkId } });
}

/**
 * Detects the prefix of account resources, which the specification writes without prefix (Versioning 3). Reads the
 * one resource that every account has. The default is `/v2`.
 */
export async function detectPrefix(
  parts: RequestParts,
  baseUrl: string,
  { token, who }: SignedIn,
): Promise<'/v2' | ''> {
  const headers = { 'x-auth-token': token.token };
  for (const prefix of ['/v2', ''] as const) {
    const api = createApi(await apiPartsFor(parts, { baseUrl, prefix, accountId: who.accountId, headers }));
    try {
      await api.call({ operation: operationIn(metaflows, 'get') });
      return prefix;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      if (isRouted(error)) return prefix;
    }
  }
  return '/v2';
}

/** Returns true if the operation itself responded, so the path is correct. */
function isRouted({ status }: Failure): boolean {
  return status !== undefined && ![404, 405, 410].includes(status) && !(status >= 300 && status < 400);
}
