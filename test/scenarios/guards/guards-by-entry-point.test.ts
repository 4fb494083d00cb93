import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

// Each guard at each entry point: commands, addresses, assistants, undo and rollouts.

const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request));

const office = `set: office
users:
  alice: { username: alice, first_name: Alice, last_name: Archer, password: Secret-1x }
devices:
  desk: { name: Desk, owner_id: "\${users.alice}", protect: true, sip: { username: desk, password: Quay-Heron-4171 } }
menus:
  main: { name: Main, protect: true }
  other: { name: Other }
`;

/** Creates a world with an account below it. One run has created menus and phones, and some of them are protected. */
async function openProtectedWorld() {
  const world = await openWorld();
  await world.telctl('accounts create --name branch --realm branch.example');
  const applied = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': office } });
  expect(applied.code, applied.stderr).toBe(0);
  const listJson = async (line: string): Promise<readonly JsonObject[]> =>
    JSON.parse((await world.telctl(`${line} -o json`)).stdout);
  const findId = async (line: string, name: string): Promise<string> =>
    String((await listJson(line)).find((each) => each.name === name)?.id);
  const ids = {
    MENU: await findId('menus list', 'Main'),
    PHONE: await findId('devices list', 'Desk'),
    BRANCH: await findId('accounts list', 'branch'),
    HOST: new URL(world.url).hostname,
  };
  const fillPlaceholders = (text: string): string =>
    Object.entries(ids).reduce((said, [word, id]) => said.replaceAll(word, id), text);
  return { world, listed: listJson, filled: fillPlaceholders };
}

/** Calls a tool as an assistant with write permission. Returns its exit code. */
async function callAsAssistant(world: World, name: string, args: JsonObject): Promise<unknown> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const run = world.telctl('mcp --allow-writes', { peer: { stdin, stdout } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioServerTransport(stdout, stdin));
  const { isError } = await client.callTool({ name, arguments: { ...args } });
  stdin.end();
  await run;
  return isError;
}

describe('an object protected by a manifest survives', () => {
  test.each([
    'menus delete Main --yes --force',
    'devices delete Desk --yes --force',
    'users offboard alice --yes',
    'api DELETE /v2/accounts/{account_id}/%6denus/MENU --yes --force',
    'api DELETE /V2//accounts/{account_id}/Menus/MENU/ --yes --force',
    'api DELETE /v2/accounts/{account_id}/menus/MENU?should_soft_delete=false --yes',
    'api DELETE /v2/accounts/{account_id} --yes --force --confirm acme',
    'api DELETE /v2/accounts/{account_id}/menus/MENU --dry-run',
  ])('%s', async (line) => {
    const { world, filled } = await openProtectedWorld();
    const run = await world.telctl(filled(line));
    expect([run.code, run.stderr]).toEqual([9, expect.stringMatching(/protect/)]);
    expect(writes(run)).toEqual([]);
  });

  test('undo --yes --force --overwrite', async () => {
    const { world, listed } = await openProtectedWorld();
    const run = await world.telctl('undo --yes --force --overwrite');
    expect(run.code).toBe(8);
    expect(await listed('menus list')).toEqual([expect.objectContaining({ name: 'Main' })]);
    expect(await listed('devices list')).toEqual([expect.objectContaining({ name: 'Desk' })]);
  });

  test('an assistant', async () => {
    const { world, listed } = await openProtectedWorld();
    const options = { yes: true, force: true };
    expect(await callAsAssistant(world, 'menus', { verb: 'delete', arguments: ['Main'], options })).toBe(
      true,
    );
    expect((await listed('menus list')).map(({ name }) => name)).toContain('Main');
  });

  test('rollout undo', async () => {
    const { world } = await openProtectedWorld();
    const files = {
      'b.yaml': 'set: b\nmenus: { main: { name: Main, protect: true }, x: { name: X } }\n',
      'b.csv': 'account\nbranch\n',
    };
    const start = await world.telctl('rollout start -f b.yaml --accounts b.csv --yes', { files });
    expect(start.code, start.stderr).toBe(0);
    const run = await world.telctl('rollout undo 1 --yes --force --overwrite');
    expect(run.code, run.stderr).toBe(8);
    const left = JSON.parse((await world.telctl('menus list --account branch -o json')).stdout);
    expect(left).toEqual([expect.objectContaining({ name: 'Main' })]);
  });
});

