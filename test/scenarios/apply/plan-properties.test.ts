import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DesiredObject } from '../../../src/engine/manifest/desired.ts';
import { officeObjects } from '../../support/manifest-arbitrary.ts';
import { openWorld, type World } from '../../support/world.ts';
import { formatManifest } from '../../support/written-manifest.ts';

async function apply(world: World, objects: readonly DesiredObject[], options = ''): Promise<void> {
  const files = { 'office.json': formatManifest(objects) };
  const run = await world.telctl(`apply -f office.json --yes --accept-charges ${options}`, { files });
  expect([run.code, run.stderr], formatManifest(objects)).toEqual([0, expect.any(String)]);
  const same = await world.telctl('diff -f office.json --exit-code -o json');
  expect(same.code, same.stdout).toBe(0);
  const again = await world.telctl('apply -f office.json --yes --accept-charges');
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
}

test('applying any manifest after any other leaves no differences', async () => {
  const some = officeObjects.filter((objects) => objects.length > 1);
  await fc.assert(
    fc.asyncProperty(some, some, async (before, after) => {
      const world = await openWorld();
      await apply(world, before);
      await apply(world, after, '--prune --max-deletes 99 --max-change-percent 100');
    }),
    { numRuns: 12, seed: 4 },
  );
});
