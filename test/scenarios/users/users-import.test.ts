// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of templates
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { files } from '../../../src/base/host/files.ts';
import { isObject, type Json, type JsonObject } from '../../../src/base/json.ts';
import type { FaultRule } from '../../support/faults.ts';
import type { SentRequest } from '../../support/inject-transport.ts';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld, type World } from '../../support/world.ts';

throughValidatingProxy();

const head = 'username,first_name,last_name,password';
const people = `${head}\nalice,Alice,Archer,first-sign-in\nbob,Bob,Baker,first-sign-in\ncarol,Carol,Cook,first-sign-in\n`;

const template = [
  'vmboxes:',
  '  "box-${row.username}":',
  '    name: ${row.first_name}',
  '    mailbox: ${row.extension}',
  '    owner_id: ${users.row}',
  'callflows:',
  '  "${row.username}":',
  '    name: Line of ${row.first_name}',
  '    numbers: ["${row.extension}"]',
  '    flow:',
  '      module: voicemail',
  '      data: { id: "${vmboxes.box-${row.username}}" }',
  '      children: {}',
  '',
].join('\n');
const extended =
  'username,first_name,last_name,Password,Extension\nalice,Alice,Archer,first-sign-in,0101\nbob,Bob,Baker,first-sign-in,0102\n';

const isWrite = ({ method }: SentRequest): boolean => method !== 'GET';
const readText = (world: World, name: string): string => readFileSync(join(world.folders.cwd, name), 'utf8');
const hasFile = (world: World, name: string): boolean => existsSync(join(world.folders.cwd, name));

/** Returns the users of the account by username, without its administrator. */
async function readUsers(world: World): Promise<ReadonlyMap<string, JsonObject>> {
  const run = await world.telctl('users list -o json');
  const all: Json = JSON.parse(run.stdout);
  const users = Array.isArray(all) ? all.filter(isObject) : [];
  const whole = await Promise.all(users.map(({ id }) => world.service('GET', `users/${id}`)));
  const others = whole.filter(({ username }) => username !== 'admin');
  return new Map(others.map((user) => [String(user.username), user] as const));
}

const failUsers = (times: number): FaultRule => ({
  method: 'PUT',
  path: /\/users$/,
  times,
  fault: {
    kind: 'answer',
    status: 400,
    body: '{"status":"error","error":"400","message":"no room","data":{},"request_id":"r-1"}',
  },
});
const pass: FaultRule = { method: 'PUT', path: /\/users$/, times: 1, fault: { kind: 'pass' } };

