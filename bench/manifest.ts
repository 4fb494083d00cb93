import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConcurrency } from './bulk.ts';
import { benchManifest } from './manifest-file.ts';
import { type Measurement, median, pairs } from './measure.ts';
import { bin, makeWorld, removeWorld, timed, type World, yardstick } from './processes.ts';
import { type Service, startService, stopService } from './service.ts';

const users = 10_000;
const callflows = 1000;
const password = 'first-sign-in-of-the-bench';
const turns = 3;

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

async function measureValidate(): Promise<Measurement> {
  const bare = makeWorld();
  const world = { ...bare, env: { ...bare.env, BENCH_PASSWORD: password } };
  try {
    const { file } = manifestIn(world);
    const pair = await pairs(
      7,
      async () => (await timed([bin, 'validate', '-f', file], world)).ms,
      async () => (await timed([yardstick('bare-yaml.mjs')], world, { env: { BENCH_FILE: file } })).ms,
    );
    return {
      name: `validate ${users} users, ${callflows} callflows : the yaml package's parse`,
      telctl: `${median(pair.ours).toFixed(0)} ms`,
      yardstick: `${median(pair.theirs).toFixed(0)} ms`,
      ratio: pair.ratio,
      target: { atMost: 3 },
    };
  } finally {
    removeWorld(world);
  }
}

/** What one life of a sandbox gave: times in milliseconds, memory in megabytes. */
interface Life {
  readonly first: number;
  readonly second: number;
  readonly peakMb: number;
  readonly exported: number;
  readonly read: number;
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
      BENCH_SECTIONS: 'users callflows',
    };
    const readAll = () => timed([yardstick('bare-reads.mjs')], world, { env });
    // Nothing was read so far: whoever came first would wait for the sandbox's code to be compiled.
    await readAll();
    const exported = await timed([bin, 'export', '--only', 'users,callflows'], world);
    const read = await readAll();
    return {
      first: first.ms,
      second: second.ms,
      peakMb: Math.max(first.peakMb ?? Number.NaN, second.peakMb ?? Number.NaN),
      exported: exported.ms,
      read: read.ms,
    };
  });

/** The same requests by a bare pool, to an empty account. */
const liveTheirs = (): Promise<number> =>
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
    return (await timed([yardstick('bare-pool.mjs')], world, { env })).ms;
  });

async function measureApply(): Promise<readonly Measurement[]> {
  const lives: Life[] = [];
  const perSecond = (ms: number): number => ((users + callflows) / ms) * 1000;
  const pair = await pairs(
    turns,
    async () => {
      const life = await liveOurs();
      lives.push(life);
      return perSecond(life.first);
    },
    async () => perSecond(await liveTheirs()),
  );
  const of = (what: keyof Life): readonly number[] => lives.map((life) => life[what]);
  const peak = Math.max(...of('peakMb'));
  const seconds = (values: readonly number[]): string => `${(median(values) / 1000).toFixed(1)} s`;
  return [
    {
      name: `apply ${users + callflows} objects : bare undici pool`,
      telctl: `${median(pair.ours).toFixed(0)} /s`,
      yardstick: `${median(pair.theirs).toFixed(0)} /s`,
      ratio: pair.ratio,
      target: { atLeast: 0.7 },
    },
    {
      name: 'apply again, no change : the first apply',
      telctl: seconds(of('second')),
      yardstick: seconds(of('first')),
      ratio: median(lives.map(({ second, first }) => second / first)),
      target: { atMost: 0.25 },
    },
    {
      name: 'peak memory of both : 350 MB',
      telctl: `${peak.toFixed(0)} MB`,
      yardstick: '350 MB',
      ratio: peak / 350,
      target: { atMost: 1 },
    },
    {
      name: 'export of that : bare client reading the same records',
      telctl: seconds(of('exported')),
      yardstick: seconds(of('read')),
      ratio: median(lives.map(({ exported, read }) => exported / read)),
      target: { atMost: 1.5 },
    },
  ];
}

/** Milliseconds an object when so many are applied to an empty account: ten users to a callflow. */
const perObject = (objects: number): Promise<number> =>
  inFreshSandbox(async (world) => {
    const flows = Math.round(objects / 11);
    const { file } = manifestIn(world, objects - flows, flows);
    return (await timed(apply(file), world)).ms / objects;
  });

async function measureGrowth(): Promise<Measurement> {
  const [many, few] = [20_000, 2000];
  const pair = await pairs(
    turns,
    () => perObject(many),
    () => perObject(few),
  );
  return {
    name: `apply, time an object of ${many} : of ${few}`,
    telctl: `${median(pair.ours).toFixed(2)} ms`,
    yardstick: `${median(pair.theirs).toFixed(2)} ms`,
    ratio: pair.ratio,
    target: { atMost: 1.3 },
  };
}

/** A manifest of very many objects: validated, applied, applied again, exported. */
export async function measureManifest(): Promise<readonly Measurement[]> {
  return [await measureValidate(), ...(await measureApply()), await measureGrowth()];
}
