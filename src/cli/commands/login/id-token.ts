import { Failure } from '../../../base/failure.ts';
import { isObject } from '../../../base/json.ts';
import { exchange } from '../../../client/api/exchange.ts';
import { refusePlainHttp } from '../../../client/api/transport.ts';
import { apiPartsFor, type SessionParts } from '../../../client/session/session.ts';

/**
 * Returns the ID token by which the runner of this job says which job it is: that of TELCTL_ID_TOKEN, which GitLab and
 * others set, else the one that GitHub Actions gives out for an audience. Throws `Failure`: `usage` where there is none.
 */
export async function readIdToken(parts: SessionParts, audience: string | undefined): Promise<string> {
  const { env } = parts.host;
  const given = env.TELCTL_ID_TOKEN?.trim();
  if (given) return given;
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  if (address && bearer) return requested(parts, { address, bearer, audience });
  throw new Failure('usage', 'There is no ID token of a job here.', {
    hint: 'GitHub Actions needs "permissions: { id-token: write }"; GitLab "id_tokens: { TELCTL_ID_TOKEN: { aud: … } }". Others set TELCTL_ID_TOKEN.',
  });
}

/** What a job of GitHub Actions asks for a token with. */
interface Asking {
  readonly address: string;
  readonly bearer: string;
  readonly audience: string | undefined;
}

async function requested(parts: SessionParts, { address, bearer, audience }: Asking): Promise<string> {
  const url = URL.parse(address);
  if (url === null) throw new Failure('usage', 'ACTIONS_ID_TOKEN_REQUEST_URL is no address.');
  refusePlainHttp(url, false);
  if (audience !== undefined) url.searchParams.set('audience', audience);
  const api = await apiPartsFor(parts, { baseUrl: url.origin, prefix: '', accountId: undefined });
  const { status, text } = await exchange(api, {
    method: 'GET',
    url,
    headers: { accept: 'application/json', 'user-agent': api.userAgent, authorization: `bearer ${bearer}` },
    body: undefined,
    repeat: 'safe',
    shown: url.pathname,
  });
  const value = status === 200 ? tokenIn(text) : undefined;
  if (value !== undefined) return value;
  throw new Failure('auth', `The runner at ${url.origin} gave no ID token (${status}).`);
}

function tokenIn(text: string): string | undefined {
  try {
    const reply: unknown = JSON.parse(text);
    return isObject(reply) && typeof reply.value === 'string' ? reply.value : undefined;
  } catch {
    return undefined;
  }
}
