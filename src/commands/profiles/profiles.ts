import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { noProfile } from '../../session/not-signed-in.ts';
import type { Profile } from '../../session/profile.ts';
import { profileNamed, readProfiles } from '../../session/profile-store.ts';
import { secretPlaces } from '../../session/stored-session.ts';
import { openTokenCache, profileTokenPath } from '../../session/token-cache.ts';
import { changeProfiles, deleteProfile } from '../../session/write-profiles.ts';
import { placesInWords, shortId } from '../labels.ts';
import type { optionalProfile, profileArguments } from './commands.ts';

/** Lists the stored profiles. */
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

/** Shows a profile as it is stored. Sends nothing. */
export async function showProfile(
  input: InputOf<Record<never, never>, typeof optionalProfile>,
  { host, settings, notices }: Context,
): Promise<Result> {
  const stored = readProfiles(host);
  const name = input.name ?? settings.profile.value;
  if (name === undefined) throw noProfile();
  const profile = profileNamed(stored, name);
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
      ['Secrets', placesInWords(places)],
    ],
  };
}

/** Makes a profile the one that is used where none is named. */
export async function useProfile(
  { name }: InputOf<Record<never, never>, typeof profileArguments>,
  { host }: Context,
): Promise<Result> {
  const profile = profileNamed(readProfiles(host), name);
  await changeProfiles(host, (stored) => ({ ...stored, defaultName: name }));
  return {
    kind: 'done',
    message: `Profile "${name}" (${profile.baseUrl}) is used from now on.`,
    value: profileValue(profile, name),
  };
}

/** Forgets a profile and its secrets, after asking. Sends nothing. */
export async function removeProfile(
  { name }: InputOf<Record<never, never>, typeof profileArguments>,
  { host, ask }: Context,
): Promise<Result> {
  const profile = profileNamed(readProfiles(host), name);
  const question = `Forget profile ${name} (${profile.baseUrl}) with its token and API key?`;
  if (!(await ask.confirm(question, { option: '--yes' }))) {
    throw new Failure('interrupted', 'Nothing was forgotten.');
  }
  await deleteProfile(host, profile);
  return { kind: 'done', message: `Forgot profile "${name}".`, value: { name } };
}

/**
 * True where a profile can speak to its service without being signed in anew: it keeps an API key, a command that prints
 * its secret, or a token that still lives.
 */
function isSignedIn({ host, notices }: Pick<Context, 'host' | 'notices'>, profile: Profile): boolean {
  const { name, keyStore = 'none', secretCommand } = profile;
  if (keyStore !== 'none' || secretCommand !== undefined) return true;
  const token = openTokenCache(host, profileTokenPath(host, name), notices.warn).read();
  return token !== undefined && host.clock.now() < token.expiresAtMs;
}

/** A profile as scripts read it. */
export function profileValue(profile: Profile, defaultName: string | undefined): JsonObject {
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
    learned: learnedValue(profile),
  };
}

/** Says when and by what the service was last asked for what it offers; `conformance` shows the result. */
function learnedValue({ learned }: Profile): JsonObject | null {
  if (learned?.conformance === undefined) return null;
  const { at, by } = learned.conformance;
  return { checked_at: at, checked_by: by };
}
