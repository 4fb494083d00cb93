import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { collector } from '../../../test/support/streams.ts';
import { Failure, nextStep } from '../../base/failure.ts';
import { withDeadline } from '../../base/host/signals.ts';
import type { JsonObject } from '../../base/json.ts';
import { decodeCell } from '../../base/neutralise.ts';
import { toLines } from '../../base/wording.ts';
import { parseCsv } from '../../engine/manifest/parse-csv.ts';
import type { Result } from '../command/result.ts';
import { outputTo } from './output.ts';
import { render } from './render.ts';
import type { View } from './render-value.ts';
import { plainStyle, styleFor } from './style.ts';

const id = '2b7d1111222233334444555566667777';
const users: readonly JsonObject[] = [
  { id, username: 'alice', first_name: 'Alice', last_name: 'Archer', email: 'a@acme.example', enabled: true },
  { id: 'short', username: 'bob', first_name: 'Bob', priv_level: 'admin', enabled: false },
];
const list: Result = { kind: 'list', items: users, resource: 'users' };

async function shown(result: Result, view: Partial<View> = {}, terminal?: { columns: number }) {
  const stdout = collector({ tty: terminal !== undefined, columns: terminal?.columns ?? 0 });
  const said: string[] = [];
  const whole: View = {
    format: 'table',
    fields: undefined,
    query: undefined,
    allowUnknownFields: false,
    reveal: false,
    out: outputTo(stdout.stream),
    runBlocking: withDeadline,
    nowMs: Date.UTC(2026, 10, 25, 12),
    style: plainStyle,
    say: (line) => said.push(...toLines(line)),
    warn: (line) => said.push(`warning: ${line}`),
    disclose: () => undefined,
    ...view,
  };
  const error = await render(result, whole).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { stdout: stdout.text(), said, error };
}

async function* breaking(items: readonly JsonObject[], trouble: Error): AsyncGenerator<JsonObject> {
  yield* items;
  throw trouble;
}

