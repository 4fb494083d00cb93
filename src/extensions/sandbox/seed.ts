import { createHint, Failure, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { type JsonObject, parseJson } from '../../base/json.ts';
import { errorMessage } from '../../base/wording.ts';
import type { ResourceName } from '../../contract/types.ts';
import { openAdjustableClock } from './control/adjustable-clock.ts';
import { authoritySettings, type SigningKey } from './identity/authority.ts';
import {
  apiKeyId,
  credentialDigests,
  gregorianSeconds,
  newApiKey,
  newId,
  newSecret,
} from './ids-and-secrets.ts';
import { buildPut } from './placement.ts';
import { parseSeed, readState, type Seed } from './running-state.ts';
import {
  allSandboxPaths,
  databasePath,
  type RecordStorage,
  sandboxNameOption,
  seedPath,
} from './sandbox-paths.ts';
import { openStore } from './store/sqlite-store.ts';
import { newRecord, type Put, type Store, type StoredRecord } from './store/store.ts';
import { ownerFields } from './telephony/numbers.ts';

/** SSO providers of a new sandbox. Their addresses do not exist, so tests of single sign-on replace them. */
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

type SeedParts = Pick<Host, 'clock' | 'random'>;

/** Returns functions that build new records with the current time. */
function recordMaker({ clock, random }: SeedParts) {
  const now = gregorianSeconds(clock);
  const put = (
    kind: ResourceName,
    scope: string,
    id: string,
    body: JsonObject,
    hidden: JsonObject = {},
  ): Put => buildPut(newRecord({ kind, scope, id }, body, now, hidden), kind);
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
      { ...credentialDigests(username, clear), secret: newSecret(random) },
    );
  return { put, account, administrator };
}

function seededRecords(account: StoredRecord, seed: Seed, parts: SeedParts): readonly Put[] {
  const { put, administrator } = recordMaker(parts);
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
      ownerFields(account),
    ),
    // Selectors are seeded because no operation creates them.
    ...seededSelectors.map((body) => put('selectors', account.id, newId(parts.random), body)),
  ];
}

/** Returns the initial records of a reset account. It keeps its API key and its place in the tree. */
export function resetRecords(account: StoredRecord, seed: Seed, parts: SeedParts): readonly Put[] {
  const body =
    account.id === seed.accountId ? acmeBody : account.id === seed.masterAccountId ? platformBody : undefined;
  return [
    ...(body ? [buildPut({ ...account, body, modifiedAt: gregorianSeconds(parts.clock) }, 'accounts')] : []),
    ...seededRecords(account, seed, parts),
  ];
}

/**
 * Seeds an empty store with the account `platform` of the super administrator, its child account `acme` with the
 * administrator `admin`, and SSO providers. Passwords and API keys are random.
 */
export async function seedSandbox(
  store: Store,
  parts: SeedParts & {
    /** Key pair that signs tokens (default: generated before the first token). */
    readonly signingKey?: SigningKey | undefined;
    /** API key of acme (default: generated). */
    readonly apiKey?: string | undefined;
  },
): Promise<Seed> {
  const { random, signingKey } = parts;
  const { put, account } = recordMaker(parts);
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
    ...seededRecords(platform.record, seed, parts),
    ...seededRecords(acme.record, seed, parts),
    ...seededProviders.map(({ id, ...body }) => put('providers', '', id, body)),
  ]);
  return seed;
}

/** Setting that contains the seed of a snapshot. */
export const seedSetting = 'seed';

/** SQLite error code for a database in use. */
const sqliteBusy = 5;

/** Creates the error that names the sandbox that uses the records, and how to stop it. */
function recordsInUse(host: Host, folder: string, cause: unknown): Failure {
  const holder = allSandboxPaths(host)
    .map((paths) => ({ paths, state: readState(host, paths) }))
    .find(({ state }) => state?.folder === folder && host.processes.isAlive(state.pid));
  const elsewhere = 'or choose another folder with --data';
  if (!holder?.state)
    return new Failure('failed', `another sandbox uses the records in ${folder}.`, {
      hint: `Stop the process that has ${databasePath(folder)} open, ${elsewhere}.`,
      cause,
    });
  const { paths, state } = holder;
  return new Failure(
    'failed',
    `the sandbox ${paths.name} (process ${state.pid}) uses the records in ${folder}.`,
    { hint: createHint`${nextStep`sandbox stop ${sandboxNameOption(paths)}`}, ${elsewhere}.`, cause },
  );
}

function openRecords(host: Host, storage: RecordStorage) {
  if (storage.kind === 'memory') return openStore(':memory:');
  const path = databasePath(storage.folder);
  try {
    // The empty file is created with private permissions, because SQLite copies them to its other files.
    if (host.files.sizeOf(path) === undefined) host.files.writePrivate(path, '');
    return openStore(path);
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)
      throw recordsInUse(host, storage.folder, error);
    throw unusableDatabase(storage.folder, error);
  }
}

const unusableDatabase = (folder: string, cause: unknown): Failure =>
  new Failure('failed', `${databasePath(folder)} cannot be used: ${errorMessage(cause)}.`, {
    hint: `Fix it, or choose another folder with --data. To start with new records, move ${folder} away.`,
    cause,
  });

/** Writes the seed next to the database, because the database does not contain plain passwords. */
export function writeSeed({ files }: Host, storage: RecordStorage, seed: Seed): void {
  if (storage.kind === 'folder')
    files.writePrivate(seedPath(storage.folder), `${JSON.stringify(seed, null, 2)}\n`);
}

/** Reads the seed next to a database. Throws `Failure` if it is missing or damaged. */
function readSeed({ files }: Host, folder: string): Seed {
  const path = seedPath(folder);
  const text = files.readText(path)?.text;
  const seed = text === undefined ? undefined : parseSeed(parseJson(text));
  if (seed !== undefined) return seed;
  const why = text === undefined ? 'missing' : 'damaged';
  throw new Failure('failed', `${path} is ${why}. It contains the passwords of the sandbox.`, {
    hint: createHint`Start with new records: ${nextStep`sandbox reset`}, or choose another folder with --data.`,
  });
}

/** Opens the records and the clock of a sandbox, and seeds new records. Throws `Failure` if they cannot be used. */
export async function openSeeded(host: Host, storage: RecordStorage, apiKey?: string) {
  const store = openRecords(host, storage);
  try {
    const clock = await openAdjustableClock(host.clock, store);
    const isNew = storage.kind === 'memory' || (await store.setting('system_secret')) === undefined;
    // A loaded snapshot contains its seed. The process may have crashed before it wrote the seed file.
    const brought = isNew ? undefined : parseSeed(parseJson((await store.setting(seedSetting)) ?? ''));
    const seed: Seed = isNew
      ? await seedSandbox(store, { clock, random: host.random, apiKey })
      : brought === undefined
        ? readSeed(host, storage.folder)
        : brought;
    if (isNew || brought !== undefined) writeSeed(host, storage, seed);
    return { store, clock, seed };
  } catch (error) {
    await store.close();
    // Damage inside the database is only detected by reading it.
    const isDatabase = error instanceof Error && 'errcode' in error;
    throw isDatabase && storage.kind === 'folder' ? unusableDatabase(storage.folder, error) : error;
  }
}
