import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { smallOffice } from '../../../../../test/support/small-office.ts';
import { openWorld, type World } from '../../../../../test/support/world.ts';
import { isObject, type Json, type JsonObject } from '../../../../base/json.ts';

const second = smallOffice
  .replace('first_name: Alice', 'first_name: Alicia, timezone: Europe/London')
  .replace('retries: 3', 'retries: 5')
  .replace('["+15551230000"]', '["+15551230000", "+15551230009"]')
  .replace(/"1": .* children: \{\} \}/, '');

async function all(world: World, path: string): Promise<readonly JsonObject[]> {
  const token = await world.sandbox.adminToken();
  const { data } = await world.sandbox.call('GET', `/v2/accounts/${world.seed.accountId}/${path}`, { token });
  return Array.isArray(data) ? data.filter((item: Json) => isObject(item)) : [];
}

/** A record without what the service writes by itself at each change. */
async function record(world: World, path: string, name: string): Promise<JsonObject> {
  const found = (await all(world, path)).find((item) => item.name === name || item.username === name);
  const { _read_only: _, ...fields } = await world.service('GET', `${path}/${String(found?.id)}`);
  return fields;
}

async function applied(world: World, manifest: string, ...more: readonly string[]): Promise<void> {
  const run = await world.telctl(
    ['apply', '-f', 'office.yaml', '--yes', '--max-change-percent', '100', ...more],
    {
      files: { 'office.yaml': manifest },
    },
  );
  expect(run.code, run.stderr).toBe(0);
}

test('undo restores the old values, and can be undone', async () => {
  const world = await openWorld();
  await applied(world, smallOffice);
  const before = [
    await record(world, 'users', 'alice'),
    await record(world, 'menus', 'Main menu'),
    await record(world, 'callflows', 'Main line'),
  ];
  await applied(world, second);
  world.clock.turn(60_000);
  const after = await record(world, 'callflows', 'Main line');

  const undo = await world.telctl('undo --yes');
  expect(undo.stderr).toContain('Created 0, updated 3');
  expect(undo.code).toBe(0);
  expect([
    await record(world, 'users', 'alice'),
    await record(world, 'menus', 'Main menu'),
    await record(world, 'callflows', 'Main line'),
  ]).toEqual(before);

  const plan = await world.telctl('apply -f office.yaml --dry-run', {
    files: { 'office.yaml': smallOffice },
  });
  expect(plan.stdout).toContain('Nothing to change.');

  const history = JSON.parse((await world.telctl('apply history -o json')).stdout);
  expect(history.map(({ what }: JsonObject) => String(what).split(' ')[0])).toEqual([
    'undo',
    'apply',
    'apply',
  ]);
  const redo = await world.telctl(['undo', history[0].run, '--yes']);
  expect(redo.code, redo.stderr).toBe(0);
  expect(await record(world, 'callflows', 'Main line')).toEqual(after);
});

test('undo of a first apply deletes only the objects that it created', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'bob', first_name: 'Bob', last_name: 'Before' });
  await applied(world, smallOffice);
  const unasked = await world.telctl('undo');
  expect([unasked.code, (await all(world, 'users')).length], unasked.stderr).toEqual([2, 3]);
  const undo = await world.telctl('undo', { tty: true, answers: [{ to: /Undo run/, type: 'y' }] });
  expect(undo.stderr).toContain('user alice');
  expect(undo.code, undo.stderr).toBe(0);
  expect((await all(world, 'users')).map(({ username }) => username).sort()).toEqual(['admin', 'bob']);
  expect(await all(world, 'callflows')).toEqual([]);
  expect(await all(world, 'menus')).toEqual([]);
  const again = await world.telctl('undo --yes');
  expect(again.stderr).toMatch(/The last run on acme, \S+, reversed \S+ already\. Name the run to reverse\./);
  expect(again.code).toBe(2);
});

test('undo skips and reports later changes by others', async () => {
  const world = await openWorld();
  await applied(world, smallOffice);
  await applied(world, second);
  const menu = await record(world, 'menus', 'Main menu');
  await world.service('PATCH', `menus/${String(menu.id)}`, { retries: 7 });
  const undo = await world.telctl('undo --yes');
  expect(undo.stderr).toContain('menu "Main menu": others changed it since: retries');
  expect(undo.code).toBe(8);
  expect((await record(world, 'menus', 'Main menu')).retries).toBe(7);
  expect((await record(world, 'users', 'alice')).first_name).toBe('Alice');
});

test('undo recreates pruned objects and references to them', async () => {
  const world = await openWorld();
  await applied(world, smallOffice);
  const shorter = `menus:\n  main: { name: Main menu, retries: 3 }\n`;
  await applied(world, shorter, '--prune');
  expect(await all(world, 'callflows')).toEqual([]);
  const undo = await world.telctl('undo --yes');
  expect(undo.stderr).toContain('user alice: it is created again with a random password');
  const alice = await record(world, 'users', 'alice');
  const line = await record(world, 'callflows', 'Main line');
  expect(JSON.stringify(line.flow)).toContain(String(alice.id));
});

