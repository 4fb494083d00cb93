import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { unfolded } from '../../../../../test/support/unfolded.ts';
import { openWorld, type Run, type World } from '../../../../../test/support/world.ts';

const office = `
users:
  alice: { username: alice, first_name: Alice, last_name: Archer, password: canary-1, timezone: Europe/London }
  bob: { username: bob, first_name: Bob, last_name: Baker, password: canary-2 }
menus:
  main: { name: Main menu, record_pin: "4711" }
callflows:
  main-line:
    name: Main line
    numbers: ["+15551230000"]
    flow:
      module: menu
      data: { id: "\${menus.main}" }
      children:
        "1": { module: user, data: { id: "\${users.alice}", timeout: 20 }, children: {} }
`;

const changed = office
  .replace('first_name: Alice', 'first_name: Alicia')
  .replace('canary-1', 'canary-3')
  .replace('"4711"', '"4712"')
  .replace('["+15551230000"]', '["+15551230000", "0100"]')
  .replace(
    'timeout: 20 }, children: {} }',
    `timeout: 30 }, children: {} }\n        "2": { module: user, data: { id: "\${users.carol}" }, children: {} }`,
  )
  .replace(
    'users:',
    'limits: { twoway_trunks: 4 }\nusers:\n  carol: { username: carol, first_name: Carol, last_name: Cole, password: canary-4 }',
  );

const writes = ({ requests }: Run): readonly string[] =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

/** An account to which the office was applied. */
async function applied(): Promise<World> {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': office } });
  if (run.code !== 0) throw new Error(run.stderr);
  return world;
}

test('diff shows the changes that apply would make, and sends no writes', async () => {
  const world = await applied();
  const run = await world.telctl('diff -f office.yaml', { files: { 'office.yaml': changed } });
  expect(run.stdout).toBe(
    [
      'acme at http://127.0.0.1:8000',
      '',
      '~ limits            may cost',
      '    twoway_trunks   set to 4',
      '    (sent again)    allow_prepay, authz_resource_types',
      '+ user carol',
      '~ user alice',
      '    first_name      Alice → Alicia',
      '    password        set (changed)',
      '~ menu "Main menu"',
      '    record_pin      set (changed)',
      '~ callflow "Main line"',
      '    numbers         + "0100"',
      '    flow/1 timeout  20 → 30',
      '    flow/2          (new branch) user carol',
      '',
      '1 to create, 4 to update, 1 unchanged, 0 to delete',
      "twoway_trunks: 4 more at 25.00 each, 100.00 with each bill (an estimate by the service's prices, before taxes).",
      '',
    ].join('\n'),
  );
  expect([run.code, writes(run)]).toEqual([0, []]);
  expect(run.stderr.split('\n').filter((line) => !line.includes('a secret in clear text'))).toEqual(['']);
});

test('reports differences in the exit code only with --exit-code', async () => {
  const world = await applied();
  const run = await world.telctl('diff -f office.yaml --exit-code', { files: { 'office.yaml': changed } });
  expect(run.code).toBe(3);
  expect(run.stderr.split('\n').filter((line) => !line.includes('a secret in clear text'))).toEqual(['']);
  const same = await world.telctl('plan -f office.yaml --exit-code', { files: { 'office.yaml': office } });
  expect(same.code).toBe(0);
  expect(same.stdout).toContain('Nothing to change.\n\n0 to create, 0 to update, 4 unchanged, 0 to delete\n');
});

test('lists all fields of new objects with -v', async () => {
  const world = await openWorld();
  const run = await world.telctl('plan -f office.yaml -v', { files: { 'office.yaml': office } });
  expect(run.stdout).toContain(['+ callflow "Main line"', '    name        set to Main line'].join('\n'));
  expect(run.stdout).toContain('(new flow) menu main and 1 more step');
  expect(run.stdout).not.toContain('canary');
});