describe('importing users from CSV', () => {
  it('creates a user for each line and keeps text as typed', async () => {
    const world = await openWorld();
    const file = [
      '\uFEFFUser name;First name;Last name;E-mail;Enabled;caller_id.internal.number;Password;Null',
      'alice;Alice;Null;alice@acme.example;TRUE;+15551230000;first-sign-in;',
      ';;;;;;;',
      'bob;"Bob ""Bo""";"Baker; Jr.";;false;0100;first-sign-in;x',
      '',
    ].join('\r\n');
    const run = await world.telctl(['users', 'import', 'people.csv', '--yes', '--map', 'Null=-'], {
      files: { 'people.csv': file },
    });
    expect(run.stderr).toBe(
      [
        'people.csv: 2 users to create.',
        'Users: 2 created. people.results.csv has a line for each row.',
        '',
      ].join('\n'),
    );
    expect(run.code).toBe(0);
    const users = await readUsers(world);
    expect(users.get('alice')).toMatchObject({
      last_name: 'Null',
      email: 'alice@acme.example',
      enabled: true,
      caller_id: { internal: { number: '+15551230000' } },
    });
    expect(users.get('bob')).toMatchObject({
      first_name: 'Bob "Bo"',
      last_name: 'Baker; Jr.',
      enabled: false,
      caller_id: { internal: { number: '0100' } },
    });
    expect(readText(world, 'people.results.csv')).toBe(
      `row,username,status,id,error\n2,alice,created,${users.get('alice')?.id},\n4,bob,created,${users.get('bob')?.id},\n`,
    );
  });

  it('returns a row for each line of the file to scripts', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import - --yes -o json', { stdin: people });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject([
      { row: 2, username: 'alice', status: 'created', error: '' },
      { row: 3, username: 'bob', status: 'created' },
      { row: 4, username: 'carol', status: 'created' },
    ]);
    expect(run.stdout + run.stderr).not.toContain('first-sign-in');
  });

  it('shows the first rows, asks once, and sends nothing after no', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv', {
      files: { 'people.csv': people },
      tty: true,
      answers: [{ to: 'Create 3 users in acme?', type: 'n' }],
    });
    expect(run.code).toBe(130);
    expect(run.stderr).toMatch(/ROW {2}USERNAME {2}FIRST_NAME {2}LAST_NAME {2}PASSWORD/);
    expect(run.stderr).toMatch(/2 {4}alice {5}Alice {7}Archer {5}set/);
    expect(run.stderr).not.toContain('first-sign-in');
    expect(run.requests.filter(isWrite)).toEqual([]);
    expect(hasFile(world, 'people.results.csv')).toBe(false);
  });

  it('needs --yes without a terminal', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv', { files: { 'people.csv': people } });
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/--yes/);
    expect(run.requests.filter(isWrite)).toEqual([]);
  });

  it('stops before the question with --dry-run', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --dry-run -o json', {
      files: { 'people.csv': people },
    });
    expect(run.code).toBe(0);
    const [{ steps }] = JSON.parse(run.stdout).accounts;
    expect(steps.map(({ label, action }: JsonObject) => [label, action])).toEqual([
      ['user alice', 'create'],
      ['user bob', 'create'],
      ['user carol', 'create'],
    ]);
    expect(run.stdout).not.toContain('first-sign-in');
    expect(run.requests.filter(isWrite)).toEqual([]);
    expect(hasFile(world, 'people.results.csv')).toBe(false);
  });
});

