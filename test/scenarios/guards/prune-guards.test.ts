import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld, type Run, type World } from '../../support/world.ts';

throughValidatingProxy();

const user = (name: string): string =>
  `{ username: ${name}, first_name: ${name}, last_name: Lane, password: first-sign-in }`;
const both = `set: office
users: { alice: ${user('alice')}, bob: ${user('bob')} }
`;
const aliceOnly = `set: office
users: { alice: ${user('alice')} }
`;

const writes = ({ requests }: Run) => requests.filter(({ method }) => method !== 'GET');
const apply = (world: World, text: string, more = '', options = {}) =>
  world.telctl(`apply -f office.yaml ${more}`, { files: { 'office.yaml': text }, ...options });

async function applySuccessfully(world: World, text: string, more = ''): Promise<void> {
  const run = await apply(world, text, `--yes ${more}`);
  expect(run.code, run.stderr).toBe(0);
}

/** Returns the usernames stored in the account. */
async function listUsernames(
  { sandbox, seed }: World,
  accountId = seed.accountId,
): Promise<readonly string[]> {
  const names = await sandbox.store.namesInAccount(accountId);
  const records = await Promise.all(
    names
      .filter(({ kind, scope }) => kind === 'users' && scope === accountId)
      .map((name) => sandbox.store.get(name)),
  );
  return records.flatMap((record) => String(record?.body.username ?? '')).toSorted();
}

async function readUserId(world: World, name: string): Promise<string> {
  return JSON.parse((await world.telctl(`users get ${name} -o json`)).stdout).id;
}

const flowTo = (id: string): JsonObject => ({ module: 'user', data: { id }, children: {} });

test('--prune of referenced objects is refused with --yes, and listed and confirmed at a terminal', async () => {
  const world = await openWorld();
  await applySuccessfully(world, both);
  const id = await readUserId(world, 'bob');
  await world.service('PUT', 'callflows', { name: 'Line', numbers: ['100'], flow: flowTo(id) });
  const yes = await apply(world, aliceOnly, '--prune --yes');
  expect(yes.code).toBe(9);
  expect(yes.stderr).toContain('user bob is used in 1 place. Nothing was deleted.');
  expect(yes.stderr).toContain('callflow Line: rings for 20 s, then silence');
  expect(writes(yes)).toEqual([]);
  const no = await apply(world, aliceOnly, '--prune', {
    tty: true,
    answers: [{ to: /Apply these/, type: 'n' }],
  });
  expect(no.code).toBe(130);
  expect(no.stderr).toMatch(/- user bob .*is used by callflow Line/);
  expect(await listUsernames(world)).toContain('bob');
  const forced = await apply(world, aliceOnly, '--prune --yes --force');
  expect(forced.code, forced.stderr).toBe(0);
  expect(await listUsernames(world)).not.toContain('bob');
});