test('wraps and colors values in a terminal without cutting them', async () => {
  const world = await applied();
  const long = office.replace('first_name: Alice', `first_name: ${'A'.repeat(100)}`);
  const run = await world.telctl('diff -f office.yaml --color always', {
    files: { 'office.yaml': long },
    tty: true,
    width: 60,
  });
  const lines = stripVTControlCharacters(run.stdout).split('\n');
  const from = lines.indexOf('    first_name');
  const values = lines.slice(from + 1).map((line) => line.trim());
  // What goes on in the next row is marked, so that no row begins with it.
  expect(values.slice(0, 3).join('').replaceAll('│ ', '')).toBe(`- Alice+ ${'A'.repeat(100)}`);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(run.stdout).toContain('\u001b[33m~\u001b[39m');
});

test('writes one versioned JSON document without secrets', async () => {
  const world = await applied();
  const run = await world.telctl('diff -f office.yaml -o json', { files: { 'office.yaml': changed } });
  const document = JSON.parse(run.stdout);
  expect(document).toMatchObject({
    version: 1,
    accounts: [
      {
        account: { name: 'acme', id: world.seed.accountId, origin: 'http://127.0.0.1:8000' },
        set: 'office.yaml',
        counts: { create: 1, update: 4, unchanged: 1, delete: 0, unverifiable: 0 },
      },
    ],
  });
  const steps: { key: string }[] = document.accounts[0].steps;
  expect(steps.find(({ key }) => key === 'users.alice')).toMatchObject({
    action: 'update',
    by: 'patch',
    sends: ['first_name', 'password'],
    changes: [
      { path: 'first_name', how: 'changed', before: 'Alice', after: 'Alicia' },
      { path: 'password', how: 'changed', secret: true },
    ],
  });
  expect(run.stdout).not.toMatch(/canary|471[12]/);
});

test('includes the reason for a refusal in every format', async () => {
  const world = await applied();
  const pruned = office.replace(/ {2}bob: .*\n/, '');
  const shown = (format: string) =>
    world.telctl(`diff -f office.yaml --prune --max-deletes 0 --max-deletes-total 0 -o ${format}`, {
      files: { 'office.yaml': pruned },
    });
  const why = 'The plan deletes 1 object of acme. The limit is 0.';
  for (const format of ['table', 'json', 'yaml', 'ndjson', 'csv', 'markdown'])
    expect(unfolded((await shown(format)).stdout), format).toContain(why);
  const names = await shown('name');
  expect([names.stdout, names.stderr.includes(why)]).toEqual(['users.bob\n', true]);
});

test('prints one line per step in the name, NDJSON and CSV formats', async () => {
  const world = await applied();
  const shown = (format: string) =>
    world.telctl(`diff -f office.yaml -o ${format}`, { files: { 'office.yaml': changed } });
  expect((await shown('name')).stdout).toBe(
    'limits\nusers.carol\nusers.alice\nmenus.main\ncallflows.main-line\n',
  );
  const lines = (await shown('ndjson')).stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).action)).toEqual([
    'update',
    'create',
    'update',
    'unchanged',
    'update',
    'update',
    'price',
  ]);
  expect((await shown('csv')).stdout).toContain('acme,update,menus.main,"menu ""Main menu""",');
});