describe('a file that cannot be imported', () => {
  const importRefused = async (file: string, more: readonly string[] = []) => {
    const world = await openWorld();
    const run = await world.telctl(['users', 'import', 'people.csv', '--yes', ...more], {
      files: { 'people.csv': file },
    });
    expect(run.requests.filter(isWrite)).toEqual([]);
    expect(run.stdout).toBe('');
    return run;
  };

  it('is missing, empty, without titles or without rows', async () => {
    const world = await openWorld();
    const missing = await world.telctl('users import nobody.csv --yes');
    expect([missing.code, missing.stderr]).toEqual([2, 'There is no file nobody.csv.\n']);
    const empty = await importRefused('\n\n');
    expect([empty.code, empty.stderr]).toEqual([
      10,
      'people.csv contains no users: it is empty; the first line names the columns. Nothing was sent.\n',
    ]);
    const noTitles = await importRefused('alice,Alice,Archer,alice@acme.example\n');
    expect(noTitles.code).toBe(10);
    expect(noTitles.stderr).toMatch(/people\.csv:1 \(alice\): no field is called "alice"/);
    expect((await importRefused(`${head}\n`)).stderr).toMatch(/people\.csv:1: it has titles but no rows/);
  });

  it('is not UTF-8: the error explains how to convert it', async () => {
    const world = await openWorld();
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      join(world.folders.cwd, 'people.csv'),
      Buffer.from(`${head}\nzo\xEB,Zo\xEB,A,\n`, 'latin1'),
    );
    const run = await world.telctl('users import people.csv --yes');
    expect(run.code).toBe(10);
    expect(run.stderr).toMatch(/people\.csv is not UTF-8 text\. Nothing was sent\.[\s\S]*CSV UTF-8/);
  });

  it('has an unclosed quote: the error names the line', async () => {
    const run = await importRefused(`${head}\nalice,"Alice,Archer,x\n`);
    expect(run.code).toBe(10);
    expect(run.stderr).toMatch(/people\.csv:2: a cell begins with a quote that is never closed/);
  });

  it('has an unknown column: the error names the nearest field and --map', async () => {
    const run = await importRefused('username,first_name,last_name,frist nme,Cost centre\nalice,A,B,x,7\n');
    expect(run.code).toBe(10);
    expect(run.stderr).toContain(
      'people.csv:1 (frist nme): no field is called "frist nme"; did you mean "first_name"? --map "frist nme=FIELD" names its field, --map "frist nme=-" leaves it out\n',
    );
    expect(run.stderr).toContain('people.csv:1 (Cost centre): no field is called "Cost centre"; --map');
  });

  it('has a mapping of a missing column, or of two columns to one field', async () => {
    const run = await importRefused(people, ['--map', 'Last=last_name', '--map', 'first_name=frist_name']);
    expect(run.stderr).toContain('--map Last: the file has no such column; did you mean "last_name"?');
    expect(run.stderr).toContain(
      '--map first_name=frist_name: there is no field "frist_name"; did you mean "first_name"?',
    );
    expect((await importRefused('username,E-mail,email\na,b@x.example,c@x.example\n')).stderr).toContain(
      '"email" and "E-mail" both mean email',
    );
    const wrong = await importRefused(people, ['--map', 'username']);
    expect(wrong.code).toBe(2);
  });

  it('has invalid cells: each is named with row and column', async () => {
    const run = await importRefused(
      'username,first_name,last_name,Enabled,E-mail\nalice,Alice,Archer,maybe,alice@acme.example\nbob,Bob,,true,bob\n,Carol,Cook,true,\n',
    );
    expect(run.code).toBe(10);
    expect(run.stderr).toContain('people.csv:2 (Enabled): "enabled" must be true or false, not "maybe"');
    expect(run.stderr).toContain('people.csv:4 (username): the username is empty');
    const later = await importRefused(
      'username,first_name,last_name,Enabled,E-mail\nbob,Bob,,true,bob\ncarol,Carol,Cook,true,carol@acme.example\n',
    );
    expect(later.stderr).toMatch(
      /people\.csv:2 \(E-mail\): "email" must be [^\n]*; a KAZOO-compatible service would refuse the request/,
    );
    expect(later.stderr).toContain('people.csv:2: users.bob has no "last_name"');
  });

  it('only warns about conventions with --lenient', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --lenient --dry-run', {
      files: { 'people.csv': 'username,first_name,last_name\nbob,Bob,\n' },
    });
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/warning: people\.csv:2: users\.bob has no "last_name"/);
  });

  it('has a user twice: both rows are named', async () => {
    const run = await importRefused(`${people}Alice,Other,Archer,pw\n`);
    expect(run.code).toBe(10);
    expect(run.stderr).toContain('people.csv:5 (username): row 2 has the same username: "Alice"');
  });

  it('has rows with more cells than titles', async () => {
    const run = await importRefused(`${people}dave,Dave,Doe, Jr.,pw\n`);
    expect(run.stderr).toContain('people.csv:5: the row has 5 cells, but the file has 4 columns');
  });

  it('has no password for a new user: the error names the option that generates one', async () => {
    const without = await importRefused('username,first_name,last_name\nalice,Alice,Archer\n');
    expect(without.code).toBe(10);
    expect(without.stderr).toBe(
      'people.csv: no column for "password", which a new user needs\nNothing was sent. 1 problem in 1 file.\nGenerate them with --generate-passwords --passwords-out FILE, or send the users without passwords with --lenient.\n',
    );
    const some = await importRefused(`${people}dave,Dave,Doe,\n`);
    expect(some.stderr).toMatch(/^people\.csv:5: the row has no password, which a new user needs\n/);
  });

  it('lacks a column that new users need', async () => {
    const run = await importRefused('username,first_name\nalice,Alice\n');
    expect(run.stderr).toContain('people.csv:1: no column for "last_name", which a new user needs');
  });
});

