// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { processorMs } from '../../../../test/support/clock.ts';
import { manifestWorld } from '../../../../test/support/manifest-world.ts';
import { referenceTo } from '../desired.ts';
import { csvText } from '../import-results.ts';

const people = `
users:
  people:
    for_each: people.csv
    username: \${each.username}
    first_name: \${each.first}
    email: \${each.username}@acme.example
    call_waiting: { enabled: "\${each.waiting}" }
vmboxes:
  boxes:
    for_each: people.csv
    name: Box of \${each.first}
    mailbox: \${each.box}
    owner_id: \${users.people[\${each.username}]}
`;

test('creates an object for each CSV row, and references address it by its key', async () => {
  const { read } = manifestWorld();
  const { desired } = await read({
    'office.yaml': people,
    'people.csv': 'username,first,box,waiting\nalice,Alice,0100,true\nbob,${file.x},102,\n',
  });
  const [account] = desired.accounts;
  expect(account?.objects.map(({ key, fields }) => [key, fields])).toEqual([
    [
      'users.people[alice]',
      {
        username: 'alice',
        first_name: 'Alice',
        email: 'alice@acme.example',
        call_waiting: { enabled: true },
      },
    ],
    // An empty cell leaves its field alone, and what a cell holds is no reference.
    [
      'users.people[bob]',
      { username: 'bob', first_name: '${file.x}', email: 'bob@acme.example', call_waiting: {} },
    ],
    [
      'vmboxes.boxes[alice]',
      { name: 'Box of Alice', mailbox: '0100', owner_id: referenceTo('users.people[alice]') },
    ],
    [
      'vmboxes.boxes[bob]',
      { name: 'Box of ${file.x}', mailbox: '102', owner_id: referenceTo('users.people[bob]') },
    ],
  ]);
});

test('accepts rows as a list or a map, of texts or of maps', async () => {
  const { read } = manifestWorld({ PIN: '4711' });
  const { desired } = await read({
    'office.yaml': `
menus:
  plain: { for_each: [day, night], name: "Menu by \${each.value}" }
  mapped: { for_each: { a: 3, b: 4 }, name: "\${each.key}", retries: "\${each.value}" }
  rows:
    for_each: [{ key: x, pin: "\${env.PIN}" }, { key: y }]
    name: \${each.key}
    record_pin: \${each.pin}
callflows:
  lines:
    for_each: { day: { numbers: [+15551230000, 0100] } }
    name: \${each.key}
    numbers: \${each.numbers}
`,
  });
  const objects = desired.accounts.flatMap((account) => account.objects);
  expect(Object.fromEntries(objects.map(({ key, fields }) => [key, fields]))).toEqual({
    'menus.plain[day]': { name: 'Menu by day' },
    'menus.plain[night]': { name: 'Menu by night' },
    'menus.mapped[a]': { name: 'a', retries: 3 },
    'menus.mapped[b]': { name: 'b', retries: 4 },
    'menus.rows[x]': { name: 'x', record_pin: '4711' },
    'menus.rows[y]': { name: 'y' },
    'callflows.lines[day]': { name: 'day', numbers: ['+15551230000', '0100'] },
  });
  expect(objects.find(({ key }) => key === 'menus.rows[x]')?.confidential).toEqual(['record_pin']);
});

test('`when` omits objects row by row and reports references to them', async () => {
  const { read, problems } = manifestWorld();
  const menus = `
menus:
  no: { when: "\${var.night}", name: Night }
  yes: { when: "\${var.night}1", name: Day }
  unset: { when: "\${env.X?}", name: Unset }
  some: { for_each: { a: 1, b: 0, c: FALSE }, when: "\${each.value}", name: "\${each.key}" }
limits: { when: 0, twoway_trunks: 4 }
`;
  const options = { vars: new Map([['night', '']]) };
  const { desired } = await read({ 'office.yaml': menus }, undefined, options);
  expect(desired.accounts[0]?.objects.map(({ key }) => key)).toEqual(['menus.yes', 'menus.some[a]']);
  const flow = (id: string) => `    flow: { module: menu, data: { id: "\${menus.${id}}" } }\n`;
  const text = `${menus}callflows:\n  a:\n    name: A\n${flow('no')}  b:\n    name: B\n${flow('some')}`;
  expect(await problems({ 'office.yaml': text }, undefined, options)).toEqual([
    expect.stringContaining('office.yaml:11:39: ${menus.no}: menus.no is left out by its "when"'),
    expect.stringContaining(
      'office.yaml:14:39: ${menus.some}: menus.some makes an object for each row; write ${menus.some[KEY]}',
    ),
  ]);
});