test('escapes Markdown in values from files and the service', async () => {
  const world = await applied();
  const evil = 'a|b`c</code>\\n<script>@team #1 [x](http://evil.example) **b** ~~c~~';
  await world.service('PATCH', `menus/${await menuId(world)}`, { name: 'Main menu' });
  const run = await world.telctl('diff -f office.yaml -o markdown', {
    files: {
      'office.yaml': `${office}  night: { name: Night }\n`
        .replace('Alice,', `"${evil}",`)
        .replace('  night: { name: Night }\n', ''),
    },
  });
  expect(run.code).toBe(0);
  const { stdout } = run;
  expect(stdout).toMatch(/^```diff\nacme at .*\n~ user alice\n.*\n```\n$/s);
  expect(stdout.match(/^ {0,3}```/gm)).toHaveLength(2);
});

async function menuId(world: World): Promise<string> {
  const run = await world.telctl(['menus', 'list', '-o', 'json']);
  return JSON.parse(run.stdout)[0].id;
}

test('other commands reject Markdown output before the first request', async () => {
  const world = await openWorld();
  const run = await world.telctl('menus create --name Main -o markdown');
  expect([run.code, run.stdout, run.requests]).toEqual([2, '', []]);
  expect(run.stderr).toContain('telctl menus create does not support Markdown output.');
});

test('plan and diff work with a read-only profile', async () => {
  const world = await openWorld();
  await world.telctl('profiles set test --protect read-only');
  const run = await world.telctl('plan -f office.yaml', { files: { 'office.yaml': office } });
  expect(run.code).toBe(0);
});

test('rejects a missing manifest option and an unknown file', async () => {
  const world = await openWorld();
  const none = await world.telctl('diff');
  expect([none.code, none.stderr]).toEqual([
    2,
    'No manifest was named.\nName files or folders with -f, or - for standard input: -f office.yaml\n',
  ]);
  const missing = await world.telctl('diff -f nowhere.yaml');
  expect([missing.code, missing.stdout]).toEqual([2, '']);
  expect(missing.stderr).toContain('nowhere.yaml');
});

test('reports changes by others and the deletions of --prune', async () => {
  const world = await applied();
  await world.telctl('users patch alice --set timezone=Asia/Tokyo');
  const without = office.replace(/ {2}bob:.*\n/, '');
  const run = await world.telctl('diff -f office.yaml', { files: { 'office.yaml': without } });
  expect(run.stdout).toContain('    timezone  Asia/Tokyo → Europe/London (changed by others)\n');
  expect(run.stdout).toContain('No longer in the manifest: user bob. With --prune it would be deleted.\n');
  expect(run.stdout).toContain('1 object was changed by others since the last apply');
  const pruned = await world.telctl('diff -f office.yaml --prune --max-deletes 0');
  expect(pruned.stdout).toContain('- user bob\n');
  expect(pruned.stdout).toContain(
    'apply would refuse this: The plan deletes 1 object of acme. The limit is 0. To allow this, pass --max-deletes 1.',
  );
});

test('rejects --prune without a ledger, and suggests what to do', async () => {
  const world = await openWorld();
  const run = await world.telctl('plan -f office.yaml --prune', { files: { 'office.yaml': office } });
  expect([run.code, run.stdout]).toEqual([9, '']);
  expect(run.stderr).toContain('telctl adopt -f FILE');
});

test('saves a plan without secrets, and applies exactly that plan', async () => {
  const world = await applied();
  const files = { 'office.yaml': changed.replace('canary-3', `"\${env.ALICE}"`) };
  const env = { ALICE: 'canary-5' };
  const run = await world.telctl('plan -f office.yaml --out office.plan --var unused=1', { files, env });
  expect([run.code, writes(run)]).toEqual([0, []]);
  expect(run.stderr).toContain('Saved to office.plan. To apply it: telctl apply office.plan');
  const path = join(world.folders.cwd, 'office.plan');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).not.toMatch(/canary|471[12]/);
  const done = await world.telctl('apply office.plan --accept-charges --no-input', { env });
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  const after = await world.telctl('diff -f office.yaml --exit-code', { env });
  expect(after.code).toBe(0);
});

test('rejects an outdated saved plan, and lists what changed', async () => {
  const world = await applied();
  await world.telctl('plan -f office.yaml --out office.plan', { files: { 'office.yaml': changed } });
  await world.telctl('users patch alice --set first_name=Ann');
  const run = await world.telctl('apply office.plan --yes', {
    files: { 'office.yaml': `${changed}\n# edited\n` },
  });
  expect([run.code, writes(run)]).toEqual([6, []]);
  expect(run.stderr).toContain('office.yaml was changed');
  expect(run.stderr).toContain('users.alice.first_name was changed in the account');
});