describe('existing users', () => {
  const openWorldWithBob = async (): Promise<World> => {
    const world = await openWorld();
    await world.addUser({ username: 'bob', first_name: 'Robert', last_name: 'Baker' });
    return world;
  };

  it('stop the import before any request', async () => {
    const world = await openWorldWithBob();
    const run = await world.telctl('users import people.csv --yes', { files: { 'people.csv': people } });
    expect(run.code).toBe(6);
    expect(run.stderr).toMatch(
      /people\.csv:3: user bob already exists \([^)]+\)\n1 row would create an object that exists already\. Nothing was sent\./,
    );
    expect(run.stderr).toMatch(/--existing skip/);
    expect(run.requests.filter(isWrite)).toEqual([]);
  });

  it('are unchanged with --existing skip', async () => {
    const world = await openWorldWithBob();
    const run = await world.telctl('users import people.csv --yes --existing skip', {
      files: { 'people.csv': people },
    });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('Users: 2 created, 1 existing already.');
    expect((await readUsers(world)).get('bob')?.first_name).toBe('Robert');
    expect(readText(world, 'people.results.csv')).toMatch(/^3,bob,exists,/m);
  });

  it('are updated from the file with --existing update', async () => {
    const world = await openWorldWithBob();
    const run = await world.telctl('users import people.csv --yes --existing update', {
      files: { 'people.csv': people },
    });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('Users: 2 created, 1 changed.');
    expect((await readUsers(world)).get('bob')?.first_name).toBe('Bob');
  });
});

