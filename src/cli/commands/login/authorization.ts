import { createHash, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../../base/failure.ts';
import type { Random } from '../../../base/host/host.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { exchange } from '../../../client/api/exchange.ts';
import { refusePlainHttp } from '../../../client/api/transport.ts';
import { apiPartsFor, type SessionParts } from '../../../client/session/session.ts';

/** Facts of a provider that are needed to send somebody there. */
export interface SignInPage {
  readonly issuer: string;
  readonly address: URL;
  /** The provider says with every answer who it is (RFC 9207). */
  readonly namesIssuer: boolean;
}

/** A sign-in that was begun, and by what its answer is known. */
export interface Authorization {
  /** Address that the browser is to go to. */
  readonly address: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string | undefined;
  readonly page: SignInPage;
}

/** Reads a provider's discovery document. Throws `Failure` where there is none, or its page is not safe to go to. */
export async function readSignInPage(parts: SessionParts, discovery: string): Promise<SignInPage> {
  const url = URL.parse(discovery);
  if (url === null) throw new Failure('usage', `${discovery} is not the address of a discovery document.`);
  refusePlainHttp(url, false);
  const api = await apiPartsFor(parts, { baseUrl: url.origin, prefix: '', accountId: undefined });
  const { status, text } = await exchange(api, {
    method: 'GET',
    url,
    headers: { accept: 'application/json', 'user-agent': api.userAgent },
    body: undefined,
    repeat: 'safe',
    shown: url.pathname,
  });
  const document = status === 200 ? parsed(text) : undefined;
  const known = isObject(document) ? document : {};
  const { issuer, authorization_endpoint, authorization_response_iss_parameter_supported } = known;
  const address = typeof authorization_endpoint === 'string' ? URL.parse(authorization_endpoint) : null;
  if (typeof issuer !== 'string' || address === null) {
    throw new Failure('failed', `${discovery} is not an OpenID discovery document.`, {
      hint: "Give the provider's own with --discovery URL.",
    });
  }
  refusePlainHttp(address, false);
  return { issuer, address, namesIssuer: authorization_response_iss_parameter_supported === true };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Beginning {
  readonly page: SignInPage;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly random: Random;
  readonly pkce: boolean;
}

/** Begins a sign-in: authorization code, with a state, a nonce and (unless it is told not to) PKCE by S256. */
export function beginAuthorization({ page, clientId, redirectUri, random, pkce }: Beginning): Authorization {
  const secret = (): string => Buffer.from(random.bytes(32)).toString('base64url');
  const [state, nonce, verifier] = [secret(), secret(), secret()];
  const address = new URL(page.address);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    ...(pkce
      ? {
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          code_challenge_method: 'S256',
        }
      : {}),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const codeVerifier = pkce ? verifier : undefined;
  return { address: address.href, redirectUri, state, nonce, codeVerifier, page };
}

export function hasState({ state }: Authorization, params: URLSearchParams): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(params.get('state') ?? ''), digest(state));
}

/**
 * The code of an answer. Throws `Failure` of kind `auth` where the answer belongs to another sign-in, comes from
 * another provider, or says no.
 */
export function codeIn(authorization: Authorization, params: URLSearchParams): string {
  const { page } = authorization;
  if (!hasState(authorization, params)) {
    throw new Failure('auth', 'The answer belongs to another sign-in.', { hint: 'Begin again.' });
  }
  const issuer = params.get('iss');
  if (issuer === null ? page.namesIssuer : issuer !== page.issuer) {
    throw new Failure('auth', `The answer does not come from ${page.issuer}.`, { hint: 'Begin again.' });
  }
  const error = params.get('error');
  if (error !== null) {
    const more = params.get('error_description') ?? error;
    throw new Failure('auth', `${page.issuer} did not sign you in: ${more}`);
  }
  const code = params.get('code');
  if (code !== null && code !== '') return code;
  throw new Failure('auth', `The answer of ${page.issuer} has no code.`, { hint: 'Begin again.' });
}

/** The code in what somebody pasted: the code itself, or the whole address that the browser ended at. */
export function codeInPasted(authorization: Authorization, pasted: string): string {
  const text = pasted.trim();
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  if (url !== null) return codeIn(authorization, url.searchParams);
  if (text !== '') return text;
  throw new Failure('usage', 'No code was given.', { hint: 'Paste it, or give it with --code-stdin.' });
}
