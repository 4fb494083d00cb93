import { resolve } from 'node:path';
import { Failure, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { shortId } from '../../../base/wording.ts';
import { storedName } from '../../../client/session/choose-identity.ts';
import { environmentIdentity, identityKey } from '../../../client/session/environment-session.ts';
import { secretPlaces } from '../../../client/session/open-session.ts';
import {
  findProfile,
  noProfileFailure,
  type Profile,
  readProfiles,
} from '../../../client/session/profile-store.ts';
import { parsePrefix, type Setting } from '../../../client/session/settings.ts';
import {
  environmentTokenPath,
  openTokenCache,
  profileTokenPath,
} from '../../../client/session/token-cache.ts';
import { changeProfiles, deleteProfile, signOutProfile } from '../../../client/session/write-profiles.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { confirmChange } from '../change.ts';
import { describeSecretPlaces } from '../labels.ts';
import type { optionalProfile, profileArguments, setOptions } from './commands.ts';

export async function listProfiles(_: unknown, context: Context): Promise<ListResult> {
  const { profiles, defaultName } = readProfiles(context.host);
  return {
    kind: 'list',
    items: [...profiles.values()].map((profile) => ({
      ...profileValue(profile, defaultName),
      signed_in: isSignedIn(context, profile),
    })),
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'DEFAULT', paths: ['default'], show: 'flag' },
      { header: 'SERVICE', paths: ['base_url'] },
      { header: 'ACCOUNT', paths: ['account_name'] },
      { header: 'SIGN-IN', paths: ['method'] },
      { header: 'SIGNED IN', paths: ['signed_in'], show: 'flag' },
      { header: 'PROTECTION', paths: ['protect'] },
    ],
    noun: 'profiles',
  };
}

/** Shows a stored profile. Sends no requests. */
export async function showProfile(
  input: InputOf<Record<never, never>, typeof optionalProfile>,
  { host, settings, notices }: Context,
): Promise<Result> {
  const stored = readProfiles(host);
  const name = input.name ?? storedName(settings, stored);
  if (name === undefined) throw noProfileFailure();
  const profile = findProfile(stored, name);
  const token = openTokenCache(host, profileTokenPath(host, name), notices.warn).read();
  const places = secretPlaces({ host }, profile, token !== undefined);
  const id = host.stdout.isTTY ? shortId(profile.accountId) : profile.accountId;
  const { username, account, output, caFile, clientCert, learned } = profile;
  return {
    kind: 'item',
    value: { ...profileValue(profile, stored.defaultName), secrets: places },
    rows: [
      ['Profile', name === stored.defaultName ? `${name}  (default)` : name],
      ['Service', profile.baseUrl],
      ['Prefix', profile.prefix === '' ? 'none' : profile.prefix],
      ['Account', [profile.accountName, id].filter(Boolean).join('  ')],
      ['Sign-in', username === undefined ? profile.method : `${profile.method} as ${username}`],
      ['Protection', profile.protect ?? 'none'],
      ...(account === undefined ? [] : [['Acts on', account] as const]),
      ...(output === undefined ? [] : [['Output', output] as const]),
      ...(caFile === undefined ? [] : [['CA file', caFile] as const]),
      ...(clientCert === undefined ? [] : [['Client', clientCert] as const]),
      ...(learned?.conformance === undefined
        ? []
        : [['Learned', `what the service offers, ${learned.conformance.at.slice(0, 10)}`] as const]),
      ['Secrets', describeSecretPlaces(places)],
    ],
  };
}

/** Makes a profile the default. */
export async function useProfile(
  { name }: InputOf<Record<never, never>, typeof profileArguments>,
  { host }: Context,
): Promise<Result> {
  const profile = findProfile(readProfiles(host), name);
  await changeProfiles(host, (stored) => ({ ...stored, defaultName: name }));
  return {
    kind: 'done',
    message: `The default profile is now "${name}" (${profile.baseUrl}).`,
    value: profileValue(profile, name),
  };
}

/** Deletes a profile and its secrets after a question. Sends no requests. */
export async function removeProfile(
  { name }: InputOf<Record<never, never>, typeof profileArguments>,
  context: Context,
): Promise<Result> {
  const { host } = context;
  const profile = findProfile(readProfiles(host), name);
  const question = `Delete profile ${name} (${profile.baseUrl}) with its token and API key?`;
  await confirmChange(context, question, 'No profile was deleted.');
  await deleteProfile(host, profile);
  return { kind: 'done', message: `Deleted profile "${name}".`, value: { name } };
}

/** Returns true if a profile has an API key, a command that prints its secret, or a valid token. */
function isSignedIn({ host, notices }: Pick<Context, 'host' | 'notices'>, profile: Profile): boolean {
  const { name, keyStore = 'none', secretCommand } = profile;
  if (keyStore !== 'none' || secretCommand !== undefined) return true;
  const token = openTokenCache(host, profileTokenPath(host, name), notices.warn).read();
  return token !== undefined && host.clock.now() < token.expiresAtMs;
}