describe('an incomplete import', () => {
  it('sends the other rows, exits with code 8, and --resume sends the failed ones', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --yes --concurrency 1', {
      files: { 'people.csv': people },
      faults: [pass, failUsers(1)],
    });
    expect(run.code).toBe(8);
    expect(run.stderr).toMatch(
      /people\.csv:3: user bob: The service responded with 400: no room \(request r-1\)\n1 of 3 rows was not done\./,
    );
    expect(run.stderr).toMatch(/--resume/);
    expect(readText(world, 'people.results.csv')).toMatch(
      /^3,bob,failed,,user bob: The service responded with 400: no room \(request r-1\)$/m,
    );
    const again = await world.telctl('users import people.csv --yes');
    expect(again.code).toBe(6);
    expect(again.stderr).toMatch(/Continue an interrupted import with --resume/);
    const resumed = await world.telctl('users import people.csv --yes --resume');
    expect(resumed.stderr).toContain('Users: 3 created.');
    expect(resumed.code).toBe(0);
    expect(resumed.requests.filter(isWrite)).toHaveLength(1);
    expect((await readUsers(world)).size).toBe(3);
    const nothing = await world.telctl('users import people.csv --yes --resume');
    expect([nothing.code, nothing.stderr]).toEqual([0, 'Nothing to do: all 3 rows were sent.\n']);
  });

  it('creates one user if the reply of a create is lost', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --yes', {
      files: { 'people.csv': people },
      faults: [{ method: 'PUT', path: /\/users$/, times: 1, fault: { kind: 'lose-reply' } }],
    });
    expect(run.stderr).toContain('Users: 3 created.');
    expect((await readUsers(world)).size).toBe(3);
  });

  it('writes the results file after Ctrl-C', async () => {
    const world = await openWorld();
    const stop = new AbortController();
    const run = await world.telctl('users import people.csv --yes --concurrency 1', {
      files: { 'people.csv': people },
      interrupted: stop.signal,
      faults: [
        pass,
        {
          method: 'PUT',
          path: /\/users$/,
          times: 1,
          fault: { kind: 'hang', onRequest: () => stop.abort(new Error('Ctrl-C')) },
        },
      ],
    });
    expect(run.code).toBe(130);
    const results = readText(world, 'people.results.csv');
    expect(results).toMatch(/^2,alice,created,/m);
    expect(results).toMatch(/^4,carol,skipped,,/m);
    const resumed = await world.telctl('users import people.csv --yes --resume');
    expect(resumed.code).toBe(0);
    expect((await readUsers(world)).size).toBe(3);
  });

  it('is completed by --resume after a kill, even if the results file is incomplete', async () => {
    const world = await openWorld();
    for (const [username, first, last] of [
      ['alice', 'Alice', 'Archer'],
      ['bob', 'Bob', 'Baker'],
    ])
      await world.addUser({ username, first_name: first, last_name: last });
    const files = {
      'people.csv': people,
      'people.results.csv': 'row,username,status,id,error\n2,alice,created,0123,\n3,bo',
    };
    const anew = await world.telctl('users import people.csv --yes', { files });
    expect(anew.code).toBe(6);
    expect(anew.stderr).toContain('Continue an interrupted import with --resume');
    const run = await world.telctl('users import people.csv --yes --resume');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('Users: 2 created, 1 existing already.');
    expect(run.requests.filter(isWrite)).toHaveLength(1);
    expect(readText(world, 'people.results.csv')).toMatch(
      /^row,username,status,id,error\n2,alice,created,0123,\n3,bob,exists,\w{32},\n4,carol,created,\w{32},\n$/,
    );
  });

  it('retries a user after one 500, and adds objects to the ledger only with --set', async () => {
    const world = await openWorld();
    const body = '{"status":"error","error":"500","message":"busy","data":{}}';
    const run = await world.telctl('users import people.csv --yes', {
      files: { 'people.csv': people },
      faults: [{ method: 'PUT', path: /\/users$/, times: 1, fault: { kind: 'answer', status: 500, body } }],
    });
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('Users: 3 created.')]);
    const readSets = async () => JSON.parse((await world.telctl('state list -o json')).stdout);
    expect(await readSets()).not.toContainEqual(expect.objectContaining({ objects: 3 }));
    await world.telctl('undo --yes');
    await world.telctl('users import people.csv --yes --set people --results again.csv');
    expect(await readSets()).toContainEqual(expect.objectContaining({ sets: ['people'], objects: 3 }));
  });

  it('is reverted by undo, and not adopted by apply', async () => {
    const world = await openWorld();
    await world.telctl('users import people.csv --yes --concurrency 1', {
      files: { 'people.csv': people },
      faults: [pass, failUsers(1)],
    });
    const apply = await world.telctl('apply --resume --yes');
    expect(apply.code).toBe(2);
    expect(apply.stderr).toMatch(/was not started by apply\.\n[^\n]*users import people\.csv --yes/);
    const undo = await world.telctl('undo --yes');
    expect(undo.code).toBe(0);
    expect((await readUsers(world)).size).toBe(0);
  });

  it('does not overwrite a file that is not a results file', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --yes', {
      files: { 'people.csv': people, 'people.results.csv': 'my notes\n' },
    });
    expect(run.code).toBe(9);
    expect(run.stderr).toMatch(
      /people\.results\.csv exists and is not a results file\. telctl does not overwrite it/,
    );
    expect(readText(world, 'people.results.csv')).toBe('my notes\n');
    const folder = await world.telctl('users import people.csv --yes --results .');
    expect([folder.code, folder.stderr, folder.requests]).toEqual([
      2,
      expect.stringContaining('. is a folder; --results requires a file name.'),
      [],
    ]);
    const none = await world.telctl('users import people.csv --yes --resume --results other.csv');
    expect([none.code, none.stderr.split('\n')[0]]).toEqual([2, 'Results file other.csv not found.']);
  });
});