test('does not apply a saved plan twice', async () => {
  const world = await applied();
  await world.telctl('plan -f office.yaml --out office.plan', { files: { 'office.yaml': changed } });
  await world.telctl('apply office.plan --accept-charges --no-input');
  const again = await world.telctl('apply office.plan --accept-charges --no-input');
  expect([again.code, writes(again)]).toEqual([6, []]);
  expect(again.stderr).toContain('users.carol: now unchanged, in the plan it was create');
});

test.each([
  ['a shown value', '"Alicia"', '"Alina"'],
  ['an option', '"vars": {}', '"vars": {}, "maxDeletes": 99'],
  ['the account', '"name": "acme"', '"name": "other"'],
  ['the digest', '"digest": "', '"digest": "0'],
])('rejects a saved plan after an edit of %s', async (_, before, after) => {
  const world = await applied();
  await world.telctl('plan -f office.yaml --out office.plan', { files: { 'office.yaml': changed } });
  const kept = readFileSync(join(world.folders.cwd, 'office.plan'), 'utf8');
  expect(kept).toContain(before);
  const files = { 'office.plan': kept.replace(before, after) };
  const run = await world.telctl('apply office.plan --yes --accept-charges', { files });
  expect(run.stderr).toBe(
    'office.plan was changed since telctl saved it. Nothing was sent.\nCreate the plan again: telctl plan -f FILE --out PLAN\n',
  );
  expect([run.code, writes(run)]).toEqual([10, []]);
  const formatted = { 'office.plan': JSON.stringify(JSON.parse(kept)) };
  const same = await world.telctl('apply office.plan --yes --accept-charges', { files: formatted });
  expect(same.code).toBe(0);
});

test('rejects a saved plan whose manifest no longer exists', async () => {
  const world = await applied();
  await world.telctl('plan -f office.yaml --out office.plan', { files: { 'office.yaml': changed } });
  rmSync(join(world.folders.cwd, 'office.yaml'));
  const run = await world.telctl('apply office.plan --yes');
  expect([run.code, writes(run)]).toEqual([6, []]);
  expect(run.stderr).toBe(
    'office.plan was made from office.yaml, which does not exist. Nothing was sent.\nRepeat in the folder where the plan was made, or make it again: telctl plan -f FILE --out PLAN\n',
  );
});

test('reports a truncated saved plan as damaged', async () => {
  const world = await applied();
  await world.telctl('plan -f office.yaml --out office.plan', { files: { 'office.yaml': changed } });
  const kept = readFileSync(join(world.folders.cwd, 'office.plan'), 'utf8');
  const files = { 'office.plan': kept.slice(0, 300) };
  const run = await world.telctl('apply office.plan --yes', { files });
  expect([run.code, run.stderr]).toEqual([10, expect.stringContaining('office.plan is damaged.')]);
});

test('refuses to save a plan over another file or from standard input', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': office, 'notes.txt': 'mine' };
  const other = await world.telctl('plan -f office.yaml --out notes.txt', { files });
  expect([other.code, other.stdout, other.requests]).toEqual([9, '', []]);
  expect(readFileSync(join(world.folders.cwd, 'notes.txt'), 'utf8')).toBe('mine');
  const piped = await world.telctl('plan -f - --out x.plan', { stdin: office });
  expect([piped.code, piped.requests]).toEqual([2, []]);
  const folder = await world.telctl('plan -f office.yaml --out .');
  expect(folder.code).toBe(2);
});

