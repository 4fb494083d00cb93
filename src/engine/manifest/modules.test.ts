// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { expect, test } from 'vitest';
import { manifestWorld } from '../../../test/support/manifest-world.ts';
import { referenceTo } from './desired.ts';

const office = `with: { retries: 2, greeting: }
menus:
  main: { name: "Menu \${with.number}", retries: "\${with.retries}" }
groups:
  rows: { for_each: [a, b], name: "\${each.value} of \${with.number}", endpoints: {} }
callflows:
  line:
    numbers: ["\${with.number}"]
    owner_id: \${with.desk}
    flow: { module: menu, data: { id: "\${menus.main}" }, children: {} }
`;
const users = 'users: { alice: { username: alice, first_name: Alice, last_name: Archer } }\n';
const use = (given: string, folder = './modules/office', name = 'north'): string =>
  `{ ${name}: ${folder}, with: { ${given} } }`;
const north = use('number: "2001", desk: "${users.alice}"');
const south = use('number: "2002", desk: "${users.alice}", retries: 5', undefined, 'south');
const module = { 'modules/office/office.yaml': office };

test('a module can be used several times with separate parameters, names and references', async () => {
  const { read } = manifestWorld();
  const { desired, warnings } = await read(
    { 'base.yaml': `${users}use: [${north}, ${south}]\n`, ...module },
    ['.'],
  );
  const objects = new Map(
    desired.accounts.flatMap((account) => account.objects).map((each) => [each.key, each]),
  );
  expect([...objects.keys()].toSorted()).toEqual([
    ...['callflows.north.line', 'callflows.south.line', 'groups.north.rows[a]', 'groups.north.rows[b]'],
    ...[
      'groups.south.rows[a]',
      'groups.south.rows[b]',
      'menus.north.main',
      'menus.south.main',
      'users.alice',
    ],
  ]);
  expect(objects.get('menus.north.main')?.fields).toEqual({ name: 'Menu 2001', retries: 2 });
  expect(objects.get('menus.south.main')?.fields).toEqual({ name: 'Menu 2002', retries: 5 });
  expect(objects.get('groups.south.rows[b]')?.fields.name).toBe('b of 2002');
  expect(objects.get('callflows.south.line')?.fields).toMatchObject({
    owner_id: referenceTo('users.alice'),
    numbers: ['2002'],
    flow: { data: { id: referenceTo('menus.south.main') } },
  });
  expect(desired.inputs.map(({ name }) => name)).toEqual(['base.yaml', 'modules/office/office.yaml']);
  expect(warnings).toEqual([]);
});

test('accounts can share a module name, and a module file is not a manifest on its own', async () => {
  const { read, problems } = manifestWorld();
  const { desired } = await read(
    {
      'base.yaml': `account: one\n${users}use: ${north}\n---\naccount: two\n${users}use: ${north}\n`,
      ...module,
    },
    ['base.yaml'],
  );
  expect(desired.accounts.map(({ account, objects }) => [account, objects.length])).toEqual([
    ['one', 5],
    ['two', 5],
  ]);
  const alone = await problems(module, ['modules/office/office.yaml']);
  expect(alone.join('\n')).toContain(
    '1:1: "with" is only allowed in a module, which manifests name with "use"',
  );
});

test.each([
  [use('number: "1"'), '1:8: the module ./modules/office needs "desk": with: { desk: … }'],
  [
    use('numbr: "1", desk: x'),
    '1:41: the module ./modules/office has no parameter "numbr"; did you mean "number"?',
  ],
  [use('number: "1", desk: x', './modules/ofice'), '1:8: there is no folder modules/ofice'],
  [use('number: "1", desk: x', '../outside'), '1:8: there is no folder ../outside'],
  [use('number: "1", desk: x', '.'), '1:8: . is not below the folder of base.yaml'],
  [use('number: "1", desk: x', undefined, 'a.b'), '1:8: "a.b" cannot be the name of a use: it holds a dot'],
  ['./modules/office', '1:6: "use" names a folder, such as'],
  [
    '{ a: ./modules/office, b: ./modules/office }',
    '1:29: one "use" names one folder; a list of them names several',
  ],
  ['{ a: ./modules/office, with: [1] }', '1:35: "with" must be a map of parameters'],
  [`[${north}, ${north}]`, '"north" is used twice; give it another name'],
  [use('number: "2001", desk: "${users.bob}"'), 'base.yaml:1:'],
])('reports the place of use: %s', async (text, said) => {
  const { problems } = manifestWorld();
  expect(
    (await problems({ 'base.yaml': `use: ${text}\n${users}`, ...module }, ['base.yaml'])).join('\n'),
  ).toContain(said);
});

test('reports the place in the module, and the place of use for a wrong parameter', async () => {
  const { problems } = manifestWorld();
  const bad = `set: mine\nmenus: { main: { name: Main, retrie: 3, retries: "\${with.number}" } }\n`;
  const found = await problems(
    { 'base.yaml': `use: ${use('number: many')}\n`, 'modules/office/office.yaml': bad },
    ['base.yaml'],
  );
  expect(found.join('\n')).toMatch(/modules\/office\/office\.yaml:2:\d+.*unknown field "retrie"/);
  expect(found.join('\n')).toMatch(/modules\/office\/office\.yaml:1:1: a module has no "set"/);
  expect(found.join('\n')).toContain('many');
});

test('selects files by quoted patterns', async () => {
  const { read, failure } = manifestWorld();
  const menu = (name: string): string => `menus: { ${name}: { name: ${name} } }\n`;
  const files = {
    'base/a.yaml': menu('a'),
    'base/b.json': '{}',
    'base/deep/c.yaml': menu('c'),
    'd.yaml': menu('d'),
  };
  const names = async (pattern: string) =>
    (await read(files, [pattern])).desired.inputs.map(({ name }) => name);
  expect(await names('base/*.yaml')).toEqual(['base/a.yaml']);
  expect(await names('base/**/*.yaml')).toEqual(['base/a.yaml', 'base/deep/c.yaml']);
  expect(await names('base/[!a].json')).toEqual(['base/b.json']);
  expect(await names('?.yaml')).toEqual(['d.yaml']);
  expect(await failure(files, ['none/*.yaml'])).toBe('No manifest matches none/*.yaml.');
});
