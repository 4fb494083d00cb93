import { dirname, join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { systemReason } from '../../base/read-errors.ts';
import { errorMessage, isTruthyText } from '../../base/wording.ts';

export const outputFormats = ['table', 'json', 'yaml', 'ndjson', 'csv', 'name'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Formats of some commands. They apply to one run, and a profile cannot set them. */
export const documentFormats = [...outputFormats, 'markdown', 'html', 'junit', 'tap', 'sarif'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export type SettingSource = 'option' | 'environment' | 'directory' | 'profile' | 'default';

export interface Setting<T> {
  readonly value: T;
  readonly source: SettingSource;
  /** The option, variable or file that sets the value. Empty for defaults. */
  readonly from: string;
}

export interface Settings {
  readonly profile: Setting<string | undefined>;
  readonly baseUrl: Setting<string | undefined>;
  /** Id, name or realm of the account (default: the signed-in account). */
  readonly account: Setting<string | undefined>;
  /** Path prefix of account resources, `/v2` or empty. Unset before the first sign-in. */
  readonly prefix: Setting<string | undefined>;
  readonly output: Setting<DocumentFormat>;
  readonly noInput: Setting<boolean>;
  readonly timeoutMs: Setting<number>;
  readonly retries: Setting<number>;
  readonly concurrency: Setting<number>;
  readonly caFile: Setting<string | undefined>;
  /** PEM files of the client certificate and its key. The first file may contain both. */
  readonly clientCert: Setting<string | undefined>;
  readonly clientKey: Setting<string | undefined>;
  readonly insecure: Setting<boolean>;
  readonly allowHttp: Setting<boolean>;
  /** Program with its arguments, or `none`. */
  readonly pager: Setting<string>;
  readonly color: Setting<'auto' | 'always' | 'never'>;
  /** Folder or database of the state, without a password (default: the state folder). */
  readonly state: Setting<string | undefined>;
  readonly logDays: Setting<number>;
  /** Two-letter country of national numbers (default: that of the account's own number). */
  readonly country: Setting<string | undefined>;
}

export const logBounds = { least: 1, most: 36_500, whole: true } as const;

/** `value` is `undefined` if the place does not set it. */
export interface SettingPlace<T> {
  readonly source: SettingSource;
  readonly from: string;
  readonly value: T | undefined;
}

export function firstSet<T>(otherwise: T, places: readonly SettingPlace<T>[]): Setting<T> {
  for (const { source, from, value } of places) if (value !== undefined) return { value, source, from };
  return { value: otherwise, source: 'default', from: '' };
}

/** Empty, 0, false, no and off mean false. */
export function parseSwitch({ value, ...place }: SettingPlace<string>): SettingPlace<boolean> {
  return { ...place, value: value === undefined ? undefined : isTruthyText(value) };
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** Converts the typed unit to the setting's unit: 1000 for seconds that are stored in milliseconds. */
  readonly scale?: number;
  readonly whole?: boolean;
}

/** Throws `Failure` (`usage`) with the source of an invalid number. */
export function parseNumberSetting(
  place: SettingPlace<string | number>,
  bounds: Bounds,
): SettingPlace<number> {
  const { least, most, scale = 1, whole = false } = bounds;
  const { value } = place;
  if (value === undefined) return { ...place, value };
  const typed = typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value);
  if (!(typed >= least && typed <= most) || (whole && !Number.isInteger(typed))) {
    throw new Failure(
      'usage',
      `${place.from} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`,
    );
  }
  return { ...place, value: Math.round(typed * scale) };
}

/** Throws `Failure` (`usage`) with the source and the allowed values. */
export function parseChoice<T extends string>(
  choices: readonly T[],
  place: SettingPlace<string>,
): SettingPlace<T> {
  const { value, ...rest } = place;
  if (value === undefined) return { ...rest, value };
  const found = choices.find((each) => each === value);
  if (found !== undefined) return { ...rest, value: found };
  throw new Failure('usage', `${place.from} says "${value}", which is none of ${choices.join(', ')}.`);
}

/**
 * Adds a missing scheme to the address of a service, and removes a trailing slash, the query and the version prefix.
 * Throws `Failure` (`usage`) for text that is not an http address, and for an address with a user or password.
 */
export function normaliseBaseUrl(text: string, from: string): string {
  const invalidAddressFailure = (why: string) =>
    new Failure('usage', `${from} ${why}.`, { hint: 'Give the address of the service: https://api.example' });
  const trimmed = withScheme(text.trim());
  if (!URL.canParse(trimmed)) throw invalidAddressFailure('is not an address');
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalidAddressFailure('is neither https nor http');
  if (url.username !== '' || url.password !== '')
    throw invalidAddressFailure('holds a user or password; telctl sends none that way');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '')}`;
}

/** A host without a scheme: `localhost:8000`, `api.example`. */
const bareHost = /^(localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\]|[\w-]+(?=:\d))(?::\d{1,5})?(?:\/\S*)?$/i;
/** This machine, which seldom has a certificate. */
const ownHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

function withScheme(text: string): string {
  const host = bareHost.exec(text)?.[1];
  return host === undefined ? text : `${ownHost.test(host) ? 'http' : 'https'}://${text}`;
}