test('the answer to the plan is the only confirmation at a terminal', async () => {
  const world = await openWorld();
  await applySuccessfully(world, both);
  const id = await readUserId(world, 'bob');
  await world.service('PUT', 'vmboxes', { name: 'Bob', mailbox: '1', owner_id: id });
  const run = await apply(world, aliceOnly, '--prune', {
    tty: true,
    answers: [{ to: /Apply these/, type: 'y' }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(await listUsernames(world)).not.toContain('bob');
});

test('references that the plan itself removes are ignored', async () => {
  const world = await openWorld();
  const more = `directories: { staff: { name: Staff } }
groups:
  sales: { name: Sales, endpoints: { "\${users.bob}": { type: user } } }
callflows:
  line: { name: Line, numbers: ["100"], flow: { module: user, data: { id: "\${users.bob}" }, children: {} } }
  own: { name: Own, numbers: ["101"], owner_id: "\${users.bob}", flow: { module: hangup, data: {}, children: {} } }
`;
  await applySuccessfully(world, both + more);
  // Bob's own record adds him to a directory, where the service lists him.
  const id = await readUserId(world, 'bob');
  const [directory] = JSON.parse((await world.telctl('directories list -o json')).stdout);
  const callflow = JSON.parse((await world.telctl('callflows get Line -o json')).stdout);
  await world.service('PATCH', `users/${id}`, { directories: { [directory.id]: callflow.id } });
  await world.service('PATCH', `directories/${directory.id}`, {
    users: [{ user_id: id, callflow_id: callflow.id }],
  });
  const after = `${aliceOnly}directories: { staff: { name: Staff } }
groups:
  sales: { name: Sales, endpoints: { "\${users.alice}": { type: user } } }
callflows:
  line: { name: Line, numbers: ["100"], flow: { module: user, data: { id: "\${users.alice}" }, children: {} } }
`;
  const run = await apply(world, after, '--prune --yes --max-change-percent 100');
  expect(run.code, run.stderr).toBe(0);
  expect(await listUsernames(world)).not.toContain('bob');
});

test('lists are read once for many deletions, and only if references are possible', async () => {
  const world = await openWorld();
  const hooks = ['a', 'b', 'c'].map(
    (name) => `  ${name}: { name: ${name}, uri: "https://crm.example/${name}", hook: channel_create }`,
  );
  const users = ['u1', 'u2', 'u3'].map((name) => `  ${name}: ${user(name)}`);
  const head = 'set: office\nmenus: { main: { name: Main } }\n';
  await applySuccessfully(world, `${head}webhooks:\n${hooks.join('\n')}\nusers:\n${users.join('\n')}\n`);
  await world.service('PUT', 'vmboxes', { name: 'One', mailbox: '1' });
  const first = await apply(
    world,
    `${head}users:\n${users.join('\n')}\n`,
    '--prune --yes --max-change-percent 100',
  );
  expect(first.code, first.stderr).toBe(0);
  expect(first.requests.some(({ path }) => path.includes('/callflows'))).toBe(false);
  const run = await apply(world, head, '--prune --yes --max-change-percent 100');
  expect(run.code, run.stderr).toBe(0);
  const lists = run.requests.filter(({ method }) => method === 'GET').map(({ path }) => path.split('?')[0]);
  expect(lists.filter((path) => path?.endsWith('/callflows'))).toHaveLength(1);
  expect(lists.filter((path) => path?.endsWith('/vmboxes'))).toHaveLength(1);
  expect(lists.filter((path) => path?.endsWith('/users'))).toHaveLength(1);
});

test('an undo that would delete referenced objects is refused with --yes', async () => {
  const world = await openWorld();
  await applySuccessfully(world, aliceOnly);
  const id = await readUserId(world, 'alice');
  await world.service('PUT', 'vmboxes', { name: 'Alice', mailbox: '1', owner_id: id });
  const yes = await world.telctl('undo --yes');
  expect(yes.code).toBe(9);
  expect(yes.stderr).toContain('vmbox 1: owner');
  expect(writes(yes)).toEqual([]);
  const forced = await world.telctl('undo --yes --force');
  expect(forced.code, forced.stderr).toBe(0);
  expect(await listUsernames(world)).not.toContain('alice');
});

test('an undo keeps objects that are now protected or managed by another set', async () => {
  const world = await openWorld();
  await applySuccessfully(world, both);
  const [{ run: made }] = JSON.parse((await world.telctl('apply history -o json')).stdout);
  await applySuccessfully(world, both.replace('username: alice,', 'protect: true, username: alice,'));
  await applySuccessfully(world, `set: other\nusers: { bob: ${user('bob')} }`, '--take-over');
  const run = await world.telctl(`undo ${made} --yes`);
  expect(run.stderr).toMatch(/user alice: it is protected/);
  expect(run.stderr).toMatch(/user bob: the manifest set "other" manages it/);
  expect(await listUsernames(world)).toEqual(expect.arrayContaining(['alice', 'bob']));
});

test('a set takes objects of another set only on request, and then owns them', async () => {
  const world = await openWorld();
  await applySuccessfully(world, both);
  const other = `set: other\nusers: { bob: ${user('bob').replace('Lane', 'Long')} }`;
  const file = { files: { 'other.yaml': other } };
  const plan = await world.telctl('plan -f other.yaml', file);
  expect(plan.stdout).toContain('1 object is managed by another manifest set: user bob ("office")');
  const refused = await world.telctl('apply -f other.yaml --yes', file);
  expect(refused.code).toBe(9);
  expect(refused.stderr).toContain('--take-over');
  expect(writes(refused)).toEqual([]);
  const no = await world.telctl('apply -f other.yaml --yes', {
    ...file,
    tty: true,
    answers: [{ to: /user bob \("office"\)\. Take over\?/, type: 'n' }],
  });
  expect(no.code).toBe(130);
  expect(writes(no)).toEqual([]);
  const taken = await world.telctl('apply -f other.yaml --yes', {
    ...file,
    tty: true,
    answers: [{ to: /Take over\?/, type: 'y' }],
  });
  expect(taken.code, taken.stderr).toBe(0);
  // The previous owner does not delete him, and reports the new owner.
  const pruned = await apply(world, aliceOnly, '--prune --yes --max-change-percent 100');
  expect(pruned.code, pruned.stderr).toBe(0);
  expect(await listUsernames(world)).toContain('bob');
  expect((await apply(world, both, '--yes')).code).toBe(9);
  // The new owner may delete objects that the previous owner created.
  const gone = await world.telctl('apply -f other.yaml --prune --yes', {
    files: { 'other.yaml': 'set: other\nmenus: { main: { name: Main } }' },
  });
  expect(gone.code, gone.stderr).toBe(0);
  expect(await listUsernames(world)).not.toContain('bob');
});

test('unchanged objects are not taken over silently', async () => {
  const world = await openWorld();
  await applySuccessfully(world, both);
  const same = { files: { 'other.yaml': both.replace('set: office', 'set: other') } };
  expect((await world.telctl('apply -f other.yaml --yes', same)).code).toBe(0);
  const before = await world.telctl('apply -f other.yaml --yes --prune', {
    files: { 'other.yaml': 'set: other\nmenus: { main: { name: Main } }' },
  });
  expect(before.code).toBe(9);
  expect(await listUsernames(world)).toContain('bob');
  expect((await world.telctl('apply -f other.yaml --yes --take-over', same)).code).toBe(0);
  const own = await apply(world, both.replace('bob, last', 'rob, last').replace('Lane', 'Long'), '--yes');
  expect(own.code).toBe(9);
});

test('a protected account or one with protected objects is not pruned', async () => {
  const world = await openWorld();
  const account = 'accounts: { north: { name: north, realm: north.example } }\n';
  const inside = `---
account: "\${accounts.north}"
menus: { main: { name: Main, protect: true } }
`;
  await applySuccessfully(world, `set: tree\nmenus: { main: { name: Main } }\n${account}${inside}`);
  const run = await apply(world, 'set: tree\nmenus: { main: { name: Main } }\n', '--prune --yes --force');
  expect(run.code).toBe(9);
  expect(run.stderr).toContain('is protected by the manifest set "tree" (menus.main)');
  expect(writes(run)).toEqual([]);
});

/** Creates accounts whose users were created with one manifest. */
async function createFleet(count: number, names: readonly string[]): Promise<World> {
  const world = await openWorld();
  for (let index = 0; index < count; index += 1)
    await world.telctl(`accounts create --name branch${index} --realm branch${index}.example`);
  const list = Array.from({ length: count }, (_, index) => `branch${index}`).join('\n');
  const text = `set: branch\nmenus: { main: { name: Main } }\nusers:\n${names.map((name) => `  ${name}: ${user(name)}`).join('\n')}\n`;
  const run = await world.telctl('apply -f branch.yaml --accounts all.txt --yes', {
    files: { 'branch.yaml': text, 'all.txt': list },
  });
  expect(run.code, run.stderr).toBe(0);
  return world;
}

test('deletions are counted over all accounts of a run', async () => {
  const world = await createFleet(6, ['one', 'two']);
  const pruned = { files: { 'branch.yaml': 'set: branch\nmenus: { main: { name: Main } }\n' } };
  const line = 'apply -f branch.yaml --accounts all.txt --prune --yes --max-change-percent 100';
  const refused = await world.telctl(line, pruned);
  expect(refused.code).toBe(9);
  expect(refused.stderr).toContain('The plan deletes 12 objects of 6 accounts. The limit is 10.');
  expect(refused.stderr).toContain('--max-deletes-total 12');
  expect(writes(refused)).toEqual([]);
  const plan = await world.telctl('plan -f branch.yaml --accounts all.txt --prune');
  expect(plan.stdout).toContain('apply would refuse this: The plan deletes 12 objects of 6 accounts');
  // The limit per account still applies.
  expect((await world.telctl(`${line} --max-deletes 1 --max-deletes-total 99`)).code).toBe(9);
  const permitted = await world.telctl(`${line} --max-deletes-total 12`);
  expect(permitted.code, permitted.stderr).toBe(0);
});

test('changes are counted over all accounts of a run', async () => {
  const world = await createFleet(5, ['one']);
  const changed = `set: branch\nmenus: { main: { name: Main, retries: 5 } }\nusers: { one: ${user('one')} }\n`;
  const files = { files: { 'branch.yaml': changed } };
  const line = 'apply -f branch.yaml --accounts all.txt --yes';
  const refused = await world.telctl(line, files);
  expect(refused.code).toBe(9);
  expect(refused.stderr).toContain('5 of 10 existing objects of 5 accounts (50 %). The limit is 30 %');
  expect(writes(refused)).toEqual([]);
  const permitted = await world.telctl(`${line} --max-change-percent 50`, files);
  expect(permitted.code, permitted.stderr).toBe(0);
});

test('accounts of one manifest are counted together', async () => {
  const world = await openWorld();
  const names = ['a', 'b', 'c'];
  const users = (count: number): string =>
    Array.from({ length: count }, (_, index) => `u${index}: ${user(`u${index}`)}`).join(', ');
  const accounts = `accounts: { ${names.map((name) => `${name}: { name: ${name}, realm: ${name}.example }`).join(', ')} }\n`;
  const text = (count: number): string =>
    `set: tree\n${accounts}${names
      .map(
        (name) =>
          `---\naccount: "\${accounts.${name}}"\nmenus: { main: { name: Main } }\nusers: { ${users(count)} }\n`,
      )
      .join('')}`;
  await applySuccessfully(world, text(4));
  const options = '--prune --yes --max-deletes 4 --max-change-percent 100';
  const run = await apply(world, text(0), options);
  expect(run.code).toBe(9);
  expect(run.stderr).toContain('deletes 12 objects of 4 accounts. The limit is 10');
  const permitted = await apply(world, text(0), `${options} --max-deletes-total 12`);
  expect(permitted.code, permitted.stderr).toBe(0);
});
