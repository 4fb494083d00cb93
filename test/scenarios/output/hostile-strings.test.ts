import { expect, test } from 'vitest';
import { controlCharacters } from '../../support/control-characters.ts';
import { findInHostileAccount } from '../../support/hostile-account.ts';
import { openWorld } from '../../support/world.ts';

// `FUZZ_SEED` assigns other strings to the fields.
const seed = Number(process.env.FUZZ_SEED ?? '1');

test('hostile strings come back exactly from every format, or are refused in a sentence', async () => {
  const { fields, refused, wrong } = await findInHostileAccount(await openWorld(), seed);
  expect(wrong).toEqual([]);
  expect(fields).toBeGreaterThan(100);
  for (const sentence of refused) expect([sentence, controlCharacters(sentence)]).toEqual([sentence, []]);
});
