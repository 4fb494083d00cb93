import { join } from 'node:path';
import { buildPut } from '../src/extensions/sandbox/placement.ts';
import { databasePath } from '../src/extensions/sandbox/sandbox-paths.ts';
import { openStore } from '../src/extensions/sandbox/store/sqlite-store.ts';
import type { Put } from '../src/extensions/sandbox/store/store.ts';
import { compareProcesses, type Measurement, measurePairs, median } from './measure.ts';
import { bin, makeWorld, removeWorld, runTimed, type World } from './processes.ts';
import { telctlJson } from './service.ts';

const few = 10_000;
const batchSize = 5000;

interface FilledSandbox {
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

/** Writes users directly into the database of a stopped sandbox, because creating them over HTTP takes minutes. */
async function insertUsers(folder: string, accountId: string, count: number): Promise<void> {
  const store = openStore(databasePath(folder));
  for (let start = 0; start < count; start += batchSize) {
    const size = Math.min(batchSize, count - start);
    await store.commit(Array.from({ length: size }, (_, offset) => user(accountId, start + offset)));
  }
  await store.close();
}

async function startFilledSandbox(count: number): Promise<FilledSandbox> {
  const world = makeWorld();
  const folder = join(world.home, 'records');
  const start = [bin, 'sandbox', 'start', '--data', folder];
  await runTimed(start, world);
  const { account_id: accountId = '' } = await telctlJson(world, ['whoami']);
  await runTimed([bin, 'sandbox', 'stop'], world);
  await insertUsers(folder, accountId, count);
  await runTimed(start, world);
  const { base_url: baseUrl } = await telctlJson(world, ['whoami']);
  const token = (await runTimed([bin, 'tokens', 'show'], world)).stdout.trim();
  return { world, usersUrl: new URL(`${baseUrl}/v2/accounts/${accountId}/users`), token };
}

/** Lists all users and measures time, size and memory. Throws if the list is incomplete. */
async function measureUserList({ world }: FilledSandbox, count: number, ...more: readonly string[]) {
  const argv = [bin, 'users', 'list', '-o', 'ndjson', ...more];
  const { ms, stdout, peakMb = Number.NaN } = await runTimed(argv, world, { memory: true });
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

/** Measures the memory of a large list, and the cost of `--fields`. */
export async function measureList(): Promise<readonly Measurement[]> {
  const filled = await startFilledSandbox(few);
  const { world } = filled;
  const peaks: number[] = [];
  try {
    const pair = await measurePairs(
      7,
      async () => {
        const { ms, peakMb } = await measureUserList(filled, few, '--fields', 'username,email');
        peaks.push(peakMb);
        return ms;
      },
      async () => (await measureUserList(filled, few)).ms,
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
    await runTimed([bin, 'sandbox', 'stop'], world);
    removeWorld(world);
  }
}

/** Target for the time to the first rows of a table, in milliseconds. */
const firstRowTargetMs = 300;

/** Compares a large table with the same list as NDJSON, and measures the time to its first rows. */
export async function measureTable(): Promise<readonly Measurement[]> {
  const filled = await startFilledSandbox(few);
  const { world } = filled;
  const firsts: number[] = [];
  const table = async () => {
    const run = await runTimed([bin, 'users', 'list', '-o', 'table'], world);
    if (run.stdout.split('\n').length < few) throw new Error(`fewer than ${few} rows`);
    firsts.push(run.firstMs ?? Number.NaN);
    return run;
  };
  try {
    const whole = await compareProcesses({
      name: `table of ${few} rows : the same as NDJSON`,
      turns: 15,
      ours: table,
      theirs: () => runTimed([bin, 'users', 'list', '-o', 'ndjson'], world),
      target: { atMost: 1.5 },
    });
    const first = median(firsts);
    return [
      whole,
      {
        name: `its first rows : ${firstRowTargetMs} ms`,
        telctl: `${first.toFixed(0)} ms`,
        yardstick: `${firstRowTargetMs} ms`,
        ratio: first / firstRowTargetMs,
        target: { atMost: 1 },
      },
    ];
  } finally {
    await runTimed([bin, 'sandbox', 'stop'], world);
    removeWorld(world);
  }
}
