import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { noProfile } from '../../session/not-signed-in.ts';
import { profileNamed, readProfiles } from '../../session/profile-store.ts';
import { secretPlaces } from '../../session/stored-session.ts';
import { openTokenCache, profileTokenPath } from '../../session/token-cache.ts';
import { shortId } from '../labels.ts';
import { placesInWords } from '../secret-places.ts';
import type { optionalProfile } from './commands.ts';
import { profileValue } from './profile-value.ts';

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
