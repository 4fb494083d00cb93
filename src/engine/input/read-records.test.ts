import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../base/failure.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { assign, findSecretAssignment, setJson, setText } from './assign.ts';
import { optionSource, problemsFailure } from './document.ts';
import { parse } from './read-documents.ts';
import { readRecordFile } from './read-records.ts';

const users = resourceByName('users');
const callflows = resourceByName('callflows');
const strict = { allowUnknownFields: false, allowNull: false };

async function read(text: string, resource = users, rules = strict, name = 'alice.yaml') {
  const parsed = await parse(name, text);
  const records = readRecordFile(parsed.documents, resource, rules);
  const problems = [...parsed.problems, ...records.problems];
  return { ...records, problems: problems.map(({ place, message }) => `${place}: ${message}`) };
}

const first = async (text: string, resource = users) => {
  const { records, problems } = await read(text, resource);
  expect(problems).toEqual([]);
  return records[0]?.value;
};

describe('reading records from YAML and JSON', () => {
  it('keeps the text as typed in text fields', async () => {
    for (const typed of [
      '+15551230000',
      '0100',
      '1e5',
      '12:30',
      '1_000',
      'yes',
      'no',
      'on',
      '0x1F',
      '.5',
      'true',
    ])
      expect(await first(`username: ${typed}\n`)).toEqual({ username: typed });
  });

  it('keeps numbers as typed in lists of numbers and in flow data', async () => {
    expect(
      await first(
        'numbers: [+15551230000, 0100, 1001]\nflow: { module: resources, data: { to_did: +4144, timeout: 20, code: 007 } }\n',
        callflows,
      ),
    ).toEqual({
      numbers: ['+15551230000', '0100', '1001'],
      flow: { module: 'resources', data: { to_did: '+4144', timeout: 20, code: '007' } },
    });
  });

  it('omits an invalid secret from the problem', async () => {
    const { problems } = await read('custom_data: canary\nretries: canary\n', resourceByName('webhooks'));
    expect(problems).toEqual([
      'alice.yaml:1:14: "custom_data" must be a map of keys and values',
      'alice.yaml:2:10: "retries" must be a whole number, not "canary"',
    ]);
  });

  it('keeps numbers of a JSON file as typed', async () => {
    const { records } = await read('{"numbers": [100, "0100"]}', callflows, strict, 'c.json');
    expect(records[0]?.value).toEqual({ numbers: ['100', '0100'] });
  });

  it('reports the place of an unknown field and of a wrong type', async () => {
    const { problems } = await read(
      'username: alice\nlast_name: Archer\n\nfrist_name: Alice\nenabled: true\n\n\n\nvm_to_email_enabled: yes please\n',
    );
    expect(problems).toEqual([
      'alice.yaml:4:1: unknown field "frist_name"; did you mean "first_name"?',
      'alice.yaml:9:22: "vm_to_email_enabled" must be true or false, not "yes please"',
    ]);
  });

  it('combines the problems of all records into one failure', async () => {
    const parsed = await parse('users.json', '[{"enabled": "true"},\n {"bogus": 1},\n 7]');
    const failure = problemsFailure(readRecordFile(parsed.documents, users, strict).problems);
    expect(failure.kind).toBe('invalid');
    expect(failure.lines).toEqual([
      'users.json:1:14: "enabled" must be true or false, not the text "true"',
      'users.json:2:3: unknown field "bogus"',
      'users.json:3:2: a user must be a map of fields',
      'Nothing was sent. 3 problems in 1 file.',
    ]);
  });

  it('rejects duplicate keys, tags, unknown anchors and invalid YAML with their places', async () => {
    expect((await read('username: a\nusername: b\n')).problems).toEqual([
      'alice.yaml:2:1: "username" is given twice',
    ]);
    expect((await read('{"username": "a", "username": "b"}')).problems).toEqual([
      'alice.yaml:1:19: "username" is given twice',
    ]);
    expect((await read('username: !!js/function x\n')).problems[0]).toMatch(
      /^alice\.yaml:1:11: tags such as/,
    );
    expect((await read('username: *nobody\n')).problems[0]).toMatch(/^alice\.yaml:1:11: .*nobody/);
    expect((await read('username: "open\n')).problems[0]).toMatch(/^alice\.yaml:2:1: |^alice\.yaml:1:/);
    expect((await read('{"username": }', users, strict, 'a.json')).problems).toEqual([
      'a.json:1:14: a value is expected here',
    ]);
  });

  it('rejects an alias bomb without expanding it', async () => {
    const layers = Array.from({ length: 12 }, (_, index) =>
      index === 0
        ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
        : `a${index}: &a${index} [${Array(9)
            .fill(`*a${index - 1}`)
            .join(', ')}]`,
    );
    const { problems } = await read(`${layers.join('\n')}\n`, users, { ...strict, allowUnknownFields: true });
    expect(problems[0]).toMatch(/aliases expand to more than/);
  });

  it('rejects a self-referencing anchor and excessive nesting', async () => {
    expect((await read('first_name: &a [*a]\n')).problems[0]).toMatch(/nested deeper|must be text/);
    expect((await read(`${'['.repeat(20_000)}`)).problems.length).toBeGreaterThan(0);
    expect((await read(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)).problems[0]).toMatch(/nested deeper/);
    for (const deep of ['['.repeat(100_000), '- '.repeat(2_000), 'a: {'.repeat(2_000)]) {
      const { problems } = await read(`first_name: x\nflags:\n  ${deep}\n`);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/nested deeper than 100 levels/);
    }
  });

  it('expands ordinary aliases', async () => {
    expect(
      await first('caller_id:\n  internal: &me { name: Alice, number: 0100 }\n  external: *me\n'),
    ).toEqual({
      caller_id: { internal: { name: 'Alice', number: '0100' }, external: { name: 'Alice', number: '0100' } },
    });
  });

  it('accepts several documents, lists and both combined', async () => {
    const { records } = await read('- username: a\n- username: b\n---\nusername: c\n---\n# nothing\n');
    expect(records.map(({ value }) => value.username)).toEqual(['a', 'b', 'c']);
  });

  it('ignores the id and read-only fields that `get` prints', async () => {
    expect(
      await first(
        '{"id": "91cc", "username": "alice", "features": ["caller_id"], "_read_only": {"created": 1}}',
      ),
    ).toEqual({ username: 'alice' });
  });

  it('rejects the mask of a secret as a value', async () => {
    expect((await read('username: a\npassword: "••••••"\n')).problems[0]).toMatch(
      /^alice\.yaml:2:11: "password" is the mask/,
    );
    expect((await read('password: "********"\n')).problems).toHaveLength(1);
  });

  it('lets null remove a field only if fields are merged', async () => {
    const merged = await read('first_name: null\nemail: ~\nlast_name:\n', users, {
      ...strict,
      allowNull: true,
    });
    expect(merged.records[0]?.value).toEqual({ first_name: null, email: null, last_name: null });
    expect((await read('first_name: null\n')).problems).toEqual([
      'alice.yaml:1:13: "first_name" has no value; leave it out',
    ]);
    expect(await first('first_name: "null"\n')).toEqual({ first_name: 'null' });
  });

  it('accepts unknown fields with a warning if allowed', async () => {
    const { records, warnings } = await read('x_new: 1\n', users, { ...strict, allowUnknownFields: true });
    expect(records[0]?.value).toEqual({ x_new: 1 });
    expect(warnings).toHaveLength(1);
  });

  it('keeps any text byte for byte in a text field, from YAML and from JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (typed) => {
        fc.pre(!/•|^\*{6,}$/.test(typed) && typed.isWellFormed());
        const text = JSON.stringify({ first_name: typed });
        expect((await read(text, users, strict, 'a.json')).records[0]?.value).toEqual({ first_name: typed });
        expect((await read(`first_name: ${JSON.stringify(typed)}\n`)).records[0]?.value).toEqual({
          first_name: typed,
        });
      }),
    );
  });

  it('throws only a Failure for any input', async () => {
    const pieces = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '&a ',
      '*a',
      '!!x ',
      '---\n',
      '#',
      '|',
      '>',
      ',',
      '?',
      '%',
      '\t',
      '0',
      '\u0000',
      '<<',
      '@',
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 60 }).map((each) => each.join('')),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        try {
          await read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('fields set by options', () => {
  const empty = { kind: 'map', entries: [], source: optionSource('options'), at: 0 } as const;
  const made = (assignments: readonly string[], resource = users) =>
    readRecordFile([assign(empty, resource, assignments.map(setText))], resource, strict);

  it('sets text by --set at any depth, in lists and maps', () => {
    expect(made(['username=alice', 'caller_id.internal.number=0100']).records[0]?.value).toEqual({
      username: 'alice',
      caller_id: { internal: { number: '0100' } },
    });
    expect(made(['numbers.0=+1555', 'flow.children.1.data.id=abc'], callflows).records[0]?.value).toEqual({
      numbers: ['+1555'],
      flow: { children: { 1: { data: { id: 'abc' } } } },
    });
  });

  it('names the option if the value does not fit', () => {
    expect(made(['enabled=yes']).problems[0]).toMatchObject({
      place: '--set enabled',
      message: '"enabled" must be true or false, not the text "yes"',
    });
  });

  it('override the file and keep its other fields', async () => {
    const { documents } = await parse(
      'c.yaml',
      'name: Main\nflow: { module: user, data: { timeout: 20 } }\n',
    );
    const [root] = documents;
    if (root?.kind !== 'map') throw new Error('no map');
    const merged = assign(root, callflows, [setText('flow.data.id=abc'), setJson('flow.data.timeout=30')]);
    expect(readRecordFile([merged], callflows, strict).records[0]?.value).toEqual({
      name: 'Main',
      flow: { module: 'user', data: { timeout: 30, id: 'abc' } },
    });
  });

  it('detects secrets in arguments at any depth', () => {
    expect(findSecretAssignment(users, setText('password=x'))).toBe('password');
    expect(findSecretAssignment(users, setJson('hotdesk={"pin":"1234"}'))).toBe('hotdesk.pin');
    expect(findSecretAssignment(users, setText('first_name=x'))).toBeUndefined();
    expect(findSecretAssignment(resourceByName('webhooks'), setText('custom_data.token=x'))).toBe(
      'custom_data',
    );
  });

  it('rejects an argument that is not path=value', () => {
    for (const argument of ['', '=x', 'name']) expect(() => setText(argument)).toThrow(Failure);
    expect(() => setJson('name=x')).toThrow(/not JSON/);
  });
});
