import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { postgresServer } from '../../support/postgres.ts';
import { openWorld, type World } from '../../support/world.ts';

const server = await postgresServer();
const secret = 'member-Secret-1';

/**
 * The SQL of docs/teams.md: for the administrator who creates users, for the owner, and for the owner after the jobs
 * exist.
 */
const [users = '', rights = '', jobs = ''] = [
  ...readFileSync('docs/teams.md', 'utf8').matchAll(/```sql\n([^`]+)/g),
].map(([, text = '']) => text.replaceAll("'...'", `'${secret}'`));

beforeAll(async () => {
  const admin = `postgres://owner@127.0.0.1:${server.port}/postgres`;
  // The administrator's user creation from the page. Its database creation runs in each test.
  await server.query(admin, `CREATE ROLE telctl LOGIN PASSWORD '${secret}'; ${users}`);
});

/** Creates a world, and a database owned by the user `telctl`, who has no other rights on the server. */
async function openTeam() {
  const [world, made] = await Promise.all([openWorld(), server.database()]);
  await server.query(made, `ALTER DATABASE ${made.split('/').at(-1)} OWNER TO telctl`);
  const urlFor = (user: string): string => made.replace('owner@', `${user}@`);
  const environmentFor = (user: string) => ({ TELCTL_STATE: urlFor(user), TELCTL_STATE_PASSWORD: secret });
  const runSql = (user: string, text: string) =>
    server.query(urlFor(user).replace('@', `:${secret}@`), text).then(
      () => 'done',
      (error: unknown) => String(error),
    );
  return { world, by: environmentFor, sql: runSql, superuser: made };
}

/** Creates the tables and grants the rights with the SQL of the page. */
async function openTeamWithRights() {
  const found = await openTeam();
  const { world, by, sql } = found;
  for (const line of ['state list', 'rollout worker --idle 10ms']) {
    const run = await world.telctl(line, { env: by('telctl') });
    expect(run.code, run.stderr).toBe(0);
  }
  for (const text of [rights, jobs]) expect(await sql('telctl', text)).toBe('done');
  return found;
}

const office = (...names: readonly string[]): string =>
  `menus:\n${names.map((name) => `  ${name}: { name: ${name} }\n`).join('')}`;

const parseIds = (stdout: string): readonly string[] =>
  JSON.parse(stdout).map(({ id }: { readonly id: string }) => id);

/** All rights of roles on tables. Everything else must be refused. */
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  auditor: { version: 'SELECT', runs: 'SELECT', lines: 'SELECT', settled: 'SELECT' },
  pipeline: {
    version: 'SELECT',
    runs: 'SELECT',
    lines: 'SELECT',
    settled: 'SELECT',
    leases: 'SELECT',
    ledgers: 'SELECT INSERT UPDATE',
    entries: 'SELECT INSERT UPDATE DELETE',
    plans: 'SELECT INSERT UPDATE',
    rollouts: 'SELECT INSERT UPDATE',
    rollout_accounts: 'SELECT INSERT UPDATE',
  },
};

