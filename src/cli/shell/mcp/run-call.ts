import { Readable, Writable } from 'node:stream';
import { exitCodes, type Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Settings } from '../../../client/session/settings.ts';
import type { Consent, Context, RunLine } from '../../command/context.ts';
import { failureJson } from '../../terminal/error-page.ts';
import { dataNote } from '../../terminal/output.ts';
import { type NarrowDoor, narrowHost } from '../narrow-host.ts';
import { type Allowed, forbiddenTo } from './allowed.ts';

/** Longest result that is handed to an assistant, in characters: more than one can read. */
const longest = 200_000;

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs command lines for an assistant. */
export interface Caller {
  run(
    argv: readonly string[],
    options?: {
      readonly input?: string;
      readonly signal?: AbortSignal;
      readonly consent?: Consent | undefined;
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
export function callerOf(
  { host, settings }: Pick<Context, 'host' | 'settings'>,
  runLine: RunLine,
  allowed: Allowed,
): Caller {
  const own = ownOptions(settings);
  const forbids = forbiddenTo(allowed);
  const door: NarrowDoor = { name: 'telctl mcp', own: ownFiles(settings) };
  return {
    async run(argv, { input = '', signal, consent } = {}) {
      const [stdout, stderr] = [collector(), collector()];
      const machine: Host = {
        ...narrowHost(host, door, argv),
        env: { ...host.env, TELCTL_OUTPUT: undefined, TELCTL_AGENT: '0' },
        stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
        stdout: stdout.stream,
        stderr: stderr.stream,
        interrupted: signal ? AbortSignal.any([host.interrupted, signal]) : host.interrupted,
      };
      const end = argv.indexOf('--');
      const at = end === -1 ? argv.length : end;
      const note = argv.some((word) => word.startsWith('--note=')) ? [] : ['--note=by telctl mcp'];
      const line = [...argv.slice(0, at), ...own, ...note, '--no-input', ...argv.slice(at)];
      const code = await runLine(line, machine, { forbids, consent });
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    },
  };
}

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    // Lines for people.
    return undefined;
  }
};

export interface Answer {
  readonly data: JsonObject;
  readonly text: string;
  readonly isError: boolean;
}

export function answerWith(data: Readonly<Record<string, Json | undefined>>, isError = false): Answer {
  const text = JSON.stringify(data);
  return { data: JSON.parse(text), text, isError };
}

/** The error of a command line, in the words of JSON; `undefined` where it ended well. */
export function errorIn({ stderr }: Said): JsonObject | undefined {
  const last = parsed(linesIn(stderr).at(-1) ?? '');
  return isObject(last) && isObject(last.error) ? last.error : undefined;
}

const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

/** What a command line said beside its result and its error. */
export const saidIn = (said: Said): readonly string[] =>
  errorIn(said) === undefined ? linesIn(said.stderr) : linesIn(said.stderr).slice(0, -1);

/**
 * The answer of a tool: what a command line said, as data, all text in quotes. `action`: what would answer the question
 * that the command line ended with, in the words of the tool.
 */
export function answerOf(run: Said, action?: JsonObject): Answer {
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
      data: isLong || stdout === '' ? undefined : (parsed(stdout) ?? stdout),
    },
    isLong || (code !== 0 && code !== exitCodes.differences),
  );
}

/** The answer to a call that is refused before anything runs. */
export const refusalOf = (failure: Failure): Answer =>
  answerOf({ code: exitCodes[failure.kind], stdout: '', stderr: failureJson(failure) });
