/**
 * Replays requests of a compatible service against `--like kazoo` and compares the responses with the recorded ones:
 * status, headers, keys at all levels, types, codes, and equal ids. `groups` has a file for each group of requests,
 * and every file there is replayed. `exceptions.json` lists requests with known differences and their reasons, and
 * docs/reference/kazoo-differences.md is generated from it. An exception without a difference fails the test, so the
 * list can only shrink. `RECORDINGS=all npx vitest run test/recordings -t GROUP` shows all differences.
 */
import { describe, expect, test } from 'vitest';
import { exceptionNames } from './exceptions.ts';
import { recordedGroups, replay } from './replay.ts';

const showsAll = process.env.RECORDINGS === 'all';

describe.each(recordedGroups())('%s', (group) => {
  test('is answered as recorded, except for listed differences', async () => {
    const deviations = await replay(group);
    const expected = exceptionNames(group);
    const unexpected = deviations.filter(({ name }) => showsAll || !expected.has(name));
    expect(unexpected.map(({ name, differences }) => `${name}: ${differences.join('; ')}`)).toEqual([]);
    const obsolete = [...expected].filter((name) => !deviations.some((each) => each.name === name));
    expect(obsolete, 'exceptions without a difference').toEqual([]);
  });
});
