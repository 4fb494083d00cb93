import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../src/base/json.ts';
import { type CalledSandbox, calledSandbox } from '../support/called-sandbox.ts';
import { seededRandom } from '../support/clock.ts';
import { makeFolders, writeFiles } from '../support/fake-host.ts';
import { injectTransport } from '../support/inject-transport.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { type RunningProcess, runProcess, startProcess } from '../support/process.ts';
import { countCharges } from './account-state.ts';
import { openCuttableProxy } from './cuttable-proxy.ts';

/** Size of a fleet drill, and the severity of its faults. */
export interface FleetDrill {
  readonly accounts: number;
  /** Probability that the first attempt of a request is refused. */
  readonly refused: number;
  /** Time in milliseconds during which one worker cannot reach the database. */
  readonly cutMs: number;
  readonly seed: number;
  /** Called for each injected fault. */
  readonly onFault?: (what: string) => void;
}

export interface FleetOutcome {
  /** Sentences about violations. Empty if there are none. */
  readonly findings: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

const menus = ['Day', 'Night'];
const manifest = `set: branch
menus:
  day: { name: Day, retries: 2 }
  night: { name: Night, retries: 2 }
limits: { twoway_trunks: 2 }
`;

/**
 * A proxy for a sandbox that refuses random requests, and all writes to one account. It refuses a request at most
 * once, and at most three requests per account, because telctl tries an account three times and slows down after each
 * refusal.
 */
async function startFaultyProxy(
  { app }: CalledSandbox,
  { accounts, refused, seed }: FleetDrill,
  failing: () => string,
) {
  const upstream = injectTransport(app);
  const random = seededRandom(seed);
  const seen = new Set<string>();
  const counts = { requests: 0, refused: 0 };
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const body = await text(request);
    const answer = (status: number): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(`{"status":"error","error":"${status}","message":"no","data":{}}`);
    };
    counts.requests += 1;
    const line = `${method} ${url} ${body}`;
    const isFirst = !seen.has(line);
    seen.add(line);
    if (isFirst && counts.refused < accounts * 3 && random.fraction() < refused) {
      counts.refused += 1;
      return answer(429);
    }
    if (method === 'PUT' && url.split('/')[3] === failing()) return answer(400);
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
    response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': bytes.length });
    return response.end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    counts,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Creates accounts without telctl. Returns their ids by name. */
async function createAccounts({ call, adminToken, seed }: CalledSandbox, names: readonly string[]) {
  const ids = new Map<string, string>();
  for (const name of names) {
    const made = await call('PUT', `/v2/accounts/${seed.accountId}`, {
      token: await adminToken(),
      data: { name, realm: `${name}.example` },
    });
    ids.set(name, isObject(made.data) ? String(made.data.id) : '');
  }
  return ids;
}

/**
 * Returns deviations from the expected records: each account has its objects once, and the failing account has none.
 */
async function findWrongMenus({ store }: CalledSandbox, ids: ReadonlyMap<string, string>, failing: string) {
  const findings: string[] = [];
  const records = [...(await store.allOfKind('menus'))];
  for (const [name, id] of ids) {
    const found = records.filter(({ scope }) => scope === id).map(({ body }) => String(body.name));
    const expectedMenus = name === failing ? [] : menus;
    if (found.toSorted().join() !== expectedMenus.join())
      findings.push(
        `${name} has the menus ${found.join(', ') || '(none)'}, not ${expectedMenus.join(', ') || '(none)'}`,
      );
  }
  return findings;
}

/** Counts existing menus, and charges by account. */
function watchMenusAndCharges({ store }: CalledSandbox) {
  const seen = { menus: 0, charges: new Map<string, number>() };
  const charges = countCharges(store);
  store.watch((changes) => {
    for (const change of changes) {
      if (change.change !== 'put') continue;
      const { kind, scope } = change.record;
      if (kind === 'menus') seen.menus += 1;
      if (kind === 'limits') seen.charges.set(scope, (seen.charges.get(scope) ?? 0) + 1);
    }
  });
  return { seen, charges };
}

/**
 * Applies a manifest to many accounts with two coordinators and three workers, and injects faults: kills a worker and
 * the first coordinator with SIGKILL, restarts the database, disconnects a worker from it for a while, refuses random
 * requests, and fails all writes of one account. Returns findings and counts.
 */
export async function drillFleet(drill: FleetDrill): Promise<FleetOutcome> {
  const { accounts, cutMs, onFault = () => undefined } = drill;
  const names = Array.from({ length: accounts }, (_, at) => `branch-${String(at).padStart(4, '0')}`);
  const failing = names[Math.floor(accounts / 2)] ?? '';
  const startedMs = performance.now();
  const ends: (() => unknown)[] = [];
  const running: RunningProcess[] = [];
  try {
    const [sandbox, server] = await Promise.all([calledSandbox(), startPostgres()]);
    ends.push(() => sandbox.app.close(), server.end);
    sandbox.clock.turn(Date.now() - sandbox.clock.now());
    let ids: ReadonlyMap<string, string> = new Map();
    const service = await startFaultyProxy(sandbox, drill, () => ids.get(failing) ?? 'none');
    const proxy = await openCuttableProxy(server.port);
    ends.push(service.close, proxy.close);
    const state = await server.database();
    const farState = state.replace(`:${server.port}/`, `:${proxy.port}/`);
    const machine = async (stateThere: string) => {
      const { home, remove } = makeFolders();
      ends.push(remove);
      writeFiles(home, { 'branch.yaml': manifest, 'branches.txt': names.join('\n') });
      const env = { TELCTL_STATE: stateThere, TELCTL_STATE_PASSWORD: server.password };
      // The administrator of the master account may change the accounts that the changes are charged to.
      const who = ['--account-name', 'platform', '--username', 'super', '--password-stdin'];
      const signedIn = await runProcess(['login', '--base-url', service.url, ...who], {
        ...{ home, env, stdin: sandbox.seed.superPassword },
      });
      if (signedIn.code !== 0) throw new Error(signedIn.stderr);
      return (...argv: readonly string[]): RunningProcess => {
        const begun = startProcess([...argv, '--concurrency', '2'], { home, env });
        running.push(begun);
        return begun;
      };
    };
    const [first, second, near, far] = await Promise.all([state, state, state, farState].map(machine));
    if (!first || !second || !near || !far) throw new Error('A machine is missing.');
    ids = await createAccounts(sandbox, names);
    const { seen, charges } = watchMenusAndCharges(sandbox);

    const expectedMenus = menus.length * (accounts - 1);
    const deadlineMs = performance.now() + 150_000 + accounts * 3000;
    /** Waits until this share of the accounts is finished. */
    const waitForShare = async (share: number): Promise<void> => {
      while (seen.menus < share * expectedMenus) {
        if (performance.now() > deadlineMs)
          throw new Error(`No progress: ${seen.menus} of ${expectedMenus} menus.`);
        await sleep(20);
      }
    };
    const reportFault = (what: string): void =>
      onFault(
        `${((performance.now() - startedMs) / 1000).toFixed(1)} s, ${seen.menus} of ${expectedMenus}: ${what}`,
      );

    const waves = ['--waves', '2,100%', '--max-failures', '3', '--accept-charges-up-to', '100000'];
    const line = ['-f', 'branch.yaml', '--accounts', 'branches.txt', '--max-change-percent', '100', '--yes'];
    const coordinator = first('rollout', 'start', ...line, ...waves);
    await waitForShare(0.05);
    reportFault('two workers start');
    const firstWorker = near('rollout', 'worker');
    const cutWorker = far('rollout', 'worker');
    await waitForShare(0.15);
    reportFault('a second coordinator starts');
    const secondCoordinator = second('rollout', 'resume', '1', '--yes', '-o', 'json');
    await waitForShare(0.3);
    reportFault('kill -9 of a worker');
    firstWorker.child.kill('SIGKILL');
    await waitForShare(0.4);
    reportFault(`the other worker is disconnected from the database for ${cutMs / 1000} s`);
    proxy.cut();
    const restored = sleep(cutMs).then(() => {
      reportFault('the worker is connected again');
      proxy.restore();
    });
    await waitForShare(0.5);
    reportFault('kill -9 of the first coordinator');
    coordinator.child.kill('SIGKILL');
    await waitForShare(0.6);
    reportFault('the database is killed and restarts');
    await server.restart();
    const lateWorker = near('rollout', 'worker');
    const end = await secondCoordinator.end;
    reportFault('the rollout has ended');
    await restored;
    for (const worker of [cutWorker, lateWorker]) worker.child.kill('SIGINT');
    const [farEnd, lateEnd] = await Promise.all([cutWorker.end, lateWorker.end]);

    const findings = await findWrongMenus(sandbox, ids, failing);
    if (end.code !== 8) findings.push(`the coordinator exited with code ${end.code}: ${end.stderr}`);
    const report: unknown = end.stdout === '' ? undefined : JSON.parse(end.stdout);
    const tally = isObject(report) && isObject(report.counts) ? report.counts : {};
    if (!isObject(report) || report.state !== 'finished')
      findings.push(`the rollout is not finished: ${end.stdout}`);
    if (tally.failed !== 1 || tally.waiting !== 0 || tally.running !== 0)
      findings.push(`wrong counts: ${JSON.stringify(tally)}`);
    for (const [name, id] of ids) {
      const count = seen.charges.get(id) ?? 0;
      // In the failing account, the charge may come before or after the failure, so 0 or 1 is correct.
      if (count > 1 || (count === 0 && name !== failing))
        findings.push(`${name} was charged ${count} times instead of once`);
    }
    if (seen.menus !== expectedMenus) findings.push(`${seen.menus} menus were created, not ${expectedMenus}`);
    for (const { code, stderr } of [farEnd, lateEnd])
      if (code !== 0) findings.push(`a worker exited with code ${code}: ${stderr}`);
    return {
      findings,
      counts: {
        accounts,
        'menus created': seen.menus,
        charges: charges(),
        requests: service.counts.requests,
        'refused requests': service.counts.refused,
        seconds: Math.round((performance.now() - startedMs) / 1000),
      },
    };
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.allSettled(running.map(({ end }) => end));
    for (const end of ends.toReversed()) await end();
  }
}
