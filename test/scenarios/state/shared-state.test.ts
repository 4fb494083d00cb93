import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestFolders } from '../../support/fake-host.ts';
import type { FaultRule } from '../../support/faults.ts';
import { postgresServer } from '../../support/postgres.ts';
import { openWorld, type Run, type RunOptions, testFolders, type World } from '../../support/world.ts';

const server = await postgresServer();

/** A machine that shares its state with others. */
type Machine = (line: string | readonly string[], options?: RunOptions) => Promise<Run>;

const env = { TELCTL_STATE_PASSWORD: server.password };

/**
 * Creates two machines of a team with their own folders, signed in to one service. Returns them with the URL of their
 * state.
 */
async function openTeam(): Promise<{
  readonly world: World;
  readonly url: string;
  readonly alice: Machine;
  readonly bob: Machine;
  readonly bobs: TestFolders;
}> {
  const [world, url] = await Promise.all([openWorld(), server.database()]);
  const bobs = testFolders();
  const common = { ...env, TELCTL_STATE: url };
  const alice: Machine = (line, options) =>
    world.telctl(line, { ...options, env: { ...common, ...options?.env } });
  const bob: Machine = (line, options) =>
    world.telctl(line, { ...options, folders: bobs, env: { ...common, ...options?.env } });
  const login = ['login', '--profile', 'test', '--base-url', world.url, '--account-name', 'acme'];
  const signedIn = await bob([...login, '--username', 'admin', '--password-stdin'], {
    stdin: world.seed.adminPassword,
  });
  expect(signedIn.code, signedIn.stderr).toBe(0);
  return { world, url, alice, bob, bobs };
}

const office = (...names: readonly string[]): string =>
  `users:\n${names.map((name) => `  ${name}: { username: ${name}, first_name: ${name}, last_name: Test, password: Secret-${name}-1 }\n`).join('')}`;

test('the tests use the PostgreSQL server from npm', async () => {
  const [programs] = await server.query(
    await server.database(),
    "SELECT setting FROM pg_config WHERE name = 'BINDIR'",
  );
  expect(programs?.setting).toMatch(/telctl-pg-\w+\/native\/bin$/);
});

test('a second machine prunes, logs and reverts what the first applied', async () => {
  const { world, alice, bob } = await openTeam();
  const files = { 'office.yaml': office('anna', 'berta') };
  const first = await alice('apply -f office.yaml --yes', { files });
  expect(first.code, first.stderr).toBe(0);
  const second = await bob('apply -f office.yaml --prune --yes', {
    files: { 'office.yaml': office('anna') },
  });
  expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('deleted user berta')]);
  const log = await alice('log -o json');
  expect(JSON.parse(log.stdout).map(({ id, user }: { id: string; user: string }) => [id, user])).toEqual([
    ['2', 'admin'],
    ['1', 'admin'],
  ]);
  // The password of a deleted user is unknown.
  const undone = await alice('undo 2 --yes');
  expect([undone.code, undone.stderr]).toEqual([8, expect.stringContaining('created user berta')]);
  expect((await world.telctl('users list -o name')).stdout).toContain('berta');
});

test('an interrupted apply is resumed from another machine with another folder name', async () => {
  const { alice, bob, world } = await openTeam();
  const files = { 'office.yaml': office('anna', 'berta', 'carla') };
  const creates = { method: 'PUT', path: /users$/, times: 1 };
  const faults: readonly FaultRule[] = [
    { fault: { kind: 'pass' }, ...creates },
    {
      fault: {
        kind: 'answer',
        status: 400,
        body: '{"data":{"message":"no"},"error":"400","status":"error"}',
      },
      ...creates,
    },
  ];
  const cut = await alice('apply -f office.yaml --yes --concurrency 1', { files, faults });
  expect(cut.code).toBe(8);
  const resumed = await bob('apply --resume --yes', { files });
  expect(resumed.code, resumed.stderr).toBe(0);
  const names = (await world.telctl('users list -o name')).stdout;
  for (const name of ['anna', 'berta', 'carla'])
    expect(names.split('\n').filter((each) => each === name)).toHaveLength(1);
});

test('a plan saved on one machine is applied by another', async () => {
  const { alice, bob } = await openTeam();
  const files = { 'office.yaml': office('anna') };
  expect((await alice('plan -f office.yaml --out office.plan', { files })).code).toBe(0);
  const run = await bob('apply office.plan --yes', { files });
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('created user anna')]);
});

test('two concurrent applies from two machines create each object once', async () => {
  const { alice, bob, world } = await openTeam();
  const files = { 'office.yaml': office('anna', 'berta', 'carla', 'dora') };
  const runs = await Promise.all([
    alice('apply -f office.yaml --yes', { files }),
    bob('apply -f office.yaml --yes', { files }),
  ]);
  for (const { code, stderr } of runs) expect(code, stderr).toBe(0);
  expect(
    runs
      .map(({ stderr }) => stderr)
      .join('')
      .match(/^created user/gm),
  ).toHaveLength(4);
  expect(
    (await world.telctl('users list -o name')).stdout.match(/^(?:anna|berta|carla|dora)$/gm),
  ).toHaveLength(4);
});

