import type { Host } from '../../base/host/host.ts';
import type { Profile, StoredProfiles } from './profile-store.ts';
import {
  first,
  isEnvironmentFor,
  isSameOrigin,
  type Setting,
  type SettingPlace,
  type Settings,
} from './settings.ts';

/** Name of the profile that secrets in the environment make; none that is stored can have it. */
export const environmentName = '(environment)';

/** The variables that hold a secret of somebody who signs in. */
const secretVariables = ['TELCTL_TOKEN', 'TELCTL_API_KEY', 'TELCTL_PASSWORD'] as const;

/** The variables that together say who signs in by the environment. */
export const identityVariables = [
  'TELCTL_TOKEN',
  'TELCTL_API_KEY',
  'TELCTL_USERNAME',
  'TELCTL_ACCOUNT_NAME',
  'TELCTL_ACCOUNT_REALM',
  'TELCTL_PHONE_NUMBER',
] as const;

/** Returns the first variable that holds a secret of somebody who signs in. */
export const secretVariable = (env: Host['env']): string | undefined =>
  secretVariables.find((name) => env[name]);

/** Returns the variable whose secret can speak by itself; a password needs its user beside it. */
export const speakingVariable = (env: Host['env']): string | undefined =>
  secretVariables.find((name) => env[name] && (name !== 'TELCTL_PASSWORD' || env.TELCTL_USERNAME));

/** The places that may say who speaks, each list in the order of precedence. */
interface SpeakerPlaces {
  readonly named: readonly SettingPlace<string>[];
  readonly directory: SettingPlace<string>;
  readonly addresses: { readonly option: SettingPlace<string>; readonly variable: SettingPlace<string> };
}

export const placeIn = <T>(profile: Profile | undefined, value: T | undefined): SettingPlace<T> => ({
  source: 'profile',
  from: `profile ${profile?.name}`,
  value,
});

/**
 * Chooses the identity and the service (Interface 8, Who speaks). A profile that is given by name signs in at its own
 * service. Otherwise, or if the profile in `.telctl.yaml` does not exist on this machine, secrets in the environment
 * are used, and then the default profile.
 */
export function speakerOf(
  env: Host['env'],
  { defaultName, profiles }: StoredProfiles,
  { named, directory, addresses: { option, variable } }: SpeakerPlaces,
) {
  const secret = speakingVariable(env);
  const isElsewhere = secret !== undefined && !profiles.has(directory.value ?? '');
  const chosen = first<string | undefined>(undefined, isElsewhere ? named : [...named, directory]);
  const address = (profile: Profile | undefined, beforeVariable: boolean): Setting<string | undefined> => {
    const inProfile = placeIn(profile, profile?.baseUrl);
    return first<string | undefined>(
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

/** The stored profile that a command about profiles is for: the one in use, else the default one. */
export const storedName = (
  { profile: { value } }: Pick<Settings, 'profile'>,
  { defaultName }: StoredProfiles,
): string | undefined => (value === environmentName ? defaultName : value);

/** Tells whether somebody named a stored profile, by option, variable or `.telctl.yaml`. */
export const isNamed = ({ profile: { value, source } }: Pick<Settings, 'profile'>): boolean =>
  value !== undefined && value !== environmentName && source !== 'default';
