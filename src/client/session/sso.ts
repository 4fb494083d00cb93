import { Failure } from '../../base/failure.ts';
import { operationIn } from '../../contract/resource.ts';
import { links } from '../../contract/resources/links.ts';
import { tokens } from '../../contract/resources/tokens.ts';
import { callForToken, createApi } from '../api/create-api.ts';
import { apiPartsFor, type SessionParts } from './session.ts';
import { lifetimeMs, type SignedIn, whoOf } from './sign-in.ts';
import { claimsOf } from './token-cache.ts';

/** The grant that a provider handed out, with the proof that it was handed out to this run. */
export interface Grant {
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

/**
 * Hands a code to the service (Authentication 10). Throws `Failure`: `auth` where the service, or the provider that
 * it asks, does not take it.
 */
export async function redeemGrant(parts: SessionParts, baseUrl: string, grant: Grant): Promise<GrantOutcome> {
  const { provider, clientId, code, redirectUri, state, nonce, codeVerifier } = grant;
  return handedIn(parts, baseUrl, {
    operation: operationIn(tokens, 'callback'),
    data: {
      provider,
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      state,
      nonce,
      ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
    },
  }).catch((error: unknown) => {
    throw error instanceof Failure ? refusalOf(error, `code from ${provider}`, codeVerifier) : error;
  });
}

/**
 * Hands an ID token to the service that another program got from a provider, such as the runner of a job. Throws
 * `Failure`: `auth` where the service does not take it.
 */
export async function redeemIdToken(
  parts: SessionParts,
  baseUrl: string,
  { provider, token }: { readonly provider: string; readonly token: string },
): Promise<GrantOutcome> {
  return handedIn(parts, baseUrl, {
    operation: operationIn(tokens, 'authorize'),
    data: { provider, token },
  }).catch((error: unknown) => {
    throw error instanceof Failure ? refusalOf(error, `ID token of ${provider}`) : error;
  });
}

async function handedIn(
  parts: SessionParts,
  baseUrl: string,
  call: Parameters<typeof callForToken>[1],
): Promise<GrantOutcome> {
  const issuedAtMs = parts.host.clock.now();
  const api = await apiPartsFor(parts, { baseUrl, prefix: '', accountId: undefined });
  const { token, reply } = await callForToken(api, call);
  const who = whoOf(reply.data);
  if (who === undefined) return { kind: 'not-linked', linkId: linkIn(token) };
  if (token === undefined) {
    throw new Failure('failed', `${baseUrl} accepted the sign-in but gave no token.`, {
      requestId: reply.requestId,
    });
  }
  const kept = { token, issuedAtMs, expiresAtMs: issuedAtMs + lifetimeMs };
  return { kind: 'signed-in', signedIn: { token: kept, who } };
}

function refusalOf(failure: Failure, what: string, codeVerifier?: string): Failure {
  const { status, requestId, code } = failure;
  if (status !== 401 && status !== 403) return failure;
  const facts = { status, requestId, code, cause: failure };
  return new Failure('auth', `The service did not take the ${what}: ${failure.message}`, {
    ...facts,
    ...(codeVerifier === undefined
      ? {}
      : { hint: "If the service does not hand PKCE's verifier on, sign in with --no-pkce." }),
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
