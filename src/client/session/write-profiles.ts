import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { systemReason } from '../../base/read-errors.ts';
import { errorMessage } from '../../base/wording.ts';
import type { LearnedFacts } from './learned-facts.ts';
import { configPath, type Profile, readConfig, readProfiles, type StoredProfiles } from './profile-store.ts';
import { removeKey } from './secret-sources.ts';
import { profileTokenPath } from './token-cache.ts';

/** Changes the profiles under a lock. Throws `Failure` if the file is damaged or read-only. */
export async function changeProfiles(
  host: Host,
  change: (stored: StoredProfiles) => StoredProfiles,
): Promise<void> {
  const path = configPath(host);
  try {
    await host.files.withLock(
      path,
      async () => {
        const { defaultName, profiles } = change(readProfiles(host));
        const entries = [...profiles].map(([name, { name: _, ...kept }]) => [name, kept] as const);
        // Keeps entries of other telctl versions.
        const { default: _, ...others } = readConfig(host) ?? {};
        const config = {
          ...others,
          ...(defaultName === undefined ? {} : { default: defaultName }),
          profiles: Object.fromEntries(entries),
        };
        host.files.writePrivate(path, `${JSON.stringify(config, null, 2)}\n`);
      },
      { signal: host.interrupted },
    );
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'failed',
      `The profiles cannot be written to ${path} (${systemReason(error) ?? errorMessage(error)}).`,
      {
        hint: 'Make the folder writable, or name another with TELCTL_CONFIG_DIR.',
        cause: error,
      },
    );
  }
}

/** The first profile becomes the default. */
export function saveProfile(host: Host, profile: Profile): Promise<void> {
  return changeProfiles(host, ({ defaultName, profiles }) => ({
    defaultName: defaultName ?? profile.name,
    profiles: new Map(profiles).set(profile.name, profile),
  }));
}

/** Does nothing if the profile now signs in to another service. Ignores failures. */
export async function saveFacts(host: Host, { name, baseUrl }: Profile, news: LearnedFacts): Promise<void> {
  try {
    await changeProfiles(host, (stored) => {
      const profile = stored.profiles.get(name);
      if (profile?.baseUrl !== baseUrl) return stored;
      const learned = { ...profile.learned, ...news };
      return { ...stored, profiles: new Map(stored.profiles).set(name, { ...profile, learned }) };
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/** Deletes the token and the API key of a profile, or the command that prints the key. Sends no request. */
export async function signOutProfile(host: Host, profile: Profile): Promise<void> {
  await removeSecrets(host, profile);
  const { keyStore = 'none', secretCommand } = profile;
  if (keyStore === 'none' && secretCommand === undefined) return;
  await changeProfiles(host, (stored) => {
    const kept = stored.profiles.get(profile.name);
    if (kept === undefined) return stored;
    const { secretCommand: _, ...others } = kept;
    const left = { ...others, keyStore: 'none' } as const;
    return { ...stored, profiles: new Map(stored.profiles).set(kept.name, left) };
  });
}

/** Deletes a profile and its secrets. If it was the default and one profile is left, that one becomes the default. */
export async function deleteProfile(host: Host, profile: Profile): Promise<void> {
  await removeSecrets(host, profile);
  await changeProfiles(host, ({ defaultName, profiles }) => {
    const left = new Map(profiles);
    left.delete(profile.name);
    const [only] = left.size === 1 ? left.keys() : [];
    return { defaultName: defaultName === profile.name ? only : defaultName, profiles: left };
  });
}

async function removeSecrets(host: Host, profile: Profile): Promise<void> {
  host.files.remove(profileTokenPath(host, profile.name));
  await removeKey(host, profile);
}
