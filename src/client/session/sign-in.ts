import { createHash } from 'node:crypto';
import { Failure, leadsOn, nextStep } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { operationIn } from '../../contract/resource.ts';
import { tokens } from '../../contract/resources/tokens.ts';
import { callForToken, createApi } from '../api/create-api.ts';
import type { Identifier, StoredToken } from './profile-store.ts';
import { apiPartsFor, type Speaking } from './session.ts';
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
      const headers = { authorization: basicHeader(accountId, username, password) };
      return ask(parts, baseUrl, 'refresh', { headers });
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
  { data, headers = {} }: { readonly data?: JsonObject; readonly headers?: Readonly<Record<string, string>> },
): Promise<SignedIn> {
  const api = await apiPartsFor(parts, { baseUrl, prefix: '', accountId: undefined, headers });
  const issuedAtMs = parts.host.clock.now();
  const { token, reply } = await callForToken(api, {
    operation: operationIn(tokens, verb),
    ...(data === undefined ? {} : { data }),
  });
  const who = whoOf(reply.data);
  if (token === undefined || who === undefined) {
    throw new Failure('failed', `${baseUrl} accepted the sign-in but gave no token for an account.`, {
      hint: 'Sign in another way: by user, or with --api-key-stdin.',
      requestId: reply.requestId,
    });
  }
  return { token: { token, issuedAtMs, expiresAtMs: issuedAtMs + lifetimeMs }, who };
}

/** Returns the holder of the token in a sign-in or token information reply. */
export function whoOf(data: Json): Who | undefined {
  if (!isObject(data) || typeof data.account_id !== 'string') return undefined;
  return {
    accountId: data.account_id,
    ...(typeof data.account_name === 'string' ? { accountName: data.account_name } : {}),
    ...(typeof data.owner_id === 'string' ? { ownerId: data.owner_id } : {}),
  };
}

/** True for a "not found" of something that is no service, which would give the request a number. */
const isElsewhere = ({ kind, code, requestId }: Failure): boolean =>
  kind === 'not_found' && code === undefined && requestId === undefined;

/** Refusals of a sign-in in words that fit it. The service does not say which part is wrong, so neither is said here. */
function refusalOf(failure: Failure, { kind }: Credentials): Failure {
  const { status, requestId, code, details } = failure;
  const facts = { status, requestId, code, cause: failure };
  const refused = status === 401 || status === 403;
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

/** Value of the `Authorization` header for HTTP Basic (Authentication 5). */
function basicHeader(accountId: string, username: string, password: string): string {
  return `Basic ${Buffer.from(`${accountId}:${digest(username, password, 'md5')}`).toString('base64')}`;
}
