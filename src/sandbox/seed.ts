import type { Clock, Random } from '../base/host/host.ts';
import type { JsonObject } from '../base/json.ts';
import type { ResourceName } from '../contract/types.ts';
import { authoritySettings, type SigningKey } from './identity/authority.ts';
import { apiKeyId, credentialHashes, gregorianSeconds, newApiKey, newId, newSecret } from './made-values.ts';
import { putOf } from './placement.ts';
import { newRecord, type Put, type Store, type StoredRecord } from './store/store.ts';
import { numberPlace } from './telephony/numbers.ts';

/** SSO providers that a fresh sandbox knows. Their addresses lead nowhere: whoever tries single sign-on gives them others. */
const seededProviders = [
  {
    id: 'google',
    provider_type: 'oauth',
    auth_module: 'oauth',
    auth_url: 'https://accounts.google.example/auth',
    access_code_url: 'https://accounts.google.example/token',
    discovery: 'https://accounts.google.example/.well-known/openid-configuration',
    issuer_domains: ['accounts.google.example'],
  },
  {
    id: 'office365',
    provider_type: 'oauth',
    auth_module: 'oauth',
    auth_url: 'https://login.office365.example/authorize',
    access_code_url: 'https://login.office365.example/token',
    discovery: 'https://login.office365.example/.well-known/openid-configuration',
    issuer_domains: ['login.office365.example'],
  },
  { id: 'duo', provider_type: 'multi_factor', enabled: false, name: 'Duo', provider_name: 'duo' },
] as const;

/** The accounts and users of a fresh sandbox, with the clear secrets that its store does not keep. */
export interface Seed {
  readonly masterAccountId: string;
  readonly superUsername: 'super';
  readonly superPassword: string;
  readonly accountId: string;
  readonly accountName: 'acme';
  readonly accountRealm: string;
  /** A number of the account, to sign in by. */
  readonly phoneNumber: string;
  readonly apiKey: string;
  readonly adminUsername: 'admin';
  readonly adminPassword: string;
  readonly adminUserId: string;
}

const seededSelectors = [
  { name: 'emergency', resource: 'sandbox-carrier', selector: 'number', value: '911' },
  { name: 'domestic', resource: 'sandbox-carrier', selector: 'prefix', value: '+1' },
];

const accountRealm = 'acme.sandbox.example';
const phoneNumber = '+15555550199';

const platformBody = { name: 'platform', realm: 'platform.sandbox.example', enabled: true };
const acmeBody = {
  name: 'acme',
  realm: accountRealm,
  language: 'en-US',
  timezone: 'Europe/London',
  enabled: true,
};

interface Making {
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes new records, all of this moment. */
function makerOf({ clock, random }: Making) {
  const now = gregorianSeconds(clock);
  const put = (
    kind: ResourceName,
    scope: string,
    id: string,
    body: JsonObject,
    hidden: JsonObject = {},
  ): Put => putOf(newRecord({ kind, scope, id }, body, now, hidden), kind);
  const account = (id: string, body: JsonObject, hidden: JsonObject, apiKey = newApiKey(random)): Put => {
    const keys = { secret: newSecret(random), api_key: apiKey, key_id: apiKeyId(apiKey) };
    return put('accounts', '', id, body, { ...keys, ...hidden });
  };
  const administrator = (
    [accountId, id]: readonly [string, string],
    [username, clear]: readonly [string, string],
    body: JsonObject,
  ): Put =>
    put(
      'users',
      accountId,
      id,
      { username, priv_level: 'admin', enabled: true, ...body },
      { ...credentialHashes(username, clear), secret: newSecret(random) },
    );
  return { put, account, administrator };
}

function contentOf(account: StoredRecord, seed: Seed, parts: Making): readonly Put[] {
  const { put, administrator } = makerOf(parts);
  if (account.id === seed.masterAccountId) {
    const names = { first_name: 'Super', last_name: 'Administrator' };
    return [
      administrator([account.id, newId(parts.random)], [seed.superUsername, seed.superPassword], names),
    ];
  }
  if (account.id !== seed.accountId) return [];
  const profile = { first_name: 'Acme', last_name: 'Admin', email: 'admin@acme.example' };
  return [
    administrator([account.id, seed.adminUserId], [seed.adminUsername, seed.adminPassword], profile),
    put(
      'numbers',
      '',
      seed.phoneNumber,
      { state: 'in_service', assigned_to: account.id },
      numberPlace(account),
    ),
    // Selectors have no operation that makes them: two are there to try the others with.
    ...seededSelectors.map((body) => put('selectors', account.id, newId(parts.random), body)),
  ];
}

/**
 * Makes the content that an emptied account begins with again: the seeded ones what they had, all others nothing. Its
 * API key and its place in the tree stay.
 */
export function reseeded(account: StoredRecord, seed: Seed, parts: Making): readonly Put[] {
  const body =
    account.id === seed.accountId ? acmeBody : account.id === seed.masterAccountId ? platformBody : undefined;
  return [
    ...(body ? [putOf({ ...account, body, modifiedAt: gregorianSeconds(parts.clock) }, 'accounts')] : []),
    ...contentOf(account, seed, parts),
  ];
}

/**
 * Fills an empty store: the account `platform` of the super administrator, below it the account `acme` with the
 * administrator `admin`, and the SSO providers. Passwords and API keys are new for every sandbox.
 */
export async function seedSandbox(
  store: Store,
  parts: Making & {
    /** Key pair that signs tokens; left out: one is made before the first token. */
    readonly signingKey?: SigningKey | undefined;
    /** API key of acme; left out: a new one. */
    readonly apiKey?: string | undefined;
  },
): Promise<Seed> {
  const { random, signingKey } = parts;
  const { put, account } = makerOf(parts);
  const password = (): string => Buffer.from(random.bytes(18)).toString('base64url');
  const [masterAccountId, accountId] = [newId(random), newId(random)];
  const [superPassword, adminPassword] = [password(), password()];
  const platform = account(masterAccountId, platformBody, { master: true, reseller: true, tree: [] });
  const hidden = {
    parent: masterAccountId,
    tree: [masterAccountId],
    reseller_id: masterAccountId,
    wnm_allow_additions: true,
  };
  const acme = account(accountId, acmeBody, hidden, parts.apiKey);
  const seed: Seed = {
    masterAccountId,
    superUsername: 'super',
    superPassword,
    accountId,
    accountName: 'acme',
    accountRealm,
    phoneNumber,
    apiKey: String(acme.record.hidden.api_key),
    adminUsername: 'admin',
    adminPassword,
    adminUserId: newId(random),
  };
  await store.commit([
    ...authoritySettings(random, signingKey),
    platform,
    acme,
    ...contentOf(platform.record, seed, parts),
    ...contentOf(acme.record, seed, parts),
    ...seededProviders.map(({ id, ...body }) => put('providers', '', id, body)),
  ]);
  return seed;
}

export const isSeeded = async (store: Store): Promise<boolean> =>
  (await store.setting('system_secret')) !== undefined;
