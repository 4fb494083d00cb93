import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { type Measurement, median, pairs } from './measure.ts';
import { bin, makeWorld, removeWorld, timed, type World } from './processes.ts';
import { stopService } from './service.ts';

/** Milliseconds until something at this address gives any answer over HTTP. */
async function untilAnswer(url: string): Promise<number> {
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

/** From the start of the command to the first answer at the sandbox's address. */
export async function measureFirstAnswer(world: World): Promise<Measurement> {
  const start = async (): Promise<number> => {
    const fresh = makeWorld();
    const port = await freePort();
    try {
      const command = timed([bin, 'sandbox', 'start', '--memory', '--port', String(port)], fresh);
      const [ms] = await Promise.all([untilAnswer(`http://127.0.0.1:${port}/v2/webhooks`), command]);
      return ms;
    } finally {
      await stopService(fresh);
      removeWorld(fresh);
    }
  };
  const pair = await pairs(15, start, async () => (await timed(['-e', '0'], world)).ms);
  return {
    name: 'sandbox start, first answer : node -e 0',
    telctl: `${median(pair.ours).toFixed(0)} ms`,
    yardstick: `${median(pair.theirs).toFixed(1)} ms`,
    ratio: pair.ratio,
    target: { atMost: 14 },
  };
}