describe('a list', () => {
  test('is a table with the columns of its resource, and whole ids in a pipe', async () => {
    const { stdout, said } = await shown(list);
    expect(stdout).toBe(
      [
        'USERNAME  NAME          EMAIL           ROLE   ENABLED  ID',
        `alice     Alice Archer  a@acme.example         yes      ${id}`,
        'bob       Bob                           admin  no       short',
        '',
      ].join('\n'),
    );
    expect(said).toEqual(['2 users']);
  });

  test('prints its first rows before it reads more, and every further row immediately', async () => {
    const stdout = collector({ tty: true, columns: 40 });
    const seen: number[] = [];
    async function* many(): AsyncGenerator<JsonObject> {
      for (let row = 1; row <= 53; row += 1) {
        seen.push(stdout.text().split('\n').length - 1);
        yield {
          username: `user${row}`,
          email: row === 52 ? `a-very-long-name-${row}@acme.example` : 'a@b.example',
        };
      }
    }
    const { said } = await shown(
      { kind: 'list', items: many(), resource: 'users' },
      { out: outputTo(stdout.stream) },
    );
    expect(seen.slice(48)).toEqual([0, 0, 51, 52, 53]);
    expect(said).toEqual(['53 users']);
    const lines = stdout.text().trimEnd().split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    expect(new Set(lines.map((line) => line.search(/a@b|a-very|EMAIL/)))).toHaveProperty('size', 1);
  });

  test('has short ids in a terminal, and is cut to the terminal width', async () => {
    const { stdout } = await shown(list, {}, { columns: 50 });
    expect(stdout).toContain('2b7d1111…');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
  });

  const why =
    'the target did not answer within 10 s, six times in a minute: https://crm.example/hooks/of/telephony';
  const withWhy: Result = {
    kind: 'list',
    items: [
      { name: 'crm', state: 'disabled', why },
      { name: 'audit', state: 'enabled' },
    ],
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'STATE', paths: ['state'] },
      { header: 'WHY', paths: ['why'], show: 'sentence' },
    ],
  };

  test('wraps a sentence in its column between words, without splitting a URL', async () => {
    const { stdout } = await shown(withWhy, {}, { columns: 66 });
    expect(stdout).toBe(
      [
        'NAME   STATE     WHY',
        'crm    disabled  the target did not answer within 10 s, six times',
        '                 in a minute:',
        '                 https://crm.example/hooks/of/telephony',
        'audit  enabled',
        '',
      ].join('\n'),
    );
  });

  test('prints a sentence below its row if its column is too narrow', async () => {
    const { stdout } = await shown(withWhy, {}, { columns: 42 });
    expect(stdout).toBe(
      [
        'NAME   STATE',
        'crm    disabled',
        '    the target did not answer within 10 s,',
        '    six times in a minute:',
        '    https://crm.example/hooks/of/telephony',
        'audit  enabled',
        '',
      ].join('\n'),
    );
  });

  test('has the same columns with colors', async () => {
    const { stdout } = await shown(list, { style: await styleFor(true) }, { columns: 100 });
    const plain = await shown(list, {}, { columns: 100 });
    expect(stripVTControlCharacters(stdout)).toBe(plain.stdout);
    expect(stdout).not.toBe(plain.stdout);
  });

  test('aligns columns with wide characters', async () => {
    const items = [
      { name: '日本', n: 1 },
      { name: 'abc', n: 22 },
    ];
    const { stdout } = await shown({ kind: 'list', items });
    expect(stdout).toBe('NAME   N\n日本   1\nabc   22\n');
  });

  test('is one JSON document', async () => {
    expect(JSON.parse((await shown(list, { format: 'json' })).stdout)).toEqual(users);
    expect((await shown({ ...list, items: [] }, { format: 'json' })).stdout).toBe('[]\n');
  });

  test('prints one JSON value per line as NDJSON', async () => {
    const { stdout, said } = await shown(list, { format: 'ndjson' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(users);
    expect(said).toEqual([]);
  });

  test('prints natural keys or ids with -o name', async () => {
    expect((await shown(list, { format: 'name' })).stdout).toBe('alice\nbob\n');
    expect((await shown({ kind: 'list', items: [{ id: 'x' }] }, { format: 'name' })).stdout).toBe('x\n');
  });

  test('is a YAML document', async () => {
    expect(
      (await shown({ kind: 'list', items: [{ a: '+1', b: ['\u001b', 1] }] }, { format: 'yaml' })).stdout,
    ).toBe('- a: "+1"\n  b:\n    - "\\e"\n    - 1\n');
  });

  test('keeps phone numbers in CSV and escapes formulas', async () => {
    const items = [{ number: '+15551234', name: '=SUM(A1)', note: 'a,"b"', at: '@x', minus: '-5' }];
    expect((await shown({ kind: 'list', items }, { format: 'csv' })).stdout).toBe(
      `number,name,note,at,minus\n"+15551234",'=SUM(A1),"a,""b""",'@x,-5\n`,
    );
  });

  test('escapes formulas in every row of a long CSV, streamed or not, without losing data', async () => {
    const begins = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', "'=", "''@"];
    const texts = Array.from(
      { length: 3_000 },
      (_, index) => `${begins[index % begins.length]}SUM(A${index})`,
    );
    const items = texts.map((name, index) => (index % 7 === 0 ? { name: 'Easy', list: [name] } : { name }));
    const later = async function* () {
      yield* items;
    };
    const columns = [
      { header: 'NAME', paths: ['name'] },
      { header: 'LIST', paths: ['list'] },
    ];
    const [whole, streamed] = await Promise.all(
      [items, later()].map((given) => shown({ kind: 'list', items: given, columns }, { format: 'csv' })),
    );
    expect(streamed?.stdout).toBe(whole?.stdout);
    const { rows } = parseCsv({ name: 'list.csv', text: whole?.stdout ?? '' }, ',');
    expect(rows).toHaveLength(items.length);
    for (const { cells } of rows)
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    expect(rows.map(({ cells: [name = ''] }) => decodeCell(name))).toEqual(items.map(({ name }) => name));
  });

  test('prints the records read before an error as a valid document, and is partial', async () => {
    const facts = { requestId: 'r1', details: { limit: 3 }, hint: nextStep`doctor` };
    const items = breaking(users, new Failure('unavailable', 'It does not answer.', facts));
    const { stdout, error } = await shown({ ...list, items }, { format: 'json' });
    expect(JSON.parse(stdout)).toEqual(users);
    expect(error).toMatchObject({
      kind: 'partial',
      message: 'The list is incomplete. It stopped after 2 users: It does not answer.',
      requestId: 'r1',
      details: { limit: 3 },
      next: [{ line: 'telctl doctor' }],
    });
  });

  test('prints nothing and keeps the error if it fails before its first record', async () => {
    const items = breaking([], new Failure('auth', 'No.'));
    const { stdout, error } = await shown({ ...list, items }, { format: 'json' });
    expect({ stdout, kind: error instanceof Failure && error.kind }).toEqual({ stdout: '', kind: 'auth' });
  });

  test('is reduced to --fields in every format', async () => {
    const fields = ['username', 'caller_id.external.number'];
    const items = [{ username: 'a', caller_id: { external: { number: '+1', name: 'A' } }, other: 1 }];
    const result: Result = { kind: 'list', items, resource: 'users' };
    expect(JSON.parse((await shown(result, { format: 'json', fields })).stdout)).toEqual([
      { username: 'a', caller_id: { external: { number: '+1' } } },
    ]);
    expect((await shown(result, { fields })).stdout).toBe(
      'USERNAME  CALLER_ID.EXTERNAL.NUMBER\na         +1\n',
    );
    expect((await shown(result, { fields, format: 'csv' })).stdout).toBe(
      'username,caller_id.external.number\na,"+1"\n',
    );
  });

  test('is passed to --query as a whole', async () => {
    const query = '[?enabled].{name: username}';
    expect((await shown(list, { query })).stdout).toBe('NAME\nalice\n');
    expect(JSON.parse((await shown(list, { query, format: 'json' })).stdout)).toEqual([{ name: 'alice' }]);
    expect((await shown(list, { query: '[].username' })).stdout).toBe('alice\nbob\n');
  });

  test('escapes control characters in a table', async () => {
    const { stdout } = await shown({ kind: 'list', items: [{ name: 'a\u001b[2J\nb' }] });
    expect(stdout).toBe('NAME\na\\u001b[2J\\nb\n');
  });
});

