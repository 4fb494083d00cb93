import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';
import { resources } from '../../contract/catalogue.ts';
import { fieldAt } from '../../contract/schema.ts';

/** A world with a phone of alice; gives her id. */
async function phoneOfAlice() {
  const world = await openWorld();
  const person = { first_name: 'A', last_name: 'B', username: 'alice', password: 'a-first-password' };
  const { id } = await world.service('PUT', 'users', person);
  await world.service('PUT', 'devices', { name: 'Desk', owner_id: String(id) });
  return { world, id: String(id) };
}

test('a table shows who owns a phone by name, other formats by id, and each kind is listed once', async () => {
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

test('an id that leads nowhere is marked, and one that nobody may look up stays', async () => {
  const { world, id } = await phoneOfAlice();
  await world.service('DELETE', `users/${id}`);
  expect((await world.telctl('devices list')).stdout).toContain(`(missing: ${id.slice(0, 8)}…)`);
  const unread = await world.telctl('devices list', {
    faults: [{ method: 'GET', path: /users$/, fault: { kind: 'answer', status: 403, body: '{}' } }],
  });
  expect([unread.code, unread.stdout.includes('missing')]).toEqual([0, false]);
});

test('a table without references reads nothing else', async () => {
  const world = await openWorld();
  await world.service('PUT', 'devices', { name: 'Desk' });
  const { requests } = await world.telctl('devices list');
  expect(requests.map(({ path }) => path.split('/').at(-1))).toEqual(['devices']);
});

test('every column of ids says what it refers to, where the contract knows', () => {
  const silent = resources.flatMap(({ name, schema, columns }) =>
    columns.flatMap(({ paths: [path = ''], refers, show }) => {
      if (show !== 'id') return [];
      const to = fieldAt(schema, path)?.['x-ref'];
      return to === undefined || to === 'accounts' || refers === to ? [] : [`${name}.${path}`];
    }),
  );
  // Tokens may be those of users of other accounts.
  expect(silent).toEqual(['tokens.owner_id']);
});
