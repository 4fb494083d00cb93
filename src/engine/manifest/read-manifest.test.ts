// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestWorld } from '../../../test/support/manifest-world.ts';
import { databasePath, seedPath } from '../../extensions/sandbox/sandbox-paths.ts';
import { referenceTo } from './desired.ts';

const alice = 'users: { alice: { username: alice, first_name: Alice, last_name: Archer } }';

describe('reading a manifest', () => {
  it('warns of a name in place of an id with the correct reference, and rejects it in strict mode', async () => {
    const { read, problems } = manifestWorld();
    const files = {
      'office.yaml': `
menus: { main: { name: Main menu } }
vmboxes: { alice: { mailbox: "2001", name: Alice, owner_id: alice } }
groups: { sales: { name: Sales, endpoints: { alice: { type: user } } } }
callflows:
  line:
    name: Line
    numbers: ["2001"]
    flow: { module: menu, data: { id: Main menu }, children: { _: { module: voicemail, data: { id: "2001" } } } }
${alice}
`,
    };
    const { warnings } = await read(files);
    const lines = warnings.map(({ place, message }) => `${place}: ${message}`);
    expect(lines).toContainEqual(
      expect.stringContaining(
        'office.yaml:9:39: "Main menu" is the name of a menu, but an id is needed here; write ${menus.main}',
      ),
    );
    expect(lines).toContainEqual(expect.stringContaining('office.yaml:4:53: "alice" is the name of a user'));
    expect(lines.join()).toContain('"2001" is the name of a vmbox');
    expect((await problems(files, undefined, { strictInput: true })).join()).toContain(
      '"Main menu" is the name of a menu',
    );
  });

  it('returns typed fields, references, ordered kinds and the inputs', async () => {
    const { read } = manifestWorld();
    const { desired, warnings } = await read({
      'office.yaml': `
callflows:
  main:
    name: Main line
    numbers: [+15551230000, 0100]
    flow: { module: user, data: { id: "\${users.alice}", timeout: 20 }, children: {} }
groups:
  sales: { name: Sales, endpoints: { "\${users.alice}": { type: user } } }
${alice}
`,
    });
    const [account] = desired.accounts;
    expect(account?.objects.map(({ key }) => key)).toEqual(['users.alice', 'groups.sales', 'callflows.main']);
    expect(account?.objects[1]?.fields.endpoints).toEqual({ [referenceTo('users.alice')]: { type: 'user' } });
    expect(account?.objects[2]).toMatchObject({
      fields: {
        numbers: ['+15551230000', '0100'],
        flow: { data: { id: referenceTo('users.alice'), timeout: 20 } },
      },
      refersTo: ['users.alice'],
    });
    expect(desired.set).toBe('office.yaml');
    expect(desired.inputs).toMatchObject([
      { name: 'office.yaml', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(warnings).toEqual([]);
  });

  it('reports all problems in all files with places and suggestions', async () => {
    const { problems } = manifestWorld();
    expect(
      await problems({
        'a.yaml': 'user: {}\nusers:\n  alice: { username: alice, frist_name: A }\n',
        'b.yaml': `callflows:
  main: { name: Main, flow: { module: user, data: { id: "\${users.alise}" } } }
  other: { name: Other, owner_id: "\${usres.alice}", flow: { module: "\${what}" } }
menus: [1]
`,
      }),
    ).toEqual([
      'a.yaml:1:1: unknown section "user"; did you mean "users"?',
      'a.yaml:3:29: unknown field "frist_name"; did you mean "first_name"?',
      'b.yaml:2:57: ${users.alise} is not in the manifest; did you mean ${users.alice}?',
      'b.yaml:3:35: ${usres.alice} is not known; did you mean ${users.alice}?',
      'b.yaml:3:69: ${what} is not understood; ${env.what} is a variable of the environment, and $${ a literal ${',
      expect.stringContaining('b.yaml:4:8: "menus" must be a map from local names to fields'),
    ]);
  });

  it('reports an unquoted reference in braces without follow-up problems', async () => {
    const { problems } = manifestWorld();
    expect(
      await problems({ 'a.yaml': 'callflows:\n  c: { name: C, owner_id: ${users.a} }\nusers: {}\n' }),
    ).toEqual(['a.yaml:2:27: inside { } and [ ], YAML requires quotes around text with ${']);
  });

  it('reads folders recursively in order, without hidden files and links that leave the folder', async () => {
    const { read, folders, failure } = manifestWorld();
    const user = (name: string) => `users: { ${name}: { username: ${name} } }`;
    const { desired } = await read(
      {
        'env/b/users.yml': user('bob'),
        'env/a.json': '{"users":{"ann":{"username":"ann"}}}',
        'env/.hidden.yaml': user('eve'),
        'env/notes.txt': 'no manifest',
      },
      ['env'],
    );
    expect(desired.accounts[0]?.objects.map(({ name }) => name)).toEqual(['ann', 'bob']);
    expect(desired.inputs.map(({ name }) => name)).toEqual(['env/a.json', 'env/b/users.yml']);
    expect(desired.set).toBe('env');
    mkdirSync(join(folders.cwd, 'none'));
    expect(await failure({}, ['none'])).toBe('The folder none contains no manifests.');
    mkdirSync(join(folders.cwd, 'linked'));
    symlinkSync(join(folders.cwd, 'env/a.json'), join(folders.cwd, 'linked/x.json'));
    expect(await failure({}, ['linked'])).toBe('linked/x.json is a link to a file outside of linked.');
  });

  it('separates accounts, and a document can fill a sub-account described earlier', async () => {
    const { read, problems } = manifestWorld();
    const text = `account: acme
accounts: { branch: { name: Branch, realm: branch.acme.example } }
---
account: \${accounts.branch}
${alice}
`;
    const { desired } = await read({ 'a.yaml': text });
    expect(desired.accounts.map(({ account }) => account)).toEqual(['acme', referenceTo('accounts.branch')]);
    expect(
      await problems({
        'a.yaml': 'account: ${accounts.branch}\nusers: {}\n',
        'b.yaml': `account: x\n${alice}`,
        'c.yaml': 'account: y\nvmboxes: { v: { mailbox: "1", owner_id: "${users.alice}" } }',
      }),
    ).toEqual([
      'a.yaml:1:10: ${accounts.branch} is not described by an earlier document',
      'c.yaml:2:41: ${users.alice} is an object of another account; references reach only their own account',
    ]);
  });

  it('warns of a document without an account next to one with an account', async () => {
    const { read } = manifestWorld();
    const { warnings } = await read({ 'a.yaml': `account: acme\n${alice}`, 'b.yaml': alice });
    expect(warnings.map(({ place, message }) => `${place}: ${message}`)).toEqual([
      'b.yaml:1:1: this document names no account, so it applies to the account acted on; others apply to acme',
    ]);
    const sub = 'accounts: { branch: { name: Branch } }\n---\naccount: ${accounts.branch}\nusers: {}\n';
    expect((await read({ 'a.yaml': sub })).warnings).toEqual([]);
  });

  it('stores protect and renamed_from separately from the fields', async () => {
    const { read, problems } = manifestWorld();
    const { desired } = await read({
      'a.yaml': 'menus: { m: { name: New, protect: true, renamed_from: old } }',
    });
    expect(desired.accounts[0]?.objects[0]).toMatchObject({
      fields: { name: 'New' },
      protect: true,
      renamedFrom: 'old',
    });
    expect(
      await problems({ 'a.yaml': 'menus: { m: { name: M, protect: maybe } }\nlimits: { renamed_from: x }' }),
    ).toEqual([
      'a.yaml:1:33: "protect" must be true or false',
      'a.yaml:2:25: limits has no name that could have changed',
    ]);
  });
});

describe('overlays', () => {
  const base =
    'users: { alice: { username: alice, caller_id: { internal: { name: A, number: 1 } }, flags: [x] } }';

  it('merge maps, replace other values and keep null, and each value keeps its place', async () => {
    const { read } = manifestWorld();
    const { desired } = await read({
      'a.yaml': base,
      'b.yaml': 'users:\n  alice: { timezone: ~, flags: [], caller_id: { internal: { number: 2 } } }',
    });
    const [object] = desired.accounts[0]?.objects ?? [];
    expect(object?.fields).toEqual({
      username: 'alice',
      caller_id: { internal: { name: 'A', number: '2' } },
      flags: [],
      timezone: null,
    });
    expect(object?.place('caller_id.internal.name')).toBe('a.yaml:1:67');
    expect(object?.place('caller_id.internal.number')).toBe('b.yaml:2:69');
  });

  it('remove an object that is null in a later file, but not an empty one', async () => {
    const { read, problems } = manifestWorld();
    const { desired } = await read({ 'a.yaml': base, 'b.yaml': 'users: { alice: null }' });
    expect(desired.accounts[0]?.objects).toEqual([]);
    expect(await problems({ 'a.yaml': base, 'b.yaml': 'users:\n  alice:\n' })).toEqual([
      'b.yaml:2:3: users.alice has no fields',
    ]);
  });

  it('warn of each changed natural key with both places, and of no other field', async () => {
    const { read } = manifestWorld({ NAME: 'canary-value' });
    const flow = 'flow: { module: hangup, data: {} }';
    const { warnings } = await read({
      'a.yaml': `menus: { m: { name: Main } }
users: { a: { username: "\${env.NAME}" } }
callflows: { c: { numbers: ["2001", "2002"], ${flow} }, d: { numbers: ["3001"], ${flow} } }
vmboxes: { v: { mailbox: "1", name: V } }`,
      'b.yaml': `menus: { m: { name: Other } }
users: { a: { username: bob } }
callflows: { c: { numbers: ["2002", "2003"] }, d: { numbers: ["4001"] } }
vmboxes: { v: { mailbox: 1, name: W } }`,
    });
    const found = warnings.filter(({ message }) => message.includes('Both documents'));
    expect(found.map(({ place, message }) => `${place}: ${message}`.replace(/\. Both.*/, ''))).toEqual([
      'b.yaml:1:15: "name" of menus.m is "Other" here and "Main" at a.yaml:1:15',
      'b.yaml:2:15: "username" of users.a is "bob" here and "${env.NAME}" at a.yaml:2:15',
      'b.yaml:3:53: "numbers" of callflows.d is "4001" here and "3001" at a.yaml:3:89',
    ]);
    expect(JSON.stringify(warnings)).not.toContain('canary-value');
  });

  it('reject a duplicate name in one document', async () => {
    const { problems } = manifestWorld();
    expect(await problems({ 'a.yaml': 'menus:\n  m: { name: A }\n  m: { name: B }\n' })).toEqual([
      'a.yaml:3:3: "m" is given twice',
    ]);
  });

  it('accept x- sections for anchors, and merge keys', async () => {
    const { read } = manifestWorld();
    const { desired } = await read({
      'a.yaml':
        'x-all: &all { timezone: UTC, enabled: true }\nusers: { a: { <<: *all, username: a, timezone: CET } }',
    });
    expect(desired.accounts[0]?.objects[0]?.fields).toEqual({
      username: 'a',
      timezone: 'CET',
      enabled: true,
    });
  });
});

describe('an interpolated value', () => {
  const user = (fields: string) => ({ 'env/a.yaml': `users:\n  a:\n    username: a\n    ${fields}\n` });
  const fields = (read: Awaited<ReturnType<ReturnType<typeof manifestWorld>['read']>>) =>
    read.desired.accounts[0]?.objects[0];

  it('comes from the environment, variables or files and is parsed once by its field type', async () => {
    const { read } = manifestWorld({ FIRST: '${env.LAST}', ON: 'false', NOTHING: 'null' });
    const object = fields(
      await read(
        {
          ...user(
            [
              'first_name: ${env.FIRST}',
              'last_name: "von ${var.last} $${x}"',
              'enabled: ${env.ON}',
              'presence_id: ${env.NOTHING}',
              'password: ${file.secret.txt}',
            ].join('\n    '),
          ),
          'env/secret.txt': 's3cret\n',
        },
        ['env/a.yaml'],
        { vars: new Map([['last', '0100']]) },
      ),
    );
    expect(object?.fields).toEqual({
      username: 'a',
      first_name: '${env.LAST}',
      last_name: 'von 0100 ${x}',
      enabled: false,
      presence_id: 'null',
      password: 's3cret',
    });
    expect(object?.confidential).toEqual(['first_name', 'enabled', 'presence_id', 'password']);
  });

  it('must be set unless marked with `?` or optional for the caller', async () => {
    const { read, problems } = manifestWorld({ EMPTY: '', PASSWORT: 'x' });
    expect(
      await problems(user('password: ${env.PASSWORD}\n    email: ${env.EMPTY}\n    timezone: ${var.zone}')),
    ).toEqual([
      'env/a.yaml:4:15: the variable PASSWORD is not set; did you mean PASSWORT?',
      'env/a.yaml:5:12: the variable EMPTY is empty, which counts as not set',
      'env/a.yaml:6:15: there is no variable "zone"; give --var zone=…',
    ]);
    const optional = await read(user('password: ${env.PASSWORD?}\n    flags: [a, "${env.EMPTY?}"]'));
    expect(fields(optional)).toMatchObject({ fields: { username: 'a' }, unset: ['password', 'flags.1'] });
    expect(fields(optional)?.fields).not.toHaveProperty('flags');
    const allowed = await read(user('password: ${env.PASSWORD}'), undefined, { allowUnset: true });
    expect(fields(allowed)?.unset).toEqual(['password']);
    expect(allowed.unset).toEqual(['PASSWORD']);
  });

  it('does not appear in the problem if it is invalid', async () => {
    const { problems } = manifestWorld({ RETRIES: 'canary-value' });
    expect(await problems({ 'a.yaml': 'menus: { m: { name: M, retries: "${env.RETRIES}" } }' })).toEqual([
      'a.yaml:1:33: "retries" must be a whole number, not the text "${env.RETRIES}"',
    ]);
  });

  it('of a variable is parsed as if typed: a number in untyped fields, unless quoted', async () => {
    const { read } = manifestWorld();
    const text =
      'callflows:\n  c:\n    name: C\n    flow:\n      data:\n        a: ${var.n}\n        b: "${var.n}"\n        c: ${var.z}\n';
    const object = fields(
      await read({ 'a.yaml': text }, undefined, {
        vars: new Map([
          ['n', '20'],
          ['z', 'null'],
        ]),
      }),
    );
    expect(object?.fields.flow).toEqual({ data: { a: 20, b: '20', c: 'null' } });
  });

  it('of a file requires a regular text file of at most 1 MB', async () => {
    const { problems } = manifestWorld();
    const [missing, folder, large] = await problems({
      ...user('first_name: ${file.nope}\n    last_name: ${file..}\n    email: ${file.large}'),
      'env/large': 'x'.repeat(1_000_001),
    });
    expect(missing).toMatch(/^env\/a\.yaml:4:17: \$\{file\.nope\}: there is no file \//);
    expect(folder).toContain('is a folder');
    expect(large).toContain('is larger than 1 MB');
  });

  it('of a file requires a path below the manifest folder or an allowed folder, after links', async () => {
    const { folders, read, problems } = manifestWorld();
    const files = {
      'outside/pin.txt': '1234\n',
      'env/in/pin.txt': '5678\n',
      ...user('first_name: ${file.NAME}'),
    };
    const named = (path: string) => ({
      ...files,
      'env/a.yaml': files['env/a.yaml'].replace('NAME', path),
    });
    await read(files, []).catch(() => undefined);
    symlinkSync('in/pin.txt', join(folders.cwd, 'env/near'));
    symlinkSync('../outside/pin.txt', join(folders.cwd, 'env/far'));
    symlinkSync('../outside', join(folders.cwd, 'env/folder'));
    const text = async (path: string, allowFiles: readonly string[] = []) =>
      fields(await read(named(path), ['env/a.yaml'], { allowFiles }))?.fields.first_name;
    expect(await text('in/pin.txt')).toBe('5678');
    expect(await text('near')).toBe('5678');
    const out = [
      '../outside/pin.txt',
      'far',
      'folder/pin.txt',
      '../outside/not-there',
      '/etc/hostname',
      '/proc/self/environ',
      join(folders.cwd, 'env-other/x'),
    ];
    for (const path of out) {
      const found = await problems(named(path), ['env/a.yaml']);
      expect(found.join('\n')).toContain(
        ` is not below ${folders.cwd}/env, where the manifest is; --allow-files `,
      );
    }
    for (const path of ['../outside/pin.txt', 'far', 'folder/pin.txt', join(folders.cwd, 'outside/pin.txt')])
      expect(await text(path, ['elsewhere', 'outside'])).toBe('1234');
  });

  it('never contains a variable or file of telctl itself, even if allowed', async () => {
    const { folders, problems } = manifestWorld({ TELCTL_API_KEY: 'canary', TELCTL_NOTHING: '' });
    const data = join(folders.cwd, 'data');
    const own = [
      join(folders.home, '.config/telctl/config.json'),
      join(folders.home, '.config/telctl/credentials/p.json'),
      join(folders.home, '.cache/telctl/tokens/p.json'),
      join(folders.home, '.local/state/telctl/ledgers/x.json'),
      databasePath(data),
      `${databasePath(data)}-wal`,
      seedPath(data),
    ];
    for (const path of own) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'canary');
    }
    symlinkSync(own[1] ?? '', join(folders.cwd, 'link'));
    for (const path of [...own, 'link']) {
      const found = await problems(
        { 'a.yaml': `users: { a: { username: "\${file.${path}}" } }` },
        ['a.yaml'],
        {
          allowFiles: ['/'],
        },
      );
      expect(found.join('\n')).toMatch(/ belongs to telctl, so manifests cannot read it$/);
    }
    for (const name of [
      'TELCTL_API_KEY',
      'TELCTL_API_KEY?',
      'TELCTL_NOTHING?',
      'TELCTL_UNSET?',
      'telctl_token',
    ])
      for (const text of [`\${env.${name}}`, `x-\${env.${name}}`]) {
        const found = await problems({ 'a.yaml': `users: { a: { username: "${text}" } }` }, ['a.yaml'], {
          allowUnset: true,
        });
        expect(found).toEqual([
          `a.yaml:1:25: \${env.${name}}: manifests cannot use variables of telctl itself; use another name`,
        ]);
      }
  });

  it('warns of an unused variable', async () => {
    const { read } = manifestWorld();
    const { warnings } = await read({ 'a.yaml': 'limits: {}' }, undefined, {
      vars: new Map([['tpyo', '1']]),
    });
    expect(warnings).toMatchObject([{ place: '--var tpyo', message: 'the manifest has no ${var.tpyo}' }]);
  });
});

describe('validating a manifest', () => {
  it('rejects an object without a natural key, and duplicate natural keys', async () => {
    const { problems } = manifestWorld();
    expect(
      await problems({
        'a.yaml': `users:
  a: { username: Alice }
  b: { username: alice }
  c: { first_name: Carol }
callflows:
  x: { name: X, numbers: ["1", "+1 555 123 0000"] }
  y: { name: Y, numbers: [5551230000] }
menus:
  m: { name: M }
  n: { name: M }
numbers:
  "+15551230000": {}
  "555-123-0000": {}
`,
      }),
    ).toEqual([
      'a.yaml:3:18: users.a (a.yaml:2:18) has the same "username": "alice"',
      'a.yaml:4:3: users.c needs "username" to identify it in the account',
      'a.yaml:7:26: callflows.x (a.yaml:6:26) has the same "numbers": "5551230000"',
      'a.yaml:10:14: menus.m (a.yaml:9:14) has the same "name": "M"',
      'a.yaml:13:3: numbers.+15551230000 (a.yaml:12:3) has the same "id": "555-123-0000"',
    ]);
  });

  it('rejects circular references and names all their places', async () => {
    const { problems } = manifestWorld();
    const endpoints = (to: string) => `endpoints: { "\${groups.${to}}": { type: group } }`;
    expect(
      await problems({
        'a.yaml': `groups:
  a: { name: A, ${endpoints('b')} }
  b: { name: B, ${endpoints('a')} }
  c: { name: C, ${endpoints('c')} }
`,
      }),
    ).toEqual([
      'a.yaml:2:3: references are circular: groups.a (a.yaml:2:3) → groups.b (a.yaml:3:3) → groups.a; none of them can be created first',
      'a.yaml:4:3: groups.c refers to itself',
    ]);
  });

  it('allows a cycle through a deferrable field: a directory entry or a flow', async () => {
    const { read, problems } = manifestWorld();
    const flow = (to: string) => `flow: { module: callflow, data: { id: "\${callflows.${to}}" } }`;
    const manifest = `users:
  alice: { username: alice, directories: { "\${directories.main}": "\${callflows.alice}" } }
directories:
  main: { name: Main }
callflows:
  alice: { name: Alice, owner_id: "\${users.alice}", flow: { module: user, data: { id: "\${users.alice}" } } }
  a: { name: A, ${flow('b')} }
  b: { name: B, ${flow('a')} }
  c: { name: C, ${flow('c')} }
`;
    await expect(read({ 'a.yaml': manifest })).resolves.toBeDefined();
    const beside = manifest.replace('name: C', 'name: C, owner_id: "${users.dora}"');
    const dora = '  dora: { username: dora, presence_id: "${callflows.c}" }\ndirectories';
    expect(await problems({ 'a.yaml': beside.replace('\ndirectories', () => `\n${dora}`) })).toEqual([
      'a.yaml:3:3: references are circular: users.dora (a.yaml:3:3) → callflows.c (a.yaml:10:3) → users.dora; none of them can be created first',
    ]);
  });

  it.each([
    ['users: { a: { username: a, password: "••••••" } }', 'mask'],
    ['users: { a: { username: a, password: "***" } }', 'mask'],
    ['users: { a: { username: a, password: "[redacted]" } }', 'mask'],
    ['users: { a: { username: a, password: "$ALICE_PASSWORD" } }', 'placeholder'],
    ['users: { a: { username: a, password: "@@PASSWORD@@" } }', 'placeholder'],
    ['users: { a: { username: a, first_name: "{{ first }}" } }', 'placeholder'],
    ['conferences: { c: { name: C, member: { pins: ["***"] } } }', 'mask'],
  ])('rejects a mask or a placeholder as a value: %s', async (text, word) => {
    const { problems } = manifestWorld();
    expect(await problems({ 'a.yaml': text })).toEqual([
      expect.stringContaining(`is ${word === 'mask' ? 'the' : 'a'} ${word}`),
    ]);
  });

  it('accepts ordinary text that resembles a mask or placeholder', async () => {
    const { read } = manifestWorld();
    const text = `users: { a: { username: a, first_name: "100%", last_name: "***", presence_id: "A {{b}} c" } }
callflows: { c: { name: "##21##", numbers: ["*97", "***"], flow: { data: { text: "{{name}}", cost: "$5" } } } }
webhooks: { w: { name: w, uri: "https://crm.example/?q=%20A%20" } }`;
    await expect(read({ 'a.yaml': text })).resolves.toBeDefined();
  });
});

describe('input that compatible services refuse', () => {
  it('is a warning, or an error in strict mode', async () => {
    const { read, problems } = manifestWorld();
    const files = { 'a.yaml': 'menus: { m: { name: M, retries: 99 } }\nusers: { a: { username: a } }' };
    const { warnings } = await read(files);
    const lines = [
      'a.yaml:1:33: "retries" must be at most 10; a KAZOO-compatible service would refuse the request',
      'a.yaml:2:10: users.a has no "first_name", "last_name", which it needs if it has to be created',
    ];
    expect(warnings.map(({ place, message }) => `${place}: ${message}`)).toEqual(lines);
    expect(await problems(files, undefined, { strictInput: true })).toEqual(lines);
  });

  it('does not include a reference in place of an id', async () => {
    const { read } = manifestWorld();
    const { warnings } = await read({
      'a.yaml': `${alice}\nvmboxes: { v: { mailbox: "100", name: V, owner_id: "\${users.alice}" } }`,
    });
    expect(warnings).toEqual([]);
  });
});