/**
 * Returns true if secrets of the environment may be sent to a service. If the environment sets a service, they are
 * only sent to that one.
 */
export const isEnvironmentFor = ({ TELCTL_BASE_URL: named }: Host['env'], baseUrl: string): boolean =>
  !named || isSameOrigin(normaliseBaseUrl(named, 'TELCTL_BASE_URL'), baseUrl);

/** Secrets of one address may be sent to the other if scheme, host and port are the same. */
export function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** `.telctl.yaml` cannot set secrets, services or protection. */
const allowed = ['profile', 'account', 'output', 'state', 'country'] as const;
export type DirectoryKey = (typeof allowed)[number];

export interface DirectorySettings {
  readonly path: string;
  readonly values: Readonly<Partial<Record<DirectoryKey, string>>>;
}

export const directoryFile = '.telctl.yaml';

/** Reads the nearest `.telctl.yaml`. Throws `Failure` (`usage`) with file and line of an invalid entry. */
export function readDirectorySettings({
  files,
  cwd,
}: Pick<Host, 'cwd'> & { readonly files: Pick<Host['files'], 'readText'> }): DirectorySettings | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, directoryFile);
    const file = readDirectoryFile(files, path);
    if (file !== undefined) return { path, values: parseDirectorySettings(file.text, path) };
    if (folder === dirname(folder)) return undefined;
  }
}

function readDirectoryFile(
  files: Pick<Host['files'], 'readText'>,
  path: string,
): ReturnType<Host['files']['readText']> {
  try {
    return files.readText(path);
  } catch (error) {
    throw new Failure('usage', `${path} cannot be read (${systemReason(error) ?? errorMessage(error)}).`, {
      hint: 'telctl reads settings from it. Repair it, or work in a folder outside of its folder.',
      cause: error,
    });
  }
}

const isAllowed = (key: string): key is DirectoryKey => (allowed as readonly string[]).includes(key);

/** Does not use the YAML library, which would make every start 10 % slower. */
function parseDirectorySettings(text: string, path: string): DirectorySettings['values'] {
  const values: Partial<Record<DirectoryKey, string>> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#') || bare === '---') continue;
    const at = `${path}:${index + 1}`;
    const [, key = '', rest = ''] = /^([\w-]+)[ \t]*:(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
    if (key === '') throw invalidLine(at, 'is not a valid setting here');
    if (!isAllowed(key)) throw invalidLine(at, `sets "${key}", which cannot be set here`);
    if (Object.hasOwn(values, key)) throw invalidLine(at, `sets "${key}" a second time`);
    const value = parseScalar(rest, at);
    if (value !== undefined) values[key] = value;
  }
  return values;
}

function parseScalar(text: string, at: string): string | undefined {
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2];
  const plain = text.replace(/(?:^|\s)#.*$/, '').trim();
  if (/^[[{&*!|>"'%@`]/.test(plain)) throw invalidLine(at, 'must be plain text');
  return plain === '' ? undefined : plain;
}

function invalidLine(at: string, why: string): Failure {
  return new Failure('usage', `${at} ${why}.`, {
    hint: `${directoryFile} can set ${allowed.join(', ')}, each as one line: "profile: NAME".`,
  });
}

/** Converts `none` to an empty prefix. Throws `Failure` (`usage`) for values other than `/v2` and `none`. */
export function parsePrefix(word: string, from: string): '/v2' | '' {
  switch (word.replace(/^\//, '')) {
    case 'v2':
      return '/v2';
    case 'none':
    case '':
      return '';
    default:
      throw new Failure('usage', `${from} says "${word}"; a prefix is /v2 or none.`);
  }
}
