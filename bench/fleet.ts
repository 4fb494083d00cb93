import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountFile } from '../src/engine/state/ledger.ts';
import { type Measurement, median } from './measure.ts';
import { bin, makeWorld, removeWorld, runTimed, type World, yardstickPath } from './processes.ts';

/** Number of planned accounts. Set `BENCH_ACCOUNTS` for a smaller run. */
const accounts = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
/** Objects of each of the two kinds, per account. */
const objectsPerKind = 25;
const mostMb = 400;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const idOf = (at: number): string => at.toString(16).padStart(8, '0').padEnd(32, '0');
const token = [
  part({ alg: 'RS256', typ: 'JWT' }),
  part({ account_id: idOf(0), exp: 4_000_000_000 }),
  'c2ln',
].join('.');

/** A service with many accounts, in its own process. */
interface Service {
  readonly world: World;
  readonly child: ChildProcess;
}

async function startFleetService(env: Readonly<Record<string, string>>): Promise<Service> {
  const world = makeWorld();
  const child = spawn(process.execPath, [yardstickPath('fleet-service.mjs')], {
    env: { ...world.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  const signed = { TELCTL_BASE_URL: url, TELCTL_TOKEN: token };
  return {
    world: { ...world, env: { ...world.env, ...signed } },
    child,
  };
}

async function served<T>(
  env: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startFleetService(env);
  try {
    return await work(service);
  } finally {
    service.child.kill();
    removeWorld(service.world);
  }
}

/** Writes a manifest with `each` menus and groups, and a list of accounts. */
function writeFleetFiles({ home }: World, each: number, count: number) {
  const file = join(home, 'branch.yaml');
  const list = join(home, `accounts-${count}.txt`);
  const lines = (text: (at: number) => string): readonly string[] =>
    Array.from({ length: each }, (_, at) => text(at));
  const menus = lines((at) => `  menu${at}: { name: Menu ${at}, retries: 3 }`);
  const groups = lines((at) => `  group${at}: { name: Group ${at}, endpoints: {} }`);
  writeFileSync(file, ['set: branch', 'menus:', ...menus, 'groups:', ...groups, ''].join('\n'));
  writeFileSync(list, Array.from({ length: count }, (_, at) => idOf(at + 1)).join('\n'));
  return { file, list };
}

/** Copies the ledger of the first account to all accounts, as if all of them had been applied. */
function copyLedgers({ home, env }: World, count: number): void {
  const origin = env.TELCTL_BASE_URL ?? '';
  const fileOf = (at: number): string =>
    join(home, '.local/state/telctl/ledgers', `${accountFile({ origin, accountId: idOf(at) })}.json`);
  const text = readFileSync(fileOf(1), 'utf8');
  for (let at = 2; at <= count; at += 1) writeFileSync(fileOf(at), text.replaceAll(idOf(1), idOf(at)));
}

/**
 * Plans many accounts without changes. Measures memory, and whether the time is proportional to the number of
 * accounts.
 */
export const measureFleetPlan = (): Promise<readonly Measurement[]> =>
  served({ BENCH_OBJECTS: String(objectsPerKind) }, async ({ world }) => {
    const few = Math.ceil(accounts / 10);
    const { file, list: all } = writeFleetFiles(world, objectsPerKind, accounts);
    const { list: some } = writeFleetFiles(world, objectsPerKind, few);
    await runTimed([bin, 'apply', '-f', file, '--account', idOf(1), '--yes', '-q'], world);
    copyLedgers(world, accounts);
    const planned = async (list: string) => {
      const run = await runTimed([bin, 'plan', '-f', file, '--accounts', list, '-q'], world, {
        memory: true,
      });
      if (!run.stdout.includes('nothing to change')) throw new Error(run.stdout.slice(0, 2000));
      return { ms: run.ms, cpuMs: run.cpuMs, peakMb: run.peakMb ?? Number.NaN };
    };
    const before = await planned(some);
    const large = await planned(all);
    const after = await planned(some);
    const small = median([before.ms, after.ms]);
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
    return [
      {
        name: `peak of planning ${accounts} accounts of ${2 * objectsPerKind} objects : ${mostMb} MB`,
        telctl: `${large.peakMb.toFixed(0)} MB`,
        yardstick: `${mostMb} MB`,
        ratio: large.peakMb / mostMb,
        target: { atMost: 1 },
      },
      {
        name: `time of that : ten times that of ${few} accounts`,
        telctl: seconds(large.ms),
        yardstick: seconds(10 * small),
        ratio: large.ms / (10 * small),
        cpuRatio: large.cpuMs / (5 * (before.cpuMs + after.cpuMs)),
        target: { atMost: 1.2 },
      },
    ];
  });
