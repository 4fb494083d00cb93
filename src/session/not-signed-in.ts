import { Failure } from '../contract/failure.ts';

/** Nobody is signed in and no profile is there to sign in with. */
export function noProfile(): Failure {
  return new Failure('auth', 'Not signed in.', {
    hint: 'Run: telctl login. To try telctl on this machine: telctl sandbox start',
  });
}

/** A profile is there, but nothing that could sign in, and nobody to ask. */
export function notSignedIn(profile: string): Failure {
  return new Failure('auth', `Not signed in to profile "${profile}".`, {
    hint: `Set TELCTL_API_KEY, or run: telctl login --profile ${profile} --api-key-stdin`,
  });
}

/** What the environment says is not accepted. */
export function environmentRefused(variable: string, cause?: unknown): Failure {
  return new Failure('auth', `The service refused ${variable}.`, {
    hint: `Set ${variable} anew, or run: telctl login`,
    cause,
  });
}
