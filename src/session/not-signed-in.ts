import { Failure } from '../contract/failure.ts';
import type { Profile } from './profile.ts';

/** Nobody is signed in and no profile is there to sign in with. */
export function noProfile(): Failure {
  return new Failure('auth', 'Not signed in.', {
    hint: 'Run: telctl login. To try telctl on this machine: telctl sandbox start',
  });
}

/** A profile is there, but nothing that could sign in, and nobody to ask. */
export function notSignedIn({ name, ssoProvider }: Profile): Failure {
  const way = ssoProvider === undefined ? '--api-key-stdin' : `--sso ${ssoProvider}`;
  return new Failure('auth', `Not signed in to profile "${name}".`, {
    hint: `Set TELCTL_API_KEY, or run: telctl login --profile ${name} ${way}`,
  });
}

/** What the environment says is not accepted. */
export function environmentRefused(variable: string, cause?: unknown): Failure {
  return new Failure('auth', `The service refused ${variable}.`, {
    hint: `Set ${variable} anew, or run: telctl login`,
    cause,
  });
}
