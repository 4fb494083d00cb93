// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import yaml from 'yaml';
import { openWorld } from '../../../test/support/world.ts';
import { formatManifest } from './format-manifest.ts';

const formatted = async (text: string, name = 'a.yaml'): Promise<string> => {
  const result = await formatManifest(name, text);
  if (result.problems) throw new Error(result.problems.map(({ message }) => message).join());
  return result.text;
};

const untidy = `# The office.

# Who calls
callflows:
    main:
        name:   'Main'   # as said
        numbers: [ 0100,+15551230000 ]
        flow: {module: user, data: {id: "\${users.alice}", timeout: 020}, children: {_: {module: voicemail, data: {id: "x"}}}}
# All of us.
users:
    alice: {username: alice,
       first_name: Alice}
    bob:
        username: bob
        last_name: ~
        # spare
        email:


x-note: &note { a: 1 }
account:   acme
`;

const tidy = `# The office.

account: acme

x-note: &note { a: 1 }

# All of us.
users:
  alice: { username: alice, first_name: Alice }
  bob:
    username: bob
    last_name: ~
    # spare
    email:

# Who calls
callflows:
  main:
    name: 'Main' # as said
    numbers: [ 0100, +15551230000 ]
    flow:
      module: user
      data: { id: "\${users.alice}", timeout: 020 }
      children: { _: { module: voicemail, data: { id: "x" } } }
`;

test('sorts sections and keeps comments and texts', async () => {
  expect(await formatted(untidy)).toBe(tidy);
  expect(await formatted(tidy)).toBe(tidy);
});

test('never moves an alias before its anchor', async () => {
  const text = 'vmboxes:\n  a: &box { name: A }\nusers:\n  b: *box\n';
  const after = await formatted(text);
  expect(after.indexOf('&box')).toBeLessThan(after.indexOf('*box'));
});

test('formats JSON and keeps its numbers as typed', async () => {
  expect(await formatted('{"users":{"a":{"custom":1.50,"x":[]}},\n"account":"acme"}', 'a.json')).toBe(
    '{\n  "account": "acme",\n  "users": {\n    "a": {\n      "custom": 1.50,\n      "x": []\n    }\n  }\n}\n',
  );
});

test.each(globSync('examples/**/*.yaml', { exclude: ['examples/calls/**'] }))(
  'keeps the values of %s',
  async (file) => {
    const text = readFileSync(file, 'utf8');
    const once = await formatted(text);
    expect(await formatted(once)).toBe(once);
    const values = (source: string): unknown => yaml.parseAllDocuments(source).map((each) => each.toJS());
    expect(values(once)).toEqual(values(text));
  },
);

const leaf = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('0100', 'true', '~', '', ' x', '- a', '# no', 'a: b', '${env.X}', 'line\nline\n', '\t'),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(leaf, tie('any'), { maxKeys: 3 }),
  ),
})).any;

test('formatting any manifest keeps its values and is idempotent', async () => {
  const manifest = fc.record({
    callflows: fc.dictionary(fc.constantFrom('a', 'b'), fc.record({ extra: fc.dictionary(leaf, value) })),
    users: fc.dictionary(fc.constantFrom('c', 'd'), fc.record({ extra: fc.dictionary(leaf, value) })),
  });
  await fc.assert(
    fc.asyncProperty(manifest, fc.boolean(), async (all, isFlow) => {
      const text = new yaml.Document(all).toString({ collectionStyle: isFlow ? 'flow' : 'any' });
      const before = await formatManifest('a.yaml', text);
      fc.pre(before.problems === undefined);
      const once = await formatted(text);
      expect(await formatted(once)).toBe(once);
      expect(yaml.parse(once)).toEqual(yaml.parse(text));
    }),
    { numRuns: 60 },
  );
});

test('fmt writes unformatted files, --check only reports them, and errors change no file', async () => {
  const world = await openWorld();
  const files = { 'a.yaml': untidy, 'b.yaml': tidy };
  const check = await world.telctl('fmt --check a.yaml b.yaml -o name', { files });
  expect([check.code, check.requests]).toEqual([3, []]);
  const bad = await world.telctl('fmt .', { files: { ...files, 'c.yaml': 'users: {\n' } });
  expect([bad.code, bad.stderr.includes('c.yaml:')]).toEqual([10, true]);
  const run = await world.telctl('fmt a.yaml b.yaml', { files });
  expect([run.code, run.stdout.includes('a.yaml'), run.stdout.includes('b.yaml')]).toEqual([0, true, false]);
  expect((await world.telctl('fmt --check a.yaml b.yaml')).code).toBe(0);
  expect((await world.telctl('fmt -', { stdin: untidy })).stdout).toBe(tidy);
});
