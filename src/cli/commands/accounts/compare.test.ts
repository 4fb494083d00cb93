import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { compareManifests } from './compare.ts';

test('compares two accounts by section and natural key, ignoring ids and secrets', async () => {
  const { telctl } = await openWorld();
  expect((await telctl('accounts create --name branch --realm branch.example')).code).toBe(0);
  const create = async (line: string) =>
    expect((await telctl(line, { files: { 'menu.yaml': 'retries: 5' } })).code, line).toBe(0);
  await create('menus create --name Main');
  await create('menus create --name Main -f menu.yaml --account branch');
  await create('menus create --name Night --account branch');
  const run = await telctl('accounts compare acme branch --only menus -o json --exit-code');
  expect(run.code, run.stderr).toBe(3);
  expect(JSON.parse(run.stdout)).toEqual([
    {
      section: 'menus',
      name: expect.stringMatching(/main/i),
      field: 'retries',
      difference: 'only in the second',
      other: 5,
    },
    { section: 'menus', name: expect.stringMatching(/night/i), difference: 'only in the second' },
  ]);
  const table = await telctl('accounts compare acme branch --only menus');
  expect(table).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('2 differences between acme and branch'),
  });
  expect(await telctl('accounts compare acme acme --exit-code -o json')).toMatchObject({
    code: 0,
    stdout: '[]\n',
  });
  expect((await telctl('accounts compare acme nowhere')).code).toBe(5);
});

test('compares limits field by field, and a list as one value', () => {
  const rows = compareManifests(
    { limits: { inbound_trunks: 1, flags: ['a'] } },
    { limits: { flags: ['b'] } },
  );
  expect(rows).toEqual([
    { section: 'limits', name: 'limits', field: 'inbound_trunks', difference: 'only in the first', one: 1 },
    { section: 'limits', name: 'limits', field: 'flags', difference: 'differs', one: ['a'], other: ['b'] },
  ]);
});
