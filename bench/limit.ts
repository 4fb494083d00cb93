import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement } from './measure.ts';
import { bin, makeWorld, removeWorld, timed } from './processes.ts';
import { startService, stopService } from './service.ts';

const objects = 360;
const size = 100;
const perSecond = 10;

/** So many menus. */
const manifest = (): string =>
  ['menus:', ...Array.from({ length: objects }, (_, at) => `  menu${at}: { name: Menu ${at} }`)].join('\n');

/** An export behind a rate limit, against the time in which the bucket allows as many requests. */
export async function measureLimit(): Promise<Measurement> {
  const world = makeWorld();
  try {
    await startService(world, ['--rate-limit', `${perSecond}/s:${size}`]);
    const file = join(world.home, 'office.yaml');
    writeFileSync(file, manifest());
    await timed([bin, 'apply', '-f', file, '--yes', '-q'], world);
    // The bucket is full again.
    await new Promise((resolve) => setTimeout(resolve, (size / perSecond) * 1000));
    const { ms, stderr } = await timed([bin, 'export', '--only', 'menus', '-v'], world);
    const passed = stderr.match(/^(?:GET|PUT|POST) \S+ {2}2\d\d /gm)?.length ?? 0;
    const allowedMs = ((passed - size) / perSecond) * 1000;
    return {
      name: `export ${objects} objects, ${perSecond} requests a second : the time that the bucket allows`,
      telctl: `${(ms / 1000).toFixed(1)} s`,
      yardstick: `${(allowedMs / 1000).toFixed(1)} s`,
      ratio: ms / allowedMs,
      target: { atMost: 1.15 },
    };
  } finally {
    await stopService(world);
    removeWorld(world);
  }
}
