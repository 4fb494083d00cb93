import type { Authorizer } from '../api/api.ts';
import type { FactKeeper } from './learned-facts.ts';
import type { Profile, StoredToken } from './profile.ts';
import type { Settings } from './settings.ts';

/** Who is speaking: a profile (stored, or made of the environment) with its token and its way to renew it. */
export interface Session extends Authorizer, FactKeeper {
  readonly settings: Settings;
  readonly profile: Profile;
  /** Made of `TELCTL_*` variables: nothing of it is stored but its token and facts about the service. */
  readonly fromEnvironment: boolean;
  /** Where the profile came from, in words: `user config`, `TELCTL_BASE_URL`. */
  readonly profileSource: string;
  /** The token that is held now, without signing in; `undefined` where there is none. */
  storedToken(): StoredToken | undefined;
  /** Where each secret lies, for `whoami` and `profiles show`: `{ api_key: '~/.config/telctl (0600)' }`. */
  secretPlaces(): Readonly<Record<string, string>>;
  /** Exchanges the token for a new one at once. Throws `Failure` (`auth`) where it was revoked. */
  refresh(): Promise<StoredToken>;
  /**
   * Signs in again after the token was made useless on purpose (a secret reset). Throws `Failure` (`auth`) where
   * nothing stored can do it and nobody can be asked.
   */
  signInAgain(): Promise<StoredToken>;
  /**
   * The signed-in user's password was changed, which ended the token: signs in with the new one. Does nothing for
   * sessions that do not rest on a password.
   */
  passwordChanged(password: string): Promise<void>;
  /** The account's API key was replaced, and stored where it is to stay: signs in with the new one. */
  keyRotated(apiKey: string): Promise<void>;
}
