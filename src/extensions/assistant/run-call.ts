import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { exitCodes, Failure } from '../../base/failure.ts';
import type { Files } from '../../base/host/files.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../base/json.ts';
import { withSources } from '../../base/outside-values.ts';
import type { Consent, Context, RunLine } from '../../cli/command/context.ts';
import { optionsEnd } from '../../cli/shell/input-for.ts';
import { failureJson } from '../../cli/shell/report-failure.ts';
import { dataNote } from '../../cli/terminal/output.ts';
import type { Settings } from '../../client/session/settings.ts';
import { type AskPerson, createApprovalCheck } from './approval.ts';
import { type AssistantRights, requestGuard } from './permissions.ts';

/** Maximum length of a result for an assistant, in characters. */
const longest = 200_000;

export interface LineOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LineRunner {
  run(
    argv: readonly string[],
    options?: {
      readonly input?: string;
      readonly signal?: AbortSignal;
      readonly consent?: Consent | undefined;
      /** Asks the user. `undefined` if the client does not support questions. */
      readonly ask?: AskPerson | undefined;
    },
  ): Promise<LineOutput>;
}

const ownOptions = (settings: Settings): readonly string[] =>
  Object.values(settings).flatMap(({ source, from, value }) => {
    if (source !== 'option' || from === '--output' || from === '--no-input') return [];
    if (value === true) return [from];
    return [from, String(from === '--timeout' ? Number(value) / 1000 : value)];
  });

const ownFiles = ({ caFile, clientCert, clientKey, state }: Settings): readonly string[] =>
  [caFile, clientCert, clientKey, state].flatMap(({ value }) =>
    value === undefined || value.includes('://') ? [] : [value.replace(/^file:/, '')],
  );

function collector(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

/**
 * Creates a function that runs command lines without prompting and captures their output. Every request that the
 * assistant is not allowed to send is refused. Only files below the working folder can be read.
 */
export function createLineRunner(
  { host, settings }: Pick<Context, 'host' | 'settings'>,
  runLine: RunLine,
  allowed: AssistantRights,
): LineRunner {
  const own = ownOptions(settings);
  const forbids = requestGuard(allowed);
  const files = ownFiles(settings);
  return {
    async run(argv, { input = '', signal, consent, ask } = {}) {
      const [stdout, stderr] = [collector(), collector()];
      const machine: Host = {
        ...narrowHost(host, files, argv),
        env: { ...host.env, TELCTL_OUTPUT: undefined, TELCTL_AGENT: '0' },
        stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
        stdout: stdout.stream,
        stderr: stderr.stream,
        interrupted: signal ? AbortSignal.any([host.interrupted, signal]) : host.interrupted,
      };
      const at = optionsEnd(argv);
      const note = argv.some((word) => word.startsWith('--note=')) ? [] : ['--note=by telctl mcp'];
      const line = [...argv.slice(0, at), ...own, ...note, '--no-input', ...argv.slice(at)];
      const approve = createApprovalCheck(ask && ((question) => ask(withSources(question, host.outside))));
      const code = await runLine(line, machine, { forbids, consent, approve, keepsNotices: true });
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    },
  };
}

export interface ToolAnswer {
  readonly data: JsonObject;
  readonly text: string;
  readonly isError: boolean;
}

export function answerWith(data: Readonly<Record<string, Json | undefined>>, isError = false): ToolAnswer {
  const text = JSON.stringify(data);
  return { data: JSON.parse(text), text, isError };
}

export function errorIn({ stderr }: LineOutput): JsonObject | undefined {
  const last = parseJson(linesIn(stderr).at(-1) ?? '');
  return isObject(last) && isObject(last.error) ? last.error : undefined;
}

const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

export const noticesIn = (said: LineOutput): readonly string[] =>
  errorIn(said) === undefined ? linesIn(said.stderr) : linesIn(said.stderr).slice(0, -1);

/** Returns the result of a tool. `action` contains the tool parameters that answer the question of the command line. */
export function answerOf(run: LineOutput, action?: JsonObject): ToolAnswer {
  const { code, stdout } = run;
  const error = errorIn(run);
  const said = noticesIn(run);
  const isLong = stdout.length > longest;
  return answerWith(
    {
      note: dataNote,
      exit: code,
      error: isLong
        ? {
            kind: 'failed',
            message: `The result has ${stdout.length} characters, but the maximum is ${longest}. Use "limit", "fields" or "query" to get less.`,
          }
        : error && { ...error, ...(error.action_required && action ? { action_required: action } : {}) },
      said: said.length === 0 ? undefined : said,
      data: isLong || stdout === '' ? undefined : (parseJson(stdout) ?? stdout),
    },
    isLong || (code !== 0 && code !== exitCodes.differences),
  );
}

export const refusedAnswer = (failure: Failure): ToolAnswer =>
  answerOf({ code: exitCodes[failure.kind], stdout: '', stderr: failureJson(failure) });

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('..\\') || isAbsolute(way));
}

