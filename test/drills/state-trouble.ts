import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Files, files } from '../../src/base/host/files.ts';
import type { Timers } from '../../src/base/host/host.ts';
import { timers } from '../../src/base/host/real-host.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { openWorld, type Run, type RunOptions, type World } from '../support/world.ts';
import { type Bench, drill } from './drill.ts';
import type { Job } from './jobs.ts';

/** A place for state that stops to work at one of its calls. */
export interface FailingState {
  /** What a run needs to use it. */
  readonly options: RunOptions;
  /** Calls so far. */
  calls(): number;
  /** Counts one more call, to something else. Tells whether it works, is the one that breaks, or comes after that. */
  call(): 'works' | 'breaks' | 'broken';
  /** From now on it works again. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Files below `folder` of which nothing can be read or written from the n-th call on (from 0), as on a disk that broke. */
export function failingFiles(folder: string, at: number): FailingState {
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
        // A process that ends leaves no lock that is renewed.
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
    heal: async () => {
      healed = true;
    },
    close: async () => undefined,
  };
}

/** Time that goes by so many times faster than on this machine, for what waits for a database that is gone. */
const haste = 200;
const hastened: Timers = {
  ...timers,
  elapsedMs: () => timers.elapsedMs() * haste,
  later: (ms, act) => timers.later(ms / haste, act),
};

/** A way to a database of its own that is gone for good from the n-th message on (from 0). */
export async function failingDatabase(
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
    options: { env, timers: hastened },
    calls: () => calls,
    call: () => 'works',
    async heal() {
      healed = true;
      // The process has ended, and its leases have run out.
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

/** Opens a state for a world that fails at a call. */
export type FailAt = (world: World, at: number) => Promise<FailingState>;

/** The state folder of a world. */
export const stateFolder = ({ folders }: World): string => join(folders.home, '.local/state/telctl');

const isWrite = ({ method, path }: Run['requests'][number]): boolean =>
  method !== 'GET' && !/\/(?:user_auth|api_auth)$/.test(path);

/**
 * Longest time of a command whose state is gone, in milliseconds: a minute, and 3.5 s of real work on a busy machine, which
 * counts 200 times.
 */
const longestMs = 760_000;

/** Counts the calls of a job to a state that works. */
export async function callsOf(job: Job, failAt: FailAt): Promise<number> {
  const world = await openWorld();
  const state = await failAt(world, Number.POSITIVE_INFINITY);
  await job.prepare?.(world.sandbox);
  await world.telctl(job.argv, { ...state.options, ...job });
  await state.close();
  return state.calls();
}

/**
 * Runs a job whose state fails at a call, and again with one that works. Returns what is wrong, a sentence each: a result
 * that does not say what was done, an exit code that says that nothing was, a wait that is too long, a second document.
 */
export async function drillState(job: Job, at: number, failAt: FailAt): Promise<readonly string[]> {
  const world = await openWorld();
  const state = await failAt(world, at);
  const findings: string[] = [];
  let isFirst = true;
  const bench: Bench = {
    sandbox: world.sandbox,
    async run(argv, { files: written, stdin }) {
      const startMs = hastened.elapsedMs();
      const run = await world.telctl(argv, {
        ...state.options,
        ...(written === undefined ? {} : { files: written }),
        ...(stdin === undefined ? {} : { stdin }),
      });
      if (isFirst) findings.push(...wrongIn(run, hastened.elapsedMs() - startMs, argv));
      isFirst = false;
      await state.heal();
      // What was done is in the result, beside the failure; one change alone was made then.
      const isOne = job.deeds.length === 1 && run.code === 8;
      return { ...run, code: isOne ? 0 : run.code, requests: run.requests.length };
    },
  };
  findings.push(...(await drill(job, { name: 'cut before', at, lasting: 'for good' }, bench)));
  await state.close();
  return findings;
}

function wrongIn(run: Run, tookMs: number, argv: readonly string[]): readonly string[] {
  const wrong: string[] = [];
  const sent = run.requests.filter(isWrite).length;
  // A change whose charges nobody accepted was refused whole.
  if (sent > 0 && ![0, 7, 8].includes(run.code))
    wrong.push(`${sent} changes were sent, and the exit code is ${run.code}: ${run.stderr}`);
  if (sent === 0 && (run.code === 0 || run.code === 8))
    wrong.push(`nothing was sent, and the exit code is ${run.code}: ${run.stderr}`);
  if (tookMs > longestMs) wrong.push(`it took ${Math.round(tookMs / 1000)} s`);
  if (sent > 0 && argv.includes('json'))
    try {
      JSON.parse(run.stdout);
    } catch {
      wrong.push(`its result is no document: ${run.stdout}`);
    }
  return wrong;
}
