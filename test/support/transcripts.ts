import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { shellWords } from '../../scripts/docs/command-lines.mts';
import type { Clock, Random } from '../../src/base/host/host.ts';
import { type Processes, processes } from '../../src/base/host/processes.ts';
import { runCli } from '../../src/cli/shell/run-cli.ts';
import { fakeHost, type TestFolders } from './fake-host.ts';
import { testFolders } from './world.ts';

/**
 * A block of a page that its test runs or writes. The words after its fence: `console` (commands after `$ `, with
 * output), `console not-run: REASON`, or `yaml file=NAME` (written to the working folder). Commands of a comment
 * `<!-- run … -->` run hidden. `until N` repeats a command until it prints N lines.
 */
export interface Block {
  readonly kind: 'transcript' | 'not-run' | 'file' | 'hidden' | 'unmarked';
  /** File name, or the reason not to run. */
  readonly name: string;
  readonly body: string;
  /** Indentation of a block in a list, which `body` does not have. */
  readonly indent: string;
  /** Position and length of the body in the page. */
  readonly at: number;
  readonly length: number;
}

const blockKind = (info: string, body: string): Pick<Block, 'kind' | 'name'> | undefined => {
  if (info === 'console') return { kind: 'transcript', name: '' };
  const [, reason] = /^console not-run: (.+)$/.exec(info) ?? [];
  if (reason !== undefined) return { kind: 'not-run', name: reason };
  const [, name] = /^\w+ file=(\S+)$/.exec(info) ?? [];
  if (name !== undefined) return { kind: 'file', name };
  return /^\$ /m.test(body) ? { kind: 'unmarked', name: info } : undefined;
};

const reindent = (text: string, from: string, to: string): string =>
  text.replaceAll(new RegExp(`^${from}(?=.)`, 'gm'), to);

/** Returns the blocks of a page in order. */
export const parseBlocks = (page: string): readonly Block[] =>
  [
    ...page.matchAll(/^( *)(?:```([^\n]*)\n([\s\S]*?)^ *```|<!-- run\n([\s\S]*?)^ *-->)|^ {4}\$ telctl .*/gm),
  ].flatMap(({ 0: whole, 1: indent = '', 2: info, 3: shown, 4: hidden, index }): readonly Block[] => {
    const text = shown ?? hidden ?? whole;
    const at = index + whole.indexOf('\n') + 1;
    const found = { body: reindent(text, indent, ''), indent, at, length: text.length };
    if (hidden !== undefined) return [{ ...found, kind: 'hidden', name: '' }];
    if (info === undefined) return [{ ...found, kind: 'unmarked', name: '' }];
    const kind = blockKind(info, found.body);
    return kind ? [{ ...found, ...kind }] : [];
  });

interface Step {
  readonly line: string;
  readonly output: string;
}

const parseSteps = (body: string): readonly Step[] =>
  body
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [, line = '', output = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(text) ?? [];
      return { line, output };
    });

/** Replaces values that differ in each run: ids, times, ports and durations. */
const normalize = (text: string): string =>
  text
    .replaceAll(/\b(?:\d{6}-)?[0-9a-f]{32}\b/g, '(id)')
    .replaceAll(/127\.0\.0\.1:\d+/g, '(address)')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, '(time)')
    .replaceAll(/\(?\b\d+(?:\.\d+)? (?:ms|s|seconds)\b\)?/g, '(duration)')
    .replaceAll(/[ \t]+$/gm, '')
    .trimEnd();

/** Returns true if the output matches the page. A line `…` matches any lines. */
function matchesPage(shown: string, output: string): boolean {
  const [first = '', ...rest] = normalize(shown).split(/^…$/m);
  const seen = `${normalize(output)}\n`;
  if (rest.length === 0) return normalize(shown) === normalize(output);
  if (!seen.startsWith(first)) return false;
  const parts = rest.map((part) => part.trim());
  let from = first.length;
  for (const part of parts) {
    const found = seen.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return parts.at(-1) === '' || seen.trimEnd().length === from;
}

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => pause(ms, undefined, signal ? { signal } : {}),
};
const random: Random = {
  bytes: (count) => Uint8Array.from(randomBytes(count)),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};

/** A shell with an empty home folder. It runs `telctl` and its sandboxes in this process. */
interface Shell {
  readonly folders: TestFolders;
  /** Runs a line, and returns all output. */
  run(line: string): Promise<{ readonly code: number; readonly text: string }>;
}

