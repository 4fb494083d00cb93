import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { busyAccount } from '../../../test/support/busy-account.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const read = (world: World, name: string): string => readFileSync(join(world.folders.cwd, name), 'utf8');

describe('telctl export', () => {
  it('writes what a plan finds nothing to change in', async () => {
    const world = await openWorld();
    await busyAccount(world);
    const run = await world.telctl('export --out office.yaml');
    expect(run.code).toBe(0);
    const plan = await world.telctl('plan -f office.yaml');
    expect(plan.code).toBe(0);
  });
});
