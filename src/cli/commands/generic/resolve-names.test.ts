import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const phone = { name: 'Desk', owner_id: 'alice' };

/** A world with two users, a device and a group; gives the ids of the first user. */
async function office() {
  const world = await openWorld();
  const person = { first_name: 'A', last_name: 'B', password: 'a-first-password' };
  const alice = await world.service('PUT', 'users', { ...person, username: 'alice' });
  await world.service('PUT', 'users', { ...person, username: 'bob' });
  return { world, alice: String(alice.id) };
}

const yaml = `- {name: Desk 1, owner_id: alice}\n- {name: Desk 2, owner_id: user:alice}\n`;
const ways = [
  ['an option', 'devices create --name Desk --owner alice', {}],
  ['--set', 'devices create --name Desk --set owner_id=alice', {}],
  ['--set-json', `devices create --set-json owner_id="alice" --name Desk`, {}],
  ['YAML', 'devices create -f in.yaml', { 'in.yaml': yaml }],
  ['JSON', 'devices create -f in.json', { 'in.json': JSON.stringify(phone) }],
  ['CSV', 'devices create -f in.csv', { 'in.csv': 'name,owner_id\nDesk 1,alice\nDesk 2,alice\n' }],
] as const;

test.each(ways)('resolves a name given by %s with one request for the users', async (_, line, files) => {
  const { world, alice } = await office();
  const run = await world.telctl(line, { files });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).not.toContain('Warning');
  const owned = await world.telctl(`devices list --filter owner_id=${alice} -o json`);
  expect(owned.stdout).toMatch(/"name": "Desk/);
  const lists = run.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/users'));
  expect(lists).toHaveLength(1);
});

test.each(ways)('rejects an unknown name and suggests the nearest one: %s', async (_, line, files) => {
  const { world } = await office();
  const wrong = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, text.replaceAll('alice', 'alise')]),
  );
  const run = await world.telctl(line.replaceAll('alice', 'alise'), { files: wrong });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('there is no user "alise" in acme. Did you mean "alice"?');
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('patch resolves names, and sends ids and --no-resolve values unchanged', async () => {
  const { world, alice } = await office();
  await world.service('PUT', 'devices', { name: 'Desk' });
  const byName = await world.telctl('devices patch Desk --owner bob --dry-run -o json');
  expect(byName.stdout).toMatch(/"owner_id": "[0-9a-f]{32}"/);
  const byId = await world.telctl(`devices patch Desk --owner ${alice}`);
  expect([byId.code, byId.requests.filter(({ path }) => path.endsWith('/users'))]).toEqual([0, []]);
  const plain = await world.telctl('devices patch Desk --owner bob --no-resolve --dry-run -o json');
  expect(plain.stdout).toContain('"owner_id": "bob"');
});

test('rejects an ambiguous name and lists both records', async () => {
  const { world } = await office();
  const flow = { module: 'callflow', data: { id: 'Main' } };
  await world.service('PUT', 'callflows', {
    name: 'Main',
    numbers: ['2001'],
    flow: { module: 'hangup', data: {} },
  });
  await world.service('PUT', 'callflows', {
    name: 'Main',
    numbers: ['2002'],
    flow: { module: 'hangup', data: {} },
  });
  const files = { 'in.json': JSON.stringify({ numbers: ['2003'], flow }) };
  const run = await world.telctl('callflows create -f in.json', { files });
  expect(run.code).toBe(10);
  expect(run.stderr).toMatch(/"Main" means callflow [0-9a-f]{32} and callflow [0-9a-f]{32}; pass the id/);
});

test('exits before any change if the lookup fails', async () => {
  const { world } = await office();
  const run = await world.telctl('devices create --name Desk --owner alice', {
    faults: [{ method: 'GET', path: /users$/, fault: { kind: 'answer', status: 503, body: '{}' } }],
  });
  expect(run.code).toBe(75);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('sends the text with a warning if the service lacks the lookup', async () => {
  const { world } = await office();
  const files = { 'in.json': JSON.stringify({ name: 'Main', media: { greeting: 'waltz' } }) };
  const run = await world.telctl('menus create -f in.json', {
    files,
    faults: [{ method: 'GET', path: /media$/, fault: { kind: 'answer', status: 404, body: '{}' } }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('their names are sent unchanged');
});
