import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const person = { first_name: 'Ann', last_name: 'A' };

test.each([
  ['menus', { name: 'Good' }, { name: 'Wrong', retries: 99 }, 'retries'],
  ['users', person, { ...person, email: 'nobody' }, 'email'],
  ['vmboxes', { name: 'Good', mailbox: '100' }, { name: 'Wrong', mailbox: '101', pin: '1' }, 'pin'],
] as const)(
  'reports a mistake in one of many %s once, without a duplicate warning',
  async (noun, good, wrong, field) => {
    const world = await openWorld();
    for (const records of [
      [good, wrong],
      [wrong, { ...wrong, name: 'Other', mailbox: '102' }],
    ]) {
      const run = await world.telctl(`${noun} create -f - --allow-unknown-fields`, {
        stdin: JSON.stringify(records),
      });
      const told = run.stderr.split('\n').filter((line) => line.includes(field));
      expect(told, run.stderr).toHaveLength(records.filter((each) => each !== good).length);
      expect(run.stderr).not.toContain('would refuse the request');
    }
  },
);

test('warns about a value that only compatible services reject', async () => {
  const world = await openWorld({ like: 'specification' });
  const stdin = JSON.stringify([{ name: 'One', retries: 99 }, { name: 'Two' }]);
  const run = await world.telctl('menus create -f - --dry-run', { stdin });
  expect(run.stderr).toContain('"retries" must be at most 10; a KAZOO-compatible service would refuse');
});

test.each(['-', 'boxes.txt'])('detects CSV by its first line: %s', async (file) => {
  const csv = '\uFEFFname;mailbox\nFront desk;100\n"Back; room";101\n';
  const world = await openWorld();
  const run = await world.telctl(`vmboxes create -f ${file}`, { stdin: csv, files: { 'boxes.txt': csv } });
  expect(run.code, run.stderr).toBe(0);
  const { stdout } = await world.telctl('vmboxes list -o csv --fields mailbox,name');
  expect(stdout).toContain('101,Back; room');
  const yaml = await world.telctl('vmboxes create -f -', { stdin: 'name: "A, b"\nmailbox: "102"\n' });
  expect(yaml.code, yaml.stderr).toBe(0);
});