test('refuses to apply a file that is not a plan', async () => {
  const world = await openWorld();
  writeFileSync(join(world.folders.cwd, 'bad.plan'), '{"telctl":"plan","version":1}');
  const damaged = await world.telctl('apply bad.plan --yes');
  expect([damaged.code, damaged.stderr]).toEqual([10, expect.stringContaining('bad.plan is damaged')]);
  const future = await world.telctl('apply new.plan --yes', {
    files: { 'new.plan': '{"telctl":"plan","version":9}' },
  });
  expect(future.stderr).toContain('is a plan of version 9; this telctl knows version 1');
  const none = await world.telctl('apply office.yaml --yes', { files: { 'office.yaml': office } });
  expect([none.code, none.stderr]).toEqual([10, expect.stringContaining('telctl apply -f')]);
});

const everything = `
account_settings: { timezone: Europe/Zurich, org: Acme Ltd, caller_id: { external: { number: "+15551230000" } } }
limits: { twoway_trunks: 2, allow_prepay: true }
services: { plans: [gold] }
metaflows:
  binding_digit: "*"
  numbers:
    "2": { module: hangup }
selector_rules:
  rules:
    - get_resources: { }
accounts:
  branch: { name: Branch One, realm: Branch.acme.example, timezone: Europe/London }
users:
  alice: { username: Alice, first_name: Alice, last_name: Archer, password: secret-1, timezone: Europe/London, hotdesk: { id: "100", pin: "4711" } }
vmboxes:
  alice: { mailbox: "100", name: Alice box, owner_id: "\${users.alice}", pin: "1234", operator_number: "0" }
menus:
  main: { name: Main menu, retries: 3 }
groups:
  sales: { name: Sales, endpoints: { "\${users.alice}": { type: user, weight: 1 } } }
directories:
  all: { name: All }
conferences:
  daily: { name: Daily, conference_numbers: ["7000"], member: { pins: ["1111"], numbers: ["7001"] } }
callflows:
  main-line:
    name: Main line
    numbers: ["5551230000", "100"]
    flow:
      module: menu
      data: { id: "\${menus.main}" }
      children:
        "1": { module: user, data: { id: "\${users.alice}", timeout: 20 }, children: {} }
numbers:
  "+15551230000": { cnam: { display_name: Acme } }
webhooks:
  crm: { name: CRM, uri: "https://crm.example/hook?token=abc", hook: channel_create, custom_data: { token: xyz } }
apps:
  google: { name: Google, client_id: abc, provider: google, secret: s3 }


ports:
  p: { name: Port one, numbers: { "5551239999": {} } }
`;

test('finds no differences after an apply of every kind, without a ledger', async () => {
  const world = await openWorld();
  const files = { 'all.yaml': everything };
  const run = await world.telctl('apply -f all.yaml --yes --accept-charges', { files });
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('failed 0')]);
  const diff = await world.telctl('diff -f all.yaml -o json --ledger other.json', { files });
  expect(JSON.parse(diff.stdout).accounts[0].counts).toEqual({
    create: 0,
    update: 0,
    unchanged: 16,
    delete: 0,
    unverifiable: 1,
  });
});

test('saves variables in a plan, except secret values', async () => {
  const world = await openWorld();
  const files = {
    'office.yaml': `
users:
  alice: { username: alice, first_name: "\${var.first}", last_name: Archer, password: "\${var.password}" }
`,
  };
  const vars = ['--var', 'first=Alice', '--var', 'password=canary-7'];
  const run = await world.telctl(['plan', '-f', 'office.yaml', '--out', 'x.plan', ...vars], { files });
  expect(run.code).toBe(0);
  expect(readFileSync(join(world.folders.cwd, 'x.plan'), 'utf8')).not.toContain('canary');
  const without = await world.telctl('apply x.plan --yes');
  expect([without.code, without.stderr]).toEqual([
    2,
    'x.plan does not contain the variable password, because its value is secret.\nPass it again: --var password=VALUE\n',
  ]);
  const other = await world.telctl('apply x.plan --yes --var password=canary-7 --var first=Ann');
  expect([other.code, writes(other)]).toEqual([6, []]);
  expect(other.stderr).toContain(`\${var.first} has another value`);
  const done = await world.telctl('apply x.plan --yes --var password=canary-7');
  expect(done.code).toBe(0);
});

