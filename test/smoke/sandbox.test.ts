import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serverCert, serverKey } from '../support/certificates.ts';
import { makeFolders } from '../support/fake-host.ts';
import { startProcess } from '../support/process.ts';
import { runWithSandbox } from '../support/run-with-sandbox.ts';

/** Creates a home folder whose sandboxes stop with the test. */
function createMachine(...names: readonly string[]) {
  const { home, remove } = makeFolders();
  const telctl = (...argv: readonly string[]) => runWithSandbox(argv, { home });
  onTestFinished(async () => {
    await Promise.all(['default', ...names].map((name) => telctl('sandbox', 'stop', '--name', name)));
    remove();
  });
  const status = async (name = 'default') =>
    JSON.parse((await telctl('sandbox', 'status', '--name', name, '-o', 'json')).stdout);
  return { home, telctl, status };
}

/** Returns the first of these ports that is free. */
async function findFreePort(ports: readonly number[]): Promise<string> {
  for (const port of ports) {
    const trial = createServer().listen(port, '127.0.0.1');
    const isFree = await once(trial, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) await once(trial.close(), 'close');
    if (isFree) return String(port);
  }
  throw new Error(`None of ${ports.join(', ')} is free.`);
}

test('start prints the address and signs in its profile; a second start changes nothing', async () => {
  const { telctl, status } = createMachine();
  const first = await telctl('sandbox', 'start', '--memory');
  expect(first).toMatchObject({ code: 0, stdout: '' });
  expect(first.stderr).toMatch(
    /^Sandbox running at http:\/\/127\.0\.0\.1:\d+ {2}\(profile "sandbox", account acme, user admin\)\nStop it with: telctl sandbox stop\nLook at it in a browser: http:\/\/127\.0\.0\.1:\d+\/\n$/,
  );
  const before = await status();
  expect(before).toMatchObject({ running: true, account_name: 'acme' });
  expect((await telctl('users', 'list', '-o', 'name')).stdout).toBe('admin\n');
  const again = await telctl('sandbox', 'start');
  expect(again.code).toBe(0);
  expect(again.stderr).toContain('already running');
  expect((await status()).pid).toBe(before.pid);
});

test('two sandboxes, one with TLS, have separate addresses, profiles and records', async () => {
  const { home, telctl, status } = createMachine('other');
  const tls = { cert: join(home, 'tls.crt'), key: join(home, 'tls.key') };
  writeFileSync(tls.cert, serverCert);
  writeFileSync(tls.key, serverKey);
  const other = ['--memory', '--name', 'other', '--tls-cert', tls.cert, '--tls-key', tls.key];
  await Promise.all([telctl('sandbox', 'start', '--memory'), telctl('sandbox', 'start', ...other)]);
  const [one, two] = await Promise.all([status(), status('other')]);
  expect(one.running && two.running).toBe(true);
  expect(one.base_url).not.toBe(two.base_url);
  expect(one.account_id).not.toBe(two.account_id);
  expect(two.base_url).toMatch(/^https:/);
  const names = ['--profile', 'sandbox-other', '-o', 'name'];
  expect((await telctl('users', 'list', ...names)).stdout).toBe('admin\n');
});

test('a strict sandbox offers only documented operations, and start warns if the running one is not strict', async () => {
  const { telctl, status } = createMachine();
  await telctl('sandbox', 'start', '--memory', '--strict');
  expect(await status()).toMatchObject({ running: true, strict: true });
  expect((await telctl('limits', 'get')).code).toBe(0);
  expect((await telctl('users', 'list')).code).toBe(5);
  await telctl('sandbox', 'stop');
  await telctl('sandbox', 'start', '--memory');
  const refused = await telctl('sandbox', 'start', '--strict');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('is already running');
});

test('a sandbox like KAZOO accepts charges beside data, and says which mode it has', async () => {
  const { telctl, status } = createMachine();
  await telctl('sandbox', 'start', '--memory', '--like', 'kazoo');
  expect(await status()).toMatchObject({ running: true, strict: false, like: 'kazoo' });
  const set = await telctl('limits', 'set', '--inbound-trunks', '2', '-o', 'json');
  expect(JSON.parse(set.stderr).error.details).toMatchObject({
    limits: { inbound_trunks: { quantity: 2, rate: 10 } },
    invoices: [{ summary: { today: 0, recurring: 20 } }],
  });
  expect((await telctl('sandbox', 'start', '--strict', '--like', 'kazoo')).code).toBe(2);
});

test('a sandbox returns at its address, or at another one if that is in use', async () => {
  const { telctl, status } = createMachine();
  await telctl('sandbox', 'start', '--memory');
  const { base_url: address } = await status();
  await telctl('sandbox', 'stop');
  await telctl('sandbox', 'start', '--memory');
  expect((await status()).base_url).toBe(address);
  await telctl('sandbox', 'stop');
  const other = createServer();
  onTestFinished(() => void other.close());
  await once(other.listen(Number(new URL(address).port), '127.0.0.1'), 'listening');
  await telctl('sandbox', 'start', '--memory');
  expect(await status()).toMatchObject({ running: true, base_url: expect.not.stringMatching(address) });
});

