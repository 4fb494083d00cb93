import type { Host } from '../host/host.ts';
import { removeKey } from './key-store.ts';
import type { Profile } from './profile.ts';
import { profileTokenPath } from './token-cache.ts';
import { changeProfiles } from './write-profiles.ts';

/** Forgets the token and the API key of a profile, or the command that prints one; what service and account it stands for stays. Sends nothing. */
export async function signOutProfile(host: Host, profile: Profile): Promise<void> {
  await forgetSecrets(host, profile);
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

/** Forgets a profile and its secrets. Where it was the default, the only one that is left takes its place. */
export async function deleteProfile(host: Host, profile: Profile): Promise<void> {
  await forgetSecrets(host, profile);
  await changeProfiles(host, ({ defaultName, profiles }) => {
    const left = new Map(profiles);
    left.delete(profile.name);
    const [only] = left.size === 1 ? left.keys() : [];
    return { defaultName: defaultName === profile.name ? only : defaultName, profiles: left };
  });
}

async function forgetSecrets(host: Host, profile: Profile): Promise<void> {
  host.files.remove(profileTokenPath(host, profile.name));
  await removeKey(host, profile);
}
