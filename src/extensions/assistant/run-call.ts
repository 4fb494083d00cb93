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
import { type AssistantRights, forbiddenTo } from './allowed.ts';
import { type AskPerson, approvalOf } from './approval.ts';

/** Longest result that is handed to an assistant, in characters: more than one can read. */
const longest = 200_000;

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs command lines for an assistant. */
export interface LineRunner {
  run(
    argv: readonly string[],
    options?: {
      readonly input?: string;
      readonly signal?: AbortSignal;
      readonly consent?: Consent | undefined;
      /** Asks the person; `undefined` if the client has no way to ask. */
      readonly ask?: AskPerson | undefined;
    },
  ): Promise<Said>;
}

/** Options of the line that serves, for each line that it runs. */
const ownOptions = (settings: Settings): readonly string[] =>
  Object.values(settings).flatMap(({ source, from, value }) => {
    if (source !== 'option' || from === '--output' || from === '--no-input') return [];
    if (value === true) return [from];
    return [from, String(from === '--timeout' ? Number(value) / 1000 : value)];
  });

/** Files and folders that the line that serves named for telctl's own use. */
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
 * Makes what runs command lines: the same program, where nobody can be asked and nothing but the protocol is on stdout.
 * What the assistant may not do is refused before it is sent, whatever command would send it, and files are read below the
 * working folder alone.
 */
export function lineCaller(
  { host, settings }: Pick<Context, 'host' | 'settings'>,
  runLine: RunLine,
  allowed: AssistantRights,
): LineRunner {
  const own = ownOptions(settings);
  const forbids = forbiddenTo(allowed);
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
      const approve = approvalOf(ask && ((question) => ask(withSources(question, host.outside))));
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

/** The error of a command line, in the words of JSON; `undefined` where it ended well. */
export function errorIn({ stderr }: Said): JsonObject | undefined {
  const last = parseJson(linesIn(stderr).at(-1) ?? '');
  return isObject(last) && isObject(last.error) ? last.error : undefined;
}

const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

/** What a command line said beside its result and its error. */
export const saidIn = (said: Said): readonly string[] =>
  errorIn(said) === undefined ? linesIn(said.stderr) : linesIn(said.stderr).slice(0, -1);

/** The answer of a tool: what a line said, as data; `action`: what would answer its question, in the tool's words. */
export function answerOf(run: Said, action?: JsonObject): ToolAnswer {
  const { code, stdout } = run;
  const error = errorIn(run);
  const said = saidIn(run);
  const isLong = stdout.length > longest;
  return answerWith(
    {
      note: dataNote,
      exit: code,
      error: isLong
        ? {
            kind: 'failed',
            message: `The result has ${stdout.length} characters, more than ${longest}: ask for less with "limit", "fields" or "query".`,
          }
        : error && { ...error, ...(error.action_required && action ? { action_required: action } : {}) },
      said: said.length === 0 ? undefined : said,
      data: isLong || stdout === '' ? undefined : (parseJson(stdout) ?? stdout),
    },
    isLong || (code !== 0 && code !== exitCodes.differences),
  );
}

/** The answer to a call that is refused before anything runs. */
export const refusedAnswer = (failure: Failure): ToolAnswer =>
  answerOf({ code: exitCodes[failure.kind], stdout: '', stderr: failureJson(failure) });

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('..\\') || isAbsolute(way));
}

/** Why no file of a working folder may be read: keys and tokens would be within reach. `undefined` where they may. */
function whyClosed(host: Host, cwd: string): string | undefined {
  const { HOME: home, USERPROFILE: profile } = host.env;
  if (dirname(cwd) === cwd) return 'the root of the disk';
  if ([home, profile].some((each) => each !== undefined && cwd === realOf(host.files, each)))
    return 'a home folder';
  const own = Object.values(host.folders).map((each) => realOf(host.files, each));
  return own.some((each) => isBelow(cwd, each))
    ? 'a folder above those in which telctl keeps keys'
    : undefined;
}

/** The path with links followed as far as it exists. */
function realOf(files: Files, path: string): string {
  let tail = '';
  for (let head = path; ; head = dirname(head)) {
    const real = files.kindOf(head) === undefined ? undefined : files.realPath(head);
    if (real !== undefined) return join(real, tail);
    if (dirname(head) === head) return path;
    tail = join(basename(head), tail);
  }
}