test('`when` omits rows with an empty cell', async () => {
  const { read } = manifestWorld();
  const { desired } = await read({
    'a.yaml': `menus: { m: { for_each: rows.csv, when: "\${each.night}", name: "\${each.key}" } }\n`,
    'rows.csv': 'key,night\none,yes\ntwo,\nthree,0\nfour,1\n',
  });
  expect(desired.accounts[0]?.objects.map(({ key }) => key)).toEqual(['menus.m[one]', 'menus.m[four]']);
});

test('problems name their place and row', async () => {
  const { problems } = manifestWorld();
  expect(
    await problems({
      'a.yaml': `
menus:
  m:
    for_each: rows.csv
    name: \${each.nmae}
    retries: \${each.retries}
  twice: { for_each: [a, a], name: A }
  outside: { for_each: ../rows.csv, name: A }
  none: { for_each: gone.csv, name: A }
  lone: { name: "\${each.x}" }
limits: { for_each: [a] }
`,
      'rows.csv': 'key,name,retries\none,One,many\ntwo,Two,2\n',
    }),
  ).toEqual([
    expect.stringContaining('a.yaml:3:3: menus.m[two] needs "name"'),
    'a.yaml:5:11: no row has "nmae"; did you mean "name"?',
    'a.yaml:6:14 (row rows.csv:2): "retries" must be a whole number, not "many"',
    'a.yaml:7:12: row a.yaml:7:26: the key "a" is in two rows',
    expect.stringMatching(/^a\.yaml:8:24: .*rows\.csv is not below .*--allow-files/),
    expect.stringMatching(/^a\.yaml:9:21: .*there is no file .*gone\.csv$/),
    'a.yaml:10:17: ${each.x} is a value of a row, and only allowed in an object with "for_each"',
    'a.yaml:11:11: an account has one "limits", which "for_each" cannot repeat',
  ]);
});

test('rows produce the same objects as writing them out', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom('${env.X}', '$${', 'null', '"'),
  );
  const clean = cell.filter((text) => !/[\p{Cc}\p{Co}\p{Cs}]/u.test(text) && text.trim() === text);
  const rows = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), clean), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 6,
  });
  const { read } = manifestWorld();
  await fc.assert(
    fc.asyncProperty(rows, async (all) => {
      const repeated = await read(
        {
          'a.yaml':
            'menus: { m: { for_each: rows.csv, name: "${each.key}", custom: { "x-${each.key}": "${each.text}" } } }',
          'rows.csv': csvText([['key', 'text'], ...all]),
        },
        undefined,
        { allowUnknownFields: true },
      );
      const written = await read(
        {
          'a.json': JSON.stringify({
            menus: Object.fromEntries(
              all.map(([key, text]) => [
                `m[${key}]`,
                { name: key, custom: { [`x-${key}`]: text.replaceAll('${', '$$${') } },
              ]),
            ),
          }),
        },
        undefined,
        { allowUnknownFields: true },
      );
      const fields = ({ desired }: typeof written) =>
        desired.accounts.flatMap(({ objects }) => objects.map((object) => [object.key, object.fields]));
      expect(fields(repeated)).toEqual(fields(written));
    }),
    { numRuns: 30 },
  );
});

test('rejects too many rows quickly', async () => {
  const { problems } = manifestWorld();
  const rows = Array.from({ length: 120_000 }, (_, index) => `r${index}\n`).join('');
  const sections = ['a'].map((name) => `  ${name}: { for_each: r.csv, name: "${name} \${each.key}" }\n`);
  const began = processorMs();
  const found = await problems({ 'a.yaml': `menus:\n${sections.join('')}`, 'r.csv': `key\n${rows}` });
  expect(
    found.some((line) => line.includes('too many objects for one manifest (at most 100000 objects)')),
  ).toBe(true);
  expect(processorMs() - began).toBeLessThan(5000);
});
