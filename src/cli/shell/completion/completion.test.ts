import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../../test/support/clock.ts';
import { fakeHost, makeFolders, type TestFolders, writeFiles } from '../../../../test/support/fake-host.ts';
import { installedShells, shellAtTerminal } from '../../../../test/support/shell-line.ts';
import { resolveSettings } from '../../../client/session/resolve-settings.ts';
import { runCli } from '../run-cli.ts';
import { freshForMs, storeNames } from './live-words.ts';
import { completionScript } from './scripts.ts';

const open: TestFolders[] = [];
afterEach(() => {
  for (const folders of open.splice(0)) folders.remove();
});

/** A machine with two profiles, and names of users that were read `ageMs` ago. */
function machine(cached?: { readonly names: readonly string[]; readonly ageMs: number }) {
  const folders = makeFolders();
  open.push(folders);
  const profile = {
    baseUrl: 'http://127.0.0.1:8000',
    prefix: '/v2',
    method: 'api-key',
    accountId: 'a'.repeat(32),
  };
  writeFiles(folders.home, {
    '.config/telctl/config.json': JSON.stringify({
      default: 'dev',
      profiles: { dev: profile, prod: profile },
    }),
  });
  const clock = turnedClock();
  const { host, stdout } = fakeHost({ folders, clock, random: seededRandom() });
  const started: (readonly string[])[] = [];
  const processes = { ...host.processes, startQuietly: (args: readonly string[]) => void started.push(args) };
  const quiet = { ...host, processes };
  if (cached) {
    const settings = resolveSettings({ options: {}, host });
    storeNames(host, settings, 'users', { atMs: clock.now() - cached.ageMs, names: cached.names });
  }
  return { host: quiet, folders, stdout, started, clock };
}

async function offered(words: readonly string[], at = machine()): Promise<readonly string[]> {
  expect(await runCli(['__complete', '--', ...words], at.host)).toBe(0);
  return at
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

test('completes nouns, verbs and subcommands', async () => {
  expect(await offered(['us'])).toEqual(['users']);
  expect(await offered(['users', 'pa'])).toEqual(['patch', 'password']);
  expect(await offered(['sso', ''])).toEqual(['apps', 'providers', 'links', 'callback', 'authorize', 'link']);
  expect(await offered(['-o', 'json', 'user', 'g'])).toEqual(['get']);
});

test('completes options and their values', async () => {
  expect(await offered(['users', 'create', '--first'])).toEqual(['--first-name']);
  expect(await offered(['users', 'list', '-o', 'js'])).toEqual(['json']);
  expect(await offered(['users', 'list', '--output=n'])).toEqual(['--output=ndjson', '--output=name']);
  expect(await offered(['users', 'create', '--priv-level', ''])).toEqual(['user', 'admin']);
  expect(await offered(['--profile', ''])).toEqual(['dev', 'prod']);
  expect(await offered(['completion', ''])).toEqual(['bash', 'zsh', 'fish', 'powershell', 'pwsh']);
  expect(await offered(['users', 'create', '-f', ''])).toEqual([':file']);
  expect(await offered(['webhooks', 'create', '--hook', 'channel_a'])).toEqual(['channel_answer']);
  expect(await offered(['webhooks', 'listen', '--hook', 'channel_a'])).toEqual(['channel_answer']);
  expect(await offered(['webhooks', 'trigger', 'channel_a'])).toEqual(['channel_answer']);
  expect(await offered(['webhooks', 'create', '--enabled', ''])).toEqual(['true', 'false']);
  expect(await offered(['help', 'e'])).toEqual(expect.arrayContaining(['environment', 'exit-codes']));
});

test('completes fresh cached names without a request', async () => {
  const at = machine({ names: ['alice', 'bob'], ageMs: 1000 });
  expect(await offered(['users', 'get', 'a'], at)).toEqual(['alice']);
  expect(at.started).toEqual([]);
});

test('completes stale names immediately, and refreshes them once in the background', async () => {
  const at = machine({ names: ['alice'], ageMs: freshForMs + 1 });
  expect(await offered(['users', 'get', ''], at)).toEqual(['alice']);
  await offered(['users', 'get', ''], at);
  expect(at.started).toEqual([['__refresh-names', 'users']]);
});

test('waits a limited time for names without a cache', async () => {
  const at = machine();
  const before = at.clock.now();
  expect(await offered(['users', 'get', ''], at)).toEqual([]);
  expect(at.clock.now() - before).toBeLessThanOrEqual(150);
  expect(at.started.length).toBe(1);
});

test('omits names that would break a line or a terminal', async () => {
  const at = machine({ names: ['a\u001b[2J', 'a\nb', 'alice'], ageMs: 0 });
  expect(await offered(['users', 'get', 'a'], at)).toEqual(['alice']);
});

test('completes nothing after unknown words', async () => {
  expect(await offered(['nosuch', ''])).toEqual([]);
  expect(await offered([])).not.toEqual([]);
});

test('completes arguments after --, or files of another program', async () => {
  const names = ['-dash', 'alice'];
  expect(await offered(['users', 'get', '--', '-d'], machine({ names, ageMs: 0 }))).toEqual(['-dash']);
  expect(await offered(['users', 'list', '--', '-'])).toEqual([]);
  expect(await offered(['fmt', '--', ''])).toEqual([':file']);
  expect(await offered(['sandbox', 'exec', '--', 'npm', ''])).toEqual([':file']);
  expect(await offered(['rollout', 'start', '--check', 'sh', '--', 'x', ''])).toEqual([':file']);
});

/** Forms in which people type a text: with the quote still open, or with backslashes. */
const typedForms: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/[^\p{L}\p{N}:=-]/gu, '\\$&'),
  (text) => `"${text.replaceAll(/["$\\`]/g, '\\$&')}`,
  (text) => `'${text.replaceAll("'", `'"'"'`)}`,
];