test('rejects a variable without a value', async () => {
  const world = await openWorld();
  const run = await world.telctl('diff -f office.yaml --var x', { files: { 'office.yaml': office } });
  expect([run.code, run.requests]).toEqual([2, []]);
  expect(run.stderr).toContain('--var takes NAME=VALUE');
});

test('merges and replaces a record if the service does not support PATCH', async () => {
  const world = await applied();
  const answer = { kind: 'answer', status: 405, body: '{"code":"invalid_method","message":"no"}' } as const;
  const run = await world.telctl('apply -f office.yaml --yes', {
    files: { 'office.yaml': office.replace('name: Main menu', 'name: Main menu, retries: 5') },
    faults: [{ fault: answer, method: 'PATCH', path: /\/menus\// }],
  });
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('updated 1')]);
  expect(writes(run).map((each) => each.replaceAll(/[0-9a-f]{32}/g, 'ID'))).toEqual([
    'PATCH /v2/accounts/ID/menus/ID',
    'POST /v2/accounts/ID/menus/ID',
  ]);
  expect(await world.service('GET', `menus/${await menuId(world)}`)).toMatchObject({
    name: 'Main menu',
    record_pin: '4711',
    retries: 5,
  });
});

const secretive = `
users:
  alice: { username: alice, first_name: A, last_name: B, password: canary-1, hotdesk: { id: "1", pin: canary-2 } }
webhooks:
  crm:
    name: CRM
    uri: "https://canary-3:canary-4@crm.example/hook?token=canary-5"
    hook: channel_create
    custom_data: { token: canary-6 }
callflows:
  door:
    name: Door
    numbers: ["100"]
    flow:
      module: disa
      data: { pin: canary-7 }
      children: { _: { module: pivot, data: { voice_url: "https://x.example/\${env.TOKEN}" }, children: {} } }
`;

test('neither shows nor saves secrets in any format', async () => {
  const world = await openWorld();
  const later = secretive.replaceAll('canary-', 'canary-new-');
  const env = { TOKEN: 'canary-8' };
  const shown: string[] = [];
  const look = async (file: string): Promise<void> => {
    for (const format of ['table', 'json', 'yaml', 'ndjson', 'csv', 'name', 'markdown']) {
      const line = `plan -f s.yaml -o ${format} -v --out x.plan --send-unreadable`;
      const run = await world.telctl(line, { files: { 's.yaml': file }, env });
      expect(run.code, run.stderr).toBe(0);
      shown.push(run.stdout, run.stderr, readFileSync(join(world.folders.cwd, 'x.plan'), 'utf8'));
    }
  };
  await look(secretive);
  const run = await world.telctl('apply -f s.yaml --yes', { env });
  expect(run.code, run.stderr).toBe(0);
  await look(later);
  env.TOKEN = 'canary-9';
  await look(later);
  expect(shown.filter((text) => text.includes('canary'))).toEqual([]);
  expect(shown.join()).toContain('set (changed)');
});

test('rejects options that are part of a saved plan', async () => {
  const world = await applied();
  await world.telctl('plan -f office.yaml --out office.plan', { files: { 'office.yaml': changed } });
  const run = await world.telctl('apply office.plan --prune');
  expect(run.stderr).toBe('Give PLAN or --prune, not both.\n');
  expect(run.code).toBe(2);
});

test.each([
  ['plan -f office.yaml --out /dev/null', '--out'],
  ['plan -f office.yaml --ledger /dev/null', '--ledger'],
  ['users import people.csv --yes --results /dev/null', '--results'],
  ['users import people.csv --yes --generate-passwords --passwords-out /dev/null', '--passwords-out'],
])('refuses to replace a device with a file: %s', async (line, option) => {
  const world = await openWorld();
  const people = 'username,first_name,last_name\ndan,Dan,Dean\n';
  const run = await world.telctl(line, { files: { 'office.yaml': office, 'people.csv': people } });
  expect(run.stderr).toContain(`/dev/null is a device or a pipe; ${option} requires a file name.`);
  expect(run.code).toBe(2);
});

