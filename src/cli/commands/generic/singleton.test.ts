import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('sets, shows and removes metaflow settings', async () => {
  const world = await openWorld();
  const set = await world.telctl('metaflows update -f - --yes', { stdin: "binding_digit: '9'" });
  expect(set.code, set.stderr).toBe(0);
  expect(set.stderr).toContain('Replaced the metaflows.');
  expect(JSON.parse((await world.telctl('metaflows get -o json')).stdout)).toMatchObject({
    binding_digit: '9',
  });
  const gone = await world.telctl('metaflows delete --yes');
  expect([gone.code, gone.stderr]).toEqual([0, expect.stringContaining('Deleted the metaflows.')]);
});
