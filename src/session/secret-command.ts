import { resolve } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { Host } from '../host/host.ts';

/** A program that prints a secret, with its arguments. */
export type SecretCommand = readonly [program: string, ...args: string[]];

/** Maximum time for a program: somebody may have to touch a key first. In milliseconds. */
const patienceMs = 60_000;

/** A character of a word; quoted ones mean themselves. */
const wordParts = /'([^']*)'|"([^"]*)"|(\s+)|([^\s'"]+)/gy;
/** Characters that a shell would act on, and telctl does not: outside quotes, and between double ones. */
const shellsOwn = /[|&;<>()$`\\*?[\]{}~]/;
const shellsOwnQuoted = /[$`\\]/;

/**
 * A command line as program and arguments: split at blanks, with quotes around what holds some. Nothing in it is
 * expanded, and no shell runs it; what would need one is refused (`usage`). A program that is named by a path is kept
 * with the whole one, so that another folder has no say in what runs.
 */
export function parseSecretCommand(line: string, option: string, cwd: string): SecretCommand {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const { 0: part, 1: single, 2: double, 3: blank, 4: plain, index } of line.matchAll(wordParts)) {
    end = index + part.length;
    const [own] = shellsOwn.exec(plain ?? '') ?? shellsOwnQuoted.exec(double ?? '') ?? [];
    if (own !== undefined)
      throw new Failure('usage', `${option} is run without a shell, and ${own} would need one.`, {
        hint: "Put '...' around it where it is meant as it stands, or the command into a script and name that.",
      });
    if (blank === undefined) word = (word ?? '') + (single ?? double ?? plain ?? '');
    else if (word !== undefined) word = void words.push(word);
  }
  if (word !== undefined) words.push(word);
  const [program, ...args] = words;
  if (end !== line.length || program === undefined || program === '')
    throw new Failure('usage', `${option} takes a program with its arguments, and quotes in pairs.`, {
      hint: `For example: ${option} "pass show telctl/prod"`,
    });
  return [/[/\\]/.test(program) ? resolve(cwd, program) : program, ...args];
}

/**
 * Runs a program for the secret that it prints: its first line, whole. It gets no input, telctl's environment and
 * stderr; what it prints is neither shown nor logged. Throws `Failure` (`auth`) where it cannot start, fails, prints
 * nothing or takes longer than a minute.
 */
export async function secretFrom(
  { processes, env, interrupted }: Pick<Host, 'processes' | 'env' | 'interrupted'>,
  [program, ...args]: SecretCommand,
  what: string,
): Promise<string> {
  const failed = (how: string, cause?: unknown): Failure =>
    new Failure('auth', `${program}, which should print the ${what}, ${how}.`, {
      hint: 'Run it by hand to see why. telctl config explain shows the whole command, telctl login takes another.',
      cause,
    });
  const run = await processes
    .runForText(program, args, env, { timeoutMs: patienceMs, signal: interrupted })
    .catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
      throw failed(code === 'ENOENT' ? 'is not there' : `cannot be started (${code})`, error);
    });
  if (interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
  if (run.timedOut) throw failed(`took longer than ${patienceMs / 1000} seconds`);
  if (run.code !== 0)
    throw failed(run.code === null ? `was ended by ${run.signal}` : `ended with exit code ${run.code}`);
  const [line = ''] = run.stdout.split(/\r?\n/, 1);
  if (line === '') throw failed('printed nothing');
  return line;
}
