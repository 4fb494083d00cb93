import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../support/world.ts';

const office = { 'office.yaml': 'set: office\nmenus: { main: { name: Main } }\n' };

const listMenus = async ({ telctl }: World): Promise<readonly { readonly id: string }[]> =>
  JSON.parse((await telctl('menus list -o json')).stdout);

test('plan and find report duplicates of two runs, and one command removes them', async () => {
  const world = await openWorld();
  await world.telctl('apply -f office.yaml --yes', { files: office });
  const [ours] = await listMenus(world);
  const other = await world.service('PUT', 'menus', { name: 'Main', retries: 5 });
  const listed = await world.telctl('find --doubles -o json');
  expect(listed.code, listed.stderr).toBe(0);
  expect(JSON.parse(listed.stdout)).toEqual(
    expect.arrayContaining([ours?.id, other.id].map((id) => ({ name: 'Main', kind: 'menu', id, count: 2 }))),
  );
  for (const format of ['table', 'json', 'csv', 'markdown']) {
    const plan = await world.telctl(`plan -f office.yaml -o ${format}`);
    expect([format, plan.code]).toEqual([format, 0]);
    expect(plan.stdout).toContain(String(other.id));
  }
  const run = await world.telctl('apply -f office.yaml --delete-doubles --yes');
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('deleted menu Main')]);
  expect((await listMenus(world)).map(({ id }) => id)).toEqual([ours?.id]);
  expect((await world.telctl('find --doubles')).code).toBe(5);
  // Undo does not create a second object with an existing name.
  const undone = await world.telctl('undo --yes');
  expect([undone.code, undone.stderr]).toEqual([
    6,
    expect.stringContaining('another one with its name exists'),
  ]);
});

test('if the right one is unclear, one command adopts one and deletes the other', async () => {
  const world = await openWorld();
  for (const retries of [2, 3]) await world.service('PUT', 'menus', { name: 'Main', retries });
  const unclear = await world.telctl('plan -f office.yaml', { files: office });
  expect([unclear.code, unclear.stderr]).toEqual([6, expect.stringContaining('--delete-doubles')]);
  const run = await world.telctl('apply -f office.yaml --delete-doubles --yes');
  expect(run.code, run.stderr).toBe(0);
  expect(await listMenus(world)).toHaveLength(1);
  const [entry] = JSON.parse((await world.telctl('state show acme -o json')).stdout);
  expect(entry.origin).toBe('adopted');
  const pruned = await world.telctl('apply -f office.yaml --prune --yes', {
    files: { 'office.yaml': 'set: office\nmenus: { day: { name: Day } }\n' },
  });
  expect([pruned.code, pruned.stderr]).toEqual([0, expect.stringContaining('deleted menu Main')]);
});

test('a referenced duplicate is not deleted without confirmation', async () => {
  const world = await openWorld();
  await world.telctl('apply -f office.yaml --yes', { files: office });
  const other = await world.service('PUT', 'menus', { name: 'Main' });
  await world.service('PUT', 'callflows', {
    name: 'Line',
    numbers: ['2002'],
    flow: { module: 'menu', data: { id: String(other.id) }, children: {} },
  });
  const run = await world.telctl('apply -f office.yaml --delete-doubles --yes');
  expect([run.code, run.stderr]).toEqual([9, expect.stringContaining('Line')]);
  expect(await listMenus(world)).toHaveLength(2);
});

describe.each([undefined, 'kazoo'] as const)(
  'while another run creates the same object (like %s)',
  (like) => {
    const boxes = { 'fax.yaml': 'set: fax\nfaxboxes: { main: { name: Main, retries: 3 } }\n' };

    test('an apply names the duplicate, exits with code 8, and its command removes it', async () => {
      const world = await openWorld({ like });
      const createOther = () => world.service('PUT', 'faxboxes', { name: 'Main', retries: 3 });
      const faults = [
        { method: 'PUT', path: /faxboxes$/, times: 1, fault: { kind: 'meanwhile', does: createOther } },
      ] as const;
      const run = await world.telctl('apply -f fax.yaml --yes', { files: boxes, faults });
      expect(run.code, run.stderr).toBe(8);
      const list = async (): Promise<readonly { readonly id: string }[]> =>
        JSON.parse((await world.telctl('faxboxes list -o json')).stdout);
      const ids = (await list()).map(({ id }) => id).toSorted();
      expect(run.stderr).toContain(`Another run created faxbox Main at the same time: ${ids.join(', ')}.`);
      const [, line = ''] = /telctl (faxboxes delete \w+)/.exec(run.stderr) ?? [];
      const deleted = await world.telctl(`${line} --yes`);
      expect(deleted.code, deleted.stderr).toBe(0);
      expect((await list()).map(({ id }) => id)).toEqual(ids.slice(0, 1));
      const again = await world.telctl('apply -f fax.yaml --yes');
      expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to do')]);
    });
  },
);
