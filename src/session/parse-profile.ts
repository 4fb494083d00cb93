import { isObject, type Json } from '../base/json.ts';
import { parseFacts } from './learned-facts.ts';
import type { Profile } from './profile.ts';

type Check = 'text' | 'texts' | 'flag' | readonly string[];

/** What may stand in a stored profile. */
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
};

const needed = ['baseUrl', 'prefix', 'method', 'accountId'];
const identifierKinds = ['account_name', 'account_realm', 'phone_number'];

function fits(check: Check, value: Json): boolean {
  if (check === 'text') return typeof value === 'string';
  if (check === 'flag') return typeof value === 'boolean';
  if (check === 'texts')
    return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  return isOneOf(check, value);
}
const isOneOf = (choices: readonly string[], value: Json | undefined) =>
  typeof value === 'string' && choices.includes(value);

/** A profile as it stands in the file; what is wrong with it, in words, where it is none. */
export function parseProfile(name: string, value: Json | undefined): Profile | string {
  if (!isObject(value)) return 'it is no object';
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