test('a held lock is waited for as long as --wait allows, and its holder is named', async () => {
  const { alice, url, world } = await openTeam();
  const files = { 'office.yaml': office('anna') };
  expect((await alice('apply -f office.yaml --yes', { files })).code).toBe(0);
  const insertLease = (until: string) =>
    server.query(
      url,
      `INSERT INTO telctl.leases VALUES ('${world.url}', '${world.seed.accountId}', 'token', 'pipeline 77@runner (process 12)', '2026-01-02T03:04:05Z', ${until}, 'robot') ON CONFLICT (origin, account) DO UPDATE SET until = excluded.until`,
    );
  await insertLease("now() + interval '1 hour'");
  const kept = await alice('apply -f office.yaml --yes --wait 1s', {
    files: { 'office.yaml': office('anna', 'berta') },
  });
  expect([kept.code, kept.stderr]).toEqual([
    6,
    expect.stringContaining(
      'still running (robot [pipeline 77@runner (process 12)], since 2026-01-02 03:04:05Z). Nothing was changed.',
    ),
  ]);
  await insertLease('now()');
  const run = await alice('apply -f office.yaml --yes --wait 1s');
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('created user berta')]);
});

test('a holder that lost its lock stops before its next write and names the new holder', async () => {
  const { alice, url, world } = await openTeam();
  const files = { 'office.yaml': office('anna', 'berta', 'carla') };
  const takeLock = async (): Promise<void> => {
    await server.query(
      url,
      "UPDATE telctl.leases SET token = 'other', holder = 'bob@desk (process 9)', writer = 'bob'",
    );
  };
  const faults: readonly FaultRule[] = [
    { fault: { kind: 'meanwhile', does: takeLock }, method: 'PUT', path: /users$/, times: 1 },
  ];
  const run = await alice('apply -f office.yaml --yes --concurrency 1', { files, faults });
  expect([run.code, run.stderr]).toEqual([
    8,
    expect.stringMatching(
      /The lock on account \w+ was lost: .*bob \[bob@desk \(process 9\)\] has held it since .*Nothing more was sent\./,
    ),
  ]);
  expect((await world.telctl('users list -o name')).stdout.match(/^(?:anna|berta|carla)$/gm)).toHaveLength(1);
});

test('a state password in an argument or file is refused, and none is shown', async () => {
  const { alice, world, url } = await openTeam();
  const withPassword = url.replace('owner@', `owner:${server.password}@`);
  const onLine = await world.telctl(['users', 'list', '--state', withPassword]);
  expect([onLine.code, onLine.stderr]).toEqual([2, expect.stringContaining('--state contains a password')]);
  const inFile = await world.telctl('users list', { files: { '.telctl.yaml': `state: ${withPassword}\n` } });
  expect([inFile.code, inFile.stderr]).toEqual([2, expect.stringContaining('contains a password')]);
  writeFileSync(join(world.folders.cwd, '.telctl.yaml'), '');
  const byVariable = await world.telctl('log', { env: { TELCTL_STATE: withPassword } });
  expect(byVariable.code, byVariable.stderr).toBe(0);
  const explained = await world.telctl('config explain -o json', { env: { TELCTL_STATE: withPassword } });
  const command = await world.telctl('log', {
    env: { TELCTL_STATE: url, TELCTL_STATE_PASSWORD_COMMAND: `printf ${server.password}` },
  });
  expect(command.code, command.stderr).toBe(0);
  const open = await world.telctl(['log', '--state', 'postgres://u@db.example/x?sslmode=disable']);
  expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('leaves TLS out')]);
  const all = [onLine, inFile, byVariable, explained, command]
    .map(({ stdout, stderr }) => stdout + stderr)
    .join('');
  expect(all).not.toContain(server.password);
  expect((await alice('log')).code).toBe(0);
});

test('TLS is verified with the CA file of the settings', async () => {
  const { world, url } = await openTeam();
  const { authority } = await import('../../support/certificates.ts');
  const common = { ...env, TELCTL_STATE: `${url}?sslmode=verify-full` };
  const unknown = await world.telctl('log', { env: common });
  expect(unknown.code).toBe(75);
  const known = await world.telctl(['log', '--ca-file', join(world.folders.cwd, 'ca.pem')], {
    env: common,
    files: { 'ca.pem': authority },
  });
  expect(known.code, known.stderr).toBe(0);
});

test('a state named in .telctl.yaml is used only when trusted', async () => {
  const { world, url } = await openTeam();
  const files = { '.telctl.yaml': `state: ${url}\n` };
  const refused = await world.telctl('log', { files, env });
  expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining(`telctl state trust ${url}`)]);
  const no = await world.telctl('log', { env, tty: true, answers: [{ to: 'Do you trust', type: 'n' }] });
  expect(no.code).toBe(9);
  const trusted = await world.telctl(['state', 'trust', url]);
  expect(trusted.code, trusted.stderr).toBe(0);
  expect((await world.telctl('log', { env })).code).toBe(0);
  // Reading a list does not need the state.
  expect((await world.telctl('users list')).code).toBe(0);
});

