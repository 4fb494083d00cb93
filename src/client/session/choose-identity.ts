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

/** Name of the profile that consists of secrets in the environment. No stored profile can have it. */
export const environmentName = '(environment)';

/** The variables that contain a secret for signing in. */
const secretVariables = ['TELCTL_TOKEN', 'TELCTL_API_KEY', 'TELCTL_PASSWORD'] as const;

/** The variables that together identify the user of the environment. */
export const identityVariables = [
  'TELCTL_TOKEN',
  'TELCTL_API_KEY',
  'TELCTL_USERNAME',
  'TELCTL_ACCOUNT_NAME',
  'TELCTL_ACCOUNT_REALM',
  'TELCTL_PHONE_NUMBER',
] as const;

/** Returns the first variable with a secret for signing in. */
export const secretVariable = (env: Host['env']): string | undefined =>
  secretVariables.find((name) => env[name]);

/** Returns the variable whose secret is enough to sign in. A password also needs its user. */
export const identityVariable = (env: Host['env']): string | undefined =>
  secretVariables.find((name) => env[name] && (name !== 'TELCTL_PASSWORD' || env.TELCTL_USERNAME));

/** The places that can select the identity, in order of precedence. */
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
 * Chooses the identity and the service (Interface 8). A profile that is selected by name signs in at its own service.
 * Otherwise, or if the profile in `.telctl.yaml` does not exist on this machine, secrets in the environment are used,
 * and then the default profile.
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
  const serviceOf = (profile: Profile | undefined, baseUrl: string | undefined): Profile | undefined =>
    profile !== undefined && isSameOrigin(profile.baseUrl, baseUrl ?? '') ? profile : undefined;
  if (chosen.value !== undefined && chosen.value !== environmentName) {
    const own = profiles.get(chosen.value);
    const baseUrl = address(own, true);
    return { profile: chosen, baseUrl, own, service: serviceOf(own, baseUrl.value) };
  }
  const standard = profiles.get(defaultName ?? '');
  const baseUrl = address(standard, false);
  const service = serviceOf(standard, baseUrl.value);
  const environment = (from: string) => ({ value: environmentName, source: 'environment', from }) as const;
  if (chosen.value !== undefined) return { profile: chosen, baseUrl, own: undefined, service };
  if (secret !== undefined && (baseUrl.value === undefined || isEnvironmentFor(env, baseUrl.value)))
    return { profile: environment(secret), baseUrl, own: undefined, service };
  const from = defaultName === undefined ? '' : 'user config';
  const usual = { value: defaultName, source: 'default', from } as const;
  return { profile: usual, baseUrl, own: standard, service };
}

/** The stored profile for a command about profiles: the one in use, or the default. */
export const storedName = (
  { profile: { value } }: Pick<Settings, 'profile'>,
  { defaultName }: StoredProfiles,
): string | undefined => (value === environmentName ? defaultName : value);

/** Returns true if an option, a variable or `.telctl.yaml` selects a stored profile. */
export const isNamed = ({ profile: { value, source } }: Pick<Settings, 'profile'>): boolean =>
  value !== undefined && value !== environmentName && source !== 'default';