function openShell(): Shell {
  const folders = testFolders();
  cpSync('examples', join(folders.cwd, 'examples'), { recursive: true });
  const env: Record<string, string> = {};
  const background = new Map<number, { readonly over: AbortController; readonly ended: Promise<unknown> }>();
  const inProcess = (pid: number): Partial<Processes> => ({
    pid,
    machine: () => 'laptop',
    startTelctl(args) {
      const child = processes.pid + background.size + 1;
      const over = new AbortController();
      const { host } = fakeHost({ ...hostOptions(child), interrupted: over.signal });
      const ended = runCli(args, host).finally(() => background.delete(child));
      background.set(child, { over, ended });
      return child;
    },
    startQuietly: () => undefined,
    isAlive: (id) => background.has(id),
    terminate(id) {
      background.get(id)?.over.abort();
      return background.has(id);
    },
  });
  const hostOptions = (pid: number) => ({
    folders,
    clock,
    random,
    env: { ...env },
    processes: inProcess(pid),
  });
  onTestFinished(async () => {
    for (const { over } of background.values()) over.abort();
    await Promise.all([...background.values()].map(({ ended }) => ended));
  });

  const telctl: Shell['run'] = async (line) => {
    const [, from] = /\s<\s*(\S+)/.exec(line) ?? [];
    const [, to] = /\s>\s*(\S+)/.exec(line) ?? [];
    const words = shellWords(line.replace(/\s[<>]\s*\S+/g, '')).slice(1);
    let text = '';
    let data = '';
    const { host } = fakeHost({
      ...hostOptions(processes.pid),
      ...(from === undefined ? {} : { stdin: readFileSync(join(folders.cwd, from), 'utf8') }),
      wrote(stream, chunk) {
        if (stream === 'stdout' && to !== undefined) data += chunk;
        else text += chunk;
      },
    });
    const code = await runCli(words, host);
    if (to !== undefined) writeFileSync(join(folders.cwd, to), data);
    return { code, text };
  };

  /** Repeats a line until it prints `count` lines, because a sandbox delivers events asynchronously. */
  const runUntilLines = async (count: number, line: string) => {
    for (;;) {
      const ended = await telctl(line);
      if (ended.text.split('\n').length > count) return ended;
      await clock.sleep(20);
    }
  };

  return {
    folders,
    async run(line) {
      const [, name, value] = /^export (\w+)=(\S*)$/.exec(line) ?? [];
      if (name !== undefined) {
        env[name] = value ?? '';
        return { code: 0, text: '' };
      }
      const [, count, repeated] = /^until (\d+) (.+)$/.exec(line) ?? [];
      if (repeated !== undefined) return runUntilLines(Number(count), repeated);
      const joined = line.replaceAll(/\\\n\s*/g, '');
      if (joined.startsWith('telctl ')) return telctl(joined);
      const own = { PATH: process.env.PATH, HOME: folders.home, GIT_CONFIG_NOSYSTEM: '1' };
      const typed = ['-c', `exec 2>&1\n${line}`];
      const { status, stdout } = spawnSync('sh', typed, { cwd: folders.cwd, env: own, encoding: 'utf8' });
      return { code: status ?? 1, text: stdout };
    },
  };
}

/** Runs a page with an empty home folder, and returns it with the actual output wherever it differs. */
export async function runPage(page: string): Promise<string> {
  const { folders, run } = openShell();
  let right = page;
  let moved = 0;
  for (const { kind, name, body, indent, at, length } of parseBlocks(page)) {
    if (kind === 'file') {
      mkdirSync(dirname(join(folders.cwd, name)), { recursive: true });
      writeFileSync(join(folders.cwd, name), body);
    }
    if (kind === 'hidden')
      for (const line of body.trim().split('\n')) {
        const { code, text } = await run(line);
        if (code !== 0) throw new Error(`${line} exited with code ${code}: ${text}`);
      }
    if (kind !== 'transcript') continue;
    const written: string[] = [];
    const steps = parseSteps(body);
    for (const [index, { line, output }] of steps.entries()) {
      const { text } = await run(line);
      const end = index === steps.length - 1 ? '\n' : '\n\n';
      if (matchesPage(output, text)) written.push(`$ ${line}\n${output}`);
      else written.push(`$ ${line}\n${text.replaceAll(/[ \t]+$/gm, '').trimEnd()}${end}`);
    }
    const fresh = reindent(written.join(''), '', indent);
    right = right.slice(0, at + moved) + fresh + right.slice(at + moved + length);
    moved += fresh.length - length;
  }
  return right;
}
