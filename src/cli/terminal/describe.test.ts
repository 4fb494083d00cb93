import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';
import { resources } from '../../contract/catalogue.ts';
import { findFieldNode } from '../../contract/schema.ts';

/** A world with a phone of alice; gives her id. */
async function phoneOfAlice() {
  const world = await openWorld();
  const person = { first_name: 'A', last_name: 'B', username: 'alice', password: 'a-first-password' };
  const { id } = await world.service('PUT', 'users', person);
  await world.service('PUT', 'devices', { name: 'Desk', owner_id: String(id) });
  return { world, id: String(id) };
}

test('shows owners by name in a table and by id in other formats, with one lookup per kind', async () => {
  const { world, id } = await phoneOfAlice();
  const table = await world.telctl('devices list');
  expect(table.stdout).toMatch(/Desk .* alice +yes/);
  expect(table.stdout).not.toContain(id);
  expect(table.requests.filter(({ path }) => path.endsWith('/users'))).toHaveLength(1);
  for (const format of ['json', 'yaml', 'ndjson', 'csv']) {
    const run = await world.telctl(`devices list -o ${format}`);
    expect(run.stdout).toContain(id);
    expect(run.requests.filter(({ path }) => path.endsWith('/users'))).toEqual([]);
  }
});

test('marks the id of a missing record, and keeps an id that cannot be looked up', async () => {
  const { world, id } = await phoneOfAlice();
  await world.service('DELETE', `users/${id}`);
  expect((await world.telctl('devices list')).stdout).toContain(`(missing: ${id.slice(0, 8)}…)`);
  const unread = await world.telctl('devices list', {
    faults: [{ method: 'GET', path: /users$/, fault: { kind: 'answer', status: 403, body: '{}' } }],
  });
  expect([unread.code, unread.stdout.includes('missing')]).toEqual([0, false]);
});

test('sends no further requests for a table without references', async () => {
  const world = await openWorld();
  await world.service('PUT', 'devices', { name: 'Desk' });
  const { requests } = await world.telctl('devices list');
  expect(requests.map(({ path }) => path.split('/').at(-1))).toEqual(['devices']);
});

test('every id column declares its resource if the contract defines it', () => {
  const silent = resources.flatMap(({ name, schema, columns }) =>
    columns.flatMap(({ paths: [path = ''], refers, show }) => {
      if (show !== 'id') return [];
      const to = findFieldNode(schema, path)?.['x-ref'];
      return to === undefined || to === 'accounts' || refers === to ? [] : [`${name}.${path}`];
    }),
  );
  // Tokens may be those of users of other accounts.
  expect(silent).toEqual(['tokens.owner_id']);
});

test('shows references by name in fields, keys and steps of a record, and ids in other formats', async () => {
  const { world, id } = await phoneOfAlice();
  const gone = 'f'.repeat(32);
  const endpoints = { [id]: { type: 'user' }, [gone]: { type: 'device' } };
  await world.service('PUT', 'groups', { name: 'Sales', endpoints });
  const flow = { module: 'user', data: { id }, children: {} };
  await world.service('PUT', 'callflows', { name: 'Main', numbers: ['2000'], flow });
  const group = await world.telctl('groups get Sales');
  expect(group.stdout).toMatch(/^ {2}alice$/m);
  expect(group.stdout).toMatch(/^ {2}\(missing: ffffffff…\)$/m);
  expect(group.requests.map(({ path }) => path.split('/').at(-1))).toContain('devices');
  expect((await world.telctl('callflows get Main')).stdout).toMatch(/^ +id +alice$/m);
  expect((await world.telctl('groups get Sales -o json')).stdout).toContain(id);
});

test('shows when rules match, and moves constant columns below a table of 80 columns', async () => {
  const world = await openWorld();
  const make = (options: string) => world.telctl(`temporal-rules create ${options}`);
  await make('--name Office --days mon-fri --hours 09:00-17:00');
  await make('--name Xmas --days 24-26 --month 12');
  await make('--name Once --start-date 2026-12-31');
  await make('--name Rent --days 1,15');
  await make('--name Lunch --hours 12-13:30');
  await make('--name Audit --days mon --ordinal first');
  const rules = await world.telctl('temporal-rules list --sort name', { tty: true });
  expect(rules.stdout.split('\n').map((line) => line.replace(/ +[0-9a-f]{32}$|ID$/, '').trimEnd())).toEqual([
    'NAME    DAYS        HOURS',
    ...['Audit   first mon   all day', 'Lunch   daily       12:00-13:30', 'Office  mon-fri     09:00-17:00'],
    ...['Once    2026-12-31  all day', 'Rent    1, 15       all day', 'Xmas    dec 24-26   all day', ''],
  ]);
  await world.telctl('temporal-rule-sets create --name Holidays --rules Xmas,Once');
  expect((await world.telctl('temporal-rule-sets get Holidays')).stdout).toMatch(
    /^temporal_rules +Xmas, Once$/m,
  );
});