describe('an item', () => {
  const user = {
    username: 'alice',
    enabled: true,
    caller_id: { external: { number: '+1' } },
    numbers: ['+1', '0100'],
  };

  test('shows labels and values, with nested values below their key', async () => {
    expect((await shown({ kind: 'item', value: user })).stdout).toBe(
      [
        'username    alice',
        'enabled     yes',
        'caller_id',
        '  external',
        '    number  +1',
        'numbers     +1, 0100',
        '',
      ].join('\n'),
    );
  });

  test('shows its own rows to people, and the whole value to programs', async () => {
    const result: Result = { kind: 'item', value: user, rows: [['User', 'alice']] };
    expect((await shown(result)).stdout).toBe('User  alice\n');
    expect(JSON.parse((await shown(result, { format: 'json' })).stdout)).toEqual(user);
  });

  test('masks secret fields of the contract unless --reveal is given', async () => {
    const value = {
      username: 'password',
      hotdesk: { pin: '1234' },
      password: 'x',
      profile: { note: 'pin 1234' },
    };
    const result: Result = { kind: 'item', value, resource: 'users' };
    const masked = JSON.parse((await shown(result, { format: 'json' })).stdout);
    expect(masked).toMatchObject({ username: 'password', profile: { note: 'pin 1234' } });
    expect(masked.password).toBe(masked.hotdesk.pin);
    expect(masked.password).not.toContain('x');
    expect(JSON.parse((await shown(result, { format: 'json', reveal: true })).stdout)).toEqual(value);
    expect((await shown(result, { query: 'hotdesk.pin' })).stdout).not.toContain('1234');
  });

  test('masks secrets in the address of a webhook', async () => {
    const value = { uri: 'https://me:pw@crm.example/hook?key=k' };
    const { stdout } = await shown({ kind: 'item', value, resource: 'webhooks' }, { format: 'json' });
    expect(stdout).toContain('crm.example/hook');
    expect(stdout).not.toMatch(/pw@|key=k/);
  });
});

