import type { Host } from '../../base/host/host.ts';
import type { ApiParts, Authorizer } from '../api/api.ts';
import type { RateLimiters } from '../api/rate-limiter.ts';
import type { Transport } from '../api/transport.ts';
import type { FactKeeper } from './learned-facts.ts';
import type { Profile, StoredToken } from './profile-store.ts';
import type { Settings } from './settings.ts';

export interface Session extends Authorizer, FactKeeper {
  readonly settings: Settings;
  readonly profile: Profile;
  /** Only the token and facts about the service are stored. */
  readonly fromEnvironment: boolean;
  /** For example, `user config` or `TELCTL_BASE_URL`. */
  readonly profileSource: string;
  /** Returns the current token without signing in, or `undefined`. */
  storedToken(): StoredToken | undefined;
  /** Returns the location of each secret: `{ api_key: '~/.config/telctl (0600)' }`. */
  secretPlaces(): Readonly<Record<string, string>>;
  /** Exchanges the token immediately. Throws `Failure` (`auth`) if it was revoked. */
  refresh(): Promise<StoredToken>;
  /** Signs in again after a secret reset. Throws `Failure` (`auth`) if there are no credentials and no terminal. */
  signInAgain(): Promise<StoredToken>;
  passwordChanged(password: string): Promise<void>;
  /** Stores the new API key if the old one was stored, and signs in with it. */
  keyRotated(apiKey: string): Promise<void>;
}

/** Parts of a run, or of a library client, that a session needs to send requests. */
export interface RequestParts {
  readonly host: Pick<Host, 'clock' | 'random' | 'interrupted'>;
  readonly settings: Pick<Settings, 'prefix' | 'timeoutMs' | 'retries' | 'country'>;
  /**
   * Opens the connection when a request is due. The owner of the connection closes it. `caFile` replaces the
   * certificate authorities of the settings.
   */
  connect(baseUrl: string, caFile?: string): Promise<Transport>;
  readonly limiters: RateLimiters;
  readonly userAgent: string;
  readonly trace?: ((line: string) => void) | undefined;
}

export interface SessionParts extends RequestParts {
  readonly host: Host;
  readonly settings: Settings;
  readonly askSecret?: ((question: string) => Promise<string>) | undefined;
  warn(line: string): void;
  /** Shows only important messages. */
  readonly isQuiet?: boolean | undefined;
}

export async function apiPartsFor(
  parts: RequestParts,
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
