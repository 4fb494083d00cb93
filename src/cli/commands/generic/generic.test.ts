import { describe, expect, it } from 'vitest';
import { handlerBench, itemsOf, textOf } from '../../../../test/support/command-run.ts';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { isObject } from '../../../base/json.ts';
import { resourceByName, resources } from '../../../contract/catalogue.ts';
import { callflowsCommands } from '../callflows/commands.ts';
import { globalOptions } from '../global-options.ts';
import { usersCommands } from '../users/commands.ts';
import { webhooksCommands } from '../webhooks/commands.ts';
import { genericCommands } from './commands.ts';

const commands = [
  ...usersCommands,
  ...callflowsCommands,
  ...webhooksCommands,
  ...genericCommands(resourceByName('groups'), ['groups']),
];
const alice =
  'username: alice\nfirst_name: Alice\nlast_name: Archer\ntimezone: Europe/London\npassword: first-Secret\n';

async function withAlice() {
  const bench = await handlerBench(commands);
  await bench.run(['users', 'create', '-f', 'alice.yaml'], { files: { 'alice.yaml': alice } });
  return bench;
}

describe('the list command', () => {
  it('sorts, searches and limits, and reports omitted records', async () => {
    const bench = await withAlice();
    const more = ['bob', 'carol', 'dora10', 'dora9'].map((username) => ({
      ...{ username, first_name: 'Xaver', last_name: username.toUpperCase(), password: 'first-Secret' },
    }));
    await bench.run(['users', 'create', '-f', '-'], { stdin: JSON.stringify(more) });
    const named = async (...options: readonly string[]) => {
      const { result } = await bench.run(['users', 'list', ...options]);
      const names = (await itemsOf(result)).map((item) => isObject(item) && item.username);
      return { names, cut: result.kind === 'list' ? result.cut?.() : 'no list' };
    };
    expect(await named('--search', 'XAVER', '--sort', 'last_name:desc', '--limit', '2')).toEqual({
      names: ['dora10', 'dora9'],
      cut: '2 of 4 users; all: --limit 0',
    });
    expect((await named('--search', 'dora', '--sort', 'username')).names).toEqual(['dora9', 'dora10']);
    expect((await named('--limit', '1')).cut).toBe('The first 1 user; all: --limit 0');
    expect((await named('--limit', '0', '--sort', 'NAME')).cut).toBeUndefined();
    expect(await failureOf(named('--sort', 'usernam'))).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('username'),
    });
  });
});

describe('a record', () => {
  it('is found by the first six or more digits of its id', async () => {
    const bench = await withAlice();
    const { result } = await bench.run(['users', 'get', 'alice']);
    const id = result.kind === 'item' && isObject(result.value) ? String(result.value.id) : '';
    for (const word of [id.slice(0, 6), `${id.slice(0, 8)}…`]) {
      const found = await bench.run(['users', 'get', word]);
      expect(found.result).toMatchObject({ value: { username: 'alice' } });
    }
    expect(await failureOf(bench.run(['users', 'get', id.slice(0, 5)]))).toMatchObject({ kind: 'not_found' });
  });
});