/**
 * Returns why no file below a folder may be read: the folder also contains keys and tokens. Returns `undefined` for
 * other folders.
 */
function closedReason(host: Host, cwd: string): string | undefined {
  const { HOME: home, USERPROFILE: profile } = host.env;
  if (dirname(cwd) === cwd) return 'the root of the disk';
  if ([home, profile].some((each) => each !== undefined && cwd === resolveRealPath(host.files, each)))
    return 'a home folder';
  const own = Object.values(host.folders).map((each) => resolveRealPath(host.files, each));
  return own.some((each) => isBelow(cwd, each))
    ? 'a folder above those in which telctl keeps keys'
    : undefined;
}

/** Resolves the links of the existing part of a path. */
function resolveRealPath(files: Files, path: string): string {
  let tail = '';
  for (let head = path; ; head = dirname(head)) {
    const real = files.kindOf(head) === undefined ? undefined : files.realPath(head);
    if (real !== undefined) return join(real, tail);
    if (dirname(head) === head) return path;
    tail = join(basename(head), tail);
  }
}

/** Decides which files the command lines of an assistant can read and write. */
class FileGuard {
  readonly #files: Files;
  readonly #cwd: string;
  readonly #realCwd: string;
  /** The reason why no file can be read, if the working folder is too broad. */
  readonly #closed: string | undefined;
  readonly #own: readonly string[];

  constructor(host: Host, own: readonly string[]) {
    const { files, cwd, folders } = host;
    this.#files = files;
    this.#cwd = cwd;
    this.#realCwd = resolveRealPath(files, cwd);
    this.#closed = closedReason(host, this.#realCwd);
    this.#own = [...Object.values(folders), ...own].map((path) => resolve(cwd, path));
  }

