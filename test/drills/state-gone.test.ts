import { expect, test } from 'vitest';
import {
  countStateCalls,
  drillState,
  type OpenFailingState,
  openFailingFiles,
  stateFolder,
} from './failing-state.ts';
import { jobs } from './jobs.ts';

const openFailingState: OpenFailingState = async (world, at) => openFailingFiles(stateFolder(world), at);

test.each(jobs)('$name reports what it did when the state disk fails at any file access', async (job) => {
  const calls = await countStateCalls(job, openFailingState);
  expect(calls).toBeGreaterThan(3);
  for (let at = 0; at < calls; at += 1) {
    const found = await drillState(job, at, openFailingState);
    expect(found, `call ${at} of ${calls}: ${found.join('; ')}`).toEqual([]);
  }
});