describe('the create command', () => {
  it('creates one record and prints its name and id', async () => {
    const { run } = await handlerBench(commands);
    const { result } = await run(['users', 'create', '-f', '-', '--email', 'a@acme.example'], {
      stdin: alice,
    });
    expect(result).toMatchObject({ kind: 'done', value: { username: 'alice', email: 'a@acme.example' } });
    expect(result.kind === 'done' && result.message).toMatch(/^Created user alice {2}[0-9a-f]{32}$/);
  });

  it('prints a multi-line name on one line', async () => {
    const { run } = await handlerBench(commands);
    const { result } = await run([
      'groups',
      'create',
      '--name',
      'Sales\n? Delete everything? y',
      '--set-json',
      'endpoints={}',
    ]);
    expect(result.kind === 'done' && result.message).toMatch(
      /^Created group "Sales\\n\? Delete everything\? y" {2}/,
    );
  });

  it('creates many records in file order and reports failures', async () => {
    const bench = await withAlice();
    const users = ['bob', 'alice', 'carol'].map((name) => ({
      username: name,
      first_name: name,
      last_name: 'X',
      password: 'p',
    }));
    const { result } = await bench.run(['users', 'create', '-f', 'users.json'], {
      files: { 'users.json': JSON.stringify(users, null, 1) },
    });
    expect(result).toMatchObject({
      kind: 'done',
      message: 'Created 2 users, failed 1.',
      value: [{ username: 'bob' }, { username: 'carol' }],
    });
    expect(result.failure?.kind).toBe('partial');
    expect(result.failure?.message).toMatch(/^failed {2}user alice \(users\.json:8:2\): .*username/);
    expect(result.failure?.details).toMatchObject({
      created: 2,
      failed: [{ index: 1, error: { kind: 'conflict' } }],
    });
  });

  it('exits with the code of the failures if every record failed', async () => {
    const bench = await withAlice();
    const bob = alice.replaceAll('alice', 'bob');
    await bench.run(['users', 'create', '-f', 'bob.yaml'], { files: { 'bob.yaml': bob } });
    const items = [alice, bob].map((each) => `- ${each.replaceAll('\n', '\n  ').trim()}\n`);
    const failure = await failureOf(
      bench.run(['users', 'create', '-f', 'two.yaml'], { files: { 'two.yaml': items.join('') } }),
    );
    expect(failure.kind).toBe('conflict');
    expect(failure.message).toMatch(/2 of 2 users were not created\.$/);
  });

  it('stops early if further requests would fail the same way', async () => {
    const bench = await handlerBench(commands);
    const many = Array.from({ length: 50 }, (_, index) => ({
      username: `u${index}`,
      first_name: 'U',
      last_name: 'U',
    }));
    const failure = await failureOf(
      bench.run(['users', 'create', '-f', 'many.json'], {
        files: { 'many.json': JSON.stringify(many) },
        faults: [{ method: 'PUT', path: /users$/, fault: { kind: 'answer', status: 401, body: '{}' } }],
      }),
    );
    expect(failure.kind).toBe('auth');
    expect(bench.last().requests.length).toBeLessThan(20);
  });

  it('sends no requests if any record is invalid', async () => {
    const bench = await handlerBench(commands);
    const failure = await failureOf(
      bench.run(['users', 'create', '-f', 'a.yaml', '-f', 'b.yaml'], {
        files: { 'a.yaml': `${alice}frist_name: x\n`, 'b.yaml': 'enabled: maybe\n' },
      }),
    );
    expect(failure.kind).toBe('invalid');
    expect(failure.lines.join('\n')).toMatch(
      /^a\.yaml:6:1: .*\nb\.yaml:1:10: .*\nNothing was sent\. 2 problems in 2 files\.$/,
    );
    expect(bench.last().requests).toEqual([]);
  });

  it('lists missing fields that the specification requires', async () => {
    const bench = await handlerBench(commands);
    const failure = await failureOf(bench.run(['webhooks', 'create', '--name', 'crm', '--hook', 'sms']));
    expect(failure.message).toMatch(/"uri" is missing/);
  });

  it('refuses a secret in arguments and reads it from standard input', async () => {
    const bench = await handlerBench(commands);
    const failure = await failureOf(bench.run(['users', 'create', '--set', 'password=hunter2']));
    expect(failure.kind).toBe('usage');
    expect(failure.message).not.toContain('hunter2');
    await bench.run(['users', 'create', '-f', 'alice.yaml', '--password-stdin'], {
      files: { 'alice.yaml': alice },
      stdin: 'hunter2\n',
    });
    await expect(bench.sandbox.tokenOf('alice', 'hunter2')).resolves.toBeTruthy();
  });

  it('prints the requests of a dry run with masked secrets, and sends none', async () => {
    const bench = await handlerBench(commands);
    const { result, requests } = await bench.run(['users', 'create', '-f', 'alice.yaml', '--dry-run'], {
      files: { 'alice.yaml': `${alice.replace('first-Secret', 'hunter2')}` },
    });
    expect(requests).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result).toMatchObject({
      kind: 'text',
      value: { dry_run: true, requests: [{ method: 'PUT', body: { data: { username: 'alice' } } }] },
    });
    expect(textOf(result)).toMatch(/^Would send PUT \/v2\/accounts\/.*\/users\n/);
    expect(textOf(result)).toMatch(/ {2}password: set\nNothing was sent\.$/);
  });
});