describe('accounts, keys and the system secret need the typed name', () => {
  const reset = '{"action": "reset_signature_secret", "data": {}}';
  test.each([
    ['accounts delete branch --yes --confirm other', '', 9],
    ['api DELETE /v2/accounts/BRANCH --yes --confirm other', '', 9],
    ['api DELETE /v2/%61ccounts/BRANCH --yes', '', 2],
    ['api POST /v2/accounts/BRANCH -f - --yes', '{"verb": "delete", "data": {}}', 2],
    ['api PUT /v2/auth -f - --yes', reset, 2],
    ['api PUT /v2/auth/ -f - --yes --force', reset, 2],
    ['api PUT /v2/auth?action=reset_signature_secret --yes', '', 2],
    ['api PUT /auth -f - --yes', '{"Action": "reset_signature_secret", "data": {}}', 2],
    ['api PUT /v2/auth -f - --yes --confirm other', reset, 9],
    ['api PUT /v2/auth/keys/MENU -f - --yes', '{"action": "reset_private_key", "data": {}}', 2],
    ['api PUT /v2/accounts/{account_id}/auth -f - --confirm other', reset, 9],
  ])('%s %s', async (line, stdin, code) => {
    const { world, filled, listed } = await openProtectedWorld();
    const run = await world.telctl(filled(line), { stdin });
    expect([run.code, writes(run)], run.stderr).toEqual([code, []]);
    expect(await listed('accounts list')).toEqual([expect.objectContaining({ name: 'branch' })]);
  });

  test.each([
    ['api DELETE /v2/accounts/BRANCH --confirm branch', ''],
    ['api PUT /v2/accounts/{account_id}/auth -f - --confirm acme', reset],
    ['api PUT /v2/accounts/{account_id}/auth -f - --yes', reset],
  ])('%s runs with it', async (line, stdin) => {
    const { world, filled } = await openProtectedWorld();
    const run = await world.telctl(filled(line), { stdin });
    expect(run.code, run.stderr).toBe(0);
    expect(writes(run)).toHaveLength(1);
  });

  test('undo --yes --force keeps an account that its run created', async () => {
    const { world, listed } = await openProtectedWorld();
    const files = { 'a.yaml': 'accounts: { north: { name: north, realm: north.example } }' };
    expect((await world.telctl('apply -f a.yaml --yes', { files })).code).toBe(0);
    const run = await world.telctl('undo --yes --force --overwrite');
    expect([run.code, writes(run)], run.stderr).toEqual([6, []]);
    expect((await listed('accounts list')).map(({ name }) => name)).toContain('north');
  });

  test('assistants cannot do it', async () => {
    const { world, filled, listed } = await openProtectedWorld();
    const options = { yes: true, force: true, confirm: 'branch' };
    const path = filled('/v2/accounts/BRANCH');
    for (const more of [options, { yes: true }])
      expect(
        await callAsAssistant(world, 'run_command', {
          command: 'api',
          arguments: ['DELETE', path],
          options: more,
        }),
      ).toBe(true);
    expect(await listed('accounts list')).toHaveLength(1);
  });
});

describe('lockout', () => {
  test('a rollout does not remove the last administrator of an account', async () => {
    const { world } = await openProtectedWorld();
    const files = {
      'u.yaml': 'set: u\nusers: { boss: { username: boss, priv_level: user } }\n',
      'b.csv': 'account\nbranch\n',
    };
    const boss = { username: 'boss', first_name: 'Bo', last_name: 'Boss', priv_level: 'admin' };
    const made = await world.telctl('users create -f boss.json --account branch', {
      files: { 'boss.json': JSON.stringify({ ...boss, password: 'First-Sign-In' }) },
    });
    expect(made.code, made.stderr).toBe(0);
    const run = await world.telctl('rollout start -f u.yaml --accounts b.csv --yes --force', { files });
    expect([run.code === 0, writes(run)], run.stderr).toEqual([false, []]);
    expect(run.stdout + run.stderr).toContain('no other administrator is left');
  });

  test('an assistant cannot change roles or delete the signed-in user', async () => {
    const { world, listed } = await openProtectedWorld();
    const options = { yes: true, force: true, confirm: 'admin' };
    const verbs = [
      ['delete', {}],
      ['patch', { 'priv-level': 'user' }],
      ['disable', {}],
    ] as const;
    for (const [verb, more] of verbs)
      expect(
        await callAsAssistant(world, 'users', {
          verb,
          arguments: ['admin'],
          options: { ...options, ...more },
        }),
        verb,
      ).toBe(true);
    const [admin] = (await listed('users list')).filter(({ username }) => username === 'admin');
    expect(admin).toMatchObject({ priv_level: 'admin', enabled: true });
  });
});

