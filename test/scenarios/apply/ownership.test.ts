import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unfolded } from '../../support/unfolded.ts';
import { openWorld } from '../../support/world.ts';

const menus = (set: string, ...names: readonly string[]): string =>
  `set: ${set}\nmenus:\n${names.map((name) => `  ${name.toLowerCase()}: { name: ${name} }\n`).join('')}`;

test('plan and apply report unmanaged objects and next steps in every format', async () => {
  const world = await openWorld();
  await world.service('PUT', 'menus', { name: 'Old' });
  const apply = 'apply -f office.yaml --yes';
  await world.telctl(apply, { files: { 'office.yaml': menus('office', 'Old', 'Main') } });
  const files = { 'office.yaml': menus('office', 'Main') };
  const said = /not deleted: never adopted.*telctl adopt.*--prune/s;
  for (const format of ['table', 'json', 'yaml', 'ndjson', 'csv', 'markdown']) {
    const run = await world.telctl(`plan -f office.yaml --prune -o ${format}`, { files });
    expect([format, run.code, unfolded(run.stdout)]).toEqual([format, 0, expect.stringMatching(said)]);
    expect(run.stdout).toContain('menus.old'.slice(format === 'table' || format === 'markdown' ? 9 : 0));
  }
  const run = await world.telctl(`${apply} --prune`, { files });
  expect([run.code, run.stderr]).toEqual([0, expect.stringMatching(said)]);
  const report = JSON.parse((await world.telctl(`${apply} --prune -o json`, { files })).stdout);
  expect(report.accounts[0].kept).toEqual([
    { key: 'menus.old', label: 'menu Old', why: 'found', note: expect.stringMatching(said) },
  ]);
  // The proposed solution works.
  await world.telctl('adopt -f both.yaml', { files: { 'both.yaml': menus('office', 'Old', 'Main') } });
  const pruned = await world.telctl(`${apply} --prune`, { files });
  expect([pruned.code, pruned.stderr]).toEqual([0, expect.stringContaining('deleted menu Old')]);
});

test('an object in the shared ledger of another set moves to this ledger only with --take-over', async () => {
  const world = await openWorld();
  await world.telctl('apply -f one.yaml --yes', { files: { 'one.yaml': menus('one', 'Main') } });
  const two = `set: two\nmenus: { main: { name: Main, retries: 2 } }\n`;
  const line = 'apply -f two.yaml --ledger two.ledger.json --yes';
  const files = { 'two.yaml': two };
  const plan = await world.telctl('plan -f two.yaml --ledger two.ledger.json', { files });
  expect(plan.stdout).toContain('1 object is managed by another manifest set: menu Main ("one")');
  const refused = await world.telctl(line, { files });
  expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining('--take-over')]);
  const taken = await world.telctl(`${line} --take-over`, { files });
  expect(taken.code, taken.stderr).toBe(0);
  const ledger = readFileSync(join(world.folders.cwd, 'two.ledger.json'), 'utf8');
  expect(JSON.parse(ledger.trim().split('\n').at(-1) ?? '')).toMatchObject({ set: 'two', origin: 'created' });
  expect(JSON.parse((await world.telctl('state show acme -o json')).stdout)).toEqual([]);
  // The first set does not change it, whether its manifest contains it or not.
  const before = await world.telctl('apply -f one.yaml --prune --yes', {
    files: { 'one.yaml': menus('one', 'Other') },
  });
  expect(before.code).toBe(9);
  expect(JSON.parse((await world.telctl('menus list -o json')).stdout)).toHaveLength(1);
});
