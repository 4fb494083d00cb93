// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of manifests
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, files } from '../../../src/base/host/files.ts';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import { isSignIn, openWorld, type Run, type RunOptions, type World } from '../../support/world.ts';

const logFolder = ({ folders }: World): string => join(folders.home, '.local/state/telctl/log');

const writes = ({ requests }: Run) => requests.filter((sent) => sent.method !== 'GET' && !isSignIn(sent));

async function runSuccessfully(
  world: World,
  line: string | readonly string[],
  options: RunOptions = {},
): Promise<Run> {
  const run = await world.telctl(line, options);
  expect(run.code, run.stderr).toBe(0);
  return run;
}

async function readJson(world: World, line: string): Promise<readonly JsonObject[]> {
  const value: unknown = JSON.parse((await runSuccessfully(world, `${line} -o json`)).stdout);
  return Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
}

const createUser = (world: World, name = 'ann') =>
  runSuccessfully(
    world,
    `users create --username ${name} --first-name Ann --last-name Archer --password-stdin`,
    {
      stdin: 'first-sign-in',
    },
  );

describe('telctl log', () => {
  test('lists who did what, where and when, newest first, with the result', async () => {
    const world = await openWorld({ signIn: 'password' });
    await createUser(world);
    world.clock.turn(60_000);
    await runSuccessfully(world, 'users patch ann --set timezone=Europe/Zurich --note moved');
    const shown = await runSuccessfully(world, 'log');
    const [head = '', last = '', first = ''] = shown.stdout.split('\n');
    expect(head).toMatch(/^ID +WHEN +WHO +ACCOUNT +WHAT +CHANGED +NOTE/);
    expect(last).toMatch(
      /^2 +2025-01-15 09:01:00Z +admin@\S+ +acme +users patch ann --set 'timezone=…' +timezone \(none\) → Europe\/Zurich +moved/,
    );
    expect(first).toMatch(/^1 +2025-01-15 09:00:00Z +admin@\S+ +acme +users create .* +1 created/);
    expect(shown.requests).toEqual([]);
  });

  test('works without a sign-in, and filters by account, person, command and time', async () => {
    const world = await openWorld({ signIn: 'password' });
    await createUser(world);
    world.clock.turn(1_200_000);
    await runSuccessfully(world, 'users patch ann --set timezone=UTC');
    const listIds = async (line: string) => (await readJson(world, line)).map(({ id }) => id);
    expect(await listIds('log --account acme')).toEqual(['2', '1']);
    expect(await listIds('log --account other')).toEqual([]);
    expect(await listIds('log --person ADMIN')).toEqual(['2', '1']);
    expect(await listIds('log --person bob')).toEqual([]);
    expect(await listIds('log --command create')).toEqual(['1']);
    expect(await listIds('log --since 10m')).toEqual(['2']);
    expect(await listIds('log --until 10m')).toEqual(['1']);
    expect(await listIds('log --limit 1')).toEqual(['2']);
    await runSuccessfully(world, 'logout');
    expect(await listIds('log --limit 0')).toEqual(['2', '1']);
  });

  test('show prints before and after with secrets masked, and deleted records that can be restored', async () => {
    const world = await openWorld();
    await createUser(world);
    await runSuccessfully(world, 'users patch ann --set timezone=UTC');
    await runSuccessfully(world, 'users password ann --password-stdin', { stdin: 'second-sign-in' });
    await runSuccessfully(world, 'users delete ann --yes');
    const changed = await runSuccessfully(world, 'log show 2');
    expect(changed.stdout).toMatch(/~ user ann +request \w+\n +timezone +\(none\) → UTC/);
    expect((await runSuccessfully(world, 'log show 3')).stdout).toMatch(/password +set → set/);
    const [show] = await readJson(world, 'log show 4');
    const [{ before } = {}] = Array.isArray(show?.changes) ? show.changes.filter(isObject) : [];
    expect(before).toMatchObject({ username: 'ann', first_name: 'Ann', timezone: 'UTC' });
    await runSuccessfully(world, ['users', 'create', '-f', '-', '--password-file', 'p'], {
      stdin: JSON.stringify(before),
      files: { p: 'third-sign-in' },
    });
    const wrong = await world.telctl('log show 99');
    expect(wrong.code).toBe(5);
    expect(wrong.stderr).toContain('The log has no run "99".');
    const text = readdirSync(logFolder(world), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(logFolder(world), name), 'utf8'))
      .join('');
    expect(text).not.toMatch(/first-sign-in|second-sign-in|third-sign-in/);
  });

  test('records the pipeline that ran, but no other environment variables', async () => {
    const world = await openWorld();
    const env = { GITHUB_RUN_ID: '812', GITHUB_SHA: 'abc123', GITHUB_ACTOR: 'fay', PLACE: 'canary-town' };
    await runSuccessfully(world, 'menus create -f menu.yaml', {
      env,
      files: { 'menu.yaml': 'name: "in ${env.PLACE}"\n' },
    });
    const [run] = await readJson(world, 'log --person fay');
    expect(run).toMatchObject({ who: 'ci:pipeline 812', ci: { id: '812', commit: 'abc123', actor: 'fay' } });
    expect(readFileSync(join(logFolder(world), '000001.ndjson'), 'utf8')).not.toContain('canary');
  });

  test.each([undefined, 'kazoo'] as const)(
    'records the account of an API key, which signs in no user (%s)',
    async (like) => {
      const world = await openWorld({ like });
      await createUser(world);
      const [run] = await readJson(world, 'log --person key');
      expect(run).toMatchObject({ user: 'API key of acme', who: expect.stringMatching(/^API key of acme@/) });
    },
  );

  test('records the user of a token from an earlier run', async () => {
    const world = await openWorld({ signIn: 'password' });
    await createUser(world);
    const env = { TELCTL_BASE_URL: world.url, TELCTL_TOKEN: await world.sandbox.adminToken() };
    await runSuccessfully(world, 'menus create --name One', { env });
    const users = (await readJson(world, 'log')).map(({ user }) => user);
    expect(users).toEqual(['admin', 'admin']);
  });

  test('a change costs at most one read, and none if the command has read the record', async () => {
    const world = await openWorld();
    await createUser(world);
    const list = 'GET';
    const patch = await runSuccessfully(world, 'users patch ann --set timezone=UTC');
    expect(patch.requests.map(({ method }) => method)).toEqual([list, 'GET', 'PATCH']);
    const limits = await runSuccessfully(world, 'limits set --inbound-trunks 0');
    expect(limits.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  test('dry runs and reads leave no records', async () => {
    const world = await openWorld();
    await runSuccessfully(world, 'users list');
    await runSuccessfully(world, 'menus create --name Main --dry-run');
    expect(await readJson(world, 'log')).toEqual([]);
  });
});

describe('an unwritable state', () => {
  const readOnly: Partial<Files> = {
    openAppendOnly(path) {
      throw Object.assign(new Error(`EROFS: ${path}`), { code: 'EROFS' });
    },
  };

  test('is a warning once, and changes continue', async () => {
    const world = await openWorld();
    const run = await runSuccessfully(world, 'menus create -f menus.yaml', {
      disk: readOnly,
      files: { 'menus.yaml': '- name: One\n- name: Two\n' },
    });
    expect(run.stderr.match(/are not recorded/g)).toHaveLength(1);
    expect(writes(run)).toHaveLength(2);
  });

  test('stops changes if it was configured explicitly', async () => {
    const world = await openWorld();
    const run = await world.telctl('menus create --name One --state file:elsewhere', { disk: readOnly });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('cannot be written (the disk is read-only)');
    expect(writes(run)).toEqual([]);
    expect((await world.telctl('log --state postgres://db')).code).toBe(2);
  });

  test('uses the configured folder', async () => {
    const world = await openWorld();
    await runSuccessfully(world, 'menus create --name One --state file:elsewhere');
    expect(readdirSync(join(world.folders.cwd, 'elsewhere', 'log'))).toContain('000001.ndjson');
    expect(await readJson(world, 'log')).toEqual([]);
    expect(await readJson(world, 'log --state file:elsewhere')).toHaveLength(1);
  });
});

describe('a command interrupted by a kill', () => {
  test('between sending and logging is reported once at the next start', async () => {
    const world = await openWorld();
    await createUser(world);
    const lost: Partial<Files> = {
      openAppendOnly(path) {
        const file = files.openAppendOnly(path);
        let lines = 0;
        return {
          ...file,
          add(text) {
            lines += 1;
            if (lines < 3) file.add(text);
          },
          close: () => file.close(),
        };
      },
      remove: (path) => (path.includes('/open/') ? undefined : files.remove(path)),
    };
    await runSuccessfully(world, 'users patch ann --set timezone=UTC', { disk: lost });
    const next = await runSuccessfully(world, 'users list');
    expect(next.stderr).toContain('(run 2) was cut off: 0 changes were made');
    expect(next.stderr).toContain(
      'it is unknown whether update user ann was carried out. See: telctl log show 2',
    );
    expect((await runSuccessfully(world, 'users list')).stderr).not.toContain('cut off');
    expect((await runSuccessfully(world, 'log show 2')).stdout).toMatch(
      /state +unfinished[\s\S]*~ user ann +unknown/,
    );
  });

  test('together with many others is reported on one line', async () => {
    const world = await openWorld();
    const disk: Partial<Files> = {
      remove: (path) => (path.includes('/open/') ? undefined : files.remove(path)),
      openAppendOnly(path) {
        const file = files.openAppendOnly(path);
        let lines = 0;
        return {
          ...file,
          add(text) {
            lines += 1;
            if (lines < 4) file.add(text);
          },
          close: () => file.close(),
        };
      },
    };
    // The runs are concurrent. A run that was reported once is not reported again.
    const runs = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map((name) =>
        world.telctl(['menus', 'create', '--name', name], { disk }),
      ),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const next = await runSuccessfully(world, 'users list');
    const output = [...runs, next].map(({ stderr }) => stderr).join('');
    expect(output).toMatch(
      /4 runs were cut off: 4 changes were made, and all results are known\. See: telctl log\n/,
    );
    expect(output.match(/cut off/g)).toHaveLength(1);
  });

  test('before its response leaves a change with unknown result', async () => {
    const world = await openWorld();
    const run = await world.telctl('menus create --name One', {
      faults: [
        { method: 'PUT', path: /menus$/, fault: { kind: 'lose-reply' } },
        { method: 'GET', path: /menus/, fault: { kind: 'refuse' } },
      ],
    });
    expect(run.code, run.stderr).toBe(75);
    expect((await runSuccessfully(world, 'log show 1')).stdout).toMatch(/\+ menu One +unknown/);
  });

  test('is in the log before its request is sent', async () => {
    const world = await openWorld();
    await createUser(world);
    let seen = '';
    await runSuccessfully(world, 'users patch ann --set timezone=UTC', {
      faults: [
        {
          method: 'PATCH',
          fault: { kind: 'pass' },
          met: () => {
            seen = readFileSync(join(logFolder(world), '000002.ndjson'), 'utf8');
          },
        },
      ],
    });
    expect(
      seen
        .trim()
        .split('\n')
        .map((line) => String(JSON.parse(line).line)),
    ).toEqual(['start', 'begin']);
    expect(readdirSync(join(logFolder(world), 'open'))).toEqual([]);
  });
});

test('the log, a run and the undo preview show names, and read only lists of referenced records', async () => {
  const world = await openWorld();
  await createUser(world);
  await runSuccessfully(world, 'devices create --name Desk --generate');
  await runSuccessfully(world, 'devices patch Desk --owner ann');
  await runSuccessfully(world, 'callflows create --name Main --numbers 2001 --answers user:ann');
  const [{ id } = {}] = await readJson(world, 'users get ann');
  const log = await runSuccessfully(world, 'log');
  expect(log.stdout).toMatch(/owner_id \(none\) → ann/);
  const [show, flow] = [
    await runSuccessfully(world, 'log show 3'),
    await runSuccessfully(world, 'log show 4'),
  ];
  expect(show.stdout).toMatch(/owner_id +\(none\) → ann/);
  expect(flow.stdout).toContain('"id":"ann"');
  expect([log, show, flow].flatMap(({ requests }) => requests)).toEqual([]);
  expect((await runSuccessfully(world, 'log show 3 -o json')).stdout).toContain(String(id));
  const listedCollections = ({ requests }: Run) =>
    requests.map(({ path }) => path.split('/').at(-1)).filter((last) => /^[a-z_]{4,}$/.test(last ?? ''));
  const undo = await runSuccessfully(world, 'undo 3 --dry-run');
  expect(undo.stdout).toMatch(/owner_id +(?:\(removed\) ann|ann → none)/);
  expect(listedCollections(undo).filter((last) => last === 'users')).toHaveLength(1);
  const asked = await world.telctl('undo 3', {
    tty: true,
    answers: [{ to: /Undo run 3/, type: 'n' }],
  });
  expect(asked.stderr).toMatch(/owner_id .*ann/);
  await runSuccessfully(world, 'devices patch Desk --name Table');
  expect(listedCollections(await runSuccessfully(world, 'undo --dry-run'))).not.toContain('users');
});

describe('telctl undo of a command', () => {
  const readTimezone = async (world: World) => (await readJson(world, 'users get ann'))[0]?.timezone;

  test('reverts updates, creates and deletes of a command, and undo of an undo works', async () => {
    const world = await openWorld();
    await createUser(world);
    await runSuccessfully(world, 'users patch ann --set timezone=UTC');
    const plan = await runSuccessfully(world, 'undo', {
      tty: true,
      answers: [{ to: /Undo run 2 \(users patch ann/, type: 'y' }],
    });
    expect(plan.stderr).toContain('user ann');
    expect(await readTimezone(world)).toBeUndefined();
    const again = await world.telctl('undo --yes');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('reversed 2 already. Name the run to reverse.');
    await runSuccessfully(world, 'undo 3 --yes');
    expect(await readTimezone(world)).toBe('UTC');
    await runSuccessfully(world, 'users delete ann --yes');
    await world.telctl('undo --yes');
    expect(await readTimezone(world)).toBe('UTC');
    await runSuccessfully(world, 'menus create --name Main');
    await runSuccessfully(world, 'undo --yes');
    expect(await readJson(world, 'menus list')).toEqual([]);
  });

  test('keeps later changes of others, unless --overwrite is given', async () => {
    const world = await openWorld();
    await createUser(world);
    await runSuccessfully(world, 'users patch ann --set timezone=UTC');
    const [{ id } = {}] = await readJson(world, 'users get ann');
    await world.service('PATCH', `users/${id}`, { timezone: 'Europe/Paris' });
    const kept = await world.telctl('undo 2 --yes');
    expect(kept.code).toBe(6);
    expect(kept.stderr).toContain('others changed it since: timezone');
    await runSuccessfully(world, 'undo 2 --yes --overwrite');
    expect(await readTimezone(world)).toBeUndefined();
  });

  test('reverts what it can, and lists what cannot be reverted', async () => {
    const world = await openWorld();
    const run = await world.telctl('users create -f users.yaml', {
      files: { 'users.yaml': '- { username: ann, first_name: A, last_name: B, password: first-sign-in }\n' },
    });
    expect(run.code, run.stderr).toBe(0);
    await runSuccessfully(world, 'users create -f users.yaml --existing update', {
      files: { 'users.yaml': '- { username: ann, first_name: C, last_name: B, password: first-sign-in }\n' },
    });
    const undone = await world.telctl('undo --yes');
    // The previous password is unknown, so it cannot be restored.
    expect(undone.code, undone.stderr).toBe(8);
    expect((await readJson(world, 'users get ann'))[0]?.first_name).toBe('A');
    await runSuccessfully(world, 'accounts api-key rotate --yes');
    const rotated = await world.telctl('undo --yes');
    expect(rotated.code).toBe(6);
    expect(rotated.stderr).toContain('it cannot be reversed');
  });

  test('of a missing run says so', async () => {
    const world = await openWorld();
    await createUser(world);
    rmSync(join(logFolder(world), '000001.ndjson'));
    expect((await world.telctl('undo --yes')).stderr).toContain('The log has no changes on acme.');
    writeFileSync(join(logFolder(world), '000002.ndjson'), 'nothing of a run\n');
    expect((await runSuccessfully(world, 'log')).stderr).toContain('run 2 of the log cannot be read');
  });

  test.each([
    [
      'a kind that telctl does not know',
      '"kind":"menus"',
      '"kind":"menuw"',
      /Not reversed:[\s\S]*it cannot be reversed/,
    ],
    [
      'an entry without fields',
      '"fields":{',
      '"fie|ds":{',
      /warning: run 1 is damaged in the log: 1 line of it cannot be read/,
    ],
  ])('of a damaged run lists what it cannot revert: %s', async (_, whole, damaged, said) => {
    const world = await openWorld();
    await runSuccessfully(world, 'apply -f office.yaml --yes', {
      files: { 'office.yaml': 'menus: { main: { name: Main } }\n' },
    });
    const path = join(logFolder(world), '000001.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(whole, damaged));
    const run = await world.telctl('undo 1 --dry-run');
    expect(run.stdout + run.stderr).toMatch(said);
    expect(run.stderr).not.toContain('bug in telctl');
  });
});

test('declined and refused changes are not partial, and the account of a variable is named', async () => {
  const world = await openWorld();
  const { telctl, seed } = world;
  expect((await telctl('limits set --inbound-trunks 2')).code).toBe(7);
  expect((await telctl('devices patch 00000000000000000000000000000000 --name x')).code).toBe(5);
  expect((await telctl('users create --first-name Ann')).code).toBe(10);
  expect((await telctl('menus create --name Sales')).code).toBe(0);
  const runs = JSON.parse((await telctl('log -o json')).stdout);
  expect(runs.map(({ state, counts }: Record<string, unknown>) => [state, counts]).slice(-1)).toEqual([
    ['declined', { declined: 1 }],
  ]);
  expect(runs[0].state).toBe('finished');
  const table = await telctl('log', { env: { TELCTL_ACCOUNT: seed.accountId } });
  expect(table.stdout).toMatch(/limits set --inbound-trunks 2 +1 declined +declined/);
  expect(table.stdout).not.toContain('partial');
  expect(table.stderr).toContain(`Showing only runs of ${seed.accountId}, because TELCTL_ACCOUNT is set.`);
});

test('shows a rollout as one run with its accounts, each with its start and undo', async () => {
  const world = await openWorld();
  const names = ['one', 'two', 'three'];
  for (const name of names) await world.service('PUT', '', { name, realm: `${name}.acme.example` });
  const files = {
    'main.yaml': 'set: main\nmenus: { main: { name: Main, retries: 2 } }\n',
    'list.csv': `account\n${names.join('\n')}\n`,
  };
  await world.telctl('menus create --name Before');
  const start = await world.telctl('rollout start -f main.yaml --accounts list.csv --yes', { files });
  expect(start.code, start.stderr).toBe(0);
  await world.telctl('menus create --name After');
  await world.telctl('rollout undo 1 --yes');
  const runs = JSON.parse((await world.telctl('log -o json')).stdout);
  expect(runs.map(({ rollout, counts }: JsonObject) => [rollout, counts])).toEqual([
    ['2', { deleted: 3 }],
    [undefined, { created: 1 }],
    ['1', { created: 3 }],
    [undefined, { created: 1 }],
  ]);
  expect(JSON.parse((await world.telctl('log --limit 3 -o json')).stdout)).toEqual(runs.slice(0, 3));
  const [, , { id, accounts }] = runs;
  expect(accounts.map(({ name, run }: JsonObject) => [name, run])).toEqual(
    names.toReversed().map((name, index) => [name, String(Number(id) - index)]),
  );
  const shown = await world.telctl(`log show ${accounts[1].run}`);
  expect(shown.stdout).toContain('of     rollout 1, 3 accounts');
  for (const name of names) expect(shown.stdout).toContain(`${name} at `);
});
