import type { Host } from '../../base/host/host.ts';
import type { ApiParts, Authorizer } from '../api/api.ts';
import type { RateLimiters } from '../api/rate-limiter.ts';
import type { Transport } from '../api/transport.ts';
import type { FactKeeper } from './learned-facts.ts';
import type { Profile, StoredToken } from './profile-store.ts';
import type { Settings } from './settings.ts';

/** The identity of a run: a profile (stored, or made of the environment) with its token and its way to renew it. */
export interface Session extends Authorizer, FactKeeper {
  readonly settings: Settings;
  readonly profile: Profile;
  /** Made of `TELCTL_*` variables: nothing of it is stored but its token and facts about the service. */
  readonly fromEnvironment: boolean;
  /** Source of the profile, in words: `user config`, `TELCTL_BASE_URL`. */
  readonly profileSource: string;
  /** The token that is held now, without signing in; `undefined` where there is none. */
  storedToken(): StoredToken | undefined;
  /** Returns the place of each secret, for `whoami` and `profiles show`: `{ api_key: '~/.config/telctl (0600)' }`. */
  secretPlaces(): Readonly<Record<string, string>>;
  /** Exchanges the token for a new one at once. Throws `Failure` (`auth`) where it was revoked. */
  refresh(): Promise<StoredToken>;
  /** Signs in again after a secret reset. Throws `Failure` (`auth`) where nothing stored can, nor anybody. */
  signInAgain(): Promise<StoredToken>;
  /** Signs in with the new password, where the session rests on one. */
  passwordChanged(password: string): Promise<void>;
  /** The account's API key was replaced, and stored where it is to stay: signs in with the new one. */
  keyRotated(apiKey: string): Promise<void>;
}

/** Parts of a run, or of a client in a program, that requests of a session use. */
export interface Speaking {
  readonly host: Pick<Host, 'clock' | 'random' | 'interrupted'>;
  readonly settings: Pick<Settings, 'prefix' | 'timeoutMs' | 'retries' | 'country'>;
  /**
   * The way to a service; opened when a request is due, closed by whoever gave this. `caFile`: another file of
   * authorities than that of the settings.
   */
  connect(baseUrl: string, caFile?: string): Promise<Transport>;
  /** Say when each request may go. */
  readonly limiters: RateLimiters;
  readonly userAgent: string;
  /** Receives a line for every request sent. */
  readonly trace?: ((line: string) => void) | undefined;
}

/** Parts of the run that signing in uses. */
export interface SessionParts extends Speaking {
  readonly host: Host;
  readonly settings: Settings;
  readonly askSecret?: ((question: string) => Promise<string>) | undefined;
  warn(line: string): void;
  /** Only messages that matter to the run are shown. */
  readonly isQuiet?: boolean | undefined;
}

/** What speaks to a service as somebody there. */
export async function apiPartsFor(
  parts: Speaking,
  address: Pick<ApiParts, 'baseUrl' | 'prefix' | 'accountId' | 'authorizer' | 'headers'>,
): Promise<ApiParts> {
  const { host, settings, limiters, userAgent, trace } = parts;
  return {
    ...address,
    transport: await parts.connect(address.baseUrl),
    clock: host.clock,
    random: host.random,
    limiters,
    timeoutMs: settings.timeoutMs.value,
    retries: settings.retries.value,
    signal: host.interrupted,
    userAgent,
    trace,
    country: settings.country.value,
  };
}
