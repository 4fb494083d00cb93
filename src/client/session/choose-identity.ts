import type { Host } from '../../base/host/host.ts';
import type { Profile, StoredProfiles } from './profile-store.ts';
import {
  firstSet,
  isEnvironmentFor,
  isSameOrigin,
  type Setting,
  type SettingPlace,
  type Settings,
} from './settings.ts';

/** Profile name for secrets in the environment. A stored profile cannot have it. */
export const environmentName = '(environment)';

const secretVariables = ['TELCTL_TOKEN', 'TELCTL_API_KEY', 'TELCTL_PASSWORD'] as const;

export const identityVariables = [
  'TELCTL_TOKEN',
  'TELCTL_API_KEY',
  'TELCTL_USERNAME',
  'TELCTL_ACCOUNT_NAME',
  'TELCTL_ACCOUNT_REALM',
  'TELCTL_PHONE_NUMBER',
] as const;

export const secretVariable = (env: Host['env']): string | undefined =>
  secretVariables.find((name) => env[name]);

/** Like `secretVariable`, but a password counts only with its user. */
export const identityVariable = (env: Host['env']): string | undefined =>
  secretVariables.find((name) => env[name] && (name !== 'TELCTL_PASSWORD' || env.TELCTL_USERNAME));

interface IdentityPlaces {
  readonly named: readonly SettingPlace<string>[];
  readonly directory: SettingPlace<string>;
  readonly addresses: { readonly option: SettingPlace<string>; readonly variable: SettingPlace<string> };
}

export const profilePlace = <T>(profile: Profile | undefined, value: T | undefined): SettingPlace<T> => ({
  source: 'profile',
  from: `profile ${profile?.name}`,
  value,
});

/**
 * Chooses the identity and the service (Interface 8). A profile that is selected by name signs in at its service.
 * Without one, or if the profile in `.telctl.yaml` does not exist on this machine, telctl uses secrets in the
 * environment, and then the default profile.
 */
export function chooseIdentity(
  env: Host['env'],
  { defaultName, profiles }: StoredProfiles,
  { named, directory, addresses: { option, variable } }: IdentityPlaces,
) {
  const secret = identityVariable(env);
  const isElsewhere = secret !== undefined && !profiles.has(directory.value ?? '');
  const chosen = firstSet<string | undefined>(undefined, isElsewhere ? named : [...named, directory]);
  const address = (profile: Profile | undefined, beforeVariable: boolean): Setting<string | undefined> => {
    const inProfile = profilePlace(profile, profile?.baseUrl);
    return firstSet<string | undefined>(
      undefined,
      beforeVariable ? [option, inProfile, variable] : [option, variable, inProfile],
    );
  };
  const profileOfService = (
    profile: Profile | undefined,
    baseUrl: string | undefined,
  ): Profile | undefined =>
    profile !== undefined && isSameOrigin(profile.baseUrl, baseUrl ?? '') ? profile : undefined;
  if (chosen.value !== undefined && chosen.value !== environmentName) {
    const own = profiles.get(chosen.value);
    const baseUrl = address(own, true);
    return { profile: chosen, baseUrl, own, service: profileOfService(own, baseUrl.value) };
  }
  const standard = profiles.get(defaultName ?? '');
  const baseUrl = address(standard, false);
  const service = profileOfService(standard, baseUrl.value);
  const environment = (from: string) => ({ value: environmentName, source: 'environment', from }) as const;
  if (chosen.value !== undefined) return { profile: chosen, baseUrl, own: undefined, service };
  if (secret !== undefined && (baseUrl.value === undefined || isEnvironmentFor(env, baseUrl.value)))
    return { profile: environment(secret), baseUrl, own: undefined, service };
  const from = defaultName === undefined ? '' : 'user config';
  const usual = { value: defaultName, source: 'default', from } as const;
  return { profile: usual, baseUrl, own: standard, service };
}

export const storedName = (
  { profile: { value } }: Pick<Settings, 'profile'>,
  { defaultName }: StoredProfiles,
): string | undefined => (value === environmentName ? defaultName : value);

export const isProfileSelected = ({ profile: { value, source } }: Pick<Settings, 'profile'>): boolean =>
  value !== undefined && value !== environmentName && source !== 'default';
