import { dirname, join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { systemReason } from '../../base/reading.ts';
import { isOn, messageOf } from '../../base/wording.ts';

/** The formats that results can be shown in. */
export const outputFormats = ['table', 'json', 'yaml', 'ndjson', 'csv', 'name'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Formats that some commands have besides. They hold for one run and are never set by a profile. */
export const documentFormats = [...outputFormats, 'markdown', 'html', 'junit', 'tap', 'sarif'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** Source of the value of a setting; `config explain` shows it. */
export type SettingSource = 'option' | 'environment' | 'directory' | 'profile' | 'default';

/** A setting with where it came from: `--profile`, `TELCTL_PROFILE`, a file, … */
export interface Setting<T> {
  readonly value: T;
  readonly source: SettingSource;
  /** The option, variable or file that gave it; empty for defaults. */
  readonly from: string;
}

/** The settings that result from the global options, variables, files and the profile. */
export interface Settings {
  readonly profile: Setting<string | undefined>;
  readonly baseUrl: Setting<string | undefined>;
  /** Id, name or realm of the account to act on; unset: the one signed in to. */
  readonly account: Setting<string | undefined>;
  /** Path prefix of the account resources, `/v2` or empty; unset before the first sign-in. */
  readonly prefix: Setting<string | undefined>;
  readonly output: Setting<DocumentFormat>;
  readonly noInput: Setting<boolean>;
  readonly timeoutMs: Setting<number>;
  readonly retries: Setting<number>;
  readonly concurrency: Setting<number>;
  readonly caFile: Setting<string | undefined>;
  /** PEM files by which this client shows the service who it is; the key may stand in the first. */
  readonly clientCert: Setting<string | undefined>;
  readonly clientKey: Setting<string | undefined>;
  readonly insecure: Setting<boolean>;
  /** Plain http to a host that is not loopback was asked for. */
  readonly allowHttp: Setting<boolean>;
  /** Program with its arguments that shows output longer than the screen; `none` for no program. */
  readonly pager: Setting<string>;
  readonly color: Setting<'auto' | 'always' | 'never'>;
  /** Folder or database of what telctl remembers between runs, without a password; unset: the state folder. */
  readonly state: Setting<string | undefined>;
  readonly logDays: Setting<number>;
  /** Country in two letters by which national numbers are read; unset: that of the account's own number. */
  readonly country: Setting<string | undefined>;
}

export const logBounds = { least: 1, most: 36_500, whole: true } as const;

/** A place that may give a setting; `value` is `undefined` where it does not. */
export interface Place<T> {
  readonly source: SettingSource;
  /** The option, variable or file. */
  readonly from: string;
  readonly value: T | undefined;
}

export function first<T>(otherwise: T, places: readonly Place<T>[]): Setting<T> {
  for (const { source, from, value } of places) if (value !== undefined) return { value, source, from };
  return { value: otherwise, source: 'default', from: '' };
}

/** A variable as a switch: on, unless it is empty, 0, false, no or off. */
export function flag({ value, ...place }: Place<string>): Place<boolean> {
  return { ...place, value: value === undefined ? undefined : isOn(value) };
}

/** Bounds of a number, in the unit that people type. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  /** Size of one typed unit in the setting's unit: 1000 for seconds kept in milliseconds. */
  readonly scale?: number;
  readonly whole?: boolean;
}

/** A number in its bounds. Throws `Failure` (`usage`) naming the place otherwise. */
export function number(place: Place<string | number>, bounds: Bounds): Place<number> {
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

/** One of some words. Throws `Failure` (`usage`) naming the place and the words otherwise. */
export function choice<T extends string>(choices: readonly T[], place: Place<string>): Place<T> {
  const { value, ...rest } = place;
  if (value === undefined) return { ...rest, value };
  const found = choices.find((each) => each === value);
  if (found !== undefined) return { ...rest, value: found };
  throw new Failure('usage', `${place.from} says "${value}", which is none of ${choices.join(', ')}.`);
}

/**
 * A service's address as it is kept: no slash, query or version prefix at its end, and with
 * the scheme that people leave out. Throws `Failure` (`usage`) for
 * text that is no http address, and for one with a user or password in it.
 */
export function normaliseBaseUrl(text: string, from: string): string {
  const wrong = (why: string) =>
    new Failure('usage', `${from} ${why}.`, { hint: 'Give the address of the service: https://api.example' });
  const trimmed = withScheme(text.trim());
  if (!URL.canParse(trimmed)) throw wrong('is not an address');
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('is neither https nor http');
  if (url.username !== '' || url.password !== '')
    throw wrong('holds a user or password; telctl sends none that way');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '')}`;
}

/** `localhost:8000`, `api.example`: a host without the word before it, as people type it. */
const bareHost = /^(localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\]|[\w-]+(?=:\d))(?::\d{1,5})?(?:\/\S*)?$/i;
/** Hosts of this machine, which seldom have a certificate. */
const ownHost = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** An address with what was left out before its host: http for this machine, https for every other. */
function withScheme(text: string): string {
  const host = bareHost.exec(text)?.[1];
  return host === undefined ? text : `${ownHost.test(host) ? 'http' : 'https'}://${text}`;
}

/** Tells whether the secrets of the environment may be sent to a service: where it names one, to no other. */
export const isEnvironmentFor = ({ TELCTL_BASE_URL: named }: Host['env'], baseUrl: string): boolean =>
  !named || isSameOrigin(normaliseBaseUrl(named, 'TELCTL_BASE_URL'), baseUrl);

/** True for the same scheme, host and port: then the secrets of one may be sent to the other. */
export function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** Settings that a `.telctl.yaml` may contain: never a secret, a service or a protection. */
const allowed = ['profile', 'account', 'output', 'state', 'country'] as const;
export type DirectoryKey = (typeof allowed)[number];

/** The settings of the nearest `.telctl.yaml`, and where it lies. */
export interface DirectorySettings {
  readonly path: string;
  readonly values: Readonly<Partial<Record<DirectoryKey, string>>>;
}

export const directoryFile = '.telctl.yaml';

/** Reads the nearest `.telctl.yaml`. Throws `Failure` (`usage`) naming file and line of what may not stand there. */
export function readDirectorySettings({
  files,
  cwd,
}: Pick<Host, 'cwd'> & { readonly files: Pick<Host['files'], 'readText'> }): DirectorySettings | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, directoryFile);
    const file = readAt(files, path);
    if (file !== undefined) return { path, values: parse(file.text, path) };
    if (folder === dirname(folder)) return undefined;
  }
}

