import { expect, test } from 'vitest';
import { jobs } from './jobs.ts';
import { callsOf, drillState, type FailAt, failingFiles, stateFolder } from './state-trouble.ts';

const failAt: FailAt = async (world, at) => failingFiles(stateFolder(world), at);

test.each(jobs)('$name reports what it did when the state disk fails at any file access', async (job) => {
  const calls = await callsOf(job, failAt);
  expect(calls).toBeGreaterThan(3);
  for (let at = 0; at < calls; at += 1) {
    const found = await drillState(job, at, failAt);
    expect(found, `call ${at} of ${calls}: ${found.join('; ')}`).toEqual([]);
  }
});