test.each(installedShells)('%s completes quoted and backslash-escaped names and files', async (shell) => {
  const names = ['Main Line', 'Main: Sales', '-dash', `it's "5" $HOME \\x`, 'Über & #1! [c]*? | {x=2}'];
  const at = machine({ names, ageMs: 0 });
  writeFiles(at.folders.home, { 'app/my dir/x y.yaml': '', '-dash.yaml': '' });
  const { argumentsOf } = await shellAtTerminal(shell, at.folders.home, async (argv) => {
    const { host, stdout } = fakeHost({ folders: at.folders, clock: at.clock, random: seededRandom() });
    await runCli(argv, host);
    return stdout();
  });
  const lines: [typed: string, argv: string[]][] = [
    ...names.flatMap((name) =>
      typedForms.map((typed): [string, string[]] => [
        `users get -- ${typed(name.slice(0, Math.min(6, name.length - 2)))}`,
        ['users', 'get', '--', name],
      ]),
    ),
    ...['app/my\\ dir/x', '"app/my dir/x', "'app/my dir/x"].map((typed): [string, string[]] => [
      `apply --file=${typed}`,
      ['apply', '--file=app/my dir/x y.yaml'],
    ]),
    ['apply --file=ap\tm\tx', ['apply', '--file=app/my dir/x y.yaml']],
    ['apply -f ~/ap\tm\tx', ['apply', '-f', join(at.folders.home, 'app/my dir/x y.yaml')]],
    ['sandbox exec -- -da', ['sandbox', 'exec', '--', '-dash.yaml']],
    ['users list --output=nd', ['users', 'list', '--output=ndjson']],
  ];
  const completed = [];
  for (const [typed] of lines) completed.push([typed, await argumentsOf(`telctl ${typed}\t`)]);
  expect(completed).toEqual(lines);
});

test('generates a valid bash script', () => {
  execFileSync('bash', ['-n'], { input: completionScript('bash') });
});

test('completes resources and then fields of explain, level by level', async () => {
  expect(await offered(['explain', 'call'])).toEqual(['callflows']);
  expect(await offered(['explain', 'users.caller'])).toEqual(['users.caller_id', 'users.caller_id_options']);
  expect(await offered(['explain', 'users.caller_id.external.'])).toEqual([
    'users.caller_id.external.name',
    'users.caller_id.external.number',
  ]);
  expect(await offered(['explain', 'callflows.flow.children.mod'])).toEqual([
    'callflows.flow.children.module',
  ]);
  expect(await offered(['explain', 'users.vc'])).toEqual(['users.vcard']);
  expect(await offered(['explain', 'nothing.of'])).toEqual([]);
});

test.each([
  ['bash', 'bash', '/bin/bash', '.local/share/bash-completion/completions/telctl'],
  ['zsh', 'zsh', '/usr/bin/zsh', '.zfunc/_telctl'],
  ['fish', 'fish', '/usr/bin/fish', '.config/fish/completions/telctl.fish'],
  ['pwsh', 'powershell', undefined, '.config/powershell/telctl-completion.ps1'],
] as const)(
  'installs the script for %s where that shell looks for it',
  async (word, shell, program, path) => {
    const folders = makeFolders();
    open.push(folders);
    const words = program === undefined ? [word] : [];
    const env = program === undefined ? {} : { SHELL: program };
    const clock = turnedClock();
    const { host, stderr } = fakeHost({ folders, clock, random: seededRandom(), env });
    expect(await runCli(['completion', 'install', ...words], host)).toBe(0);
    expect(stderr()).toContain(`Wrote ${folders.home}/${path}`);
    expect(readFileSync(`${folders.home}/${path}`, 'utf8')).toBe(completionScript(shell));
  },
);

test('rejects an unknown shell, and writes nothing', async () => {
  const folders = makeFolders();
  open.push(folders);
  const clock = turnedClock();
  const { host, stderr } = fakeHost({ folders, clock, random: seededRandom(), env: { SHELL: '/bin/tcsh' } });
  expect(await runCli(['completion', 'install'], host)).toBe(2);
  expect(stderr()).toContain('telctl has no completion for tcsh.');
});