test('warns about a plan that removes rights of the signed-in user', async () => {
  const world = await openWorld({ signIn: 'password' });
  const files = { 'own.yaml': 'users: { admin: { username: admin, enabled: false } }\n' };
  const run = await world.telctl('plan -f own.yaml', { files });
  expect(run.stdout).toContain('you are signed in as this user, and may lose the right to change it back');
  const harmless = { 'own.yaml': 'users: { admin: { username: admin, first_name: Ada } }\n' };
  const other = await world.telctl('plan -f own.yaml', { files: harmless });
  expect(other.stdout).not.toContain('you are signed in');
});

test('plan and diff report new users without a password', async () => {
  const world = await applied();
  const people = `users:
  alice: { username: alice, first_name: Ann, last_name: Archer }
  dora:
    first_name: Dora
    last_name: Dean
    username: dora
    password: "\${env.DORA?}"
`;
  const run = await world.telctl('plan -f people.yaml', { files: { 'people.yaml': people } });
  expect(run.stderr).toContain(
    'people.yaml:6:15: users.dora is new and has no "password" (not set) beside "username"; a KAZOO-compatible service would refuse the request',
  );
  expect(run.stderr).not.toContain('users.alice');
  expect(run.code).toBe(0);
  const strict = await world.telctl('apply -f people.yaml --strict-input --yes');
  expect([strict.code, writes(strict)]).toEqual([10, []]);
  expect(strict.stderr).toContain('people.yaml:6:15: users.dora is new');
  const given = await world.telctl('plan -f people.yaml', { env: { DORA: 'first-sign-in' } });
  expect(given.stderr).toBe('');
  const renamed = 'users: { alison: { username: alison, renamed_from: alice } }\n';
  const change = await world.telctl('plan -f renamed.yaml', { files: { 'renamed.yaml': renamed } });
  expect(change.stderr).toContain(
    'renamed.yaml:1:30: users.alison gets a new username and has no "password" beside "username"',
  );
});

test('writes neither secrets nor their hashes to a plan file', async () => {
  const world = await openWorld();
  const box = await world.service('PUT', 'vmboxes', { name: 'Front desk', mailbox: '300', pin: '4711' });
  const files = {
    'secrets.yaml': [
      `users: { ann: { username: ann, first_name: Ann, last_name: Archer, password: "\${env.ANN_SECRET}" } }`,
      `vmboxes: { desk: { mailbox: "300", name: "\${env.DESK_NAME}", pin: "\${env.DESK_PIN}" } }`,
      '',
    ].join('\n'),
  };
  const env = { ANN_SECRET: 'first-sign-in', DESK_NAME: 'Desk', DESK_PIN: '4712' };
  const kept = await world.telctl('plan -f secrets.yaml --out kept.plan', { files, env });
  expect(kept.code, kept.stderr).toBe(0);
  const saved = JSON.parse(readFileSync(join(world.folders.cwd, 'kept.plan'), 'utf8'));
  expect(Object.keys(saved.outside)).toEqual(['env.DESK_NAME']);
  // What stands in the account of the secret is kept as little.
  await world.service('PATCH', `vmboxes/${box.id}`, { pin: '4713' });
  const other = { ...env, ANN_SECRET: 'second-sign-in', DESK_PIN: '4714' };
  const renamed = await world.telctl('apply kept.plan --yes', { env: { ...other, DESK_NAME: 'Other' } });
  expect([renamed.code, renamed.requests.filter(({ method }) => method !== 'GET')]).toEqual([6, []]);
  const applied = await world.telctl('apply kept.plan --yes', { env: other });
  expect(applied.code, applied.stderr).toBe(0);
});
