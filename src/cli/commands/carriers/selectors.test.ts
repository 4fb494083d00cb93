import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('shows, edits and replaces selector rules', async () => {
  const world = await openWorld();
  const rules = { rules: [{ get_resources: {} }] };
  const set = await world.telctl('selectors rules update -f -', { stdin: JSON.stringify(rules) });
  expect(set.code, set.stderr).toBe(0);
  const shown = await world.telctl('selectors rules get -o json');
  expect(JSON.parse(shown.stdout)).toMatchObject(rules);
  const back = await world.telctl('selectors rules update -f -', { stdin: shown.stdout });
  expect(back.code, back.stderr).toBe(0);
});

test('treats a 404 before the first rules as an empty list', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const { code, stdout } = await world.telctl('selectors rules get -o json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ rules: [] });
});

test('lists selectors, and rejects a change without any values', async () => {
  const world = await openWorld();
  expect((await world.telctl('selectors list -o name')).stdout).toContain('emergency\n');
  expect((await world.telctl('selectors rules update')).code).toBe(2);
});