test('each role can do exactly what the table of the page lists, on every table and function', async () => {
  const { superuser } = await openTeamWithRights();
  for (const [role, expected] of Object.entries({ ...allowed, worker: allowed.pipeline })) {
    const rows = await server.query(
      superuser,
      `SELECT tablename AS name, string_agg(right_, ' ' ORDER BY place) AS rights
       FROM pg_tables, unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,TRIGGER}'::text[]) WITH ORDINALITY AS all_ (right_, place)
       WHERE schemaname = 'telctl' AND (has_table_privilege('${role}', 'telctl.' || tablename, right_)
         OR right_ IN ('SELECT', 'INSERT', 'UPDATE') AND has_any_column_privilege('${role}', 'telctl.' || tablename, right_))
       GROUP BY tablename`,
    );
    expect(Object.fromEntries(rows.map(({ name, rights: words }) => [name, words]))).toEqual(expected);
    const functions = await server.query(
      superuser,
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'telctl'::regnamespace
       AND has_function_privilege('${role}', oid, 'EXECUTE') ORDER BY 1`,
    );
    expect(functions.map(({ name }) => name).join(' ')).toBe(
      role === 'auditor'
        ? ''
        : 'add_lines begin_run drop_lease end_run keep_run renew_lease settle_run take_lease',
    );
    const more = await server.query(
      superuser,
      `SELECT has_schema_privilege('${role}', 'telctl', 'CREATE') OR has_database_privilege('${role}', current_database(), 'CREATE') AS made,
       has_sequence_privilege('${role}', 'telctl.runs_id_seq', 'USAGE') AS numbers`,
    );
    expect(more).toEqual([{ made: false, numbers: false }]);
  }
});

/** Returns a start line that claims another writer. */
const forgedStartLine = (world: World): string =>
  JSON.stringify({
    ...{ line: 'start', version: 1, run: '1', what: 'command', atMs: 1, pid: 1, part: 1, parts: 1 },
    account: { id: world.seed.accountId, name: 'acme', origin: world.url },
    ...{
      user: 'boss',
      machine: 'desk',
      set: '',
      salt: '',
      inputs: [],
      options: {},
      steps: [],
      command: 'users delete',
    },
  }).replaceAll("'", "''");

const addLine = (run: string, number: number, line: string): string =>
  `SELECT telctl.add_lines('{${run}}', '{${number}}', '{null}', '{null}', '{null}', '${line}', '{false}', '{}', '{boss@desk}', '{null}')`;

test('author and time come from the database, whatever a pipeline writes', async () => {
  const { world, by, sql, superuser } = await openTeamWithRights();
  const files = { 'office.yaml': office('anna') };
  const first = await world.telctl('apply -f office.yaml --yes', { files, env: by('telctl') });
  expect(first.code, first.stderr).toBe(0);
  const before = Date.now();
  expect(await sql('pipeline', 'SELECT telctl.begin_run(1)')).toBe('done');
  expect(await sql('pipeline', addLine('2', 1, forgedStartLine(world)))).toBe('done');
  expect(await sql('pipeline', 'SELECT telctl.end_run(2)')).toBe('done');
  const log = JSON.parse((await world.telctl('log -o json', { env: by('auditor') })).stdout);
  expect(log.map(({ id, who, by: user }: Record<string, string>) => [id, who, user])).toEqual([
    ['2', 'pipeline [boss@desk]', 'pipeline'],
    ['1', expect.stringMatching(/^telctl \[admin@/), 'telctl'],
  ]);
  expect(Math.abs(Date.parse(log[0].at) - before)).toBeLessThan(600_000);
  const shown = await world.telctl('log show 2', { env: by('auditor') });
  expect(shown.stdout).toContain('who    pipeline [boss@desk]');
  const listIds = async (line: string) =>
    parseIds((await world.telctl(`log -o json ${line}`, { env: by('auditor') })).stdout);
  expect(await listIds('--by pipeline')).toEqual(['2']);
  expect(await listIds('--by telctl')).toEqual(['1']);
  expect(await listIds('--by boss')).toEqual([]);
  expect(await listIds('--person boss')).toEqual(['2']);
  // A role cannot take over another's run, change its own after the end, or set times and writers.
  const refused = /permission denied|must be owner|row-level security|takes lines of the user that began it/;
  for (const text of [
    addLine('1', 99, '{}'),
    addLine('2', 99, '{}'),
    `INSERT INTO telctl.runs (writer) VALUES ('boss')`,
    `INSERT INTO telctl.lines (run, number, line) VALUES (2, 99, '{}')`,
    `UPDATE telctl.runs SET begun = now()`,
    `UPDATE telctl.runs SET alive = now() WHERE id = 1`,
    `UPDATE telctl.lines SET line = '{}'`,
    'DELETE FROM telctl.lines',
    'DELETE FROM telctl.runs',
    'DELETE FROM telctl.leases',
    'INSERT INTO telctl.settled VALUES (1)',
    'TRUNCATE telctl.lines CASCADE',
    'ALTER TABLE telctl.lines DISABLE ROW LEVEL SECURITY',
    'DELETE FROM telctl.rollouts',
    'SELECT setval($$telctl.runs_id_seq$$, 99)',
    'CREATE TABLE telctl.mine (id int)',
    'SET SESSION AUTHORIZATION telctl',
    'SET ROLE telctl',
  ])
    for (const user of ['pipeline', 'worker', 'auditor'])
      expect([user, text, await sql(user, text)]).toEqual([user, text, expect.stringMatching(refused)]);
  // Setting another role has no effect.
  expect(await sql('pipeline', 'SET ROLE telctl_writer; SELECT telctl.begin_run(1)')).toBe('done');
  expect(await server.query(superuser, 'SELECT writer FROM telctl.runs ORDER BY id')).toEqual([
    { writer: 'telctl' },
    { writer: 'pipeline' },
    { writer: 'pipeline' },
  ]);
  // Ending another's run or taking its lock has no effect.
  expect(await sql('telctl', 'SELECT telctl.begin_run(60000)')).toBe('done');
  expect(await sql('telctl', "SELECT telctl.take_lease('o', 'a', 't', 'me', 60000, '')")).toBe('done');
  for (const text of [
    'SELECT telctl.end_run(4), telctl.keep_run(4, 1), telctl.settle_run(4)',
    "SELECT telctl.drop_lease('t'), telctl.renew_lease('t', 1), telctl.take_lease('o', 'a', 't', 'boss', 60000, 't')",
  ])
    expect(await sql('pipeline', text)).toBe('done');
  expect(await server.query(superuser, 'SELECT closed FROM telctl.runs WHERE id = 4')).toEqual([
    { closed: false },
  ]);
  expect(await server.query(superuser, 'SELECT FROM telctl.settled')).toEqual([]);
  expect(await server.query(superuser, 'SELECT writer, holder FROM telctl.leases')).toEqual([
    { writer: 'telctl', holder: 'me' },
  ]);
  // Changes by a pipeline always record it as the writer.
  for (const text of [
    "UPDATE telctl.entries SET writer = 'boss', written = '2020-01-01'",
    "INSERT INTO telctl.plans (name, plan, writer, written) VALUES ('p', '{}', 'boss', '2020-01-01')",
    "INSERT INTO telctl.rollouts (state, rollout, writer, written) VALUES ('running', '{}', 'boss', '2020-01-01')",
    "UPDATE telctl.rollouts SET writer = 'boss', written = '2020-01-01', changed = '2020-01-01'",
  ])
    expect(await sql('pipeline', text)).toBe('done');
  for (const table of ['entries', 'plans', 'rollouts'])
    expect(
      await server.query(
        superuser,
        `SELECT DISTINCT writer, written > now() - interval '1 day' AS fresh FROM telctl.${table}`,
      ),
    ).toEqual([{ writer: 'pipeline', fresh: true }]);
});

test('undo checks the database user: runs of others must be named to be reverted', async () => {
  const { world, by } = await openTeamWithRights();
  const files = { 'office.yaml': office('anna', 'berta') };
  const applied = await world.telctl('apply -f office.yaml --yes', { files, env: by('pipeline') });
  expect(applied.code, applied.stderr).toBe(0);
  // The user at the service and the machine are the same. Only the database user differs.
  const unnamed = await world.telctl('undo --yes', { env: by('telctl') });
  expect([unnamed.code, unnamed.stderr]).toEqual([
    2,
    expect.stringMatching(/The last run, 1, is not yours: pipeline \[admin@.*\] made it\./),
  ]);
  const asked = await world.telctl('undo', {
    env: by('telctl'),
    tty: true,
    answers: [{ to: 'by pipeline [admin@', type: 'n' }],
  });
  expect(asked.code).toBe(130);
  const own = await world.telctl('undo --yes', { env: by('pipeline') });
  expect(own.code, own.stderr).toBe(0);
  const files2 = await world.telctl('log --by pipeline');
  expect([files2.code, files2.stderr]).toEqual([2, expect.stringContaining('--by selects a database user')]);
});

test('the documented SQL sets up a team whose owner cannot create users, and each role works', async () => {
  const { world, by } = await openTeamWithRights();
  const files = { 'office.yaml': office('anna') };
  const applied = await world.telctl('apply -f office.yaml --yes', { files, env: by('pipeline') });
  expect(applied.code, applied.stderr).toBe(0);
  expect(parseIds((await world.telctl('log -o json', { env: by('auditor') })).stdout)).toEqual(['1']);
  const written = await world.telctl('apply -f office.yaml --yes', { env: by('auditor') });
  expect([written.code, written.stderr]).toEqual([
    9,
    expect.stringContaining('does not allow auditor to do this'),
  ]);
  const below = ['branch-1', 'branch-2'];
  for (const name of below) await world.service('PUT', '', { name, realm: `${name}.acme.example` });
  const begun = await world.telctl(
    'rollout start -f menus.yaml --accounts branches.csv --waves 100% --detach --yes',
    {
      env: by('worker'),
      files: {
        'menus.yaml': 'menus: { main: { name: Main menu } }\n',
        'branches.csv': `account\n${below.join('\n')}\n`,
      },
    },
  );
  expect(begun.code, begun.stderr).toBe(0);
  const worked = await world.telctl('rollout worker --idle 1s', { env: by('worker') });
  expect(worked.code, worked.stderr).toBe(0);
  const shown = JSON.parse((await world.telctl('rollout show 1 -o json', { env: by('worker') })).stdout);
  expect(shown.accounts.map(({ state }: { readonly state: string }) => state)).toEqual(['done', 'done']);
  expect(shown.who).toMatch(/^worker \[.+\]$/);
});

test('before the tables exist, others are told that the owner must create them; unreleased formats are left unchanged', async () => {
  const { world, by, sql } = await openTeam();
  const none = await world.telctl('log', { env: by('pipeline') });
  expect([none.code, none.stderr]).toEqual([
    9,
    expect.stringMatching(
      /has no tables yet\. Its owner must create them\. No changes were made\.\n.*telctl state list/,
    ),
  ]);
  expect((await world.telctl('state list', { env: by('telctl') })).code).toBe(0);
  expect(await sql('telctl', `${rights}; UPDATE telctl.version SET version = version - 1`)).toBe('done');
  const older = await world.telctl('log', { env: by('pipeline') });
  expect([older.code, older.stderr]).toEqual([
    9,
    expect.stringMatching(
      /has tables of a telctl before the first release \(version 3, this telctl supports 4\)\. No changes were made\./,
    ),
  ]);
});