describe('record lookup', () => {
  it('accepts an id, or a username in any case', async () => {
    const { run } = await withAlice();
    const { result } = await run(['users', 'get', 'ALICE']);
    expect(result).toMatchObject({ kind: 'item', value: { username: 'alice' }, resource: 'users' });
    const id = result.kind === 'item' ? Object(result.value).id : '';
    expect((await run(['users', 'get', id])).result).toEqual(result);
  });

  it('finds a callflow by one of its numbers', async () => {
    const { run } = await handlerBench(commands);
    await run([
      'callflows',
      'create',
      '--name',
      'Main line',
      '--set',
      'numbers.0=+15551230000',
      '--set',
      'numbers.1=0100',
      '--set-json',
      'flow={"module":"hangup","data":{},"children":{}}',
    ]);
    for (const word of ['0100', '+15551230000', 'Main line'])
      expect((await run(['callflows', 'get', word])).result).toMatchObject({ value: { name: 'Main line' } });
  });

  it('suggests the nearest name', async () => {
    const { run } = await withAlice();
    const failure = await failureOf(run(['users', 'get', 'alise']));
    expect(failure.kind).toBe('not_found');
    expect(failure.message).toBe('There is no user "alise" in acme. Did you mean "alice"?');
  });

  it('lists the ids if several records share the name', async () => {
    const { run } = await handlerBench(commands);
    const hook = ['webhooks', 'create', '--name', 'crm', '--hook', 'sms', '--uri', 'https://crm.example/'];
    await run(hook);
    await run(hook);
    const failure = await failureOf(run(['webhooks', 'delete', 'crm', '--yes']));
    expect(failure.kind).toBe('conflict');
    expect(failure.message).toMatch(/^2 webhooks are called "crm": [0-9a-f]{32}, [0-9a-f]{32}\.$/);
  });

  it('filters locally if the service ignores filters', async () => {
    const bench = await withAlice();
    await bench.run(['users', 'create', '-f', '-'], {
      stdin: alice.replace('alice', 'bob'),
    });
    const real = bench.sandbox.app.inject.bind(bench.sandbox.app);
    // The filter is taken off every request on its way.
    bench.sandbox.app.inject = ((request: { url: string }) =>
      real({ ...request, url: request.url.replace(/filter_\w+=[^&]*/, 'page_size=1') })) as never;
    expect((await bench.run(['users', 'get', 'alice'])).result).toMatchObject({
      value: { username: 'alice' },
    });
  });

  it('escapes unusual names in the request path', async () => {
    const bench = await withAlice();
    for (const word of ['a/b', '%2e%2e', 'a b', '../users', '?x=1', 'ü']) {
      expect((await failureOf(bench.run(['users', 'get', word]))).kind).toBe('not_found');
      expect(bench.last().requests.every(({ path }) => path.endsWith('/users'))).toBe(true);
    }
    for (const word of ['..', '.', ''])
      expect((await failureOf(bench.run(['users', 'get', word]))).kind).toBe('usage');
  });
});

describe('list requests', () => {
  it('read every page', async () => {
    const bench = await handlerBench(commands);
    const many = Array.from({ length: 120 }, (_, index) => ({
      username: `u${index}`,
      first_name: 'U',
      last_name: `N${index}`,
      password: 'p',
    }));
    await bench.run(['users', 'create', '-f', 'many.json'], { files: { 'many.json': JSON.stringify(many) } });
    const { result } = await bench.run(['users', 'list']);
    expect(await itemsOf(result)).toHaveLength(121);
  });

  it('send filters under the names the service expects', async () => {
    const bench = await withAlice();
    const { result } = await bench.run([
      'users',
      'list',
      '--filter',
      'username=alice',
      '--filter',
      'first_name=Alice',
    ]);
    expect(await itemsOf(result)).toMatchObject([{ username: 'alice' }]);
    expect(bench.last().requests[0]?.search).toBe(
      '?ascending=true&filter_username=alice&filter_first_name=Alice',
    );
    expect((await failureOf(bench.run(['users', 'list', '--filter', 'x']))).kind).toBe('usage');
  });
});

