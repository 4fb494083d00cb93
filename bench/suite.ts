import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Measurement } from './measure.ts';

const targetMs = 360_000;

/** Measures the whole test suite. Throws if it fails. */
export async function measureSuite(): Promise<Measurement> {
  const start = performance.now();
  const child = spawn('npm', ['test', '--silent'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm test exited with code ${code}`);
  const ms = performance.now() - start;
  return {
    name: 'npm test : 6 min',
    telctl: `${(ms / 60_000).toFixed(1)} min`,
    yardstick: '6 min',
    ratio: ms / targetMs,
    target: { atMost: 1 },
  };
}
