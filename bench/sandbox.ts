import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { type Measurement, measurePairs, median } from './measure.ts';
import { bin, makeWorld, removeWorld, runTimed, type World } from './processes.ts';
import { stopService } from './service.ts';

/** Waits for the first HTTP response of an address and returns the time in milliseconds. */
async function measureTimeToResponse(url: string): Promise<number> {
  const start = performance.now();
  for (;;) {
    try {
      await (await fetch(url)).arrayBuffer();
      return performance.now() - start;
    } catch {
      await sleep(2);
    }
  }
}

/** Measures the time from the start of the command to the first response of the sandbox. */
export async function measureFirstAnswer(world: World): Promise<Measurement> {
  const start = async (): Promise<number> => {
    const fresh = makeWorld();
    const port = await freePort();
    try {
      const command = runTimed([bin, 'sandbox', 'start', '--memory', '--port', String(port)], fresh);
      const [ms] = await Promise.all([
        measureTimeToResponse(`http://127.0.0.1:${port}/v2/webhooks`),
        command,
      ]);
      return ms;
    } finally {
      await stopService(fresh);
      removeWorld(fresh);
    }
  };
  const pair = await measurePairs(15, start, async () => (await runTimed(['-e', '0'], world)).ms);
  return {
    name: 'sandbox start, first answer : node -e 0',
    telctl: `${median(pair.ours).toFixed(0)} ms`,
    yardstick: `${median(pair.theirs).toFixed(1)} ms`,
    ratio: pair.ratio,
    target: { atMost: 14 },
  };
}
