import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('lists contacts from an empty object, an array or an object by key', async () => {
  const world = await openWorld();
  const listed = async (data: unknown) => {
    const body = JSON.stringify({ status: 'success', data });
    const rule = { path: /contact_list/, fault: { kind: 'rewrite', change: () => body } } as const;
    const run = await world.telctl('contacts list -o json', { faults: [rule] });
    expect(run.code, run.stderr).toBe(0);
    return JSON.parse(run.stdout);
  };
  expect(await listed({})).toEqual([]);
  expect(await listed([{ name: 'Alice', internal_number: '100' }])).toEqual([
    { name: 'Alice', internal_number: '100' },
  ]);
  expect(await listed({ a: { name: 'Alice', internal_number: '100' } })).toEqual([
    { id: 'a', name: 'Alice', internal_number: '100' },
  ]);
  expect((await world.telctl('contacts list')).code).toBe(0);
});
