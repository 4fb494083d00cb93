import type { Authorizer } from '../api/api.ts';
import type { Profile, StoredToken } from './profile.ts';
import type { Settings } from './settings.ts';

/** Who is speaking: a profile (stored, or made of the environment) with its token and its way to renew it. */
export interface Session extends Authorizer {
  readonly settings: Settings;
  readonly profile: Profile;
  /** Where the profile came from, in words: `user config`, `TELCTL_BASE_URL`. */
  readonly profileSource: string;
  /** The token that is held now, without signing in; `undefined` where there is none. */
  storedToken(): StoredToken | undefined;
  /** Where each secret lies, for `whoami` and `profiles show`: `{ api_key: '~/.config/telctl (0600)' }`. */
  secretPlaces(): Readonly<Record<string, string>>;
  /** Called after the signed-in user's own password was changed, which ended its tokens: signs in with the new one. */
  passwordChanged?(password: string): Promise<void>;
}
