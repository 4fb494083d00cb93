import { isObject, type Json } from '../../base/json.ts';
import { type LearnedFacts, parseFacts } from './learned-facts.ts';
import type { SecretCommand } from './secret-sources.ts';

type Check = 'text' | 'texts' | 'flag' | 'days' | readonly string[];

const fields: Readonly<Record<Exclude<keyof Profile, 'name' | 'identifier' | 'learned'>, Check>> = {
  baseUrl: 'text',
  prefix: ['/v2', ''],
  method: ['password', 'api-key', 'basic', 'sso', 'token'],
  accountId: 'text',
  accountName: 'text',
  ownerId: 'text',
  username: 'text',
  hash: ['md5', 'sha'],
  ssoProvider: 'text',
  ssoClientId: 'text',
  ssoDiscovery: 'text',
  keyStore: ['file', 'keyring', 'none'],
  secretCommand: 'texts',
  protect: ['confirm', 'read-only'],
  account: 'text',
  output: 'text',
  caFile: 'text',
  clientCert: 'text',
  clientKey: 'text',
  allowHttp: 'flag',
  logDays: 'days',
};

const needed = ['baseUrl', 'prefix', 'method', 'accountId'];
const identifierKinds = ['account_name', 'account_realm', 'phone_number'];

function fits(check: Check, value: Json): boolean {
  if (check === 'text') return typeof value === 'string';
  if (check === 'flag') return typeof value === 'boolean';
  if (check === 'days') return typeof value === 'number' && Number.isInteger(value) && value > 0;
  if (check === 'texts')
    return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  return isOneOf(check, value);
}
const isOneOf = (choices: readonly string[], value: Json | undefined) =>
  typeof value === 'string' && choices.includes(value);

/** Reads a profile as it stands in the file, or tells in words what is wrong with it. */
export function parseProfile(name: string, value: Json | undefined): Profile | string {
  if (!isObject(value)) return 'it is not an object';
  for (const [key, check] of Object.entries(fields)) {
    const field = value[key];
    if (field === undefined ? needed.includes(key) : !fits(check, field))
      return `"${key}" is missing or wrong`;
  }
  const { identifier } = value;
  if (
    identifier !== undefined &&
    !(
      isObject(identifier) &&
      isOneOf(identifierKinds, identifier.kind) &&
      typeof identifier.value === 'string'
    )
  ) {
    return '"identifier" is wrong';
  }
  // Every field was checked above: this is where text of a file becomes a profile.
  const profile = { ...value, name } as unknown as Profile;
  return value.learned === undefined ? profile : { ...profile, learned: parseFacts(value.learned) };
}

/**
 * The method by which a profile signs in. `environment` profiles are made of `TELCTL_*` variables and are not stored.
 */
export type SignInMethod = 'password' | 'api-key' | 'basic' | 'sso' | 'token';

/** The identifier of a user at sign-in: exactly one of these (Authentication 3). */
export interface Identifier {
  readonly kind: 'account_name' | 'account_realm' | 'phone_number';
  readonly value: string;
}

/** Facts that telctl remembers of a service and of the user who signed in there. Holds no secret. */
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
  /** Days that runs stay in the log. */
  readonly logDays?: number;
  readonly learned?: LearnedFacts;
}

/** A token as it is kept: the text, whose it is, and when it was issued and ends (Unix milliseconds). */
export interface StoredToken {
  readonly token: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}
