import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { postgresServer } from '../support/postgres.ts';
import { countStateCalls, drillState, type OpenFailingState, openFailingDatabase } from './failing-state.ts';
import { jobs } from './jobs.ts';

const server = await postgresServer();

/** `DRILL_POSITIONS=all` injects a failure at every message. Otherwise `DRILL_SEED` selects some of each job. */
const { DRILL_POSITIONS, DRILL_SEED = '1' } = process.env;
const random = seededRandom(Number(DRILL_SEED));
const chosen = 1;

const openFailingState: OpenFailingState = (_, at) => openFailingDatabase(server, at);

test.each(jobs)('$name reports what it did when the database fails at any query', async (job) => {
  const calls = await countStateCalls(job, openFailingState);
  const all = Array.from({ length: calls }, (_, at) => at);
  const some =
    DRILL_POSITIONS === 'all' ? all : all.filter(() => random.fraction() < chosen / calls).concat(calls - 2);
  for (const at of some) {
    const found = await drillState(job, at, openFailingState);
    expect(found, `message ${at} of ${calls}: ${found.join('; ')}`).toEqual([]);
  }
});