test('two concurrent starts create one sandbox', async () => {
  const { telctl } = createMachine();
  const starts = await Promise.all([1, 2, 3].map(() => telctl('sandbox', 'start', '--memory', '-o', 'json')));
  const pids = starts.map(({ stdout }) => JSON.parse(stdout).pid);
  expect(new Set(pids).size).toBe(1);
});

test('a killed sandbox is detected and restarted with its records', async () => {
  const { telctl, status } = createMachine();
  await telctl('sandbox', 'start');
  const before = await status();
  process.kill(before.pid, 'SIGKILL');
  expect(await status()).toMatchObject({ running: false });
  const env = await telctl('sandbox', 'env');
  expect(env).toMatchObject({ code: 75, stdout: '' });
  expect(env.stderr).toContain('telctl sandbox start');
  await telctl('sandbox', 'start');
  expect(await status()).toMatchObject({ running: true, account_id: before.account_id });
});

test('a port that browsers block works', async () => {
  const { telctl, status } = createMachine();
  const port = await findFreePort([6665, 6666, 6667, 6668, 6669, 6697]);
  await telctl('sandbox', 'start', '--memory', '--port', port);
  expect(await status()).toMatchObject({ running: true, base_url: `http://127.0.0.1:${port}` });
});

test('a sandbox that hangs keeps its records', async () => {
  const { telctl, status } = createMachine();
  await telctl('sandbox', 'start');
  const before = await status();
  // Resumes the process after the test, so that the sandbox can be stopped.
  onTestFinished(() => void process.kill(before.pid, 'SIGCONT'));
  process.kill(before.pid, 'SIGSTOP');
  const refused = await telctl('sandbox', 'reset', '--yes');
  expect(refused.code).toBe(75);
  expect(refused.stderr).toContain(`kill ${before.pid}`);
  process.kill(before.pid, 'SIGCONT');
  expect(await status()).toEqual({ ...before, clock: expect.objectContaining({ offset_ms: 0 }) });
});

test('a data folder belongs to one sandbox at a time', async () => {
  const { home, telctl, status } = createMachine('other');
  await telctl('sandbox', 'start', '--data', 'records');
  const second = await telctl('sandbox', 'start', '--name', 'other', '--data', 'records');
  expect(second.code).toBe(1);
  const { pid } = await status();
  expect(second.stderr).toContain(
    `the sandbox default (process ${pid}) uses the records in ${home}/records.\ntelctl sandbox stop, or`,
  );
});

test('a failed start explains the reason', async () => {
  const { telctl, status } = createMachine('other');
  await telctl('sandbox', 'start', '--memory');
  const port = new URL((await status()).base_url).port;
  const failed = await telctl('sandbox', 'start', '--memory', '--name', 'other', '--port', port);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain(`cannot listen on port ${port}`);
  expect(await status('other')).toMatchObject({ running: false });
});

test('reset restores the initial state at the same address', async () => {
  const { telctl, status } = createMachine();
  await telctl('sandbox', 'start');
  const before = await status();
  const names = ['--set', 'first_name=A', '--set', 'last_name=B'];
  expect((await telctl('users', 'create', ...names)).code).toBe(0);
  expect((await telctl('sandbox', 'reset')).code).toBe(2);
  expect((await telctl('sandbox', 'reset', '--yes')).code).toBe(0);
  const after = await status();
  expect(after.base_url).toBe(before.base_url);
  expect(after.account_id).not.toBe(before.account_id);
  expect((await telctl('users', 'list', '-o', 'name')).stdout).toBe('admin\n');
});

test('exec runs a command with a new sandbox and returns its exit code', async () => {
  const { telctl } = createMachine();
  const script = `
    const { env } = process;
    fetch(env.TELCTL_BASE_URL + '/v2/api_auth', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { api_key: env.TELCTL_API_KEY } }),
    }).then(async (reply) => {
      const { data } = await reply.json();
      console.log(reply.status, data.account_id === env.TELCTL_ACCOUNT, data.account_name, env.TELCTL_USERNAME);
      process.exit(7);
    });`;
  const run = await telctl('sandbox', 'exec', '--', process.execPath, '-e', script);
  expect(run).toMatchObject({ code: 7, stdout: '201 true acme admin\n', stderr: '' });
  const killed = await telctl(
    'sandbox',
    'exec',
    '--',
    process.execPath,
    '-e',
    'process.kill(process.pid, "SIGTERM")',
  );
  expect(killed.code).toBe(143);
  expect((await telctl('sandbox', 'exec', '--', 'no-such-program')).code).toBe(2);
});

test('exec forwards signals to its command', async () => {
  const { home } = createMachine();
  const script = `process.on('SIGTERM', () => process.exit(5)); console.log('ready'); setInterval(() => {}, 1000);`;
  const running = startProcess(['sandbox', 'exec', '--', process.execPath, '-e', script], { home });
  await new Promise((resolve) => running.child.stdout.once('data', resolve));
  running.child.kill('SIGTERM');
  expect(await running.end).toMatchObject({ code: 5 });
});
