import { join } from 'node:path';
import { createHint, Failure, nextStep, withHint } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { systemReason } from '../../base/read-errors.ts';
import { didYouMean, errorMessage } from '../../base/wording.ts';
import { type LearnedFacts, parseFacts } from './learned-facts.ts';
import type { SecretCommand } from './secret-sources.ts';

export interface StoredProfiles {
  readonly defaultName: string | undefined;
  readonly profiles: ReadonlyMap<string, Profile>;
}

export type ProfileMachine = Pick<Host, 'folders'> & { readonly files: Pick<Host['files'], 'readText'> };

export const configPath = ({ folders }: Pick<Host, 'folders'>): string => join(folders.config, 'config.json');

/** Throws `Failure` with the path of a damaged file. Does not change the file. */
export function readProfiles(host: ProfileMachine): StoredProfiles {
  const path = configPath(host);
  const config = readConfig(host);
  if (config === undefined) return { defaultName: undefined, profiles: new Map() };
  const stored = config.profiles ?? {};
  if (!isObject(stored)) throw malformedFile(path, '"profiles" is not an object');
  return {
    defaultName: typeof config.default === 'string' ? config.default : undefined,
    profiles: new Map(
      Object.entries(stored).map(([name, value]) => {
        const profile = parseProfile(name, value);
        if (typeof profile === 'string') throw malformedFile(path, `profile "${name}": ${profile}`);
        return [name, profile];
      }),
    ),
  };
}

/** Reads the file that contains the profiles. Returns `undefined` if it does not exist. */
export function readConfig(host: ProfileMachine): JsonObject | undefined {
  const path = configPath(host);
  const text = readConfigText(host, path);
  return text === undefined ? undefined : parseConfig(text, path);
}

function readConfigText({ files }: ProfileMachine, path: string): string | undefined {
  try {
    return files.readText(path)?.text;
  } catch (error) {
    throw new Failure('failed', `${path} cannot be read (${systemReason(error) ?? errorMessage(error)}).`, {
      cause: error,
    });
  }
}

function parseConfig(text: string, path: string): JsonObject {
  try {
    const config: unknown = JSON.parse(text);
    if (isObject(config)) return config;
  } catch (error) {
    throw malformedFile(path, 'it is not JSON', error);
  }
  throw malformedFile(path, 'it is not an object');
}

export function malformedFile(path: string, why: string, cause?: unknown): Failure {
  return new Failure('failed', `${path} is damaged: ${why}.`, {
    hint: 'Repair the file, or move it away and sign in again. Until then, telctl does not change it.',
    cause,
  });
}

/** Throws `Failure` (`usage`) that suggests a similar name. */
export function findProfile({ profiles }: StoredProfiles, name: string): Profile {
  const found = profiles.get(name);
  if (found !== undefined) return found;
  const near = findNearest(name, profiles.keys());
  throw new Failure('usage', `There is no profile "${name}".${didYouMean(near)}`, {
    hint:
      profiles.size === 0
        ? createHint`Sign in to create one: ${nextStep`login`}`
        : createHint`All profiles: ${nextStep`profiles list`}`,
  });
}

/** Throws `usage` for a name that is not a valid file name, or that looks like an option. */
export function checkProfileName(name: string): void {
  if (/^[A-Za-z0-9_][\w.-]{0,63}$/.test(name) && !/^(?:__proto__|constructor|prototype)$/.test(name)) return;
  throw new Failure('usage', `"${name}" is not a valid profile name.`, {
    hint: 'Use up to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit.',
  });
}

/** `baseUrl` is the service to sign in to, if it is set. */
export function noProfileFailure(baseUrl?: string): Failure {
  if (baseUrl === undefined)
    return new Failure('auth', 'Not signed in.', {
      hint: createHint`Run: ${nextStep`login`}. To try telctl on this machine: ${nextStep`sandbox start`}`,
    });
  return new Failure('auth', `Not signed in to ${baseUrl}.`, {
    hint: createHint`Set TELCTL_API_KEY, or run: ${nextStep`login --base-url ${baseUrl} --api-key-stdin`}`,
  });
}

