import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { openWorld } from '../support/world.ts';
import { countRequests, type DrillBench, drillJob } from './drill.ts';
import { faultDurations, faultNames, faultRule } from './injected-faults.ts';
import { type Job, jobs } from './jobs.ts';

/** `DRILL_POSITIONS=all` injects a fault at every position. Otherwise `DRILL_SEED` selects one position per fault. */
const { DRILL_POSITIONS, DRILL_SEED = '1' } = process.env;
const atAllPositions = DRILL_POSITIONS === 'all';
const random = seededRandom(Number(DRILL_SEED));

/** Creates a bench without a network: the proxy is a transport into the sandbox. */
async function openBench(): Promise<DrillBench> {
  const { sandbox, telctl } = await openWorld();
  return {
    sandbox,
    async run(argv, { files, stdin }, injected) {
      const run = await telctl(argv, {
        ...(files === undefined ? {} : { files }),
        ...(stdin === undefined ? {} : { stdin }),
        faults: injected === undefined ? [] : [faultRule(injected)],
      });
      return { ...run, requests: run.requests.length };
    },
  };
}

const requestCounts = new Map<Job, number>();

/** Returns the positions for the faults of a job. Counts its requests on the first call. */
async function selectPositions(job: Job): Promise<readonly number[]> {
  const positions = requestCounts.get(job) ?? (await countRequests(job, await openBench()));
  requestCounts.set(job, positions);
  return atAllPositions
    ? Array.from({ length: positions }, (_, index) => index)
    : [Math.floor(random.fraction() * positions)];
}

describe.each(jobs)('$name', (job) => {
  test.each(faultNames)('reports the truth and can be repeated after "%s"', async (name) => {
    for (const duration of atAllPositions
      ? faultDurations
      : [faultDurations[random.fraction() < 0.5 ? 0 : 1]])
      for (const at of await selectPositions(job)) {
        const injected = { name, at, duration };
        const found = await drillJob(job, injected, await openBench());
        expect(found, `${JSON.stringify(injected)}: ${found.join('; ')}`).toEqual([]);
      }
  });
});
