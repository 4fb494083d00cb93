import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld, type Run } from '../../../../test/support/world.ts';

const results = ({ stdout }: Run): Readonly<Record<string, string>> =>
  Object.fromEntries(JSON.parse(stdout).map(({ check, result }: Record<string, string>) => [check, result]));

test('runs each check once', async () => {
  const world = await openWorld();
  const checks = JSON.parse((await world.telctl('doctor -o json')).stdout).map(
    ({ check }: Record<string, string>) => check,
  );
  expect(checks).toEqual([...new Set(checks)]);
});

test('reports a fresh setup as healthy in a table, and changes nothing', async () => {
  const world = await openWorld();
  const run = await world.telctl('doctor', {
    env: { SHELL: '/bin/bash' },
    files: { '../home/.bashrc': 'source <(telctl completion bash)\n' },
  });
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^CHECK +RESULT +FINDING\n/);
  expect(run.stdout).toMatch(/^service +ok +http:\/\/127\.0\.0\.1:8000 answers in 0 ms\.$/m);
  expect(run.stdout).toMatch(/^clock +ok /m);
  expect(run.stdout).toMatch(/^completion +ok +bash completes telctl\.$/m);
  expect(run.stderr).toMatch(/^\d+ checks: \d+ ok\n$/);
  expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
  expect(run.stdout + run.stderr).not.toContain(world.seed.apiKey);
});

test('suggests signing in, and exits with code 1', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl('doctor -o json');
  expect(run.code).toBe(1);
  expect(run.requests).toEqual([]);
  expect(results(run)).toMatchObject({ profile: 'fail', node: 'ok', sandbox: 'ok' });
  expect(run.stdout).toContain('telctl login');
});

test('doctor and the sandbox report that this Node.js has no SQLite', async () => {
  const world = await openWorld();
  const without = { processes: { nodeVersion: '23.0.0', hasDatabase: () => false } };
  const doctor = await world.telctl('doctor', without);
  expect(doctor.stdout).toMatch(/^node +warn +Node\.js 23\.0\.0\. It has no database for the sandbox\./m);
  const list = await world.telctl('users list', without);
  expect(list.code, list.stderr).toBe(0);
  const start = await world.telctl('sandbox exec -- true', without);
  expect(start.stderr).toBe(
    'The sandbox needs SQLite, which Node.js 23.0.0 does not include.\n' +
      'Use Node.js 24 or newer. Other commands work with this version.\n',
  );
  expect(start.code).toBe(1);
});

test('distinguishes an unreachable service from a rejected sign-in', async () => {
  const world = await openWorld();
  const down = await world.telctl('doctor -o json --retries 0', { faults: [{ fault: { kind: 'refuse' } }] });
  expect(down.code).toBe(1);
  expect(results(down).service).toBe('fail');
  const refused = await world.telctl('doctor -o json', {
    env: { TELCTL_BASE_URL: world.url, TELCTL_API_KEY: '0'.repeat(64) },
  });
  expect(refused.code).toBe(1);
  expect(results(refused)).toMatchObject({ 'sign-in': 'fail' });
  expect(refused.stdout).not.toContain('0'.repeat(64));
  const elsewhere = await world.telctl('doctor -o json', {
    env: { TELCTL_BASE_URL: world.url, TELCTL_API_KEY: '0'.repeat(64) },
    faults: [{ fault: { kind: 'answer', status: 404, body: 'nothing here' } }],
  });
  expect(results(elsewhere).service).toBe('fail');
  expect(elsewhere.stdout).toContain('responds, but does not support sign-in (404).');
});

test('warns about world-readable files, a wrong clock and unverified certificates', async () => {
  const world = await openWorld();
  chmodSync(join(world.folders.home, '.config/telctl/config.json'), 0o644);
  const faults = [
    {
      fault: {
        kind: 'rewrite',
        change: (body: string) => body.replace(/"timestamp":"[^"]*"/, '"timestamp":"2025-01-15T08:50:00Z"'),
      },
      path: /\/accounts\//,
    },
  ] as const;
  const run = await world.telctl('doctor -o json --insecure', {
    faults,
    env: { HTTPS_PROXY: 'http://me:hunter2@proxy.example:3128' },
  });
  expect(run.code).toBe(0);
  expect(results(run)).toMatchObject({ folders: 'warn', clock: 'warn', certificates: 'warn', proxy: 'ok' });
  expect(run.stdout).toContain('600 s ahead of the service');
  expect(run.stdout).toContain('~/.config/telctl/config.json');
  expect(run.stdout).not.toContain('hunter2');
});

test('reports an unreadable ledger', async () => {
  const world = await openWorld();
  const files = { '../home/.local/state/telctl/ledgers/broken.json': '{"half' };
  const run = await world.telctl('doctor -o json', { files });
  expect(run.code).toBe(1);
  expect(results(run).state).toBe('fail');
  expect(run.stdout).toContain('The ledgers in ~/.local/state/telctl cannot be read');
});

test('reports each invalid setting, and runs the remaining checks', async () => {
  const world = await openWorld();
  const files = {
    '../home/.config/telctl/config.json': '{"profiles": {',
    '.telctl.yaml': 'token: abc\n',
  };
  const env = { TELCTL_BASE_URL: 'foo', TELCTL_TIMEOUT: 'soon' };
  const run = await world.telctl('doctor -o json', { files, env });
  expect(run.code).toBe(1);
  expect(run.requests).toEqual([]);
  const checks: readonly Record<string, string>[] = JSON.parse(run.stdout);
  const findings = checks.filter(({ check }) => check === 'settings').map(({ finding }) => finding);
  expect(findings).toEqual([
    '~/.config/telctl/config.json is damaged: it is not JSON.',
    expect.stringContaining('.telctl.yaml:1 sets "token"'),
    'TELCTL_BASE_URL is not an address.',
    expect.stringContaining('TELCTL_TIMEOUT'),
  ]);
  expect(results(run)).toMatchObject({ service: 'warn', node: 'ok', state: 'ok', sandbox: 'ok' });
  const table = await world.telctl('doctor', { env: { TELCTL_BASE_URL: 'foo' } });
  expect(table.stdout).toMatch(/^settings +fail +TELCTL_BASE_URL is not an address\. Give/m);
  // What is typed is no part of the set-up.
  expect((await world.telctl('doctor --base-url foo')).code).toBe(2);
});

test('reports folders that telctl cannot write to', async () => {
  const world = await openWorld();
  const run = await world.telctl('doctor -o json', {
    files: { '../home/.local/state/telctl': 'in the way' },
  });
  expect(run.code).toBe(1);
  expect(results(run).folders).toBe('fail');
  expect(run.stdout).toContain('telctl cannot write to ~/.local/state/telctl');
});

test('checks the keyring even if a token is stored in a file', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config/telctl/config.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"keyStore": "file"', '"keyStore": "keyring"'));
  const run = await world.telctl('doctor -o json');
  expect(run.code).toBe(1);
  expect(results(run)).toMatchObject({ keyring: 'fail', service: 'ok' });
});

test('lists webhooks of killed listeners without removing them', async () => {
  const world = await openWorld();
  const name = 'telctl-listen-0123abcd-999999999-0';
  await world.telctl(`webhooks create --name ${name} --uri http://127.0.0.1:9/ --hook fax`);
  const run = await world.telctl('doctor -o json', {
    files: { '../home/.local/state/telctl/machine': '0123abcd' },
  });
  expect(run.code).toBe(0);
  expect(results(run).listeners).toBe('warn');
  expect(run.stdout).toContain(name);
  expect((await world.telctl('webhooks list -o name')).stdout).toBe(`${name}\n`);
});
