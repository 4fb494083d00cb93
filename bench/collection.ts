import { join } from 'node:path';
import { Pool } from 'undici';
import { putOf } from '../src/sandbox/placement.ts';
import { openStore, type Put } from '../src/sandbox/store/store.ts';
import { databaseIn } from '../src/sandbox/target.ts';
import { type Measurement, median, pairs, race } from './measure.ts';
import { bin, makeWorld, removeWorld, timed, type World } from './processes.ts';
import { telctlJson } from './service.ts';

const few = 10_000;
const many = 100_000;
/** Pages of a walk, and records on each. */
const pages = 100;
const pageSize = 50;
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
  return putOf({ kind: 'users', scope: accountId, id, body, hidden: { secret: id }, ...times }, 'users');
}

/** Fills the database of a sandbox that does not run: over HTTP it would take minutes. */
async function fill(folder: string, accountId: string, count: number): Promise<void> {
  const store = openStore(databaseIn(folder));
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

/** Milliseconds a page, walking from the middle of the list. */
async function walk(pool: Pool, { usersUrl, token }: Filled, count: number): Promise<number> {
  let next = `user-${String(count / 2).padStart(6, '0')} alice`;
  const start = performance.now();
  for (let page = 0; page < pages; page += 1) {
    const query = new URLSearchParams({ page_size: String(pageSize), start_key: next });
    const path = `${usersUrl.pathname}?${query}`;
    const reply = await pool.request({ path, method: 'GET', headers: { 'x-auth-token': token } });
    const body: unknown = await reply.body.json();
    const { page_size: size, next_start_key: key } = Object(body);
    if (size !== pageSize || typeof key !== 'string') throw new Error(`a page of ${size} from ${next}`);
    next = key;
  }
  return (performance.now() - start) / pages;
}

async function measurePages(small: Filled, large: Filled): Promise<Measurement> {
  const pools = [new Pool(small.usersUrl.origin), new Pool(large.usersUrl.origin)] as const;
  try {
    const pair = await pairs(
      15,
      () => walk(pools[1], large, many),
      () => walk(pools[0], small, few),
    );
    return {
      name: `sandbox, a page of ${many} users : of ${few}`,
      telctl: `${median(pair.ours).toFixed(2)} ms`,
      yardstick: `${median(pair.theirs).toFixed(2)} ms`,
      ratio: pair.ratio,
      target: { atMost: 1.3 },
    };
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
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

async function measureLists(small: Filled, large: Filled): Promise<readonly Measurement[]> {
  const peaks = { whole: [] as number[], fields: [] as number[] };
  const pair = await pairs(
    11,
    async () => {
      const { ms, peakMb } = await list(small, few, '--fields', 'username,email');
      peaks.fields.push(peakMb);
      return ms;
    },
    async () => {
      const { ms, peakMb } = await list(small, few);
      peaks.whole.push(peakMb);
      return ms;
    },
  );
  const [ofFew, ofMany] = [Math.max(...peaks.whole), (await list(large, many)).peakMb];
  return [
    memory(`peak of listing ${few} users as NDJSON : 120 MB`, ofFew),
    memory('peak of that with --fields : 120 MB', Math.max(...peaks.fields)),
    {
      name: 'that with --fields : without',
      telctl: `${median(pair.ours).toFixed(0)} ms`,
      yardstick: `${median(pair.theirs).toFixed(0)} ms`,
      ratio: pair.ratio,
      target: { atMost: 1.25 },
    },
    // What is alive stays the same (9 MB of heap); the rest is garbage that nothing made Node.js collect yet.
    {
      name: `peak of listing ${many} users : ${few}`,
      telctl: `${ofMany.toFixed(0)} MB`,
      yardstick: `${ofFew.toFixed(0)} MB`,
      ratio: ofMany / ofFew,
      target: { atMost: 1.4 },
    },
  ];
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

/** Very many users: what a page of them costs the sandbox, and what a list of them all costs telctl. */
export async function measureCollection(): Promise<readonly Measurement[]> {
  const filled: Filled[] = [];
  try {
    const small = await startFilled(few);
    filled.push(small);
    const large = await startFilled(many);
    filled.push(large);
    return [await measurePages(small, large), ...(await measureLists(small, large))];
  } finally {
    for (const { world } of filled) {
      await timed([bin, 'sandbox', 'stop'], world);
      removeWorld(world);
    }
  }
}