function readAt(files: Pick<Host['files'], 'readText'>, path: string): ReturnType<Host['files']['readText']> {
  try {
    return files.readText(path);
  } catch (error) {
    throw new Failure('usage', `${path} cannot be read (${systemReason(error) ?? messageOf(error)}).`, {
      hint: 'telctl takes settings from it. Repair it, or work in a folder that it does not stand above.',
      cause: error,
    });
  }
}

const isAllowed = (key: string): key is DirectoryKey => (allowed as readonly string[]).includes(key);

/** Five scalars need no YAML library, which would cost every start a tenth of its time. */
function parse(text: string, path: string): DirectorySettings['values'] {
  const values: Partial<Record<DirectoryKey, string>> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#') || bare === '---') continue;
    const at = `${path}:${index + 1}`;
    const [, key = '', rest = ''] = /^([\w-]+)[ \t]*:(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
    if (key === '') throw wrong(at, 'is not one of the lines that can stand here');
    if (!isAllowed(key)) throw wrong(at, `sets "${key}", which cannot be set here`);
    if (Object.hasOwn(values, key)) throw wrong(at, `sets "${key}" a second time`);
    const value = scalar(rest, at);
    if (value !== undefined) values[key] = value;
  }
  return values;
}

function scalar(text: string, at: string): string | undefined {
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2];
  const plain = text.replace(/(?:^|\s)#.*$/, '').trim();
  if (/^[[{&*!|>"'%@`]/.test(plain)) throw wrong(at, 'must be plain text');
  return plain === '' ? undefined : plain;
}

function wrong(at: string, why: string): Failure {
  return new Failure('usage', `${at} ${why}.`, {
    hint: `${directoryFile} can set ${allowed.join(', ')}, each as one line: "profile: NAME".`,
  });
}

/** The path prefix that a word means: `/v2`, or nothing for `none`. Throws `Failure` (`usage`) for other words. */
export function prefixOf(word: string, from: string): '/v2' | '' {
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
