import { createHash } from 'node:crypto';
import { Failure, leadsOn, nextStep } from '../../base/failure.ts';
import { given, isObject, type Json, type JsonObject, textOf } from '../../base/json.ts';
import { operationIn } from '../../contract/resource.ts';
import { metaflows } from '../../contract/resources/metaflows.ts';
import { links } from '../../contract/resources/sso.ts';
import { tokens } from '../../contract/resources/tokens.ts';
import { callForToken, createApi } from '../api/create-api.ts';
import type { Identifier, StoredToken } from './profile-store.ts';
import { apiPartsFor, type SessionParts, type Speaking } from './session.ts';
import { claimsOf } from './token-cache.ts';

/** The holder of a token. */
export interface Who {
  readonly accountId: string;
  readonly accountName?: string;
  readonly ownerId?: string;
}

/** The result of a sign-in or refresh. */
export interface SignedIn {
  readonly token: StoredToken;
  readonly who: Who;
}

/** A token lives about one hour (Limits, other constants). */
export const lifetimeMs = 3_600_000;

/**
 * Signs in at a service. HTTP Basic is exchanged for a token by refresh, so that the password need not go with
 * every request. Throws `Failure`: `auth` where the service does not take the credentials.
 */
export async function signIn(parts: Speaking, baseUrl: string, credentials: Credentials): Promise<SignedIn> {
  try {
    return await exchanged(parts, baseUrl, credentials);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (isElsewhere(error))
      throw new Failure('failed', `${baseUrl} answers, but knows no sign-in (${error.status}).`, {
        hint: 'Check that this is the address of the service.',
        status: error.status,
        cause: error,
      });
    throw refusalOf(error, credentials);
  }
}

function exchanged(parts: Speaking, baseUrl: string, credentials: Credentials): Promise<SignedIn> {
  switch (credentials.kind) {
    case 'password': {
      const { username, password, identifier, hash } = credentials;
      return ask(parts, baseUrl, 'user-auth', {
        data: {
          credentials: digest(username, password, hash),
          method: hash,
          [identifier.kind]: identifier.value,
        },
      });
    }
    case 'api-key':
      return ask(parts, baseUrl, 'api-auth', { data: { api_key: credentials.apiKey } });
    case 'basic': {
      const { accountId, username, password } = credentials;
      const word = `${accountId}:${digest(username, password, 'md5')}`;
      const authorization = `Basic ${Buffer.from(word).toString('base64')}`;
      return ask(parts, baseUrl, 'refresh', { headers: { authorization } });
    }
  }
}

/** Exchanges a token that still lives for a new one. Throws `Failure` (`auth`) where it was revoked. */
export function refreshToken(parts: Speaking, baseUrl: string, token: string): Promise<SignedIn> {
  return ask(parts, baseUrl, 'refresh', { headers: { 'x-auth-token': token } });
}

async function ask(
  parts: Speaking,
  baseUrl: string,
  verb: string,
  { data, headers }: { readonly data?: JsonObject; readonly headers?: Readonly<Record<string, string>> },
): Promise<SignedIn> {
  const { token, who, reply } = await tokenBy(parts, baseUrl, verb, data, headers);
  if (token !== undefined && who !== undefined) return { token, who };
  throw new Failure('failed', `${baseUrl} accepted the sign-in but gave no token for an account.`, {
    hint: 'Sign in another way: by user, or with --api-key-stdin.',
    requestId: reply.requestId,
  });
}

/** Sends a sign-in; gives the token that came, if one did, and whose it is. */
async function tokenBy(
  parts: Speaking,
  baseUrl: string,
  verb: string,
  data?: JsonObject,
  headers: Readonly<Record<string, string>> = {},
) {
  const api = await apiPartsFor(parts, { baseUrl, prefix: '', accountId: undefined, headers });
  const issuedAtMs = parts.host.clock.now();
  const { token, reply } = await callForToken(api, {
    operation: operationIn(tokens, verb),
    ...given({ data }),
  });
  const kept = token === undefined ? token : { token, issuedAtMs, expiresAtMs: issuedAtMs + lifetimeMs };
  return { token: kept, who: whoOf(reply.data), reply };
}

/** Returns the holder of the token in a sign-in or token information reply. */
function whoOf(data: Json): Who | undefined {
  if (!isObject(data) || typeof data.account_id !== 'string') return undefined;
  const { account_id: accountId, account_name, owner_id } = data;
  return { accountId, ...given({ accountName: textOf(account_name), ownerId: textOf(owner_id) }) };
}

/** True for a "not found" of something that is no service, which would give the request a number. */
const isElsewhere = ({ kind, code, requestId }: Failure): boolean =>
  kind === 'not_found' && code === undefined && requestId === undefined;

