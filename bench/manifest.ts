import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchManifest } from './manifest-file.ts';
import { compared, type Measurement, race } from './measure.ts';
import { bin, makeWorld, removeWorld, type Timed, timed, type World, yardstick } from './processes.ts';
import { type Service, startService, stopService, telctlJson } from './service.ts';

const users = 10_000;
const callflows = 1000;
const password = 'first-sign-in-of-the-bench';

/** Runs something against a sandbox of its own, in which nobody has been before. */
async function inFreshSandbox<T>(work: (world: World, service: Service) => Promise<T>): Promise<T> {
  const bare = makeWorld();
  const world = { ...bare, env: { ...bare.env, BENCH_PASSWORD: password } };
  try {
    return await work(world, await startService(world));
  } finally {
    await stopService(world);
    removeWorld(world);
  }
}

function manifestIn(world: World, people = users, flows = callflows) {
  const file = join(world.home, 'office.yaml');
  const manifest = benchManifest(people, flows, password);
  writeFileSync(file, manifest.text);
  return { file, ...manifest };
}

/** Validation of a large manifest against the yaml package's parse of the same text. */
export async function measureValidate(): Promise<Measurement> {
  const bare = makeWorld();
  const world = { ...bare, env: { ...bare.env, BENCH_PASSWORD: password } };
  try {
    const { file } = manifestIn(world);
    return await race({
      name: `validate ${users} users, ${callflows} callflows : the yaml package's parse`,
      turns: 7,
      ours: () => timed([bin, 'validate', '-f', file], world),
      theirs: () => timed([yardstick('bare-yaml.mjs')], world, { env: { BENCH_FILE: file } }),
      target: { atMost: 3 },
    });
  } finally {
    removeWorld(world);
  }
}

/** The concurrency that telctl uses when nobody says otherwise. */
async function defaultConcurrency(world: World): Promise<string> {
  const settings: unknown = await telctlJson(world, ['config', 'explain']);
  const found = JSON.stringify(settings).match(/"concurrency"[^}]*?"?value"?:\s*"?(\d+)/);
  if (!found?.[1]) throw new Error('config explain does not say what the concurrency is');
  return found[1];
}

/** The processes that one life of a sandbox saw. */
interface Life {
  readonly first: Timed;
  readonly second: Timed;
  readonly exported: Timed;
  readonly read: Timed;
}

const apply = (file: string): readonly string[] => [bin, 'apply', '-f', file, '--yes', '-q'];

/** Applies to an empty account, applies again, exports; then a bare client reads the same records. */
const liveOurs = (): Promise<Life> =>
  inFreshSandbox(async (world, { baseUrl, accountId, token }) => {
    const { file } = manifestIn(world);
    const first = await timed(apply(file), world, { memory: true });
    const second = await timed(apply(file), world, { memory: true });
    const env = {
      BENCH_URL: `${baseUrl}/v2/accounts/${accountId}`,
      BENCH_TOKEN: token,
      BENCH_CONCURRENCY: await defaultConcurrency(world),
    };
    const read = (sections: string) =>
      timed([yardstick('bare-reads.mjs')], world, { env: { ...env, BENCH_SECTIONS: sections } });
    // Nothing was read so far: whoever came first would wait for the sandbox's code to be compiled. A thousand will do.
    await read('callflows');
    const exported = await timed([bin, 'export', '--only', 'users,callflows'], world);
    return { first, second, exported, read: await read('users callflows') };
  });

/** The same requests by a bare pool, to an empty account. */
const liveTheirs = (): Promise<Timed> =>
  inFreshSandbox(async (world, { baseUrl, accountId, token }) => {
    const { creates } = manifestIn(world);
    const file = join(world.home, 'bodies.tsv');
    const path = `/v2/accounts/${accountId}`;
    const lines = creates.map(({ section, data }) => `${path}/${section}\t${JSON.stringify({ data })}`);
    writeFileSync(file, lines.join('\n'));
    const env = {
      BENCH_URL: baseUrl,
      BENCH_TOKEN: token,
      BENCH_BODIES: file,
      BENCH_CONCURRENCY: await defaultConcurrency(world),
    };
    return timed([yardstick('bare-pool.mjs')], world, { env });
  });

/**
 * A large manifest: applied, applied again, exported. A smaller one would take less time and say something else: the start
 * of either process is the same for any number, and telctl's code is compiled while it runs.
 */
export async function measureApply(): Promise<readonly Measurement[]> {
  const lives: Life[] = [];
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const applied = await race({
    name: `apply ${users + callflows} objects : bare undici pool`,
    turns: 15,
    ours: async () => {
      const life = await liveOurs();
      lives.push(life);
      return life.first;
    },
    theirs: liveTheirs,
    show: (ms) => `${(((users + callflows) / ms) * 1000).toFixed(0)} /s`,
    speed: true,
    target: { atLeast: 0.75 },
  });
  const peak = Math.max(...lives.flatMap(({ first, second }) => [first.peakMb ?? 0, second.peakMb ?? 0]));
  return [
    applied,
    compared(
      lives.map(({ second, first }) => ({ ours: second, theirs: first })),
      { name: 'apply again, no change : the first apply', show: seconds, target: { atMost: 0.25 } },
    ),
    {
      name: 'peak memory of both : 700 MB',
      telctl: `${peak.toFixed(0)} MB`,
      yardstick: '700 MB',
      ratio: peak / 700,
      target: { atMost: 1 },
    },
    compared(
      lives.map(({ exported, read }) => ({ ours: exported, theirs: read })),
      {
        name: 'export of that : bare client reading the same records',
        show: seconds,
        target: { atMost: 1.4 },
      },
    ),
  ];
}
