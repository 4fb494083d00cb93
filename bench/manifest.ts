import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchManifest } from './manifest-file.ts';
import { compareProcesses, compareRuns, type Measurement } from './measure.ts';
import {
  bin,
  makeWorld,
  removeWorld,
  runTimed,
  type TimedRun,
  type World,
  yardstickPath,
} from './processes.ts';
import { type Service, startService, stopService, telctlJson } from './service.ts';

const users = 10_000;
const callflows = 1000;
const password = 'first-sign-in-of-the-bench';

/** Runs work with a new, empty sandbox. */
async function withFreshSandbox<T>(work: (world: World, service: Service) => Promise<T>): Promise<T> {
  const bare = makeWorld();
  const world = { ...bare, env: { ...bare.env, BENCH_PASSWORD: password } };
  try {
    return await work(world, await startService(world));
  } finally {
    await stopService(world);
    removeWorld(world);
  }
}

function writeManifest(world: World, people = users, flows = callflows) {
  const file = join(world.home, 'office.yaml');
  const manifest = benchManifest(people, flows, password);
  writeFileSync(file, manifest.text);
  return { file, ...manifest };
}

/** Compares validation of a large manifest with parsing the same text with the yaml package. */
export async function measureValidate(): Promise<Measurement> {
  const bare = makeWorld();
  const world = { ...bare, env: { ...bare.env, BENCH_PASSWORD: password } };
  try {
    const { file } = writeManifest(world);
    return await compareProcesses({
      name: `validate ${users} users, ${callflows} callflows : the yaml package's parse`,
      turns: 7,
      ours: () => runTimed([bin, 'validate', '-f', file], world),
      theirs: () => runTimed([yardstickPath('bare-yaml.mjs')], world, { env: { BENCH_FILE: file } }),
      target: { atMost: 3 },
    });
  } finally {
    removeWorld(world);
  }
}

async function readDefaultConcurrency(world: World): Promise<string> {
  const settings: unknown = await telctlJson(world, ['config', 'explain']);
  const found = JSON.stringify(settings).match(/"concurrency"[^}]*?"?value"?:\s*"?(\d+)/);
  if (!found?.[1]) throw new Error('config explain does not print the concurrency');
  return found[1];
}

/** The measured processes of one sandbox. */
interface TelctlRuns {
  readonly first: TimedRun;
  readonly second: TimedRun;
  readonly exported: TimedRun;
  readonly read: TimedRun;
}

const applyArguments = (file: string): readonly string[] => [bin, 'apply', '-f', file, '--yes', '-q'];

/**
 * Applies a manifest to an empty account, applies it again and exports the account. Then a bare client reads the same
 * records.
 */
const runTelctl = (): Promise<TelctlRuns> =>
  withFreshSandbox(async (world, { baseUrl, accountId, token }) => {
    const { file } = writeManifest(world);
    const first = await runTimed(applyArguments(file), world, { memory: true });
    const second = await runTimed(applyArguments(file), world, { memory: true });
    const env = {
      BENCH_URL: `${baseUrl}/v2/accounts/${accountId}`,
      BENCH_TOKEN: token,
      BENCH_CONCURRENCY: await readDefaultConcurrency(world),
    };
    const read = (sections: string) =>
      runTimed([yardstickPath('bare-reads.mjs')], world, { env: { ...env, BENCH_SECTIONS: sections } });
    // A warm-up: the first reads make the sandbox compile its code, which would count for the first reader.
    await read('callflows');
    const exported = await runTimed([bin, 'export', '--only', 'users,callflows'], world);
    return { first, second, exported, read: await read('users callflows') };
  });

/** Sends the same requests to an empty account with a bare connection pool. */
const runBarePool = (): Promise<TimedRun> =>
  withFreshSandbox(async (world, { baseUrl, accountId, token }) => {
    const { creates } = writeManifest(world);
    const file = join(world.home, 'bodies.tsv');
    const path = `/v2/accounts/${accountId}`;
    const lines = creates.map(({ section, data }) => `${path}/${section}\t${JSON.stringify({ data })}`);
    writeFileSync(file, lines.join('\n'));
    const env = {
      BENCH_URL: baseUrl,
      BENCH_TOKEN: token,
      BENCH_BODIES: file,
      BENCH_CONCURRENCY: await readDefaultConcurrency(world),
    };
    return runTimed([yardstickPath('bare-pool.mjs')], world, { env });
  });

/**
 * Measures apply, repeated apply and export of a large manifest. With a smaller manifest, startup and compilation
 * would dominate the result.
 */
export async function measureApply(): Promise<readonly Measurement[]> {
  const lives: TelctlRuns[] = [];
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const applied = await compareProcesses({
    name: `apply ${users + callflows} objects : bare undici pool`,
    turns: 15,
    ours: async () => {
      const life = await runTelctl();
      lives.push(life);
      return life.first;
    },
    theirs: runBarePool,
    show: (ms) => `${(((users + callflows) / ms) * 1000).toFixed(0)} /s`,
    speed: true,
    target: { atLeast: 0.75 },
  });
  const peak = Math.max(...lives.flatMap(({ first, second }) => [first.peakMb ?? 0, second.peakMb ?? 0]));
  return [
    applied,
    compareRuns(
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
    compareRuns(
      lives.map(({ exported, read }) => ({ ours: exported, theirs: read })),
      {
        name: 'export of that : bare client reading the same records',
        show: seconds,
        target: { atMost: 1.4 },
      },
    ),
  ];
}