/** Refusals of a sign-in in words that fit it. The service does not say which part is wrong, so neither is said here. */
function refusalOf(failure: Failure, { kind }: Credentials): Failure {
  const { status, requestId, code, details } = failure;
  if (isObject(details) && details.answered_by !== undefined) return failure;
  const facts = { status, requestId, code, cause: failure };
  const refused = status === 401 || status === 403;
  // A sentence says more than the word of a code: an address that is blocked, an account that is disabled.
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

/** Finds the holder of a token, by the service's word or its own. The token goes in the body, never in an address. */
export async function tokenHolder(parts: Speaking, baseUrl: string, token: string): Promise<Who> {
  const headers = { 'x-auth-token': token };
  const api = createApi(await apiPartsFor(parts, { baseUrl, prefix: '', accountId: undefined, headers }));
  const { data } = await api.call({ operation: operationIn(tokens, 'info'), data: { token } });
  // Services take a token, and may tell of it in a shape of their own: then the token itself says whose it is.
  const who = whoOf(data) ?? whoOf(claimsOf(token) ?? {});
  if (who !== undefined) return who;
  throw new Failure('failed', 'The service accepts the token, but does not say whose it is.', {
    hint: leadsOn`Sign in another way: ${nextStep`login`}`,
  });
}

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
function digest(username: string, password: string, hash: 'md5' | 'sha'): string {
  return createHash(hash === 'md5' ? 'md5' : 'sha1')
    .update(`${username.toLowerCase()}:${password}`)
    .digest('hex');
}

/** The grant that a provider handed out, with the proof that it was handed out to this run. */
interface Grant {
  readonly provider: string;
  readonly clientId: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** PKCE's verifier; left out where the sign-in was begun without. */
  readonly codeVerifier?: string | undefined;
}

/** The outcome of a grant: a sign-in, or the word that nobody is linked to the identity, and the id of that link. */
export type GrantOutcome =
  | { readonly kind: 'signed-in'; readonly signedIn: SignedIn }
  | { readonly kind: 'not-linked'; readonly linkId: string | undefined };

/** Hands a provider's code to the service (Authentication 10). Throws `Failure` (`auth`) where it is not taken. */
export function redeemGrant(parts: SessionParts, baseUrl: string, grant: Grant): Promise<GrantOutcome> {
  const { provider, clientId: client_id, redirectUri: redirect_uri, code, state, nonce } = grant;
  const verifier = grant.codeVerifier === undefined ? {} : { code_verifier: grant.codeVerifier };
  const data = { provider, client_id, redirect_uri, code, state, nonce, ...verifier };
  return handedIn(parts, baseUrl, 'callback', data, `code from ${provider}`);
}

/** Hands in an ID token that another program got, such as a job's runner. Throws as `redeemGrant` does. */
export const redeemIdToken = (
  parts: SessionParts,
  baseUrl: string,
  given: { readonly provider: string; readonly token: string },
): Promise<GrantOutcome> =>
  handedIn(
    parts,
    baseUrl,
    'authorize',
    { provider: given.provider, token: given.token },
    `ID token of ${given.provider}`,
  );

async function handedIn(
  parts: SessionParts,
  baseUrl: string,
  verb: string,
  data: JsonObject,
  what: string,
): Promise<GrantOutcome> {
  const { token, who, reply } = await tokenBy(parts, baseUrl, verb, data).catch((failure: unknown) => {
    if (!(failure instanceof Failure) || (failure.status !== 401 && failure.status !== 403)) throw failure;
    const { status, requestId, code, message } = failure;
    const hint = "If the service does not hand PKCE's verifier on, sign in with --no-pkce.";
    throw new Failure('auth', `The service did not take the ${what}: ${message}`, {
      status,
      requestId,
      code,
      cause: failure,
      hint: 'code_verifier' in data ? hint : undefined,
    });
  });
  if (who === undefined) return { kind: 'not-linked', linkId: linkIn(token?.token) };
  if (token !== undefined) return { kind: 'signed-in', signedIn: { token, who } };
  throw new Failure('failed', `${baseUrl} accepted the sign-in but gave no token.`, {
    requestId: reply.requestId,
  });
}

/** The link that a token without an account names. Nothing rests on it: the service decides who may link what. */
function linkIn(token: string | undefined): string | undefined {
  const link = claimsOf(token ?? '')?.auth_id;
  return typeof link === 'string' ? link : undefined;
}

/** Links the identity to the user who signed in. Throws `Failure` where the link is somebody else's. */
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
 * Finds what stands before the account resources' paths, which the specification writes without prefix (Versioning
 * 3), by reading the one of them that every account has. Where neither way leads there, it is `/v2`.
 */
export async function detectPrefix(
  parts: Speaking,
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

/** Tells whether a refusal comes from the operation itself, so that the path led to it. */
function isRouted({ status }: Failure): boolean {
  return status !== undefined && ![404, 405, 410].includes(status) && !(status >= 300 && status < 400);
}
