/**
 * Replays requests to a compatible service against `--like kazoo`, and compares the replies with those recorded there:
 * status, headers, keys at all levels, types of values, codes, and which ids are the same.
 *
 * `groups` has a file for each group of requests; another file there is replayed, too. `exceptions.json` names the
 * requests that are answered in another way, with the reason; docs/reference/kazoo-differences.md is generated from it. It can only
 * shrink: an exception whose reply is as recorded is an error. `RECORDINGS=all npx vitest run test/recordings -t GROUP` shows all that differs.
 */
import { describe, expect, test } from 'vitest';
import { exceptionsOf } from './exceptions.ts';
import { recordedGroups, replay } from './replay.ts';

const showsAll = process.env.RECORDINGS === 'all';

describe.each(recordedGroups())('%s', (group) => {
  test('is answered as recorded, except for listed differences', async () => {
    const deviations = await replay(group);
    const expected = exceptionsOf(group);
    const unexpected = deviations.filter(({ name }) => showsAll || !expected.has(name));
    expect(unexpected.map(({ name, differences }) => `${name}: ${differences.join('; ')}`)).toEqual([]);
    const mended = [...expected].filter((name) => !deviations.some((each) => each.name === name));
    expect(mended, 'exceptions that are none any more').toEqual([]);
  });
});
