import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Files, files } from '../../src/base/host/files.ts';
import type { Timers } from '../../src/base/host/host.ts';
import { timers } from '../../src/base/host/real-host.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { openWorld, type Run, type RunOptions, type World } from '../support/world.ts';
import { type DrillBench, drillJob } from './drill.ts';
import type { Job } from './jobs.ts';

/** A state that fails from a certain call on. */
export interface FailingState {
  /** Options for runs that use this state. */
  readonly options: RunOptions;
  calls(): number;
  /** Counts one more call, made elsewhere. Returns `breaks` for the first failing call, and `broken` after it. */
  call(): 'works' | 'breaks' | 'broken';
  /** Makes all following calls succeed. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates a state whose files below `folder` cannot be read or written from call `at` on (from 0), like a broken
 * disk.
 */
export function openFailingFiles(folder: string, at: number): FailingState {
  let calls = 0;
  let healed = false;
  const call: FailingState['call'] = () => {
    if (healed) return 'works';
    calls += 1;
    return calls <= at ? 'works' : calls === at + 1 ? 'breaks' : 'broken';
  };
  const step = <T>(path: unknown, work: () => T): T => {
    if (typeof path !== 'string' || !path.startsWith(folder)) return work();
    if (call() !== 'works') throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    return work();
  };
  const disk: Partial<Files> = {
    list: (path) => step(path, () => files.list(path)),
    readLargeText: (path) => step(path, () => files.readLargeText(path)),
    writePrivate: (path, text) => step(path, () => files.writePrivate(path, text)),
    writePrivateLater: async (path, text) => step(path, () => files.writePrivateLater(path, text)),
    lock: async (path, patience) => {
      const release = await step(path, () => files.lock(path, patience));
      return async () => {
        // A lock is not renewed after its process ends.
        await release();
        step(path, () => undefined);
      };
    },
    withLock: async (path, work, patience) => step(path, () => files.withLock(path, work, patience)),
    remove: (path) => step(path, () => files.remove(path)),
    openAppendOnly(path, how) {
      const file = step(path, () => files.openAppendOnly(path, how));
      return {
        add: (text) => step(path, () => file.add(text)),
        flush: async () => step(path, file.flush),
        close: () => file.close(),
      };
    },
  };
  return {
    options: { disk },
    calls: () => calls,
    call,
    restore: async () => {
      healed = true;
    },
    close: async () => undefined,
  };
}

/** Factor by which time passes faster, to shorten the waits for an unreachable database. */
const speedup = 200;
const fastTimers: Timers = {
  ...timers,
  elapsedMs: () => timers.elapsedMs() * speedup,
  later: (ms, act) => timers.later(ms / speedup, act),
};

/** Creates a database behind a proxy that closes all connections from message `at` on (from 0). */
export async function openFailingDatabase(
  { port, password, query, database }: PostgresServer,
  at: number,
): Promise<FailingState> {
  const address = await database();
  let calls = 0;
  let healed = false;
  const sockets = new Set<Socket>();
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('data', (chunk) => {
      calls += 1;
      if (calls > at && !healed) end();
      else far.write(chunk);
    });
    far.on('data', (chunk) => near.write(chunk));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = server.address();
  const own = typeof here === 'object' && here !== null ? here.port : 0;
  const env = { TELCTL_STATE: address.replace(`:${port}/`, `:${own}/`), TELCTL_STATE_PASSWORD: password };
  return {
    options: { env, timers: fastTimers },
    calls: () => calls,
    call: () => 'works',
    async restore() {
      healed = true;
      // The process has ended, and its leases have expired.
      await query(address, 'DELETE FROM telctl.leases').catch(() => undefined);
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      end();
      await closed;
    },
  };
}

/** Opens a failing state for a world. */
export type OpenFailingState = (world: World, at: number) => Promise<FailingState>;

export const stateFolder = ({ folders }: World): string => join(folders.home, '.local/state/telctl');

const isWrite = ({ method, path }: Run['requests'][number]): boolean =>
  method !== 'GET' && !/\/(?:user_auth|api_auth)$/.test(path);

/**
 * Time limit of a command whose state is gone, in milliseconds: one minute, plus 3.5 s of real work on a busy
 * machine, which count 200 times.
 */
const timeLimitMs = 760_000;

/** Counts the calls of a job to a working state. */
export async function countStateCalls(job: Job, failAt: OpenFailingState): Promise<number> {
  const world = await openWorld();
  const state = await failAt(world, Number.POSITIVE_INFINITY);
  await job.prepare?.(world.sandbox);
  await world.telctl(job.argv, { ...state.options, ...job });
  await state.close();
  return state.calls();
}

/**
 * Runs a job whose state fails at a call, and again with a working state. Returns the findings as sentences: a result
 * that omits changes, an exit code that denies them, a wait that is too long, or invalid JSON.
 */
export async function drillState(job: Job, at: number, failAt: OpenFailingState): Promise<readonly string[]> {
  const world = await openWorld();
  const state = await failAt(world, at);
  const findings: string[] = [];
  let isFirst = true;
  const bench: DrillBench = {
    sandbox: world.sandbox,
    async run(argv, { files: written, stdin }) {
      const startMs = fastTimers.elapsedMs();
      const run = await world.telctl(argv, {
        ...state.options,
        ...(written === undefined ? {} : { files: written }),
        ...(stdin === undefined ? {} : { stdin }),
      });
      if (isFirst) findings.push(...findProblems(run, fastTimers.elapsedMs() - startMs, argv));
      isFirst = false;
      await state.restore();
      // With exit code 8 the result contains the completed changes, so a job with one change is complete.
      const isOne = job.records.length === 1 && run.code === 8;
      return { ...run, code: isOne ? 0 : run.code, requests: run.requests.length };
    },
  };
  findings.push(...(await drillJob(job, { name: 'cut before', at, duration: 'for good' }, bench)));
  await state.close();
  return findings;
}

function findProblems(run: Run, tookMs: number, argv: readonly string[]): readonly string[] {
  const wrong: string[] = [];
  const sent = run.requests.filter(isWrite).length;
  // A change whose charges are not accepted is refused completely.
  if (sent > 0 && ![0, 7, 8].includes(run.code))
    wrong.push(`${sent} changes were sent, but the exit code is ${run.code}: ${run.stderr}`);
  if (sent === 0 && (run.code === 0 || run.code === 8))
    wrong.push(`no changes were sent, but the exit code is ${run.code}: ${run.stderr}`);
  if (tookMs > timeLimitMs) wrong.push(`the command took ${Math.round(tookMs / 1000)} s`);
  if (sent > 0 && argv.includes('json'))
    try {
      JSON.parse(run.stdout);
    } catch {
      wrong.push(`the result is not JSON: ${run.stdout}`);
    }
  return wrong;
}