test('a running command is not reverted', async () => {
  const { world, listed } = await openProtectedWorld();
  const runs: Run[] = [];
  const tryUndo = async () => {
    // Runs as another process of this machine.
    for (const line of ['undo --yes --force --overwrite', 'undo 3 --yes --force --overwrite'])
      runs.push(await world.telctl(line, { processes: { pid: 1 } }));
  };
  const files = { 'more.yaml': 'set: more\nmenus: { one: { name: One }, two: { name: Two } }\n' };
  const apply = await world.telctl('apply -f more.yaml --yes --concurrency 1', {
    files,
    faults: [
      { method: 'PUT', path: /menus$/, times: 1, fault: { kind: 'pass' } },
      { method: 'PUT', path: /menus$/, times: 1, fault: { kind: 'meanwhile', does: tryUndo } },
    ],
  });
  expect(apply.code, apply.stderr).toBe(0);
  for (const run of runs) expect([run.code === 0, writes(run)], run.stderr).toEqual([false, []]);
  expect((await listed('menus list')).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Main', 'Other', 'One', 'Two']),
  );
});

test('a new API key replaces the stored one for every form of the request', async () => {
  for (const line of [
    'api POST /v2/accounts/{account_id}/api_key --yes',
    'api POST /accounts/{account_id}/api_key/ --yes',
  ]) {
    const world = await openWorld();
    const run = await world.telctl(line);
    expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
    expect(run.stdout + run.stderr).toContain('stored in profile "test"');
    const { api_key: key } = await world.service('GET', 'api_key');
    expect(key).not.toBe(world.seed.apiKey);
    expect(run.stdout + run.stderr).not.toContain(String(key));
    // The profile signs in with the new key.
    world.clock.turn(2 * 3_600_000);
    expect((await world.telctl('users list')).code).toBe(0);
    const shown = await world.telctl(`${line} --reveal -o json`);
    expect(shown.stdout).toContain(String((await world.service('GET', 'api_key')).api_key));
  }
});

test('a referenced record is deleted by path only with --force', async () => {
  const world = await openWorld();
  const { id } = await world.service('PUT', 'menus', { name: 'Used' });
  const flow = { module: 'menu', data: { id: String(id) }, children: {} };
  await world.service('PUT', 'callflows', { name: 'Main', numbers: ['2001'], flow });
  const line = `api DELETE /v2/accounts/{account_id}/menus/${String(id)} --yes`;
  const run = await world.telctl(line);
  expect([run.code, writes(run)], run.stderr).toEqual([9, []]);
  expect((await world.telctl(`${line} --force`)).code).toBe(0);
});

test('charges of a raw request are confirmed like those of its command', async () => {
  const world = await openWorld();
  const line = 'api POST /v2/accounts/{account_id}/limits -f - --yes';
  const stdin = '{"data": {"inbound_trunks": 3}}';
  expect((await world.telctl(line, { stdin })).code).toBe(7);
  for (const body of [
    '{"data": {"accept_charges": true}}',
    '{"ACCEPT_CHARGES": true, "data": {}}',
    '{"data": {"Accept_Charges": true}}',
  ])
    expect((await world.telctl(line, { stdin: body })).code).toBe(2);
  const budget = await world.telctl(`${line} --accept-charges-up-to 30`, { stdin });
  expect(budget.code, budget.stderr).toBe(0);
});

test('an unknown operation is treated as an ordinary write', async () => {
  const world = await openWorld();
  const run = await world.telctl('api PUT /v2/accounts/{account_id}/unheard_of');
  expect([run.code, writes(run).map(({ method }) => method)]).toEqual([5, ['PUT']]);
});