function profileValue(profile: Profile, defaultName: string | undefined): JsonObject {
  return {
    name: profile.name,
    default: profile.name === defaultName,
    base_url: profile.baseUrl,
    prefix: profile.prefix,
    account_id: profile.accountId,
    account_name: profile.accountName ?? null,
    owner_id: profile.ownerId ?? null,
    username: profile.username ?? null,
    method: profile.method,
    secret_command: profile.secretCommand ?? null,
    protect: profile.protect ?? null,
    account: profile.account ?? null,
    output: profile.output ?? null,
    ca_file: profile.caFile ?? null,
    client_cert: profile.clientCert ?? null,
    client_key: profile.clientKey ?? null,
    allow_http: profile.allowHttp ?? false,
    log_days: profile.logDays ?? null,
    country: profile.country ?? null,
    learned: learnedValue(profile),
  };
}

/** Shows when and how telctl last examined the service. `conformance` shows the result. */
function learnedValue({ learned }: Profile): JsonObject | null {
  if (learned?.conformance === undefined) return null;
  const { at, by } = learned.conformance;
  return { checked_at: at, checked_by: by };
}

type SetInput = InputOf<typeof setOptions, typeof profileArguments>;

/** Changes the protection, prefix, account, output, certificates and log settings of a profile. */
export async function setProfile(input: SetInput, context: Context): Promise<Result> {
  const { host } = context;
  const { name } = input;
  const { defaultName, ...stored } = readProfiles(host);
  const changed = applySettings(findProfile({ ...stored, defaultName }, name), input, context);
  await changeProfiles(host, ({ profiles, ...rest }) => ({
    ...rest,
    profiles: new Map(profiles).set(name, changed),
  }));
  return { kind: 'done', message: `Changed profile "${name}".`, value: profileValue(changed, defaultName) };
}

const optionValue = <T>({ source, value }: Setting<T>): T | undefined =>
  source === 'option' ? value : undefined;

/** The settings that `--unset` and `--protect none` can remove. */
const settingKeys = {
  account: ['account'],
  output: ['output'],
  'ca-file': ['caFile'],
  'client-cert': ['clientCert', 'clientKey'],
  'log-days': ['logDays'],
  country: ['country'],
  protect: ['protect'],
} as const;

/** Throws `usage` if no setting changes. */
function applySettings(profile: Profile, input: SetInput, { settings, host }: Context): Profile {
  const account = optionValue(settings.account);
  const output = optionValue(settings.output);
  const caFile = optionValue(settings.caFile);
  const clientCert = optionValue(settings.clientCert);
  const clientKey = optionValue(settings.clientKey);
  const country = optionValue(settings.country);
  const unset = new Set<string>(input.unset);
  if (input.protect === 'none') unset.add('protect');
  const set: Partial<Profile> = {
    ...(input.protect === undefined || input.protect === 'none' ? {} : { protect: input.protect }),
    ...(input.prefix === undefined ? {} : { prefix: parsePrefix(input.prefix, '--prefix') }),
    ...(account === undefined ? {} : { account }),
    ...(output === undefined ? {} : { output }),
    ...(caFile === undefined ? {} : { caFile: resolve(host.cwd, caFile) }),
    ...(clientCert === undefined ? {} : { clientCert: resolve(host.cwd, clientCert) }),
    ...(clientKey === undefined ? {} : { clientKey: resolve(host.cwd, clientKey) }),
    ...(country === undefined ? {} : { country }),
    ...(input.logDays === undefined ? {} : { logDays: input.logDays }),
  };
  if (Object.keys(set).length === 0 && unset.size === 0) {
    throw new Failure('usage', 'No setting was given.', {
      hint: 'Pass --protect, --prefix, --account, --output, --ca-file, --client-cert, --log-days, --country or --unset.',
    });
  }
  const changed: { -readonly [K in keyof Profile]: Profile[K] } = { ...profile };
  // The certificate and its key are set together.
  if (clientCert !== undefined) unset.add('client-cert');
  for (const [setting, keys] of Object.entries(settingKeys))
    if (unset.has(setting)) for (const key of keys) delete changed[key];
  return { ...changed, ...set };
}

/** Removes the secrets of the selected profile, and the token from environment variables. Sends no requests. */
export async function logout(_: unknown, context: Context): Promise<Result> {
  const { host, settings, notices } = context;
  const stored = readProfiles(host);
  const name = storedName(settings, stored);
  const variable = forgetEnvironmentToken(context);
  if (variable !== undefined) notices.warn(`${variable} is still set, and telctl signs in with it.`);
  if (name === undefined) {
    if (variable === undefined) throw noProfileFailure();
    return { kind: 'done', message: `Removed the token from ${variable}.`, value: { profile: null } };
  }
  const profile = findProfile(stored, name);
  await signOutProfile(host, profile);
  return {
    kind: 'done',
    message: `Signed out of profile "${name}". To sign in again: ${nextStep`login --profile ${name}`}`,
    value: { profile: name },
  };
}

function forgetEnvironmentToken({ host, settings }: Context): string | undefined {
  const identity = environmentIdentity(host.env);
  const { value: baseUrl } = settings.baseUrl;
  if (identity === undefined || baseUrl === undefined) return undefined;
  host.files.remove(environmentTokenPath(host, baseUrl, identityKey(identity)));
  return identity.from;
}
