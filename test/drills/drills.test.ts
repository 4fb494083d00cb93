import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { openWorld } from '../support/world.ts';
import { type Bench, drill, positionsOf } from './drill.ts';
import { type Job, jobs } from './jobs.ts';
import { lastings, ruleOf, strikeNames } from './strikes.ts';

/** `DRILL_POSITIONS=all` strikes every position; otherwise `DRILL_SEED` chooses one for each fault. */
const { DRILL_POSITIONS, DRILL_SEED = '1' } = process.env;
const everywhere = DRILL_POSITIONS === 'all';
const random = seededRandom(Number(DRILL_SEED));

/** A bench without a network: the proxy is a transport into the sandbox. */
async function injectedBench(): Promise<Bench> {
  const { sandbox, telctl } = await openWorld();
  return {
    sandbox,
    async run(argv, { files, stdin }, strike) {
      const run = await telctl(argv, {
        ...(files === undefined ? {} : { files }),
        ...(stdin === undefined ? {} : { stdin }),
        faults: strike === undefined ? [] : [ruleOf(strike)],
      });
      return { ...run, requests: run.requests.length };
    },
  };
}

const counted = new Map<Job, number>();

/** Positions to strike. Counts the requests of a job the first time. */
async function chosenPositions(job: Job): Promise<readonly number[]> {
  const positions = counted.get(job) ?? (await positionsOf(job, await injectedBench()));
  counted.set(job, positions);
  return everywhere
    ? Array.from({ length: positions }, (_, index) => index)
    : [Math.floor(random.fraction() * positions)];
}

describe.each(jobs)('$name', (job) => {
  test.each(strikeNames)('reports the truth and can be repeated after "%s"', async (name) => {
    for (const lasting of everywhere ? lastings : [lastings[random.fraction() < 0.5 ? 0 : 1]])
      for (const at of await chosenPositions(job)) {
        const strike = { name, at, lasting };
        const found = await drill(job, strike, await injectedBench());
        expect(found, `${JSON.stringify(strike)}: ${found.join('; ')}`).toEqual([]);
      }
  });
});