test('a state moves from files to a database and back with numbers and ledgers', async () => {
  const { world, url, bob } = await openTeam();
  const files = { 'office.yaml': office('anna', 'berta') };
  for (const line of ['apply -f office.yaml --yes', 'users patch anna --first-name Anne'])
    expect((await world.telctl(line, { files })).code).toBe(0);
  const before = (await world.telctl('log -o json')).stdout;
  const own = `file:${join(world.folders.home, '.local/state/telctl')}`;
  const migrated = await world.telctl(['state', 'migrate', '--from', own, '--to', url], { env });
  expect(migrated.code, migrated.stderr).toBe(0);
  expect((await bob('log -o json')).stdout).toBe(before);
  const pruned = await bob('apply -f office.yaml --prune --overwrite --yes', {
    files: { 'office.yaml': office('anna') },
  });
  expect([pruned.code, pruned.stderr]).toEqual([0, expect.stringContaining('deleted user berta')]);
  const again = await world.telctl(['state', 'migrate', '--from', own, '--to', url], { env });
  expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('Nothing was copied')]);
  const back = await world.telctl(['state', 'migrate', '--from', url, '--to', 'file:back'], { env });
  expect(back.code, back.stderr).toBe(0);
  const there = await world.telctl('log -o json --state file:back');
  expect(JSON.parse(there.stdout)).toHaveLength(3);
});

test('state list, show and forget cover what is managed and by whom', async () => {
  const { alice, world } = await openTeam();
  const files = { 'office.yaml': office('anna', 'berta') };
  expect((await alice('apply -f office.yaml --yes', { files })).code).toBe(0);
  const list = await alice('state list -o json');
  expect(JSON.parse(list.stdout)).toEqual([
    {
      account: 'acme',
      account_id: world.seed.accountId,
      service: world.url,
      sets: ['office.yaml'],
      objects: 2,
      locked_by: null,
      behind: null,
    },
  ]);
  const show = await alice('state show acme -o json');
  expect(
    JSON.parse(show.stdout).map(({ key, origin }: { key: string; origin: string }) => [key, origin]),
  ).toEqual([
    ['users.anna', 'created'],
    ['users.berta', 'created'],
  ]);
  const unasked = await alice('state forget acme users.anna');
  expect(unasked.code).toBe(2);
  const forgotten = await alice('state forget acme users.anna --yes');
  expect(forgotten.code, forgotten.stderr).toBe(0);
  expect(JSON.parse((await alice('state show acme -o json')).stdout)).toHaveLength(1);
  expect((await alice('state forget acme users.nobody --yes')).code).toBe(5);
  expect((await alice('state show nowhere')).code).toBe(5);
  expect((await world.telctl('users list -o name')).stdout).toContain('anna');
});

test('undo of a run of another user says so, and needs the run id without a terminal', async () => {
  const { alice, bob } = await openTeam();
  const pipeline = { CI_PIPELINE_ID: '812', CI: '' };
  const files = { 'office.yaml': office('anna') };
  expect((await bob('apply -f office.yaml --yes', { files, env: pipeline })).code).toBe(0);
  const unnamed = await alice('undo --yes');
  expect([unnamed.code, unnamed.stderr]).toEqual([
    2,
    expect.stringContaining('The last run, 1, is not yours: owner [ci:pipeline 812] made it.'),
  ]);
  const asked = await alice('undo', {
    tty: true,
    answers: [{ to: 'by owner [ci:pipeline 812] in acme?', type: 'n' }],
  });
  expect(asked.code).toBe(130);
  const named = await alice('undo 1 --yes');
  expect([named.code, named.stderr]).toEqual([0, expect.stringContaining('run 1 is not yours')]);
  const listIds = async (line: string) =>
    JSON.parse((await alice(`log -o json ${line}`)).stdout).map(({ id }: { id: string }) => id);
  expect(await listIds('--pipeline 812')).toEqual(['1']);
  expect(await listIds('--object ANNA')).toEqual(['2', '1']);
  expect(await listIds('--object nobody')).toEqual([]);
});

test('log --follow shows changes of other machines once, oldest first, and stops with Ctrl-C', async () => {
  const { alice, bob } = await openTeam();
  const files = { 'office.yaml': office('anna') };
  expect((await bob('apply -f office.yaml --yes', { files })).code).toBe(0);
  const ending = new AbortController();
  let next: Promise<Run> | undefined;
  const run = await alice('log --follow -o ndjson', {
    interrupted: ending.signal,
    shown(text) {
      next ??= bob('users patch anna --first-name Anne');
      if (text.split('\n').filter(Boolean).length >= 2) ending.abort();
    },
  });
  expect((await next)?.code).toBe(0);
  expect(run.code, run.stderr).toBe(0);
  const ids = run.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id);
  expect(ids).toEqual(['1', '2']);
});