describe('patch, update and delete', () => {
  it('patch sends only the given fields', async () => {
    const bench = await withAlice();
    const { result, requests } = await bench.run([
      'users',
      'patch',
      'alice',
      '--set',
      'timezone=Europe/Zurich',
    ]);
    expect(requests.at(-1)).toMatchObject({ method: 'PATCH', body: { data: { timezone: 'Europe/Zurich' } } });
    expect(result).toMatchObject({ value: { timezone: 'Europe/Zurich', first_name: 'Alice' } });
  });

  it('patch shows the difference in a dry run', async () => {
    const bench = await withAlice();
    const { result } = await bench.run([
      'users',
      'patch',
      'alice',
      '--timezone',
      'Europe/Zurich',
      '--dry-run',
    ]);
    expect(textOf(result)).toMatch(
      /^Would send PATCH \/v2\/accounts\/[0-9a-f]{32}\/users\/[0-9a-f]{32}\n {2}timezone: Europe\/London → Europe\/Zurich\nNothing was sent\.$/,
    );
    expect(bench.last().requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('update accepts the edited output of get', async () => {
    const bench = await withAlice();
    const { result } = await bench.run(['users', 'get', 'alice']);
    const edited = { ...(result.kind === 'item' ? Object(result.value) : {}), first_name: 'Alicia' };
    const updated = await bench.run(['users', 'update', 'alice', '-f', '-', '--yes'], {
      stdin: JSON.stringify(edited),
    });
    expect(updated.said).toEqual([]);
    expect(updated.result).toMatchObject({ value: { first_name: 'Alicia', timezone: 'Europe/London' } });
  });

  it('update lists the fields that a replacement would lose, and asks', async () => {
    const bench = await withAlice();
    const update = [
      'users',
      'update',
      'alice',
      '--username',
      'alice',
      '--first-name',
      'A',
      '--last-name',
      'B',
    ];
    const failure = await failureOf(bench.run(update, { answers: [false] }));
    expect(failure.kind).toBe('interrupted');
    expect(bench.last().said.join('\n')).toMatch(/would be lost: .*timezone/);
    expect((await bench.run(update, { answers: [true] })).result).toMatchObject({
      value: { first_name: 'A' },
    });
  });

  it('delete lists the uses of a record and asks', async () => {
    const bench = await withAlice();
    const { result } = await bench.run(['users', 'get', 'alice']);
    const id = result.kind === 'item' ? Object(result.value).id : '';
    await bench.run([
      'callflows',
      'create',
      '--name',
      'Main line',
      '--set',
      'numbers.0=0100',
      '--set',
      'flow.module=user',
      '--set',
      `flow.data.id=${id}`,
    ]);
    const failure = await failureOf(bench.run(['users', 'delete', 'alice'], { answers: [false] }));
    expect(failure.kind).toBe('interrupted');
    expect(bench.last().asked).toEqual(['Delete user alice (Alice Archer) from acme anyway?']);
    const refused = await failureOf(bench.run(['users', 'delete', 'alice', '--yes']));
    expect(refused.message).toBe(
      'user alice is used in 1 place. Nothing was deleted.   callflow "Main line": rings for 20 s, then silence',
    );
    await bench.run(['users', 'delete', 'alice', '--yes', '--force']);
    expect((await failureOf(bench.run(['users', 'get', 'alice']))).kind).toBe('not_found');
  });
});

describe('options derived from the contract', () => {
  it('never reuse the flag of a global option', () => {
    const globals = new Set<string>(Object.values(globalOptions).map(({ flag }) => flag));
    for (const resource of resources) {
      for (const command of genericCommands(resource, [resource.name])) {
        const flags = Object.values(command.options).map(({ flag }) => flag);
        expect(new Set(flags).size).toBe(flags.length);
        expect(flags.filter((flag) => globals.has(flag))).toEqual([]);
      }
    }
  });
});
