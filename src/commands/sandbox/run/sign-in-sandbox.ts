import type { Context } from '../../../command/context.ts';
import type { Places } from './places.ts';
import type { RunningState } from './state.ts';

/** The profile that a sandbox is signed in to. */
export const profileFor = ({ name }: Places): string => (name === 'default' ? 'sandbox' : `sandbox-${name}`);

/** Loads ahead what signing in needs. */
export async function loadSignIn(): Promise<void> {
  await Promise.all([
    import('../../../session/sign-in-profile.ts'),
    import('../../../api/undici-transport.ts'),
  ]);
}

/** Signs the sandbox's profile in with its API key, and keeps it. */
export async function signInSandbox(
  context: Context,
  { baseUrl, seed }: RunningState,
  places: Places,
): Promise<void> {
  const { signInProfile } = await import('../../../session/sign-in-profile.ts');
  await signInProfile(context.sessionParts(), {
    name: profileFor(places),
    baseUrl,
    credentials: { kind: 'api-key', apiKey: seed.apiKey },
    prefix: '/v2',
  });
}
