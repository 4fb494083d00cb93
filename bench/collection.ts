import { join } from 'node:path';
import { buildPut } from '../src/extensions/sandbox/placement.ts';
import { databasePath } from '../src/extensions/sandbox/sandbox-paths.ts';
import { openStore } from '../src/extensions/sandbox/store/sqlite-store.ts';
import type { Put } from '../src/extensions/sandbox/store/store.ts';
import { type Measurement, median, pairs, race } from './measure.ts';
import { bin, makeWorld, removeWorld, timed, type World } from './processes.ts';
import { telctlJson } from './service.ts';

const few = 10_000;
/** Users that are written at once. */
const batch = 5000;

/** A sandbox whose account has very many users. */
interface Filled {
  readonly world: World;
  readonly usersUrl: URL;
  readonly token: string;
}

function user(accountId: string, index: number): Put {
  const id = index.toString(16).padStart(32, '0');
  const username = `user-${String(index).padStart(6, '0')}`;
  const body = {
    username,
    first_name: 'Alice',
    last_name: username,
    email: `${username}@acme.example`,
    priv_level: 'user',
    enabled: true,
    timezone: 'Europe/Zurich',
    call_forward: { enabled: false, number: '+14155550123' },
  };
  const times = { createdAt: 63_900_000_000, modifiedAt: 63_900_000_000, revision: 0 };
  return buildPut({ kind: 'users', scope: accountId, id, body, hidden: { secret: id }, ...times }, 'users');
}

/** Fills the database of a sandbox that does not run: over HTTP it would take minutes. */
async function fill(folder: string, accountId: string, count: number): Promise<void> {
  const store = openStore(databasePath(folder));
  for (let start = 0; start < count; start += batch) {
    const size = Math.min(batch, count - start);
    await store.commit(Array.from({ length: size }, (_, offset) => user(accountId, start + offset)));
  }
  await store.close();
}

async function startFilled(count: number): Promise<Filled> {
  const world = makeWorld();
  const folder = join(world.home, 'records');
  const start = [bin, 'sandbox', 'start', '--data', folder];
  await timed(start, world);
  const { account_id: accountId = '' } = await telctlJson(world, ['whoami']);
  await timed([bin, 'sandbox', 'stop'], world);
  await fill(folder, accountId, count);
  await timed(start, world);
  const { base_url: baseUrl } = await telctlJson(world, ['whoami']);
  const token = (await timed([bin, 'tokens', 'show'], world)).stdout.trim();
  return { world, usersUrl: new URL(`${baseUrl}/v2/accounts/${accountId}/users`), token };
}

/** One list of all users: how long, how large, and whether all of them came. */
async function list({ world }: Filled, count: number, ...more: readonly string[]) {
  const argv = [bin, 'users', 'list', '-o', 'ndjson', ...more];
  const { ms, stdout, peakMb = Number.NaN } = await timed(argv, world, { memory: true });
  const lines = stdout.split('\n').length - 1;
  if (lines < count) throw new Error(`${lines} of ${count} users were listed`);
  return { ms, peakMb };
}

const memory = (name: string, peakMb: number): Measurement => ({
  name,
  telctl: `${peakMb.toFixed(0)} MB`,
  yardstick: '120 MB',
  ratio: peakMb / 120,
  target: { atMost: 1 },
});

/** The memory of a list of very many users, and what `--fields` costs. */
export async function measureList(): Promise<readonly Measurement[]> {
  const filled = await startFilled(few);
  const { world } = filled;
  const peaks: number[] = [];
  try {
    const pair = await pairs(
      7,
      async () => {
        const { ms, peakMb } = await list(filled, few, '--fields', 'username,email');
        peaks.push(peakMb);
        return ms;
      },
      async () => (await list(filled, few)).ms,
    );
    return [
      memory(`peak of listing ${few} users as NDJSON : 120 MB`, Math.max(...peaks)),
      {
        name: 'that with --fields : without',
        telctl: `${median(pair.ours).toFixed(0)} ms`,
        yardstick: `${median(pair.theirs).toFixed(0)} ms`,
        ratio: pair.ratio,
        target: { atMost: 1.25 },
      },
    ];
  } finally {
    await timed([bin, 'sandbox', 'stop'], world);
    removeWorld(world);
  }
}

/** Longest wait for the first rows of a table, in milliseconds. */
const firstRowMs = 300;

/** A table of many rows against the same list as NDJSON, and how soon its first rows come. */
export async function measureTable(): Promise<readonly Measurement[]> {
  const filled = await startFilled(few);
  const { world } = filled;
  const firsts: number[] = [];
  const table = async () => {
    const run = await timed([bin, 'users', 'list', '-o', 'table'], world);
    if (run.stdout.split('\n').length < few) throw new Error(`fewer than ${few} rows`);
    firsts.push(run.firstMs ?? Number.NaN);
    return run;
  };
  try {
    const whole = await race({
      name: `table of ${few} rows : the same as NDJSON`,
      turns: 15,
      ours: table,
      theirs: () => timed([bin, 'users', 'list', '-o', 'ndjson'], world),
      target: { atMost: 1.5 },
    });
    const first = median(firsts);
    return [
      whole,
      {
        name: `its first rows : ${firstRowMs} ms`,
        telctl: `${first.toFixed(0)} ms`,
        yardstick: `${firstRowMs} ms`,
        ratio: first / firstRowMs,
        target: { atMost: 1 },
      },
    ];
  } finally {
    await timed([bin, 'sandbox', 'stop'], world);
    removeWorld(world);
  }
}
