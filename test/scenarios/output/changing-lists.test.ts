import { expect, test } from 'vitest';
import type { FaultRule } from '../../support/faults.ts';
import { openWorld, type World } from '../../support/world.ts';

const lists = /\/menus$/;

/** Runs `change` between the first and the second page of a list. */
const betweenPages = (change: () => Promise<unknown>): readonly FaultRule[] => [
  { fault: { kind: 'pass' }, method: 'GET', path: lists, times: 1 },
  { fault: { kind: 'meanwhile', does: change }, method: 'GET', path: lists, times: 1 },
];

/** Creates more menus than one page has. */
async function manyMenus({ service }: World): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 10; at < 70; at += 1)
    ids.push(String((await service('PUT', 'menus', { name: `m${at}` })).id));
  return ids;
}

test.each(['menus list --limit 0 -o json', 'menus list --limit 0 -o ndjson', 'export --only menus'])(
  '%s has each record once while others are deleted and created between its pages',
  async (line) => {
    const world = await openWorld();
    const ids = await manyMenus(world);
    const pages = (await world.telctl('menus list --limit 0 -o json')).requests;
    expect(pages.length).toBeGreaterThan(1);
    const order: readonly { readonly name: string }[] = JSON.parse(
      (await world.telctl('menus list --limit 0 -o json')).stdout,
    );
    const start = new URLSearchParams(pages[1]?.search).get('start_key') ?? '';
    // The first and the last record of the first page, and the first of the second page.
    const size = order.length / pages.length > 30 ? Math.ceil(order.length / 2) : 50;
    const gone = [
      order[0],
      order[size - 1],
      order[size],
      ...order.filter(({ name }) => start.includes(name)),
    ];
    const names = new Set(gone.map((each) => each?.name));
    const faults = betweenPages(async () => {
      for (const [at, id] of ids.entries())
        if (names.has(`m${at + 10}`)) await world.service('DELETE', `menus/${id}`);
      for (const name of ['a', 'm40b', 'z']) await world.service('PUT', 'menus', { name });
    });
    const { code, stdout, stderr } = await world.telctl(line, { faults });
    expect(code, stderr).toBe(0);
    for (const { name } of order)
      if (!names.has(name))
        expect([name, stdout.match(new RegExp(`\\b${name}\\b`, 'g'))?.length]).toEqual([
          name,
          line.startsWith('export') ? 2 : 1,
        ]);
  },
);
