import { Failure } from '../base/failure.ts';
import { systemReason } from '../base/system-trouble.ts';
import { messageOf } from '../base/wording.ts';
import type { Host } from '../host/host.ts';
import type { LearnedFacts } from './learned-facts.ts';
import type { Profile } from './profile.ts';
import { configPath, readProfiles, type StoredProfiles } from './profile-store.ts';

/**
 * Changes the stored profiles, alone among all telctl processes. Throws `Failure` naming the file where it is damaged
 * (then it stays as it is) or cannot be written.
 */
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
        const { default: Conf } = await import('conf');
        const conf = new Conf({ cwd: host.folders.config, configName: 'config', configFileMode: 0o600 });
        const entries = [...profiles].map(([name, { name: _, ...kept }]) => [name, kept] as const);
        // What another version of telctl may have written beside the profiles stays.
        const { default: _, ...others } = conf.store;
        conf.store = {
          ...others,
          ...(defaultName === undefined ? {} : { default: defaultName }),
          profiles: Object.fromEntries(entries),
        };
      },
      { signal: host.interrupted },
    );
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'failed',
      `The profiles cannot be written to ${path} (${systemReason(error) ?? messageOf(error)}).`,
      {
        hint: 'Make the folder writable, or name another with TELCTL_CONFIG_DIR.',
        cause: error,
      },
    );
  }
}

/** Stores a profile; the first one is used from then on when none is named. */
export function saveProfile(host: Host, profile: Profile): Promise<void> {
  return changeProfiles(host, ({ defaultName, profiles }) => ({
    defaultName: defaultName ?? profile.name,
    profiles: new Map(profiles).set(profile.name, profile),
  }));
}

/** Adds facts to a profile, unless it is signed in to another service by now. Where that fails, nothing is lost. */
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