describe('an import with failing requests or a failing disk', () => {
  it('recognizes a user created by a request delivered twice, and no other user of that name', async () => {
    const world = await openWorld();
    const twice = { method: 'PUT', path: /\/users$/, times: 1, fault: { kind: 'duplicate' } } as const;
    const run = await world.telctl('users import people.csv --yes -o json', {
      files: { 'people.csv': people },
      faults: [twice],
    });
    expect([run.code, JSON.parse(run.stdout).map(({ status }: JsonObject) => status)]).toEqual([
      0,
      ['created', 'created', 'created'],
    ]);
    const other = { username: 'dora', first_name: 'Another', last_name: 'Dorn' };
    const rival = await world.telctl('users import dora.csv --yes -o json', {
      files: { 'dora.csv': `${head}\ndora,Dora,Dorn,first-sign-in\n` },
      faults: [
        {
          method: 'PUT',
          path: /\/users$/,
          times: 1,
          fault: { kind: 'meanwhile', does: () => world.addUser(other) },
        },
      ],
    });
    expect([rival.code, JSON.parse(rival.stdout)]).toEqual([
      6,
      [expect.objectContaining({ status: 'failed' })],
    ]);
  });

  it('reports what was done if the disk fills up', async () => {
    const world = await openWorld();
    const throwDiskFull = (path: string): never => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC', path });
    };
    const disk = {
      writePublic: (path: string, text: string | Uint8Array) =>
        path.endsWith('.results.csv') ? throwDiskFull(path) : files.writePublic(path, text),
      writePrivate(path: string, text: string | Uint8Array) {
        if (path.endsWith('passwords.csv')) throwDiskFull(path);
        files.writePrivate(path, text);
      },
    };
    const run = await world.telctl(
      'users import people.csv --yes --generate-passwords --passwords-out passwords.csv',
      {
        files: { 'people.csv': people.replaceAll(',first-sign-in', '').replace(',password', '') },
        disk,
        faults: [pass, failUsers(1)],
      },
    );
    expect([...(await readUsers(world)).keys()].toSorted()).toEqual(['alice', 'carol']);
    expect(run.stderr).toContain('Users: 2 created, 1 failed.');
    expect(run.stderr).toContain('people.results.csv cannot be written (no space left on the disk)');
    expect(run.stderr).toContain('still has passwords of 1 user');
    expect(run.stderr).not.toContain('Nothing was sent');
    expect(run.code).toBe(8);
  });
});

