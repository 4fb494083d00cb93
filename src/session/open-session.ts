import { Failure } from '../base/failure.ts';
import { isEnvironmentFor, isSameOrigin } from './base-url.ts';
import { noProfile } from './not-signed-in.ts';
import { profileNamed, readProfiles } from './profile-store.ts';
import type { Session, SessionParts } from './session.ts';
import { storedSession } from './stored-session.ts';

/** Variables of which one makes the environment speak for itself; a password needs its user beside it. */
const speaks = ({
  TELCTL_TOKEN,
  TELCTL_API_KEY,
  TELCTL_USERNAME,
  TELCTL_PASSWORD,
}: SessionParts['host']['env']) =>
  Boolean(TELCTL_TOKEN || TELCTL_API_KEY || (TELCTL_USERNAME && TELCTL_PASSWORD));

/**
 * Finds out who is speaking: the environment where it says so, unless a profile is named on the command line; else the
 * profile. Secrets go to their own service only: those of a profile never to another address, those of the environment
 * never to another than `TELCTL_BASE_URL`. Throws `Failure`: `auth` where nobody is signed in, `usage` for an unknown
 * profile.
 */
export async function openSession(parts: SessionParts): Promise<Session> {
  const { host, settings } = parts;
  const { env } = host;
  const { profile: chosen, baseUrl } = settings;
  const environmentFits = baseUrl.value !== undefined && isEnvironmentFor(env, baseUrl.value);
  if (speaks(env) && chosen.source !== 'option') {
    if (baseUrl.value === undefined) {
      throw new Failure('usage', 'No service was given to sign in to.', {
        hint: 'Set TELCTL_BASE_URL, or give --base-url URL.',
      });
    }
    if (environmentFits) return fromEnvironment(parts, baseUrl.value);
  }
  if (chosen.value === undefined) throw noProfile(baseUrl.value);
  const profile = profileNamed(readProfiles(host), chosen.value);
  if (baseUrl.value !== undefined && !isSameOrigin(baseUrl.value, profile.baseUrl)) {
    throw new Failure(
      'auth',
      `Profile "${profile.name}" is signed in to ${profile.baseUrl}, not to ${baseUrl.value}.`,
      {
        hint: `Sign in there: telctl login --profile NAME --base-url ${baseUrl.value}`,
      },
    );
  }
  const prefix = settings.prefix.source === 'environment' ? settings.prefix.value : undefined;
  const here = prefix === undefined ? profile : { ...profile, prefix };
  return storedSession(parts, here, { source: chosen.from, environmentFits });
}

async function fromEnvironment(parts: SessionParts, baseUrl: string): Promise<Session> {
  const [{ environmentIdentity }, { environmentSession }] = await Promise.all([
    import('./environment-session.ts'),
    import('./environment-session.ts'),
  ]);
  const identity = environmentIdentity(parts.host.env);
  // `speaks` looks at the same variables.
  if (identity === undefined) throw noProfile();
  return environmentSession(parts, baseUrl, identity);
}
