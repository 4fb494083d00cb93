import { isObject, type JsonObject } from '../../base/json.ts';
import type { Role } from '../../contract/types.ts';
import { textAt, textsAt } from '../fields.ts';
import { forbidden, notSignedIn, unknownId } from '../refusal.ts';
import type { Incoming } from '../request.ts';
import type { Services } from '../services.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { accountName, basicHolder, holderOf, isAdministrator, isSuper, type Principal } from './principal.ts';

/** Credentials in a request: a token, or the `Authorization` header. */
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

/** Finds the sender of a request: by its token, or by HTTP Basic. Refuses (401) a request without credentials. */
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

/** Tells whether an account is the caller's own or below it. */
const isInTree = (caller: Principal, account: StoredRecord): boolean =>
  account.id === caller.account.id || textsAt(account.hidden, 'tree').includes(caller.account.id);

/**
 * The account of that id, where the caller may see it. Refuses an unknown one (404) and one that is neither the
 * caller's nor below it (403).
 */
export async function reachableAccount(id: string, caller: Principal, store: Store): Promise<StoredRecord> {
  const account = id === caller.account.id ? caller.account : await store.get(accountName(id));
  if (!account) throw unknownId(id);
  if (!isInTree(caller, account)) throw forbidden('The account is outside your part of the account tree.');
  return account;
}

/** Refuses (403) callers who do not have an operation's role. `userId` is the user in the path. */
export function refuseOtherRoles(role: Role, caller: Principal, userId: string | undefined): void {
  switch (role) {
    case 'tree':
      return;
    case 'super':
      if (isSuper(caller)) return;
      throw forbidden('Only the super administrator may do this.');
    case 'self':
      if (userId !== undefined && caller.user?.id === userId) return;
      if (isAdministrator(caller)) return;
      throw forbidden('Only that user or an administrator of the account may do this.');
    case 'admin':
      if (isAdministrator(caller)) return;
      throw forbidden('Only an administrator of the account may do this.');
  }
}
