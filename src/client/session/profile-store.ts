import { join } from 'node:path';
import { createHint, Failure, nextStep, withHint } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { systemReason } from '../../base/read-errors.ts';
import { didYouMean, messageOf } from '../../base/wording.ts';
import { type LearnedFacts, parseFacts } from './learned-facts.ts';
import type { SecretCommand } from './secret-sources.ts';

/** All stored profiles, and the one that is used when none is named. */
export interface StoredProfiles {
  readonly defaultName: string | undefined;
  readonly profiles: ReadonlyMap<string, Profile>;
}

export type ProfileMachine = Pick<Host, 'folders'> & { readonly files: Pick<Host['files'], 'readText'> };

export const configPath = ({ folders }: Pick<Host, 'folders'>): string => join(folders.config, 'config.json');

/** Reads the stored profiles. Throws `Failure` naming a file that cannot be understood, which stays as it is. */
export function readProfiles(host: ProfileMachine): StoredProfiles {
  const path = configPath(host);
  const config = readConfig(host);
  if (config === undefined) return { defaultName: undefined, profiles: new Map() };
  const stored = config.profiles ?? {};
  if (!isObject(stored)) throw malformed(path, '"profiles" is not an object');
  return {
    defaultName: typeof config.default === 'string' ? config.default : undefined,
    profiles: new Map(
      Object.entries(stored).map(([name, value]) => {
        const profile = parseProfile(name, value);
        if (typeof profile === 'string') throw malformed(path, `profile "${name}": ${profile}`);
        return [name, profile];
      }),
    ),
  };
}

/** Reads the user's configuration, in which the profiles stand; `undefined` where there is none. Throws as `readProfiles`. */
export function readConfig(host: ProfileMachine): JsonObject | undefined {
  const path = configPath(host);
  const text = readConfigText(host, path);
  return text === undefined ? undefined : parseConfig(text, path);
}

function readConfigText({ files }: ProfileMachine, path: string): string | undefined {
  try {
    return files.readText(path)?.text;
  } catch (error) {
    throw new Failure('failed', `${path} cannot be read (${systemReason(error) ?? messageOf(error)}).`, {
      cause: error,
    });
  }
}

function parseConfig(text: string, path: string): JsonObject {
  try {
    const config: unknown = JSON.parse(text);
    if (isObject(config)) return config;
  } catch (error) {
    throw malformed(path, 'it is not JSON', error);
  }
  throw malformed(path, 'it is not an object');
}

/** The failure for a file of telctl's own that is malformed: telctl neither guesses nor clears it. */
export function malformed(path: string, why: string, cause?: unknown): Failure {
  return new Failure('failed', `${path} is damaged: ${why}.`, {
    hint: 'Repair the file, or move it away and sign in again. telctl changes nothing in it until then.',
    cause,
  });
}

/** The profile of that name. Throws `Failure` (`usage`) naming the nearest one where there is none. */
export function profileNamed({ profiles }: StoredProfiles, name: string): Profile {
  const found = profiles.get(name);
  if (found !== undefined) return found;
  const near = findNearest(name, profiles.keys());
  throw new Failure('usage', `There is no profile "${name}".${didYouMean(near)}`, {
    hint:
      profiles.size === 0
        ? createHint`Sign in to make one: ${nextStep`login`}`
        : createHint`All profiles: ${nextStep`profiles list`}`,
  });
}

/** Refuses (`usage`) a name that could not be that of a file or would be taken for an option. */
export function checkProfileName(name: string): void {
  if (/^[A-Za-z0-9_][\w.-]{0,63}$/.test(name) && !/^(?:__proto__|constructor|prototype)$/.test(name)) return;
  throw new Failure('usage', `"${name}" cannot be the name of a profile.`, {
    hint: 'Use up to 64 letters, digits, dots, hyphens and underscores, beginning with a letter or digit.',
  });
}

/** The failure when nobody is signed in and there is no profile; for `baseUrl`, if one was named. */
export function noProfile(baseUrl?: string): Failure {
  if (baseUrl === undefined)
    return new Failure('auth', 'Not signed in.', {
      hint: createHint`Run: ${nextStep`login`}. To try telctl on this machine: ${nextStep`sandbox start`}`,
    });
  return new Failure('auth', `Not signed in to ${baseUrl}.`, {
    hint: createHint`Set TELCTL_API_KEY, or run: ${nextStep`login --base-url ${baseUrl} --api-key-stdin`}`,
  });
}

/** Returns the failure for a profile that has nothing to sign in with, when nobody can be asked. */
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

/** Returns the failure for credentials of the environment that are not accepted. */
export function environmentRefused(
  variable: string,
  { status, code, requestId }: Partial<Failure> = {},
): Failure {
  const said = `The service refused ${variable}.`;
  return withVariable(new Failure('auth', said, { status, code, requestId }), variable);
}

/** Names the variable that mends a refused sign-in. */
export const withVariable = (refusal: Failure, variable: string): Failure =>
  withHint(refusal, createHint`Set ${variable} to a new value, or run: ${nextStep`login`}`);

type Check = (value: Json) => boolean;

const text: Check = (value) => typeof value === 'string';
const oneOf =
  (...choices: readonly string[]): Check =>
  (value) =>
    choices.some((choice) => choice === value);

const fields: Readonly<Record<Exclude<keyof Profile, 'name' | 'learned'>, Check>> = {
  baseUrl: text,
  prefix: oneOf('/v2', ''),
  method: oneOf('password', 'api-key', 'basic', 'sso', 'token'),
  accountId: text,
  accountName: text,
  ownerId: text,
  username: text,
  identifier: (value) =>
    isObject(value) &&
    oneOf('account_name', 'account_realm', 'phone_number')(value.kind ?? null) &&
    text(value.value ?? null),
  hash: oneOf('md5', 'sha'),
  ssoProvider: text,
  ssoClientId: text,
  ssoDiscovery: text,
  keyStore: oneOf('file', 'keyring', 'none'),
  secretCommand: (value) => Array.isArray(value) && value.length > 0 && value.every(text),
  protect: oneOf('confirm', 'read-only'),
  account: text,
  output: text,
  caFile: text,
  clientCert: text,
  clientKey: text,
  allowHttp: (value) => typeof value === 'boolean',
  country: (value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value),
  logDays: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
};

const needed = ['baseUrl', 'prefix', 'method', 'accountId'];

/** Reads a profile as it stands in the file, or tells in words what is wrong with it. */
function parseProfile(name: string, value: Json | undefined): Profile | string {
  if (!isObject(value)) return 'it is not an object';
  for (const [key, check] of Object.entries(fields)) {
    const field = value[key];
    if (field === undefined ? needed.includes(key) : !check(field)) return `"${key}" is missing or wrong`;
  }
  // Every field was checked above: this is where text of a file becomes a profile.
  const profile = { ...value, name } as unknown as Profile;
  return value.learned === undefined ? profile : { ...profile, learned: parseFacts(value.learned) };
}

/** The method by which a profile signs in; `environment` profiles are made of variables and never stored. */
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
  /** Country in two letters by which national numbers are read. */
  readonly country?: string;
  readonly learned?: LearnedFacts;
}

/** A token as it is kept: the text, whose it is, and when it was issued and ends (Unix milliseconds). */
export interface StoredToken {
  readonly token: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}
