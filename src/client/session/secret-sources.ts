import { dirname, join, resolve } from 'node:path';
import type { AsyncEntry } from '@napi-rs/keyring';
import { createHint, Failure, type HintSource, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { programEnvironment } from '../../base/program-environment.ts';
import { systemReason } from '../../base/read-errors.ts';
import { errorMessage, formatCount, shellWord } from '../../base/wording.ts';
import { malformedFile, type Profile } from './profile-store.ts';

export type ProgramMachine = Pick<Host, 'processes' | 'env' | 'withheld' | 'interrupted'>;

type Machine = Pick<Host, 'files' | 'platform'>;

/** `trouble` lists warnings about other users who can read or write the file. */
export type SecretFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly cause: unknown }
  | { readonly kind: 'read'; readonly value: JsonObject; readonly trouble: readonly string[] };

/**
 * Throws `Failure` (`refused`) for a file of another user, because its author could choose the account. `trouble`
 * reports a file that others can read, or a link that leads out of its folder.
 */
export function readSecretFile({ files, platform }: Machine, path: string): SecretFile {
  try {
    const file = files.readText(path);
    if (file === undefined) return { kind: 'none' };
    if (file.isForeign)
      throw new Failure('refused', `The secrets in ${path} belong to another user, and are not used.`, {
        hint: `If they are yours: sudo chown "$USER" ${path}. If not, remove the file and sign in again.`,
      });
    const value: unknown = JSON.parse(file.text);
    if (!isObject(value)) return { kind: 'damaged', cause: undefined };
    return {
      kind: 'read',
      value,
      trouble: [...describeOpenFile(platform, path, file.mode), ...describeLink(files, path)],
    };
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    return { kind: 'damaged', cause };
  }
}

/**
 * Describes the mode of a file that others can read. Windows has no modes, because files inherit the permissions of
 * the user's folder.
 */
export function openMode(platform: Host['platform'], mode: number | undefined): string | undefined {
  if (platform === 'win32' || mode === undefined || (mode & 0o077) === 0) return undefined;
  return `mode ${mode.toString(8).padStart(4, '0')}`;
}

function describeOpenFile(platform: Host['platform'], path: string, mode: number): readonly string[] {
  const open = openMode(platform, mode);
  return open === undefined
    ? []
    : [`Others may read the secrets in ${path} (${open}). Close it: chmod 600 ${path}`];
}

export function openFileWarning(
  { files, platform, cwd }: Machine & Pick<Host, 'cwd'>,
  file: string,
): readonly string[] {
  const path = resolve(cwd, file);
  const mode = files.kindOf(path) === 'file' ? files.modeOf(path) : undefined;
  return mode === undefined ? [] : describeOpenFile(platform, path, mode);
}

const warnedHosts = new WeakSet<object>();

/** Warns once if others can write to the configuration folder. Does nothing in quiet runs and on Windows. */
export function warnOfOpenFolder(
  host: Pick<Host, 'files' | 'platform' | 'folders'>,
  { warn, isQuiet }: { warn(line: string): void; readonly isQuiet?: boolean | undefined },
): void {
  const { config } = host.folders;
  const mode = host.files.modeOf(config);
  if (isQuiet || host.platform === 'win32' || mode === undefined || (mode & 0o022) === 0) return;
  if (warnedHosts.has(host)) return;
  warnedHosts.add(host);
  warn(
    `Others may write to ${config} (mode ${mode.toString(8).padStart(4, '0')}) and change who telctl speaks as. Close it: chmod 700 ${shellWord(config)}`,
  );
}

/** Reports a link to another folder, where other users could replace the secret. */
function describeLink(files: Host['files'], path: string): readonly string[] {
  if (!files.isLink(path)) return [];
  const target = files.realPath(path);
  return dirname(target) === files.realPath(dirname(path))
    ? []
    : [`The secrets of ${path} lie elsewhere: it is a link to ${target}. Put the file itself there.`];
}

/** Replaces the home folder with `~`. */
export function homePath({ env }: Pick<Host, 'env'>, path: string): string {
  const home = env.HOME;
  return home !== undefined && home !== '' && path.startsWith(`${home}/`)
    ? `~${path.slice(home.length)}`
    : path;
}

export type SecretCommand = readonly [program: string, ...args: string[]];

/** Characters. No secret is longer. */
const longestText = 65_536;
/** Milliseconds. Long, because the user may have to touch a key. */
const secretTimeoutMs = 60_000;

/** Quoted characters are literal. */
const wordParts = /'([^']*)'|"([^"]*)"|(\s+)|([^\s'"]+)/gy;
/** Syntax of shells that telctl does not interpret, outside quotes and in double quotes. */
const shellSyntax = /[|&;<>()$`\\*?[\]{}~]/;
const quotedShellSyntax = /[$`\\]/;

/**
 * Splits a command line at spaces outside quotes. Does not run a shell or expand variables, and throws `usage` for
 * syntax that requires a shell. Makes a relative program path absolute, so that the current folder does not matter.
 */
export function parseSecretCommand(line: string, option: string, cwd: string): SecretCommand {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const { 0: part, 1: single, 2: double, 3: blank, 4: plain, index } of line.matchAll(wordParts)) {
    end = index + part.length;
    const [own] = shellSyntax.exec(plain ?? '') ?? quotedShellSyntax.exec(double ?? '') ?? [];
    if (own !== undefined)
      throw new Failure('usage', `${option} is run without a shell, and ${own} would need one.`, {
        hint: "Put '...' around it to pass it unchanged, or put the command into a script.",
      });
    if (blank === undefined) word = (word ?? '') + (single ?? double ?? plain ?? '');
    else if (word !== undefined) word = void words.push(word);
  }
  if (word !== undefined) words.push(word);
  const [program, ...args] = words;
  if (end !== line.length || program === undefined || program === '')
    throw new Failure(
      'usage',
      `${option} must be a program with its arguments, and its quotes must be in pairs.`,
      {
        hint: `For example: ${option} "pass show telctl/prod"`,
      },
    );
  return [/[/\\]/.test(program) ? resolve(cwd, program) : program, ...args];
}

