import { isObject, type JsonObject, textAt } from '../../../base/json.ts';
import type { Role } from '../../../contract/types.ts';
import type { Behaviour } from '../behaviour.ts';
import { textsAt } from '../fields.ts';
import { apiKeyId } from '../ids-and-secrets.ts';
import { forbidden, notSignedIn, Refusal, unknownId, unknownName } from '../refusal.ts';
import type { IncomingRequest } from '../request.ts';
import type { Services } from '../services.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import type { SecretOwner } from './authority.ts';
import type { Claims } from './signing.ts';

/** The caller: a user, or an account with its API key. */
export interface Principal {
  readonly account: StoredRecord;
  /** Missing for API keys. */
  readonly user?: StoredRecord;
  /** Hash of the API key that the token was issued for. */
  readonly keyId?: string;
  /** Missing for HTTP Basic. */
  readonly token?: string;
  readonly method: string;
}

type IdentityServices = Pick<Services, 'store' | 'behaviour' | 'authority'>;

const isEnabled = (record: StoredRecord): boolean => record.body.enabled !== false;

export const accountRecordName = (id: string) => ({ kind: 'accounts', scope: '', id });
export const userRecordName = (accountId: string, id: string) => ({ kind: 'users', scope: accountId, id });

/** Returns the user or account whose secret is part of a principal's tokens. */
export function tokenSubject({ account, user }: Pick<Principal, 'account' | 'user'>): SecretOwner {
  const record = user ?? account;
  return { id: record.id, secret: textAt(record.hidden, 'secret') ?? '' };
}

/** Returns true for administrators of the account and for its API key. */
export const isAdministrator = ({ user }: Principal): boolean =>
  user === undefined || user.body.priv_level === 'admin';

/** Returns true for administrators of the topmost account. */
export const isSuper = (principal: Principal): boolean =>
  principal.account.hidden.master === true && isAdministrator(principal);

/** Returns the principal of a token. Refuses (401) an invalid token (Authentication 7 and 9). */
export async function verifyToken(
  token: string,
  { store, authority, behaviour }: IdentityServices,
): Promise<Principal> {
  const claims = await authority.read(token);
  const holder = claims && (await findHolder(claims, store, behaviour.identity.tokensSurvive));
  if (!claims || !holder || !(await authority.isBound(claims, tokenSubject(holder)))) throw notSignedIn();
  return { ...holder, token, method: claims.method };
}

type Holder = Pick<Principal, 'account' | 'user' | 'keyId'>;

/** Finds the account and user of a token. With `outlives`, they can be disabled or have a new API key. */
async function findHolder(
  { account_id, owner_id, key_id }: Claims,
  store: Store,
  outlives: boolean,
): Promise<Holder | undefined> {
  const account = await store.get(accountRecordName(account_id));
  if (!account || !(outlives || isEnabled(account))) return undefined;
  if (owner_id !== undefined) {
    const user = await store.get(userRecordName(account_id, owner_id));
    return user && (outlives || isEnabled(user)) ? { account, user } : undefined;
  }
  const isKey = key_id !== undefined && (outlives || account.hidden.key_id === key_id);
  return isKey ? { account, keyId: key_id } : undefined;
}

/** Authenticates HTTP Basic: `<account_id>:<md5 hex of user:password>` (Authentication 5). */
async function basicPrincipal(header: string, means: IdentityServices): Promise<Principal> {
  const [accountId = '', hash = ''] = Buffer.from(header.replace(/^basic\s+/i, ''), 'base64')
    .toString('utf8')
    .split(':');
  const account = await means.store.get(accountRecordName(accountId));
  if (!account || !isEnabled(account)) throw notSignedIn();
  return principalByCredentials(account, 'md5', hash, means.store, 'cb_basic_auth');
}

/**
 * Finds the user with these credentials. `hash` is a hex digest. Refuses wrong credentials (401) and disabled
 * accounts (400).
 */
