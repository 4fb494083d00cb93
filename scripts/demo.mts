/**
 * Runs the main job as a user would type it: every line that starts with `$` is a telctl command, in its own process,
 * with an empty home folder and a sandbox on a free port. Exits with code 1 if a command ends unexpectedly, and
 * leaves no process and no folder. `node scripts/demo.mts PROGRAM [SCRIPT]` does the same with an executable, or with
 * another Node.js and the script, in an empty folder without Node.js in the path.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Step {
  readonly stdin?: string;
  /** Expected exit code (default: 0). */
  readonly expect?: number;
  /** A comment above the command. */
  readonly note?: string;
  /** Not shown. The next command needs its output. */
  readonly silent?: true;
}

const home = mkdtempSync(join(tmpdir(), 'telctl-demo-'));
const [program, ...scripts] = process.argv.slice(2);
const [command, ...words] =
  program === undefined
    ? [process.execPath, resolve('bin/telctl.js')]
    : [program, ...scripts].map((path) => resolve(path));
const cwd = program === undefined ? process.cwd() : join(home, 'work');
if (program !== undefined) cpSync('examples', join(cwd, 'examples'), { recursive: true });
const env = {
  ...(program === undefined ? { PATH: process.env.PATH } : {}),
  HOME: home,
  NO_COLOR: '1',
};

const shown = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

/** Runs a command, shows it with its output, and returns its stdout. */
async function telctl(argv: readonly string[], step: Step = {}): Promise<string> {
  if (step.note) console.log(`# ${step.note}`);
  if (!step.silent)
    console.log(`$ telctl ${argv.map(shown).join(' ')}${step.stdin === undefined ? '' : ' < password.txt'}`);
  const child = spawn(command ?? '', [...words, ...argv], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(step.stdin ?? '');
  const stdout: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    if (!step.silent) process.stdout.write(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => process.stdout.write(chunk));
  const [code] = await once(child, 'close');
  if (!step.silent) console.log('');
  if (code !== (step.expect ?? 0)) {
    throw new Error(`telctl ${argv.join(' ')} exited with code ${code}, not ${step.expect ?? 0}`);
  }
  return Buffer.concat(stdout).toString();
}

/** Returns the variables that `sandbox env` prints. */
async function sandboxVariables(): Promise<ReadonlyMap<string, string>> {
  const lines = (await telctl(['sandbox', 'env'], { silent: true })).split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, name, quoted] = /^(?:export )?(\w+)=(.*)$/.exec(line) ?? [];
      return name && quoted !== undefined ? [[name, quoted.replace(/^'(.*)'$/, '$1')] as const] : [];
    }),
  );
}

async function idOf(username: string): Promise<string> {
  return JSON.parse(
    await telctl(['users', 'get', username, '--query', 'id', '-o', 'json'], { silent: true }),
  );
}

async function walk(): Promise<void> {
  await telctl(['sandbox', 'start']);
  const variables = await sandboxVariables();
  const baseUrl = variables.get('TELCTL_BASE_URL') ?? '';
  const user = ['--account-name', 'acme', '--username', variables.get('TELCTL_USERNAME') ?? 'admin'];
  await telctl(['login', '--profile', 'demo', '--base-url', baseUrl, ...user, '--password-stdin'], {
    stdin: `${variables.get('TELCTL_PASSWORD')}\n`,
  });
  await telctl(['profiles', 'use', 'demo']);
  await telctl(['whoami']);

  await telctl(['users', 'create', '-f', 'examples/users.yaml']);
  await telctl(['users', 'list']);
  const [alice, bob] = [await idOf('alice'), await idOf('bob')];
  await telctl([
    ...['callflows', 'create', '-f', 'examples/callflow.yaml'],
    ...['--set', `flow.children.match.data.id=${alice}`],
    ...['--set', `flow.children.nomatch.data.id=${bob}`],
  ]);
  await telctl(['callflows', 'show', '+15555550100', '--as', 'tree']);

  await telctl(['limits', 'set', '--inbound-trunks', '4'], {
    note: 'This costs money: it is refused until someone accepts the charges.',
    expect: 7,
  });
  await telctl(['limits', 'set', '--inbound-trunks', '4', '--accept-charges-up-to', '1000']);
  await telctl(['limits', 'get']);

  await telctl(['webhooks', 'create', '-f', 'examples/webhook.yaml']);
  await telctl(['webhooks', 'list']);
}

/** Returns true if the sandbox process is still running a moment after it was stopped. */
async function isStillRunning(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return false;
    }
    await sleep(100);
  }
  return true;
}

async function sandboxPid(): Promise<number | undefined> {
  const status = JSON.parse(await telctl(['sandbox', 'status', '-o', 'json'], { silent: true }));
  return typeof status.pid === 'number' ? status.pid : undefined;
}

try {
  await walk();
  // The port is closed. The command proves that the executable contains the packages for a shared state.
  await telctl(['state', 'list', '--state', 'postgres://team@127.0.0.1:1/telctl'], {
    note: 'A state that a team shares, where no database answers',
    expect: 75,
  });
  const pid = await sandboxPid();
  await telctl(['sandbox', 'stop']);
  if (pid === undefined || (await isStillRunning(pid)))
    throw new Error(`the sandbox process ${pid} is still running`);
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
  await telctl(['sandbox', 'stop'], { silent: true }).catch(() => undefined);
} finally {
  rmSync(home, { recursive: true, force: true });
}
if (existsSync(home)) throw new Error(`${home} still exists`);
if (!process.exitCode) console.log('Done: the sandbox has stopped and nothing is left behind.');
