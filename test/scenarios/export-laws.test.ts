import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { operationOf } from '../../src/contract/catalogue.ts';
import { kinds } from '../../src/manifest/kinds.ts';
import { recordBodies } from '../support/record-bodies.ts';
import { openWorld, type World } from '../support/world.ts';

// The same account in every run; others are tried with FUZZ_SEED=random or a number.
const { FUZZ_SEED: given } = process.env;
const seed = given === 'random' ? Math.floor(Math.random() * 1e9) : Number(given ?? 20_260_101);
const each = 12;

/** Fills an account with records of every kind, whatever fits their schemas. */
async function fill(world: World, from: number): Promise<number> {
  const { sandbox } = world;
  const { accountId } = world.seed;
  const token = await sandbox.adminToken();
  let made = 0;
  for (const [index, kind] of kinds.entries()) {
    const create = operationOf(kind.resource, 'create');
    if (kind.shape !== 'many' || !create || kind.name === 'accounts') continue;
    for (const [number, body] of fc
      .sample(recordBodies(kind.resource), { numRuns: each, seed: from + index })
      .entries()) {
      const path = create.path
        .replace('{account_id}', accountId)
        .replace('{phone_number}', encodeURIComponent(`+1415555${1000 + (from % 100) * 50 + number}`));
      const reply = await sandbox.call(create.method, `/v2${path}`, { token, data: body as Json });
      if (reply.status === 201) made += 1;
    }
  }
  return made;
}

test.each([
  [0, undefined],
  [1000, undefined],
  [2000, undefined],
  [0, 'kazoo'],
] as const)('what is exported of any account is no change to it (%i, like %s)', async (offset, like) => {
  const world = await openWorld({ like });
  expect(await fill(world, seed + offset), `FUZZ_SEED=${seed}`).toBeGreaterThan(60);
  const run = await world.telctl('export --out all.yaml');
  expect(run.code, run.stderr).toBe(0);
  const plan = await world.telctl('plan -f all.yaml --exit-code');
  expect(plan.code, `FUZZ_SEED=${seed}\n${plan.stderr}${plan.stdout}`).toBe(0);
  const merged = await world.telctl('export --out all.yaml --merge');
  expect(merged.stderr, `FUZZ_SEED=${seed}`).toContain('Nothing to change');
});