describe('a template for objects of each user', () => {
  const files = { 'people.csv': extended, 'extras.yaml': template };

  it('creates objects with references to the user of the row', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --template extras.yaml --yes', { files });
    expect(run.stderr).toContain(
      'people.csv: 2 users to create, 2 vmboxes to create, 2 callflows to create.',
    );
    expect(run.code).toBe(0);
    const users = await readUsers(world);
    const boxes = JSON.parse((await world.telctl('vmboxes list -o json')).stdout);
    const isCounted = world.behaviour.messages.mailboxes === 'counted';
    const mailboxes = isCounted ? ['101', '102'] : ['0101', '0102'];
    expect(boxes).toMatchObject(mailboxes.map((mailbox) => ({ mailbox })));
    const box = await world.service('GET', `vmboxes/${boxes[0].id}`);
    expect(box.owner_id).toBe(users.get('alice')?.id);
    const flow = JSON.parse((await world.telctl('callflows get 0101 -o json')).stdout);
    expect(flow).toMatchObject({ name: 'Line of Alice', flow: { data: { id: boxes[0].id } } });
  });

  it('sets fields of every user, which cells override', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --template extras.yaml --yes', {
      files: {
        'people.csv':
          'username,first_name,password,timezone\nalice,Alice,first-sign-in,\nbob,Bob,first-sign-in,Europe/Zurich\n',
        'extras.yaml': 'users:\n  row: { last_name: Staff, timezone: UTC }\n',
      },
    });
    expect(run.code).toBe(0);
    const users = await readUsers(world);
    expect(users.get('alice')).toMatchObject({ last_name: 'Staff', timezone: 'UTC' });
    expect(users.get('bob')).toMatchObject({ last_name: 'Staff', timezone: 'Europe/Zurich' });
  });

  it('is refused if it names no column, or would create one object for all', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --template extras.yaml --yes', {
      files: {
        'people.csv': extended,
        'extras.yaml':
          'vmboxes:\n  box: { mailbox: "${row.extention}" }\nlimits: { twoway_trunks: 2 }\ngroups:\n  all: { name: All, endpoints: { "${users.row}": { type: user } } }\n',
      },
    });
    expect(run.code).toBe(10);
    expect(run.stderr).toContain('did you mean "Extension"?');
    expect(run.stderr).toContain('vmboxes.box would be the same object for every row');
    expect(run.stderr).toContain('groups.all would be the same object for every row');
    expect(run.stderr).toContain('"limits" is the account\'s own, and is not allowed in a template');
    expect(run.requests).toEqual([]);
  });

  it('accepts empty optional cells', async () => {
    const world = await openWorld();
    const file =
      'username,first_name,last_name,password,Extension\nalice,Alice,Archer,first-sign-in,0101\nbob,Bob,Baker,first-sign-in,\n';
    const refused = await world.telctl('users import people.csv --template extras.yaml --yes', {
      files: { 'people.csv': file, 'extras.yaml': template },
    });
    expect(refused.stderr).toMatch(
      /extras\.yaml:4:\d+ for people\.csv:3: \$\{row\.extension\}: the cell is empty/,
    );
    const box =
      'vmboxes:\n  "${row.extension?}": { name: "${row.username}", mailbox: "${row.extension?}" }\n';
    const run = await world.telctl('users import people.csv --template extras.yaml --yes', {
      files: { 'people.csv': file, 'extras.yaml': box },
    });
    expect(run.stderr).toContain('2 users to create, 1 vmbox to create.');
    expect(run.code).toBe(0);
  });

  it('fails for one row only: the row says so, and --resume creates what is missing', async () => {
    const world = await openWorld();
    const line = 'users import people.csv --template extras.yaml --yes --concurrency 1';
    const run = await world.telctl(line, {
      files,
      faults: [{ ...failUsers(1), path: /\/vmboxes$/ }],
    });
    expect(run.code).toBe(8);
    expect(readText(world, 'people.results.csv')).toMatch(/^2,alice,failed,[0-9a-f]{32},/m);
    const resumed = await world.telctl(`${line} --resume`);
    expect(resumed.code).toBe(0);
    expect(resumed.requests.filter(isWrite).map(({ path }) => path.split('/').at(-1))).toEqual([
      'vmboxes',
      'callflows',
    ]);
  });

  it('does not treat a cell as a reference', async () => {
    const world = await openWorld();
    const run = await world.telctl('users import people.csv --yes', {
      files: {
        'people.csv':
          'username,first_name,last_name,password\nalice,${env.HOME},$${x} ${users.bob},first-sign-in\n',
      },
    });
    expect(run.stderr).toContain('Users: 1 created.');
    expect((await readUsers(world)).get('alice')).toMatchObject({
      first_name: '${env.HOME}',
      last_name: '$${x} ${users.bob}',
    });
  });
});