describe('text and messages', () => {
  test('escapes line ends in lines of text, in a terminal and in a pipe', async () => {
    const result: Result = { kind: 'text', text: ['a\u001b[2J\r\nb', 'c\u2028d'] };
    for (const terminal of [undefined, { columns: 80 }])
      expect((await shown(result, {}, terminal)).stdout).toBe('a\\u001b[2J\\r\\nb\nc\\u2028d\n');
  });

  test('escapes a document in a terminal, and keeps most characters in a pipe', async () => {
    const result: Result = { kind: 'document', text: 'a\u001b[2J\r\n\tb\u202ec\u200dd\re' };
    expect((await shown(result, {}, { columns: 80 })).stdout).toBe(
      'a\\u001b[2J\n    b\\u202ec\\u200dd\\re\n',
    );
    expect((await shown(result)).stdout).toBe('a\\u001b[2J\r\n\tb\\u202ec\u200dd\\re\n');
  });

  test('prints a document as a JSON string', async () => {
    const result: Result = { kind: 'document', text: 'a\u001b[2J\r\nb' };
    expect((await shown(result, { format: 'json' })).stdout).toBe('"a\\u001b[2J\\r\\nb"\n');
  });

  test('a completed action prints its message for people, and its value for programs', async () => {
    const result: Result = { kind: 'done', message: 'Created user alice', value: { id }, resource: 'users' };
    expect(await shown(result)).toMatchObject({ stdout: '', said: ['Created user alice'] });
    expect((await shown(result, { format: 'json' })).stdout).toBe(`{\n  "id": "${id}"\n}\n`);
    expect((await shown(result, { format: 'name' })).stdout).toBe(`${id}\n`);
    expect(JSON.parse((await shown({ kind: 'done', message: 'Gone.' }, { format: 'json' })).stdout)).toEqual({
      message: 'Gone.',
    });
  });
});

describe('--fields', () => {
  const fields = (...names: readonly string[]) => ({ fields: names, format: 'json' }) as const;

  test('fails with the nearest name for fields that no record has', async () => {
    expect((await shown(list, fields('usrname', 'email'))).error).toMatchObject({
      kind: 'usage',
      message: 'users have no field "usrname". Did you mean "username"?',
    });
    const item: Result = { kind: 'item', value: users[0] ?? {}, resource: 'users' };
    expect((await shown(item, fields('nope'))).error).toMatchObject({ kind: 'usage' });
  });

  test('warns about fields that the list omits, and suggests get', async () => {
    expect((await shown(list, fields('caller_id.internal'))).said).toEqual([
      'warning: The list does not include "caller_id". To see it, use get.',
    ]);
  });

  test('does not warn about known fields, or about allowed unknown ones', async () => {
    const odd: Result = { kind: 'item', value: { id, odd: 1 }, resource: 'users' };
    const allowed = { ...fields('odd', 'timezone'), allowUnknownFields: true };
    expect(await shown(odd, allowed)).toMatchObject({ said: [], error: undefined });
    expect(await shown(odd, fields('timezone'))).toMatchObject({ said: [], error: undefined });
  });

  test('accepts headings of the table', async () => {
    expect((await shown(list, fields('role', 'Name'))).stdout).toBe(
      (await shown(list, fields('priv_level', 'first_name', 'last_name'))).stdout,
    );
  });

  test('is checked against the records if the result has no resource', async () => {
    const lines: Result = {
      kind: 'list',
      items: [{ name: 'a', why: 'b' }],
      columns: [{ header: 'NAME', paths: ['name'] }],
    };
    expect(await shown(lines, fields('NAME', 'why'))).toMatchObject({ said: [], error: undefined });
    expect((await shown(lines, fields('nmae'))).error).toMatchObject({
      kind: 'usage',
      message: 'There is no field "nmae". Did you mean "name"?',
    });
  });
});

test('-o name fails for records without id and name, unless the action is already done', async () => {
  const value = { allow_prepay: true };
  const all: readonly Result[] = [
    { kind: 'item', value, resource: 'limits' },
    { kind: 'list', items: [value], resource: 'limits' },
  ];
  for (const each of all)
    expect(await shown(each, { format: 'name' })).toMatchObject({ stdout: '', error: { kind: 'usage' } });
  const done: Result = { kind: 'done', message: 'Set.', value, resource: 'limits' };
  expect(await shown(done, { format: 'name' })).toMatchObject({ stdout: '', said: ['Set.'] });
});
