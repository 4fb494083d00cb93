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
import { cuttableWay } from './cuttable.ts';

/** A drill of a fleet: how large it is, and how hard it is struck. */
export interface FleetDrill {
  readonly accounts: number;
  /** Chance with which a request is turned away when it comes for the first time. */
  readonly refused: number;
  /** Time for which one worker does not reach the database, in milliseconds. */
  readonly cutMs: number;
  readonly seed: number;
  /** Told of each strike. */
  readonly told?: (what: string) => void;
}

/** Findings of a drill. */
export interface FleetEnd {
  /** Sentences about what is wrong; none where all is well. */
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
 * A proxy before a sandbox that turns requests away by chance, and fails the writes to one account always. It turns no
 * request away twice, nor more than three for each account: an account is tried three times, and each refusal slows telctl.
 */
async function troublesome(
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

/** Makes accounts past telctl; gives their ids by their names. */
async function makeAccounts({ call, adminToken, seed }: CalledSandbox, names: readonly string[]) {
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

/** Says what is not as it was to be in the accounts: each with its objects once, the failing one without any. */
async function wrongIn({ store }: CalledSandbox, ids: ReadonlyMap<string, string>, failing: string) {
  const findings: string[] = [];
  const records = [...(await store.allOfKind('menus'))];
  for (const [name, id] of ids) {
    const found = records.filter(({ scope }) => scope === id).map(({ body }) => String(body.name));
    const wished = name === failing ? [] : menus;
    if (found.toSorted().join() !== wished.join())
      findings.push(
        `${name} has the menus ${found.join(', ') || '(none)'}, not ${wished.join(', ') || '(none)'}`,
      );
  }
  return findings;
}

/** Counts the menus that are there, and charges by account. */
function watched({ store }: CalledSandbox) {
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
 * Brings a manifest to many accounts by two coordinators and three workers, and strikes them: kill -9 of a worker and of
 * the first coordinator, a database that restarts, a worker that does not reach it for a while, requests that are
 * turned away by chance, one account that always fails. Returns what is wrong at the end, and counts.
 */
export async function drillFleet(drill: FleetDrill): Promise<FleetEnd> {
  const { accounts, cutMs, told = () => undefined } = drill;
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
    const service = await troublesome(sandbox, drill, () => ids.get(failing) ?? 'none');
    const way = await cuttableWay(server.port);
    ends.push(service.close, way.close);
    const state = await server.database();
    const farState = state.replace(`:${server.port}/`, `:${way.port}/`);
    const machine = async (stateThere: string) => {
      const { home, remove } = makeFolders();
      ends.push(remove);
      writeFiles(home, { 'branch.yaml': manifest, 'branches.txt': names.join('\n') });
      const env = { TELCTL_STATE: stateThere, TELCTL_STATE_PASSWORD: server.password };
      // Whose account is above all may change what they are charged for.
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
    if (!first || !second || !near || !far) throw new Error('There are four.');
    ids = await makeAccounts(sandbox, names);
    const { seen, charges } = watched(sandbox);

    const wished = menus.length * (accounts - 1);
    const deadlineMs = performance.now() + 150_000 + accounts * 3000;
    /** Waits until a share of the work is done. */
    const reached = async (share: number): Promise<void> => {
      while (seen.menus < share * wished) {
        if (performance.now() > deadlineMs)
          throw new Error(`Nothing goes on: ${seen.menus} of ${wished} menus.`);
        await sleep(20);
      }
    };
    const strike = (what: string): void =>
      told(`${((performance.now() - startedMs) / 1000).toFixed(1)} s, ${seen.menus} of ${wished}: ${what}`);

    const waves = ['--waves', '2,100%', '--max-failures', '3', '--accept-charges-up-to', '100000'];
    const line = ['-f', 'branch.yaml', '--accounts', 'branches.txt', '--max-change-percent', '100', '--yes'];
    const coordinator = first('rollout', 'start', ...line, ...waves);
    await reached(0.05);
    strike('two workers begin');
    const killed = near('rollout', 'worker');
    const cutOff = far('rollout', 'worker');
    await reached(0.15);
    strike('a second coordinator begins');
    const other = second('rollout', 'resume', '1', '--yes', '-o', 'json');
    await reached(0.3);
    strike('kill -9 of a worker');
    killed.child.kill('SIGKILL');
    await reached(0.4);
    strike(`the other worker does not reach the database for ${cutMs / 1000} s`);
    way.cut();
    const mended = sleep(cutMs).then(() => {
      strike('it reaches the database again');
      way.mend();
    });
    await reached(0.5);
    strike('kill -9 of the first coordinator');
    coordinator.child.kill('SIGKILL');
    await reached(0.6);
    strike('the database ends at once and comes back');
    await server.restart();
    const late = near('rollout', 'worker');
    const end = await other.end;
    strike('the rollout is over');
    await mended;
    for (const worker of [cutOff, late]) worker.child.kill('SIGINT');
    const [farEnd, lateEnd] = await Promise.all([cutOff.end, late.end]);

    const findings = await wrongIn(sandbox, ids, failing);
    if (end.code !== 8) findings.push(`the coordinator ended with ${end.code}: ${end.stderr}`);
    const report: unknown = end.stdout === '' ? undefined : JSON.parse(end.stdout);
    const tally = isObject(report) && isObject(report.counts) ? report.counts : {};
    if (!isObject(report) || report.state !== 'finished') findings.push(`it is not finished: ${end.stdout}`);
    if (tally.failed !== 1 || tally.waiting !== 0 || tally.running !== 0)
      findings.push(`it counts ${JSON.stringify(tally)}`);
    for (const [name, id] of ids) {
      const count = seen.charges.get(id) ?? 0;
      // What fails in an account keeps its other changes from being begun, or not.
      if (count > 1 || (count === 0 && name !== failing)) findings.push(`${name} was charged ${count} times`);
    }
    if (seen.menus !== wished) findings.push(`${seen.menus} menus were made, not ${wished}`);
    for (const { code, stderr } of [farEnd, lateEnd])
      if (code !== 0) findings.push(`a worker ended with ${code}: ${stderr}`);
    return {
      findings,
      counts: {
        accounts,
        'menus made': seen.menus,
        charges: charges(),
        requests: service.counts.requests,
        'turned away': service.counts.refused,
        seconds: Math.round((performance.now() - startedMs) / 1000),
      },
    };
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.allSettled(running.map(({ end }) => end));
    for (const end of ends.toReversed()) await end();
  }
}
