import { expect, test } from 'vitest';
import { openWorld, type Run, type World } from '../../support/world.ts';

const countUserReads = ({ requests }: Run): number =>
  requests.filter(({ method, path }) => method === 'GET' && /\/users\/\w/.test(path)).length;

/** Creates a service whose list of users omits `enabled`, and a disabled user. */
async function openWorldWithoutField(): Promise<World> {
  const world = await openWorld({ like: 'kazoo' });
  await world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'Archer', enabled: false });
  return world;
}

test('a table omits a column that no list of the service includes, and says so once', async () => {
  const { telctl } = await openWorldWithoutField();
  const table = await telctl('users list');
  expect(table.stdout).not.toMatch(/ENABLED|\?/);
  expect(table.stderr).toBe(
    'Lists of this service do not include ENABLED. To read each record: --fields enabled\n2 users\n',
  );
  const csv = await telctl('users list -o csv');
  expect(csv.stdout).toMatch(/^ann,Ann,Archer,,user,\?,\w+$/m);
  expect([countUserReads(table), countUserReads(csv)]).toEqual([0, 0]);
  const json = JSON.parse((await telctl('users list -o json')).stdout);
  expect(json[0]).not.toHaveProperty('enabled');
});

test('records are read if a field is named', async () => {
  const { telctl } = await openWorldWithoutField();
  const table = await telctl('users list --fields username,enabled');
  expect(table.stdout).toBe('USERNAME  ENABLED\nadmin     yes\nann       no\n');
  expect([countUserReads(table), table.stderr]).toEqual([2, '2 users\n']);
  expect((await telctl('users list --fields USERNAME,ENABLED -o csv')).stdout).toContain('ann,false');
  const off = await telctl(['users', 'list', '--query', '[?!enabled].username', '-o', 'json']);
  expect(JSON.parse(off.stdout)).toEqual(['ann']);
  expect((await telctl('users list --filter enabled=false -o name')).stdout).toBe('ann\n');
  expect((await telctl('users list --filter not_enabled=false -o name')).stdout).toBe('admin\n');
  expect((await telctl('users list --fields username,email')).stderr).toBe('2 users\n');
});

test('a field that lists omit is read, and empty if the record lacks it', async () => {
  const world = await openWorld();
  await world.addUser({
    username: 'ann',
    first_name: 'Ann',
    last_name: 'Baker',
    ui_tag: 'x',
    hotdesk: { id: '7' },
  });
  const run = await world.telctl('users list --fields username,hotdesk.id');
  expect(run.stdout).toBe('USERNAME  HOTDESK.ID\nadmin\nann       7\n');
  const unknown = await world.telctl('users list --fields username,ui_tag --allow-unknown-fields -o ndjson');
  expect(unknown.stdout).toBe('{"username":"admin"}\n{"username":"ann","ui_tag":"x"}\n');
  const listed = await world.telctl('users list --fields username,enabled --filter role=user');
  expect([listed.stdout, countUserReads(listed)]).toEqual(['USERNAME  ENABLED\nann       yes\n', 0]);
});

test('many reads need confirmation at a terminal and are announced otherwise', async () => {
  const world = await openWorldWithoutField();
  const users = Array.from({ length: 101 }, (_, index) => ({ first_name: 'User', last_name: `No ${index}` }));
  const made = await world.telctl('users create -f -', { stdin: JSON.stringify(users) });
  expect(made.code, made.stderr).toBe(0);
  const line = 'users list --fields username,enabled';
  const filtered = await world.telctl(line);
  expect(filtered.stderr).toContain(
    'The list of users does not include enabled. Reading 103 users one by one.',
  );
  expect(countUserReads(filtered)).toBe(103);
  const no = await world.telctl(line, { tty: true, answers: [{ to: /one by one\?/, type: 'n' }] });
  expect([no.code, countUserReads(no), no.stdout]).toEqual([130, 0, '']);
  expect(no.stderr).toContain('Read 103 users one by one?');
  const yes = await world.telctl(`${line} --yes`, { tty: true });
  expect([yes.code, countUserReads(yes)]).toEqual([0, 103]);
});

test('a service without single reads refuses --query and leaves the field empty', async () => {
  const { telctl } = await openWorldWithoutField();
  const faults = [404, 405].map((status) => [
    { fault: { kind: 'answer', status }, method: 'GET', path: /\/users\/\w/ } as const,
  ]);
  for (const each of faults) {
    const query = await telctl(['users', 'list', '--query', '[?!enabled]'], { faults: each });
    expect([query.code, query.stdout]).toEqual([2, '']);
    expect(query.stderr).toContain('does not include enabled, and this service cannot show a single user');
    expect((await telctl('users list --filter enabled=true', { faults: each })).code).toBe(2);
    const table = await telctl('users list --fields username,enabled', { faults: each });
    expect([table.code, table.stdout]).toEqual([0, 'USERNAME  ENABLED\nadmin     ?\nann       ?\n']);
  }
});
