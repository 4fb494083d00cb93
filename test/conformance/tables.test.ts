import { expect, test } from 'vitest';
import { allNouns } from '../../src/cli/shell/registry.ts';
import { busyAccount } from '../support/busy-account.ts';
import { openWorld } from '../support/world.ts';

// Snapshots of all tables at a terminal of 80 columns, as users see them. `vitest -u` updates them.

const seenLines = 5;

/** Replaces ids and fingerprints, which differ in each run. */
const withoutIds = (text: string): string =>
  text.replaceAll(/(?<=SHA256:)[\w+/]+|[0-9a-f]{8}(?=…)|\b(?:\d{6}-)?[0-9a-f]{32}\b/g, (id) =>
    '0'.repeat(id.length),
  );

test('tables of all lists fit a terminal of 80 columns', async () => {
  const world = await openWorld();
  await busyAccount(world);
  await world.telctl('temporal-rules create --name Office --days mon-fri --hours 09:00-17:00');
  await world.telctl('temporal-rule-sets create --name Holidays --rules Office');
  await world.telctl('sandbox call --from +15551230009 --to 100');
  const commands = (await Promise.all(allNouns().map((noun) => noun.commands()))).flat();
  const lists = commands.filter(
    ({ path, arguments: takes, effect, options }) =>
      path.at(-1) === 'list' &&
      effect === 'read' &&
      Object.values(takes).every(({ optional }) => optional) &&
      Object.values(options).every(({ required }) => !required),
  );
  const pictures: string[] = [];
  await world.telctl('users patch alice --first-name Alicia');
  for (const line of [...lists.map(({ path }) => path.join(' ')), 'log']) {
    const { code, stdout } = await world.telctl(line, { tty: true, width: 80 });
    if (code !== 0 || stdout === '') continue;
    const seen = withoutIds(stdout).split('\n').slice(0, seenLines);
    pictures.push(`$ telctl ${line}\n${seen.join('\n').trimEnd()}\n`);
    for (const row of stdout.split('\n'))
      expect([line, row.length <= 80 || /^ {4}/.test(row)]).toEqual([line, true]);
  }
  expect(pictures.length).toBeGreaterThan(12);
  await expect(pictures.join('\n')).toMatchFileSnapshot('tables.txt');
});
