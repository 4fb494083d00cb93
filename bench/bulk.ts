import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measurement, median, pairs } from './measure.ts';
import { bin, timed, type World, yardstick } from './processes.ts';
import { benchUser, type Service, telctlJson, usersUrl } from './service.ts';

const count = 2000;

const usersOf = (run: string) =>
  Array.from({ length: count }, (_, index) => benchUser(`${run}-${index}`, `User ${index}`));

/** The concurrency that telctl uses when nobody says otherwise. */
export async function defaultConcurrency(world: World): Promise<string> {
  const settings: unknown = await telctlJson(world, ['config', 'explain']);
  const found = JSON.stringify(settings).match(/"concurrency"[^}]*?"?value"?:\s*"?(\d+)/);
  if (!found?.[1]) throw new Error('config explain does not say what the concurrency is');
  return found[1];
}

/** 2,000 users from one file against a bare pool that sends the same bodies to the same sandbox. */
export async function measureBulk(world: World, service: Service): Promise<readonly Measurement[]> {
  const concurrency = await defaultConcurrency(world);
  let run = 0;
  const perSecond = (ms: number): number => (count / ms) * 1000;
  const peaks: number[] = [];
  const ours = async (): Promise<number> => {
    const file = join(world.home, 'users.json');
    writeFileSync(file, JSON.stringify(usersOf(`ours-${run++}`)));
    const { ms, peakMb = Number.NaN } = await timed([bin, 'users', 'create', '-f', file, '-q'], world, {
      memory: true,
    });
    peaks.push(peakMb);
    return perSecond(ms);
  };
  const theirs = async (): Promise<number> => {
    const file = join(world.home, 'bodies.ndjson');
    const { pathname } = new URL(usersUrl(service));
    const bodies = usersOf(`theirs-${run++}`).map((data) => `${pathname}\t${JSON.stringify({ data })}`);
    writeFileSync(file, bodies.join('\n'));
    const env = {
      BENCH_URL: usersUrl(service),
      BENCH_TOKEN: service.token,
      BENCH_BODIES: file,
      BENCH_CONCURRENCY: concurrency,
    };
    return perSecond((await timed([yardstick('bare-pool.mjs')], world, { env })).ms);
  };
  const pair = await pairs(5, ours, theirs);
  const peak = Math.max(...peaks);
  return [
    {
      name: `create ${count} users, ${concurrency} at once : bare undici pool`,
      telctl: `${median(pair.ours).toFixed(0)} /s`,
      yardstick: `${median(pair.theirs).toFixed(0)} /s`,
      ratio: pair.ratio,
      target: { atLeast: 0.7 },
    },
    {
      name: 'peak memory of that : 150 MB',
      telctl: `${peak.toFixed(0)} MB`,
      yardstick: '150 MB',
      ratio: peak / 150,
      target: { atMost: 1 },
    },
  ];
}
