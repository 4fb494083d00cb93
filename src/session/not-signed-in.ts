import { Failure, withHint } from '../base/failure.ts';
import type { Profile } from './profile.ts';

/** Nobody is signed in and no profile is there to sign in with; at `baseUrl`, where a service was named. */
export function noProfile(baseUrl?: string): Failure {
  if (baseUrl === undefined)
    return new Failure('auth', 'Not signed in.', {
      hint: 'Run: telctl login. To try telctl on this machine: telctl sandbox start',
    });
  return new Failure('auth', `Not signed in to ${baseUrl}.`, {
    hint: `Set TELCTL_API_KEY, or run: telctl login --base-url ${baseUrl} --api-key-stdin`,
  });
}

/** A profile is there, but nothing that could sign in, and nobody to ask. */
export function notSignedIn({ name, ssoProvider }: Profile): Failure {
  const way = ssoProvider === undefined ? '--api-key-stdin' : `--sso ${ssoProvider}`;
  return new Failure('auth', `Not signed in to profile "${name}".`, {
    hint: `Set TELCTL_API_KEY, or run: telctl login --profile ${name} ${way}`,
  });
}

/** Returns the failure for credentials of the environment that are not accepted. */
export function environmentRefused(
  variable: string,
  { status, code, requestId }: Partial<Failure> = {},
): Failure {
  const said = `The service refused ${variable}.`;
  return withVariable(new Failure('auth', said, { status, code, requestId }), variable);
}

/** A refused sign-in, with the variable that it is mended by. */
export const withVariable = (refusal: Failure, variable: string): Failure =>
  withHint(refusal, `Set ${variable} to a new value, or run: telctl login`);
