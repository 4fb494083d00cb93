import type { LearnedFacts } from './learned-facts.ts';
import type { SecretCommand } from './secret-command.ts';

/** How a profile signs in. `environment` profiles are made of `TELCTL_*` variables and are not stored. */
export type SignInMethod = 'password' | 'api-key' | 'basic' | 'sso' | 'token';

/** How a user is named at sign-in: exactly one of these (Authentication 3). */
export interface Identifier {
  readonly kind: 'account_name' | 'account_realm' | 'phone_number';
  readonly value: string;
}

/** What telctl remembers of a service and who signed in there. Holds no secret. */
export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  /** `/v2` or empty. */
  readonly prefix: string;
  readonly method: SignInMethod;
  readonly accountId: string;
  readonly accountName?: string;
  readonly ownerId?: string;
  readonly username?: string;
  readonly identifier?: Identifier;
  readonly hash?: 'md5' | 'sha';
  /** Provider, application and discovery address of a sign-in by single sign-on. */
  readonly ssoProvider?: string;
  readonly ssoClientId?: string;
  readonly ssoDiscovery?: string;
  readonly keyStore?: 'file' | 'keyring' | 'none';
  /** Program and arguments that print the API key or the password, by the method; nothing is stored then. */
  readonly secretCommand?: SecretCommand;
  readonly protect?: 'confirm' | 'read-only';
  readonly account?: string;
  readonly output?: string;
  readonly caFile?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** Plain http to a host that is not this machine was asked for at sign-in. */
  readonly allowHttp?: boolean;
  readonly learned?: LearnedFacts;
}

/** A token as it is kept: the text, whose it is, and when it was issued and ends (Unix milliseconds). */
export interface StoredToken {
  readonly token: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}
