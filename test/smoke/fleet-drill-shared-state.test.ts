import { expect, test } from 'vitest';
import { drillFleet } from '../drills/fleet.ts';

// `npm run drill -- fleet` runs a larger fleet and prints counts.
test('a fleet survives kill -9 of a worker and a coordinator, a database restart, a network cut, and random refusals: each account once', async () => {
  const { findings, counts } = await drillFleet({ accounts: 8, refused: 0.3, cutMs: 4000, seed: 1 });
  expect(findings, JSON.stringify(counts)).toEqual([]);
  expect(counts['refused requests']).toBeGreaterThan(20);
});