export function notSignedInFailure({ name, method, ssoProvider }: Profile): Failure {
  const variable = method === 'password' ? 'TELCTL_PASSWORD' : 'TELCTL_API_KEY';
  const way =
    method === 'password'
      ? '--password-stdin'
      : ssoProvider === undefined
        ? '--api-key-stdin'
        : ['--sso', ssoProvider];
  return new Failure('auth', `Not signed in to profile "${name}".`, {
    hint: createHint`Set ${variable}, or run: ${nextStep`login --profile ${name} ${way}`}`,
  });
}

export function refusedSecretFailure(
  variable: string,
  { status, code, requestId }: Partial<Failure> = {},
): Failure {
  const said = `The service refused ${variable}.`;
  return withVariable(new Failure('auth', said, { status, code, requestId }), variable);
}

/** Names the variable to change. */
export const withVariable = (refusal: Failure, variable: string): Failure =>
  withHint(refusal, createHint`Set ${variable} to a new value, or run: ${nextStep`login`}`);

type Check = (value: Json) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isOneOf =
  (...choices: readonly string[]): Check =>
  (value) =>
    choices.some((choice) => choice === value);

const fields: Readonly<Record<Exclude<keyof Profile, 'name' | 'learned'>, Check>> = {
  baseUrl: isText,
  prefix: isOneOf('/v2', ''),
  method: isOneOf('password', 'api-key', 'basic', 'sso', 'token'),
  accountId: isText,
  accountName: isText,
  ownerId: isText,
  username: isText,
  identifier: (value) =>
    isObject(value) &&
    isOneOf('account_name', 'account_realm', 'phone_number')(value.kind ?? null) &&
    isText(value.value ?? null),
  hash: isOneOf('md5', 'sha'),
  ssoProvider: isText,
  ssoClientId: isText,
  ssoDiscovery: isText,
  keyStore: isOneOf('file', 'keyring', 'none'),
  secretCommand: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  protect: isOneOf('confirm', 'read-only'),
  account: isText,
  output: isText,
  caFile: isText,
  clientCert: isText,
  clientKey: isText,
  allowHttp: (value) => typeof value === 'boolean',
  country: (value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value),
  logDays: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
};

const mandatoryFields = ['baseUrl', 'prefix', 'method', 'accountId'];

function parseProfile(name: string, value: Json | undefined): Profile | string {
  if (!isObject(value)) return 'it is not an object';
  for (const [key, check] of Object.entries(fields)) {
    const field = value[key];
    if (field === undefined ? mandatoryFields.includes(key) : !check(field))
      return `"${key}" is missing or wrong`;
  }
  // All fields were checked above. Only this cast is unchecked.
  const profile = { ...value, name } as unknown as Profile;
  return value.learned === undefined ? profile : { ...profile, learned: parseFacts(value.learned) };
}

export type SignInMethod = 'password' | 'api-key' | 'basic' | 'sso' | 'token';

/** Exactly one of these identifies the account at sign-in (Authentication 3). */
export interface Identifier {
  readonly kind: 'account_name' | 'account_realm' | 'phone_number';
  readonly value: string;
}

export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  /** Prefix of paths: `/v2` or empty. */
  readonly prefix: string;
  readonly method: SignInMethod;
  readonly accountId: string;
  readonly accountName?: string;
  readonly ownerId?: string;
  readonly username?: string;
  readonly identifier?: Identifier;
  readonly hash?: 'md5' | 'sha';
  readonly ssoProvider?: string;
  readonly ssoClientId?: string;
  readonly ssoDiscovery?: string;
  readonly keyStore?: 'file' | 'keyring' | 'none';
  /** Program and arguments that print the API key or password, which is then not stored. */
  readonly secretCommand?: SecretCommand;
  readonly protect?: 'confirm' | 'read-only';
  readonly account?: string;
  readonly output?: string;
  readonly caFile?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly allowHttp?: boolean;
  /** Days to keep runs in the log. */
  readonly logDays?: number;
  /** Two-letter country of national numbers. */
  readonly country?: string;
  readonly learned?: LearnedFacts;
}

/** Times are in Unix milliseconds. */
export interface StoredToken {
  readonly token: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}
