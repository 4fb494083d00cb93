import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Measurement } from './measure.ts';

const wantedMs = 360_000;

/** The whole suite. Throws where it fails. */
export async function measureSuite(): Promise<Measurement> {
  const start = performance.now();
  const child = spawn('npm', ['test', '--silent'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm test ended with ${code}`);
  const ms = performance.now() - start;
  return {
    name: 'npm test : 6 min',
    telctl: `${(ms / 60_000).toFixed(1)} min`,
    yardstick: '6 min',
    ratio: ms / wantedMs,
    target: { atMost: 1 },
  };
}
