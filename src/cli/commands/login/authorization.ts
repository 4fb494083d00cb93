import { createHash, timingSafeEqual } from 'node:crypto';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Random } from '../../../base/host/host.ts';
import { isObject, type JsonObject, parseJson } from '../../../base/json.ts';
import { createApi } from '../../../client/api/create-api.ts';
import { exchange } from '../../../client/api/exchange.ts';
import { refusePlainHttp } from '../../../client/api/transport.ts';
import type { Profile } from '../../../client/session/profile-store.ts';
import { apiPartsFor, type SessionParts } from '../../../client/session/session.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { Context } from '../../command/context.ts';

export interface SignInPage {
  readonly issuer: string;
  readonly address: URL;
  /** The provider names itself in every response (RFC 9207). */
  readonly namesIssuer: boolean;
}

/** A started sign-in, with the values that identify its response. */
export interface Authorization {
  readonly address: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string | undefined;
  readonly page: SignInPage;
}

/** Reads a provider's discovery document. Throws `Failure` if it is missing or its sign-in address is not safe. */
export async function readSignInPage(parts: SessionParts, discovery: string): Promise<SignInPage> {
  const url = URL.parse(discovery);
  if (url === null)
    throw new Failure('usage', `${discovery} is not a valid address of a discovery document.`);
  const { reply: known } = await fetchJson(parts, url);
  const { issuer, authorization_endpoint, authorization_response_iss_parameter_supported } = known;
  const address = typeof authorization_endpoint === 'string' ? URL.parse(authorization_endpoint) : null;
  if (typeof issuer !== 'string' || address === null) {
    throw new Failure('failed', `${discovery} is not an OpenID discovery document.`, {
      hint: "Pass the provider's document with --discovery URL.",
    });
  }
  refusePlainHttp(address, false);
  return { issuer, address, namesIssuer: authorization_response_iss_parameter_supported === true };
}

async function fetchJson(parts: SessionParts, url: URL, headers: Readonly<Record<string, string>> = {}) {
  refusePlainHttp(url, false);
  const api = await apiPartsFor(parts, { baseUrl: url.origin, prefix: '', accountId: undefined });
  const { status, text } = await exchange(api, {
    method: 'GET',
    url,
    headers: { accept: 'application/json', 'user-agent': api.userAgent, ...headers },
    body: undefined,
    repeat: 'safe',
    shown: url.pathname,
  });
  const reply = status === 200 ? parseJson(text) : undefined;
  return { status, reply: isObject(reply) ? reply : {} };
}

interface AuthorizationRequest {
  readonly page: SignInPage;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly random: Random;
  readonly pkce: boolean;
}