test('undo reports a damaged run in the log', async () => {
  const world = await openWorld();
  await applied(world, smallOffice);
  world.clock.turn(60_000);
  await applied(world, second);
  const newest = world
    .filesWritten()
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.ndjson'))
    .sort()
    .at(-1);
  const name = String(Number(basename(newest ?? '', '.ndjson')));
  writeFileSync(newest ?? '', 'nothing of a run\n');
  const history = await world.telctl('apply history');
  expect(history.stderr).toContain(`warning: run ${name} of the log cannot be read`);
  const run = await world.telctl('undo --yes');
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(`Run ${name} of the log cannot be read, so its changes are unknown.`);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('undo updates references to a recreated object with its new id', async () => {
  const world = await openWorld();
  await applied(
    world,
    'users: { alice: { username: alice, first_name: A, last_name: B, password: Secret-1x } }',
  );
  const { id } = await record(world, 'users', 'alice');
  const old = String(id);
  const flow = { module: 'user', data: { id: old, timeout: 20 }, children: {} };
  await world.service('PUT', 'callflows', { name: 'Line', numbers: ['4500'], flow });
  await world.service('PUT', 'groups', { name: 'Sales', endpoints: { [old]: { type: 'user', weight: 3 } } });
  await applied(world, 'menus: { main: { name: Main menu } }', '--prune', '--force');
  expect((await world.telctl('orphans')).stdout).toContain('reference to nothing');
  const undo = await world.telctl('undo', { tty: true, answers: [{ to: /Undo run/, type: 'y' }] });
  expect(undo.stderr).toMatch(/~ callflow Line .*names what is created again by its new id/s);
  const next = String((await record(world, 'users', 'alice')).id);
  expect(next).not.toBe(old);
  expect((await record(world, 'callflows', 'Line')).flow).toMatchObject({ data: { id: next, timeout: 20 } });
  expect((await record(world, 'groups', 'Sales')).endpoints).toEqual({ [next]: { type: 'user', weight: 3 } });
  expect((await world.telctl('orphans')).stdout).not.toContain('reference to nothing');
});

test('undo removes references from flows and maps before deleting their targets', async () => {
  const world = await openWorld();
  const office = (data: string, endpoint: string) => `
groups: { sales: { name: Sales, endpoints: { abc: { type: user${endpoint} } } } }
callflows: { line: { name: Line, numbers: ["4500"], flow: { module: user, data: {${data}}, children: {} } } }
`;
  await applied(world, office('', ''));
  const before = [await record(world, 'callflows', 'Line'), await record(world, 'groups', 'Sales')];
  const user = 'users: { ann: { username: ann, first_name: A, last_name: B, password: first-sign-in } }';
  await applied(world, office(` id: "\${users.ann}" `, ', weight: 5') + user);
  const undo = await world.telctl('undo --yes');
  expect(undo.code, undo.stderr).toBe(0);
  expect([await record(world, 'callflows', 'Line'), await record(world, 'groups', 'Sales')]).toEqual(before);
  expect(await all(world, 'users')).toHaveLength(1);
});

test('undo shows unchanged objects by name in references', async () => {
  const world = await openWorld();
  await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': smallOffice } });
  const bob = '  bob: { username: bob, first_name: Bob, last_name: Baker, password: first-sign-in }\nmenus:';
  const both = smallOffice.replace('menus:', bob);
  await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': both } });
  const other = both.replace(/users\.alice/, 'users.bob');
  const applied = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': other } });
  expect(applied.stderr).toContain('Created 0, updated 1');
  const run = await world.telctl('undo --dry-run');
  expect(run.stdout).toMatch(/flow\/1 id +\$\{users\.bob\} → \$\{users\.alice\}/);
});

const renamed = (username: string): string =>
  `users: { a: { username: ${username}, first_name: ${username}, last_name: B, password: Secret-1x } }`;

test('undo of a renamed user prints the command for the remaining step', async () => {
  const world = await openWorld();
  await applied(world, renamed('alice'));
  world.clock.turn(60_000);
  await applied(world, renamed('alicia'));
  const undo = await world.telctl('undo --yes');
  expect(undo.code, undo.stderr).toBe(8);
  expect(undo.stderr).not.toContain('--resume');
  expect(undo.stderr).not.toContain('failed  ');
  const command = /telctl (users patch \S+ --set username=alice --password-file) FILE/.exec(undo.stderr)?.[1];
  expect(await record(world, 'users', 'alicia')).toMatchObject({ first_name: 'alice' });
  const rest = await world.telctl(`${command} new.txt`, { files: { 'new.txt': 'Secret-2x\n' } });
  expect(rest.code, rest.stderr).toBe(0);
  expect(await record(world, 'users', 'alice')).toMatchObject({ first_name: 'alice' });
});