interface SecretRun {
  readonly what: string;
  readonly hint: HintSource;
  readonly timeoutMs: number;
  readonly run: Host['processes']['runForText'];
}

/** Returns the first line of a program's output. Throws like `runSecretCommand`. */
export async function readCommandSecret(
  host: ProgramMachine,
  command: SecretCommand,
  what: string,
): Promise<string> {
  const text = await runSecretCommand(host, command, {
    what,
    hint: createHint`Run it by hand to see why. ${nextStep`config explain`} shows the whole command, ${nextStep`login`} takes another.`,
    timeoutMs: secretTimeoutMs,
    run: host.processes.runForText,
  });
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line !== '') return line;
  throw new Failure('auth', `${command[0]}, which should print the ${what}, printed nothing.`);
}

/**
 * Returns the output of a program. The program gets no input, and an environment without secrets. Its output is
 * neither shown nor logged. Throws `Failure` (`auth`) if it cannot start, fails, prints nothing or too much, or takes
 * too long.
 */
export async function runSecretCommand(
  host: ProgramMachine,
  [program, ...args]: SecretCommand,
  { what, hint, timeoutMs, run }: SecretRun,
): Promise<string> {
  const { interrupted } = host;
  const programFailure = (how: string, cause?: unknown): Failure =>
    new Failure('auth', `${program}, which should print the ${what}, ${how}.`, { hint, cause });
  const limits = { timeoutMs, signal: interrupted };
  const done = await run(program, args, programEnvironment(host), limits).catch((error: unknown) => {
    if (error instanceof Failure) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw programFailure(code === 'ENOENT' ? 'does not exist' : `cannot be started (${code})`, error);
  });
  if (interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
  if (done.timedOut) throw programFailure(`took longer than ${formatCount(timeoutMs / 1000, 'second')}`);
  if (done.code !== 0)
    throw programFailure(
      done.code === null ? `was ended by ${done.signal}` : `ended with exit code ${done.code}`,
    );
  if (done.stdout.length >= longestText) throw programFailure('printed more than any secret is long');
  if (done.stdout.trim() === '') throw programFailure('printed nothing');
  return done.stdout;
}

export const keyPath = ({ folders }: Pick<Host, 'folders'>, name: string): string =>
  join(folders.config, 'credentials', `${name}.json`);

type Named = Pick<Profile, 'name' | 'baseUrl' | 'keyStore'>;

/** Throws `Failure` for a damaged file, and warns if others can read it. */
export async function readStoredKey(
  host: Host,
  profile: Named,
  warn: (line: string) => void,
): Promise<string | undefined> {
  if (profile.keyStore === 'keyring') return readFromKeyring(profile);
  if (profile.keyStore !== 'file') return undefined;
  const path = keyPath(host, profile.name);
  const file = readSecretFile(host, path);
  if (file.kind === 'none') return undefined;
  if (file.kind === 'damaged') throw malformedFile(path, 'it is not a readable JSON object', file.cause);
  for (const line of file.trouble) warn(line);
  if (typeof file.value.api_key !== 'string') throw malformedFile(path, '"api_key" is missing');
  return file.value.api_key;
}

/** Uses the place that the profile configures. Throws `Failure` if the key cannot be written. */
export async function writeKey(host: Host, profile: Named, apiKey: string): Promise<void> {
  if (profile.keyStore === 'keyring') return withKeyring(profile, (kept) => kept.setPassword(apiKey));
  const path = keyPath(host, profile.name);
  try {
    host.files.writePrivate(path, `${JSON.stringify({ api_key: apiKey }, null, 2)}\n`);
  } catch (error) {
    throw new Failure(
      'failed',
      `The API key cannot be written to ${path} (${systemReason(error) ?? errorMessage(error)}).`,
      {
        hint: 'Make the folder writable, or use TELCTL_API_KEY and store nothing.',
        cause: error,
      },
    );
  }
}

export async function removeKey(host: Host, profile: Named): Promise<void> {
  if (profile.keyStore !== 'keyring') return host.files.remove(keyPath(host, profile.name));
  await withKeyring(profile, async (kept) => {
    if ((await kept.getPassword()) !== undefined) await kept.deletePassword();
  });
}

/** Includes the service, because other folders may contain a profile with the same name. */
type KeyName = Pick<Profile, 'name' | 'baseUrl'>;

/** The keyring library is optional, because some platforms have no build of it, and servers have no keyring. */
async function withKeyring<T>(
  { name, baseUrl }: KeyName,
  work: (kept: AsyncEntry) => Promise<T>,
): Promise<T> {
  const { AsyncEntry } = await import('@napi-rs/keyring').catch((cause: unknown) => {
    throw new Failure('failed', "The library for the operating system's keyring is not installed.", {
      hint: 'Install it: npm install -g @napi-rs/keyring. Or leave --keyring out: the key goes into a file only you can read.',
      cause,
    });
  });
  try {
    return await work(new AsyncEntry('telctl', `${name}@${baseUrl}`));
  } catch (cause) {
    throw new Failure('failed', `The operating system's keyring does not answer (${errorMessage(cause)}).`, {
      hint: 'Unlock or start it, or sign in without --keyring.',
      cause,
    });
  }
}

export const readFromKeyring = (name: KeyName): Promise<string | undefined> =>
  withKeyring(name, async (kept) => (await kept.getPassword()) ?? undefined);