export async function principalByCredentials(
  account: StoredRecord,
  method: 'md5' | 'sha',
  hash: string,
  store: Store,
  how = 'cb_user_auth',
): Promise<Principal> {
  const key = { field: method, value: hash.toLowerCase() };
  const [user] = await store.list({ kind: 'users', scope: account.id, key, limit: 1 });
  if (!user || !isEnabled(user)) throw notSignedIn('No user has these credentials.');
  refuseDisabled(account);
  return { account, user, method: how };
}

/** Finds the account of an API key. Refuses unknown keys (404) and disabled accounts (400). */
export async function principalByApiKey(
  apiKey: string,
  store: Store,
  behaviour: Behaviour,
): Promise<Principal> {
  const keyId = apiKeyId(apiKey);
  const name = await store.findHolder({ kind: 'accounts', scope: '', field: 'key_id', value: keyId });
  const account = name && (await store.get(name));
  if (!account && behaviour.replies.unknownNames === 'names') throw unknownName(apiKey, behaviour);
  if (!account) {
    throw new Refusal(404, 'bad_identifier', 'No account has this API key.', { message: 'bad identifier' });
  }
  refuseDisabled(account);
  return { account, keyId, method: 'cb_api_auth' };
}

function refuseDisabled(account: StoredRecord): void {
  if (isEnabled(account)) return;
  const message = 'The account is disabled.';
  throw new Refusal(400, 'validation_error', message, { account: { disabled: { message } } });
}

interface PresentedCredentials {
  readonly token: string | undefined;
  readonly authorization: string | undefined;
}

/** Reads credentials from the headers, and with `tokensAnywhere` also from the query and the body. */
export function presentedCredentials(
  { header, query }: Pick<IncomingRequest, 'header' | 'query'>,
  { behaviour }: Services,
  envelope: JsonObject | undefined,
): PresentedCredentials {
  const inHeader = header('x-auth-token');
  const elsewhere = behaviour.requests.tokensAnywhere
    ? (query.get('auth_token') ?? (isObject(envelope) ? textAt(envelope, 'auth_token') : undefined))
    : undefined;
  return { token: inHeader ?? elsewhere, authorization: header('authorization') };
}

/** Authenticates a request by its token or by HTTP Basic. Refuses (401) missing or invalid credentials. */
export async function identifyCaller(
  { token, authorization }: PresentedCredentials,
  { header }: Pick<IncomingRequest, 'header'>,
  services: Services,
): Promise<Principal> {
  const principal = await principalOfCredentials({ token, authorization }, services);
  const claimed = services.behaviour.requests.tokensAnywhere ? header('x-auth-account-id') : undefined;
  if (claimed !== undefined && claimed !== principal.account.id) throw notSignedIn();
  return principal;
}

function principalOfCredentials(
  { token, authorization }: PresentedCredentials,
  services: Services,
): Promise<Principal> {
  if (token) return verifyToken(token, services);
  if (authorization && /^basic\s/i.test(authorization)) return basicPrincipal(authorization, services);
  throw notSignedIn('The request has no token.');
}

const isInTree = (caller: Principal, account: StoredRecord): boolean =>
  account.id === caller.account.id || textsAt(account.hidden, 'tree').includes(caller.account.id);

/** Returns an account in the caller's tree. Refuses unknown accounts (404) and accounts outside the tree (403). */
export async function reachableAccount(
  id: string,
  caller: Principal,
  store: Store,
  isOpen = false,
): Promise<StoredRecord> {
  const account = id === caller.account.id ? caller.account : await store.get(accountRecordName(id));
  if (!account) throw unknownId(id);
  if (!isInTree(caller, account) && !isOpen)
    throw forbidden('The account is outside your part of the account tree.');
  return account;
}

/** Refuses (403) callers without the role of an operation. */
export function refuseOtherRoles(
  role: Role,
  caller: Principal,
  { account_id: accountId, user_id: userId }: Readonly<Record<string, string | undefined>>,
): void {
  switch (role) {
    case 'tree':
      return;
    case 'above':
      if (caller.account.id !== accountId) return;
      throw forbidden('Only an account above may do this.');
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
