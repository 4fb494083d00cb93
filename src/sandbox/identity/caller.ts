import { isObject, type JsonObject } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import { notSignedIn } from '../refusal.ts';
import type { Incoming } from '../request.ts';
import type { Services } from '../services.ts';
import { basicHolder, holderOf, type Principal } from './principal.ts';

/** What a request says of who sends it: a token, or the `Authorization` header. */
export interface Presented {
  readonly token: string | undefined;
  readonly authorization: string | undefined;
}

/** Reads who is said to call: from the header, and where the service takes them there from the query and the body. */
export function presentedBy(
  { header, query }: Pick<Incoming, 'header' | 'query'>,
  { behaviour }: Services,
  envelope: JsonObject | undefined,
): Presented {
  const inHeader = header('x-auth-token');
  const elsewhere = behaviour.requests.tokensAnywhere
    ? (query.get('auth_token') ?? (isObject(envelope) ? textAt(envelope, 'auth_token') : undefined))
    : undefined;
  return { token: inHeader ?? elsewhere, authorization: header('authorization') };
}

/** Who sends a request: by its token, or by HTTP Basic. Refuses (401) who does not say. */
export async function callerOf(
  { token, authorization }: Presented,
  { header }: Pick<Incoming, 'header'>,
  services: Services,
): Promise<Principal> {
  const principal = await holderBy({ token, authorization }, services);
  const claimed = services.behaviour.requests.tokensAnywhere ? header('x-auth-account-id') : undefined;
  if (claimed !== undefined && claimed !== principal.account.id) throw notSignedIn();
  return principal;
}

function holderBy({ token, authorization }: Presented, services: Services): Promise<Principal> {
  if (token) return holderOf(token, services);
  if (authorization && /^basic\s/i.test(authorization)) return basicHolder(authorization, services);
  throw notSignedIn('The request carries no token.');
}
