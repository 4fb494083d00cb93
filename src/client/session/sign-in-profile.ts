import { ignoreFailure } from '../../base/failure.ts';
import { omitUndefined, ownValue, textOrUndefined } from '../../base/json.ts';
import { operationIn } from '../../contract/resource.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import { createApi } from '../api/create-api.ts';
import { checkProfileName, type Profile, readProfiles, type StoredToken } from './profile-store.ts';
import { removeKey, type SecretCommand, warnOfOpenFolder, writeKey } from './secret-sources.ts';
import { apiPartsFor, type SessionParts } from './session.ts';
import { type Credentials, detectPrefix, type SignedIn, signIn } from './sign-in.ts';
import { openTokenCache, profileTokenPath } from './token-cache.ts';
import { saveProfile } from './write-profiles.ts';

export interface ProfileTarget {
  readonly name: string;
  readonly baseUrl: string;
  /** Default: detected by asking the service. */
  readonly prefix?: string | undefined;
  readonly caFile?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly allowHttp?: boolean;
}

export interface ProfileRequest extends ProfileTarget {
  readonly credentials: Credentials;
  readonly keyring?: boolean;
  /** Prints the secret whenever it is needed. The secret is then not stored. */
  readonly secretCommand?: SecretCommand | undefined;
}

export interface RememberedSignIn {
  readonly profile: Profile;
  readonly token: StoredToken;
}

/**
 * Signs in and stores the service, the user, the token, and the API key if there is one, but never a password. Stores
 * nothing if the sign-in fails. Throws `Failure`.
 */
export async function signInProfile(parts: SessionParts, request: ProfileRequest): Promise<RememberedSignIn> {
  const { name, baseUrl, credentials, secretCommand } = request;
  checkProfileName(name);
  const signedIn = await signIn(parts, baseUrl, credentials);
  const signInFields = signInFieldsOf(credentials, request.keyring === true);
  if (secretCommand !== undefined)
    return rememberSignIn(parts, request, signedIn, { ...signInFields, keyStore: 'none', secretCommand });
  const apiKey = credentials.kind === 'api-key' ? credentials.apiKey : undefined;
  return rememberSignIn(parts, request, signedIn, signInFields, apiKey);
}

export async function rememberSignIn(
  parts: SessionParts,
  request: ProfileTarget,
  signedIn: SignedIn,
  signInFields: SignInFields,
  apiKey?: string,
): Promise<RememberedSignIn> {
  const { host } = parts;
  warnOfOpenFolder(host, parts);
  const { name, baseUrl } = request;
  const before = readProfiles(host).profiles.get(name);
  const { token, who } = signedIn;
  const prefix = request.prefix ?? (await detectPrefix(parts, baseUrl, signedIn));
  const accountName = who.accountName ?? (await readAccountName(parts, baseUrl, prefix, signedIn));
  const known = before !== undefined && isSameAccount(before, baseUrl, who.accountId) ? before : undefined;
  const profile: Profile = {
    ...pickPreferences(known),
    name,
    baseUrl,
    prefix,
    ...who,
    ...omitUndefined({ accountName }),
    ...signInFields,
    ...omitUndefined({ caFile: request.caFile, allowHttp: request.allowHttp || undefined }),
    ...pickCertificate(request.clientCert === undefined && known !== undefined ? known : request),
  };
  if (apiKey !== undefined) await writeKey(host, profile, apiKey);
  await saveProfile(host, profile);
  if (before !== undefined && isKeyElsewhere(before, profile)) await removeKey(host, before);
  openTokenCache(host, profileTokenPath(host, name), parts.warn).write(token);
  return { profile, token };
}

const isSameAccount = (before: Profile, baseUrl: string, accountId: string): boolean =>
  before.baseUrl === baseUrl && before.accountId === accountId;

/** Returns true if a new key did not replace the old one. */
const isKeyElsewhere = (before: Profile, now: Profile): boolean =>
  before.keyStore !== now.keyStore || (now.keyStore === 'keyring' && before.baseUrl !== now.baseUrl);

const pickPreferences = ({ protect, account, output, caFile }: Partial<Profile> = {}): Partial<Profile> =>
  omitUndefined({ protect, account, output, caFile });

const pickCertificate = ({ clientCert, clientKey }: ProfileTarget | Profile): Partial<Profile> =>
  clientCert === undefined ? {} : omitUndefined({ clientCert, clientKey });

type SsoKeys = 'ssoProvider' | 'ssoClientId' | 'ssoDiscovery';

export type SignInFields = Pick<
  Profile,
  'method' | 'keyStore' | 'secretCommand' | 'username' | 'identifier' | 'hash' | SsoKeys
>;

function signInFieldsOf(credentials: Credentials, keyring: boolean): SignInFields {
  switch (credentials.kind) {
    case 'api-key':
      return { method: 'api-key', keyStore: keyring ? 'keyring' : 'file' };
    case 'basic':
      return { method: 'basic', keyStore: 'none', username: credentials.username };
    case 'password': {
      const { username, identifier, hash } = credentials;
      return { method: 'password', keyStore: 'none', username, identifier, hash };
    }
  }
}

/** Returns an empty name if the user cannot read the account. */
async function readAccountName(
  parts: SessionParts,
  baseUrl: string,
  prefix: string,
  { token, who: { accountId } }: SignedIn,
): Promise<string | undefined> {
  const headers = { 'x-auth-token': token.token };
  const api = createApi(await apiPartsFor(parts, { baseUrl, prefix, accountId, headers }));
  const reply = await ignoreFailure(api.call({ operation: operationIn(accounts, 'get') }));
  return textOrUndefined(ownValue(reply?.data, 'name'));
}