  /** Throws `Failure` (`refused`) if an argument refers to a file of telctl, directly or through a link. */
  checkArguments(argv: readonly string[]): void {
    for (const word of argv)
      for (const value of word.replace(/^--[^=]*=/, '').split(',')) {
        const real = resolveRealPath(this.#files, resolve(this.#cwd, value));
        if (this.#own.some((each) => isBelow(resolveRealPath(this.#files, each), real)))
          refuse(
            `${JSON.stringify(value)} belongs to telctl.`,
            'telctl mcp does not read its own files for assistants.',
          );
      }
  }

  /** Returns the real path of a file to read. Throws `Failure` (`refused`). */
  readable = (asked: string): string => {
    const path = resolve(this.#cwd, asked);
    if (this.#isOwn(path)) return path;
    if (this.#closed !== undefined)
      refuse(
        `telctl mcp was started in ${this.#closed}, so it reads no files.`,
        'Start it in the folder of your manifests.',
      );
    const real = resolveRealPath(this.#files, path);
    if (!isBelow(this.#realCwd, real))
      refuse(
        `${JSON.stringify(asked)} is outside the working folder of telctl mcp.`,
        'Links are resolved first.',
      );
    const kind = this.#files.kindOf(real);
    if (kind === 'pipe' || kind === 'other')
      refuse(
        `${JSON.stringify(asked)} is not a regular file.`,
        'telctl mcp does not read devices, pipes and sockets.',
      );
    return real;
  };

  /** Returns the path of a file to write. Throws `Failure` (`refused`) for files that do not belong to telctl. */
  writable = (asked: string): string => {
    if (this.#isOwn(resolve(this.#cwd, asked))) return asked;
    return refuse(`telctl mcp does not write files: ${JSON.stringify(asked)}`, onCommandLine);
  };

  /**
   * The readers for assistants. They follow no links and open no files with several hard links, except for files of
   * telctl.
   */
  readers(): ReturnType<Files['within']> {
    const inFolder = this.#files.within(this.#realCwd, { alone: true });
    const readersFor = (path: string) => (this.#isOwn(resolve(this.#cwd, path)) ? this.#files : inFolder);
    return {
      readText: withPath(this.readable, (path, most?: number) => readersFor(path).readText(path, most)),
      readLargeText: withPath(this.readable, (path) => readersFor(path).readLargeText(path)),
      readBytes: withPath(this.readable, (path, most: number) => readersFor(path).readBytes(path, most)),
    };
  }

  #isOwn(path: string): boolean {
    return (
      this.#own.some((each) => isBelow(each, path)) ||
      // Settings of this folder and its parents.
      (path.endsWith('.telctl.yaml') && isBelow(dirname(path), this.#cwd))
    );
  }
}

const onCommandLine = 'Run the command on the command line instead.';

const refuse = (why: string, hint: string): never => {
  throw new Failure('refused', why, { hint });
};

/** Passes the checked path to `work`, so that the checked file is the file that is opened. */
const withPath =
  <A extends unknown[], R>(check: (path: string) => string, work: (path: string, ...rest: A) => R) =>
  (path: string, ...rest: A): R =>
    work(check(path), ...rest);

/**
 * Returns a host for assistants. It reads regular files below the real working folder, writes only files of telctl,
 * and starts no programs. Refused access throws `Failure` (`refused`) before a file is opened.
 */
function narrowHost(host: Host, own: readonly string[], argv: readonly string[]): Host {
  const { files } = host;
  const guard = new FileGuard(host, own);
  guard.checkArguments(argv);
  const { readable, writable } = guard;
  const readers = guard.readers();
  const noProgram = (): never => refuse('telctl mcp does not start programs.', onCommandLine);
  return {
    ...host,
    files: {
      ...files,
      ...readers,
      // A manifest reads below its folder, which is never above the working folder here.
      within: () => readers,
      readPipe: withPath(readable, files.readPipe),
      sizeOf: withPath(readable, files.sizeOf),
      modifiedMs: withPath(readable, files.modifiedMs),
      kindOf: withPath(readable, files.kindOf),
      modeOf: withPath(readable, files.modeOf),
      list: withPath(readable, files.list),
      makePrivateFolder: withPath(writable, files.makePrivateFolder),
      writePrivate: withPath(writable, files.writePrivate),
      writePrivateLater: withPath(writable, files.writePrivateLater),
      openAppendOnly: withPath(writable, files.openAppendOnly),
      writePublic: withPath(writable, files.writePublic),
      remove: withPath(writable, files.remove),
      lock: withPath(writable, files.lock),
      withLock: (path, work, patience) => files.withLock(writable(path), work, patience),
      move: (from, to) => files.move(writable(from), writable(to)),
    },
    processes: {
      ...host.processes,
      runAttached: noProgram,
      runForManifest: async () => noProgram(),
      startPager: noProgram,
      startTelctl: noProgram,
      startDetached: noProgram,
      startQuietly: noProgram,
    },
  };
}