/** Starts a sign-in: authorization code with state, nonce and, by default, PKCE with S256. */
export function beginAuthorization({
  page,
  clientId,
  redirectUri,
  random,
  pkce,
}: AuthorizationRequest): Authorization {
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

/** Returns the code of a response. Throws `auth` for a refusal, or a response to another sign-in. */
export function readCode(authorization: Authorization, params: URLSearchParams): string {
  const { page } = authorization;
  if (!hasState(authorization, params)) {
    throw new Failure('auth', 'The response belongs to another sign-in.', { hint: 'Start again.' });
  }
  const issuer = params.get('iss');
  if (issuer === null ? page.namesIssuer : issuer !== page.issuer) {
    throw new Failure('auth', `The response does not come from ${page.issuer}.`, { hint: 'Start again.' });
  }
  const error = params.get('error');
  if (error !== null) {
    const more = params.get('error_description') ?? error;
    throw new Failure('auth', `${page.issuer} did not sign you in: ${more}`);
  }
  const code = params.get('code');
  if (code !== null && code !== '') return code;
  throw new Failure('auth', `The response of ${page.issuer} has no code.`, { hint: 'Start again.' });
}

/** Accepts the code itself, or the final address of the browser. */
export function readPastedCode(authorization: Authorization, pasted: string): string {
  const text = pasted.trim();
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  if (url !== null) return readCode(authorization, url.searchParams);
  if (text !== '') return text;
  throw new Failure('usage', 'No code was given.', { hint: 'Paste it, or pass it with --code-stdin.' });
}

/** Returns the ID token of this job from TELCTL_ID_TOKEN or GitHub Actions. Throws `usage` without one. */
export async function readIdToken(parts: SessionParts, audience: string | undefined): Promise<string> {
  const { env } = parts.host;
  const given = env.TELCTL_ID_TOKEN?.trim();
  if (given) return given;
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  if (address && bearer) return requestIdToken(parts, address, bearer, audience);
  throw new Failure('usage', 'This job has no ID token.', {
    hint: 'GitHub Actions needs "permissions: { id-token: write }"; GitLab "id_tokens: { TELCTL_ID_TOKEN: { aud: … } }". Others set TELCTL_ID_TOKEN.',
  });
}

async function requestIdToken(
  parts: SessionParts,
  address: string,
  bearer: string,
  audience: string | undefined,
): Promise<string> {
  const url = URL.parse(address);
  if (url === null) throw new Failure('usage', 'ACTIONS_ID_TOKEN_REQUEST_URL is not a valid address.');
  if (audience !== undefined) url.searchParams.set('audience', audience);
  const { status, reply } = await fetchJson(parts, url, { authorization: `bearer ${bearer}` });
  if (typeof reply.value === 'string') return reply.value;
  throw new Failure('auth', `The runner at ${url.origin} returned no ID token (${status}).`);
}

export interface SsoClient {
  readonly provider: string;
  readonly clientId: string;
  readonly discovery: string;
}

interface ClientSearch {
  readonly provider: string;
  readonly clientId: string | undefined;
  readonly discovery: string | undefined;
  readonly baseUrl: string;
  readonly again: Profile | undefined;
  token(): Promise<string | undefined>;
}

/** Finds the application in the options, the last sign-in, or the service. Throws `usage`. */
export async function findClient(context: Context, search: ClientSearch): Promise<SsoClient> {
  const { provider, again, baseUrl } = search;
  const before = again?.ssoProvider === provider ? again : undefined;
  const clientId = search.clientId ?? before?.ssoClientId;
  const discovery = search.discovery ?? before?.ssoDiscovery;
  if (clientId !== undefined && discovery !== undefined) return { provider, clientId, discovery };
  const token = await search.token();
  if (token === undefined) {
    throw new Failure('usage', `${baseUrl} shows the settings of ${provider} only to signed-in users.`, {
      hint: 'Pass --client-id ID and --discovery URL, or your own --username and account.',
    });
  }
  const address = { baseUrl, prefix: '', accountId: undefined, headers: { 'x-auth-token': token } };
  const api = createApi(await apiPartsFor(context.sessionParts(), address));
  const discoveryOf = async (): Promise<string> => {
    const operation = operationById('providers.get');
    const { data } = await api.call({ operation, path: { provider_id: provider } });
    return addressIn(isObject(data) ? data : {}, provider);
  };
  const applications = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const page of api.pages({ operation: operationById('apps.list') })) {
      for (const app of page) {
        if (app.provider === provider && typeof app.id === 'string') found.push(app.id);
      }
    }
    return found;
  };
  return {
    provider,
    clientId: clientId ?? onlyApplication(await applications(), provider),
    discovery: discovery ?? (await discoveryOf()),
  };
}

function onlyApplication([first, ...others]: readonly string[], provider: string): string {
  if (first === undefined) {
    throw new Failure('usage', `No SSO application of your account uses ${provider}.`, {
      hint: createHint`See: ${nextStep`sso apps list`}`,
    });
  }
  if (others.length === 0) return first;
  throw new Failure('usage', `Several SSO applications use ${provider}: ${[first, ...others].join(', ')}.`, {
    hint: 'Choose one with --client-id ID.',
  });
}

function addressIn({ discovery }: JsonObject, provider: string): string {
  if (typeof discovery === 'string' && discovery !== '') return discovery;
  throw new Failure('usage', `The service does not give the address of ${provider}.`, {
    hint: 'Give --discovery URL.',
  });
}
