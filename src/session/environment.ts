import { Failure } from '../base/failure.ts';
import type { Host } from '../host/host.ts';
import type { Credentials } from './credentials.ts';
import type { Identifier } from './profile.ts';

/** What signs in without a profile, and the variable, or the option of the library, that says so. */
export type EnvironmentIdentity =
  | { readonly kind: 'token'; readonly token: string; readonly from: string }
  | {
      readonly kind: 'credentials';
      readonly credentials: Credentials;
      readonly from: string;
    };

type Env = Host['env'];

const identifiers = [
  ['TELCTL_ACCOUNT_NAME', 'account_name'],
  ['TELCTL_ACCOUNT_REALM', 'account_realm'],
  ['TELCTL_PHONE_NUMBER', 'phone_number'],
] as const;

/**
 * Who the environment says to be: a token, an API key, or a user with password and account, the first of them that is
 * there. Throws `Failure` (`usage`) where the account is not named exactly once (Authentication 3).
 */
export function environmentIdentity(env: Env): EnvironmentIdentity | undefined {
  if (env.TELCTL_TOKEN) return { kind: 'token', token: env.TELCTL_TOKEN.trim(), from: 'TELCTL_TOKEN' };
  if (env.TELCTL_API_KEY) {
    const credentials = { kind: 'api-key', apiKey: env.TELCTL_API_KEY.trim() } as const;
    return { kind: 'credentials', credentials, from: 'TELCTL_API_KEY' };
  }
  const { TELCTL_USERNAME: username, TELCTL_PASSWORD: password } = env;
  if (!username || !password) return undefined;
  const identifier = environmentIdentifier(env);
  if (identifier === undefined) {
    throw new Failure('usage', 'TELCTL_USERNAME needs an account: set exactly one of its variables.', {
      hint: identifiers.map(([name]) => name).join(', '),
    });
  }
  const credentials = { kind: 'password', username, password, identifier, hash: 'md5' } as const;
  return { kind: 'credentials', credentials, from: 'TELCTL_PASSWORD' };
}

/** How the environment names the account of a user. Throws `Failure` (`usage`) where it does so more than once. */
export function environmentIdentifier(env: Env): Identifier | undefined {
  const given = identifiers.flatMap(([name, kind]) => (env[name] ? [{ name, kind, value: env[name] }] : []));
  if (given.length > 1) {
    throw new Failure(
      'usage',
      `Only one of ${given.map(({ name }) => name).join(' and ')} can name the account.`,
    );
  }
  const [one] = given;
  return one && { kind: one.kind, value: one.value };
}

/** What tells the tokens of one identity of the environment from those of another. */
export function identityKey(identity: EnvironmentIdentity): string {
  if (identity.kind === 'token') return `token ${identity.token}`;
  const { credentials } = identity;
  if (credentials.kind === 'api-key') return `key ${credentials.apiKey}`;
  const where =
    credentials.kind === 'password' ? Object.values(credentials.identifier).join(' ') : credentials.accountId;
  return `user ${credentials.username.toLowerCase()} ${where}`;
}
