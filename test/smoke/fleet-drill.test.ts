import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { type CalledSandbox, calledSandbox } from '../support/called-sandbox.ts';
import { writeFiles } from '../support/fake-host.ts';
import { injectTransport } from '../support/inject-transport.ts';
import { postgresServer } from '../support/postgres.ts';
import { type RunningProcess, runProcess, startProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

const server = await postgresServer();

const count = 12;
const names = Array.from({ length: count }, (_, index) => `branch-${String(index).padStart(2, '0')}`);
const failing = 'branch-07';
const manifest = `set: branch
menus:
  day: { name: Day, retries: 2 }
  night: { name: Night, retries: 2 }
limits: { twoway_trunks: 2 }
`;

/** Requests of which three of ten are turned away: a limit that never ends leaves hardly any rate. */
const refusedUntil = 30;

/** A request that passed and what came of it. */
interface Passed {
  readonly method: string;
  readonly account: string;
  readonly kind: string;
  readonly name: unknown;
  readonly accepts: boolean;
  readonly status: number;
}

/** A proxy before a sandbox that takes its time, turns three of ten requests away, and fails one account always. */
async function troublesome({ app }: CalledSandbox, failingId: () => string) {
  const upstream = injectTransport(app);
  const passed: Passed[] = [];
  let asked = 0;
  const proxy = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const body = await text(request);
    const [, , , account = '', kind = ''] = url.split(/[/?]/);
    asked += 1;
    const isSignIn = url.includes('_auth');
    if (!isSignIn && asked < refusedUntil && asked % 10 < 3) {
      response.writeHead(429, { 'content-type': 'application/json' });
      return response.end('{"status":"error","error":"429","message":"too_many_requests","data":{}}');
    }
    if (method === 'PUT' && account === failingId()) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end('{"status":"error","error":"400","message":"no","data":{}}');
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === 'string' && name !== 'content-length' ? [[name, value]] : [],
      ),
    );
    const reply = await upstream.send({
      ...{ method, url: new URL(url, `http://${request.headers.host}`), headers, timeoutMs: 10_000 },
      ...(body === '' ? {} : { body }),
    });
    const bytes = await buffer(reply.body);
    const sent = body === '' ? undefined : JSON.parse(body);
    passed.push({
      ...{ method, account, kind, status: reply.status },
      name: isObject(sent) && isObject(sent.data) ? sent.data.name : undefined,
      accepts: isObject(sent) && isObject(sent.data) && sent.data.accept_charges === true,
    });
    response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': bytes.length });
    return response.end(bytes);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, passed };
}

test('a fleet survives kill -9 of a worker and of its coordinator, a database that restarts, and a service that refuses: each account once', async () => {
  const sandbox = await calledSandbox();
  onTestFinished(() => sandbox.app.close());
  sandbox.clock.turn(Date.now() - sandbox.clock.now());
  const ids = new Map<string, string>();
  const { url, passed } = await troublesome(sandbox, () => ids.get(failing) ?? 'none');
  const state = await server.database();
  const env = { TELCTL_STATE: state, TELCTL_STATE_PASSWORD: server.password };
  const machines = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async () => {
      const { home } = testFolders();
      writeFiles(home, { 'branch.yaml': manifest, 'branches.txt': names.join('\n') });
      // Whose account is above all may change what they are charged for.
      const who = ['--account-name', 'platform', '--username', 'super', '--password-stdin'];
      const signedIn = await runProcess(['login', '--base-url', url, ...who], {
        ...{ home, env, stdin: sandbox.seed.superPassword },
      });
      expect(signedIn.code, signedIn.stderr).toBe(0);
      return (...argv: readonly string[]): RunningProcess => startProcess(argv, { home, env });
    }),
  );
  const [first, second, third, fourth] = machines;
  if (!first || !second || !third || !fourth) throw new Error('There are four.');
  for (const name of names) {
    const made = await sandbox.call('PUT', `/v2/accounts/${sandbox.seed.accountId}`, {
      token: await sandbox.adminToken(),
      data: { name, realm: `${name}.example` },
    });
    ids.set(name, isObject(made.data) ? String(made.data.id) : '');
  }
  const waves = ['--waves', '2,100%', '--max-failures', '3', '--accept-charges-up-to', '100000'];
  const line = ['-f', 'branch.yaml', '--accounts', 'branches.txt', '--max-change-percent', '100', '--yes'];

  const coordinator = first('rollout', 'start', ...line, ...waves, '--concurrency', '2');
  const worked = (): number =>
    passed.filter(({ method, kind, status }) => method === 'PUT' && kind === 'menus' && status < 300).length;
  const until = (reached: () => boolean): Promise<void> =>
    vi.waitFor(() => expect(reached()).toBe(true), { timeout: 30_000, interval: 20 });
  await until(() => worked() >= 1);
  const workers = [second, third].map((machine) => machine('rollout', 'worker', '--concurrency', '2'));
  await until(() => worked() >= 6);
  workers[0]?.child.kill('SIGKILL');
  await until(() => worked() >= 10);
  coordinator.child.kill('SIGKILL');
  const other = fourth('rollout', 'resume', '1', '--yes', '--concurrency', '2', '-o', 'json');
  await until(() => worked() >= 14);
  await server.restart();
  const { code, stdout, stderr } = await other.end;
  workers[1]?.child.kill('SIGINT');
  const [, ended] = await Promise.all(workers.map(({ end }) => end));
  expect(code, stderr).toBe(8);
  expect(JSON.parse(stdout)).toMatchObject({
    state: 'finished',
    counts: { failed: 1, waiting: 0, running: 0 },
  });
  expect(ended?.stderr).toContain('what was under way is finished');
  for (const name of names) {
    const those = passed.filter(({ account, status }) => account === ids.get(name) && status < 300);
    const made = those.filter(({ method }) => method === 'PUT').map(({ name: menu }) => String(menu));
    expect(made.toSorted(), name).toEqual(name === failing ? [] : ['Day', 'Night']);
    const charged = those.filter(({ kind, accepts }) => kind === 'limits' && accepts);
    // What fails in an account keeps its other changes from being begun, or not.
    expect(charged.length, name).toBeLessThanOrEqual(1);
    expect(charged.length, name).toBeGreaterThanOrEqual(name === failing ? 0 : 1);
  }
}, 120_000);