describe('generated passwords', () => {
  const some = 'username,first_name,last_name,password\nalice,Alice,Archer,\nbob,Bob,Baker,his-own-word\n';

  it('are only in their file, readable by its owner', async () => {
    const world = await openWorld();
    const run = await world.telctl(
      'users import people.csv --yes --generate-passwords --passwords-out new.csv -o json -v',
      { files: { 'people.csv': some } },
    );
    expect(run.code).toBe(0);
    const text = readText(world, 'new.csv');
    expect(text).toMatch(/^username,password\nalice,[a-zA-Z2-9]{20}\n$/);
    expect(statSync(join(world.folders.cwd, 'new.csv')).mode & 0o777).toBe(0o600);
    const password = text.split(/[,\n]/)[3] ?? '';
    for (const place of [run.stdout, run.stderr, readText(world, 'people.results.csv')])
      expect(place).not.toContain(password);
    for (const { path, isFolder } of world.filesWritten())
      if (!isFolder && !path.endsWith('new.csv')) expect(readFileSync(path, 'utf8')).not.toContain(password);
    const login = await world.telctl(
      [
        ...'login --profile alice --account-name acme --username alice --password-stdin --base-url'.split(
          ' ',
        ),
        world.url,
      ],
      { stdin: password },
    );
    expect(login.code).toBe(0);
  });

  it('need their file, and do not overwrite an existing one', async () => {
    const world = await openWorld();
    const files = { 'people.csv': some, 'new.csv': 'mine\n' };
    const without = await world.telctl('users import people.csv --yes --generate-passwords', { files });
    expect(without.code).toBe(2);
    const over = await world.telctl(
      'users import people.csv --yes --generate-passwords --passwords-out new.csv',
    );
    expect(over.code).toBe(9);
    expect(over.requests.filter(isWrite)).toEqual([]);
    expect(readText(world, 'new.csv')).toBe('mine\n');
  });

  it('are kept only for created users, and added on --resume', async () => {
    const world = await openWorld();
    const line = 'users import people.csv --yes --generate-passwords --passwords-out new.csv --concurrency 1';
    const file = 'username,first_name,last_name\nalice,Alice,Archer\nbob,Bob,Baker\n';
    await world.telctl(line, { files: { 'people.csv': file }, faults: [failUsers(1)] });
    expect(readText(world, 'new.csv')).toMatch(/^username,password\nbob,\w{20}\n$/);
    const resumed = await world.telctl(`${line} --resume`);
    expect(resumed.code).toBe(0);
    expect(readText(world, 'new.csv')).toMatch(/^username,password\nbob,\w{20}\nalice,\w{20}\n$/);
  });
});

it('reads the output of -o csv', async () => {
  const world = await openWorld();
  await world.addUser({
    username: 'eve',
    first_name: '=1+1',
    last_name: "'+x",
    caller_id: { internal: { number: '+15551230000', name: '-3' } },
    flags: ['a, b', 'c'],
  });
  const fields =
    'id,username,first_name,last_name,enabled,caller_id.internal.number,caller_id.internal.name,flags';
  const list = await world.telctl(['users', 'get', 'eve', '-o', 'csv', '--fields', fields]);
  expect(list.stdout).toContain(`'=1+1`);
  const before = (await readUsers(world)).get('eve');
  await world.telctl('users delete eve --yes');
  const run = await world.telctl('users import eve.csv --yes --generate-passwords --passwords-out new.csv', {
    files: { 'eve.csv': list.stdout },
  });
  expect(run.stderr).toContain('Left out, because the service sets it: "id".');
  expect(run.code).toBe(0);
  const after = (await readUsers(world)).get('eve');
  for (const field of ['first_name', 'last_name', 'caller_id', 'flags', 'enabled'])
    expect(after?.[field]).toEqual(before?.[field]);
});

it('changes nothing after users list -o csv', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'eve', first_name: '=1+1', last_name: '@x', email: 'eve@acme.example' });
  const list = await world.telctl('users list -o csv');
  const same = await world.telctl('users import all.csv --existing update', {
    files: { 'all.csv': list.stdout },
  });
  expect(same.code).toBe(0);
  expect(same.stderr).toContain('all.csv: 2 users unchanged.');
  expect(same.requests.filter(isWrite)).toEqual([]);
  const edited = list.stdout.replace("'@x", 'Xavier');
  const run = await world.telctl('users import all.csv --existing update --yes', {
    files: { 'all.csv': edited },
  });
  expect(run.stderr).toContain('all.csv: 1 user to change, 1 user unchanged.');
  expect((await readUsers(world)).get('eve')).toMatchObject({ first_name: '=1+1', last_name: 'Xavier' });
});
