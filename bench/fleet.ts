import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountFile } from '../src/engine/state/ledger.ts';
import { type Measurement, median } from './measure.ts';
import { bin, makeWorld, removeWorld, timed, type World, yardstick } from './processes.ts';

/** Accounts that are planned; `BENCH_ACCOUNTS` gives fewer. */
const accounts = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
/** Of each of two kinds. */
const objects = 25;
const mostMb = 400;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const idOf = (at: number): string => at.toString(16).padStart(8, '0').padEnd(32, '0');
const token = [
  part({ alg: 'RS256', typ: 'JWT' }),
  part({ account_id: idOf(0), exp: 4_000_000_000 }),
  'c2ln',
].join('.');

/** A service of many accounts in a process of its own. */
interface Service {
  readonly world: World;
  readonly child: ChildProcess;
}

async function serve(env: Readonly<Record<string, string>>): Promise<Service> {
  const world = makeWorld();
  const child = spawn(process.execPath, [yardstick('fleet-service.mjs')], {
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
  const service = await serve(env);
  try {
    return await work(service);
  } finally {
    service.child.kill();
    removeWorld(service.world);
  }
}

/** A manifest of so many menus and groups, and a list of accounts. */
function filesIn({ home }: World, each: number, count: number) {
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

/** Gives every account the ledger of the first: what telctl keeps of them once all of them were applied. */
function copyLedgers({ home, env }: World, count: number): void {
  const origin = env.TELCTL_BASE_URL ?? '';
  const fileOf = (at: number): string =>
    join(home, '.local/state/telctl/ledgers', `${accountFile({ origin, accountId: idOf(at) })}.json`);
  const text = readFileSync(fileOf(1), 'utf8');
  for (let at = 2; at <= count; at += 1) writeFileSync(fileOf(at), text.replaceAll(idOf(1), idOf(at)));
}

/** Plans of many accounts in which nothing is to change: how much memory, and whether time grows with the number alone. */
export const measureFleetPlan = (): Promise<readonly Measurement[]> =>
  served({ BENCH_OBJECTS: String(objects) }, async ({ world }) => {
    const few = Math.ceil(accounts / 10);
    const { file, list: all } = filesIn(world, objects, accounts);
    const { list: some } = filesIn(world, objects, few);
    await timed([bin, 'apply', '-f', file, '--account', idOf(1), '--yes', '-q'], world);
    copyLedgers(world, accounts);
    const planned = async (list: string) => {
      const run = await timed([bin, 'plan', '-f', file, '--accounts', list, '-q'], world, { memory: true });
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
        name: `peak of planning ${accounts} accounts of ${2 * objects} objects : ${mostMb} MB`,
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