/**
 * The machine for assistants, which reads regular files below the real working folder, links followed first, and
 * writes none. telctl's own folders stay open to telctl; a word of `argv`, the line of the door's caller, that names
 * something there is refused, and so is a link that leads there. What is refused throws `Failure` of kind `refused` before
 * anything is opened.
 */
function narrowHost(host: Host, own: readonly string[], argv: readonly string[]): Host {
  const { files, cwd } = host;
  const realCwd = realOf(files, cwd);
  const closed = whyClosed(host, realCwd);
  const kept = [...Object.values(host.folders), ...own].map((path) => resolve(cwd, path));
  const isOwn = (path: string): boolean =>
    kept.some((each) => isBelow(each, path)) ||
    // The settings of this folder and of those above it.
    (path.endsWith('.telctl.yaml') && isBelow(dirname(path), cwd));
  const refuse = (why: string, hint: string): never => {
    throw new Failure('refused', why, { hint });
  };
  const mayRead = (asked: string): string => {
    const path = resolve(cwd, asked);
    if (isOwn(path)) return path;
    if (closed !== undefined)
      refuse(
        `telctl mcp was started in ${closed} and reads no files there.`,
        'Start it in the folder of your manifests.',
      );
    const real = realOf(files, path);
    if (!isBelow(realCwd, real))
      refuse(
        `${JSON.stringify(asked)} is not below the folder that telctl mcp was started in.`,
        'Links are followed first.',
      );
    const kind = files.kindOf(real);
    if (kind === 'pipe' || kind === 'other')
      refuse(`${JSON.stringify(asked)} is no regular file.`, 'Devices, pipes and sockets are not read.');
    return real;
  };
  const mayWrite = (asked: string): string => {
    if (isOwn(resolve(cwd, asked))) return asked;
    return refuse(
      `telctl mcp writes no files: ${JSON.stringify(asked)} was left alone.`,
      'A person can run the command line.',
    );
  };
  /** What is opened is what was looked at: the file that links lead to. */
  const behind =
    <A extends unknown[], R>(allow: (path: string) => string, work: (path: string, ...rest: A) => R) =>
    (path: string, ...rest: A): R =>
      work(allow(path), ...rest);
  const inFolder = files.within(realCwd, { alone: true });
  /** Telctl's own files are read as always; all others without a link, and only if they have no second name. */
  const readersFor = (path: string) => (isOwn(resolve(cwd, path)) ? files : inFolder);
  const reading: ReturnType<Files['within']> = {
    readText: behind(mayRead, (path, most?: number) => readersFor(path).readText(path, most)),
    readLargeText: behind(mayRead, (path) => readersFor(path).readLargeText(path)),
    readBytes: behind(mayRead, (path, most: number) => readersFor(path).readBytes(path, most)),
  };
  for (const word of argv)
    for (const value of word.replace(/^--[^=]*=/, '').split(','))
      if (kept.some((each) => isBelow(realOf(files, each), realOf(files, resolve(cwd, value)))))
        refuse(
          `${JSON.stringify(value)} belongs to telctl itself.`,
          'telctl mcp reads no such file for others.',
        );
  const noProgram = (): never =>
    refuse('telctl mcp starts no programs.', 'A person can run the command line.');
  return {
    ...host,
    files: {
      ...files,
      ...reading,
      // A manifest reads below its own folder, which is never above the working folder here.
      within: () => reading,
      readPipe: behind(mayRead, files.readPipe),
      sizeOf: behind(mayRead, files.sizeOf),
      modifiedMs: behind(mayRead, files.modifiedMs),
      kindOf: behind(mayRead, files.kindOf),
      modeOf: behind(mayRead, files.modeOf),
      list: behind(mayRead, files.list),
      makePrivateFolder: behind(mayWrite, files.makePrivateFolder),
      writePrivate: behind(mayWrite, files.writePrivate),
      writePrivateLater: behind(mayWrite, files.writePrivateLater),
      openAppendOnly: behind(mayWrite, files.openAppendOnly),
      writePublic: behind(mayWrite, files.writePublic),
      remove: behind(mayWrite, files.remove),
      lock: behind(mayWrite, files.lock),
      withLock: (path, work, patience) => files.withLock(mayWrite(path), work, patience),
      move: (from, to) => files.move(mayWrite(from), mayWrite(to)),
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
