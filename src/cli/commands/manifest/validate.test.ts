// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { expect, it } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const office = `account: acme
users:
  alice:
    username: alice
    first_name: Alice
    last_name: Archer
    password: \${env.ALICE_PASSWORD?}
menus: { main: { name: Main menu } }
`;

it('summarizes a valid manifest in one line, without a sign-in', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl('validate -f office.yaml', { files: { 'office.yaml': office } });
  expect(run).toMatchObject({ code: 0, stdout: '', requests: [] });
  expect(run.stderr).toBe(
    'office.yaml: 2 objects in 1 account, 1 variable of the environment, 1 not set: ALICE_PASSWORD\n',
  );
});

it('prints versioned JSON with objects by section and warnings', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const { code, stdout } = await telctl('validate -f office.yaml -f more.yaml -o json', {
    files: { 'office.yaml': office, 'more.yaml': 'account: acme\nmenus: { main: { retries: 99 } }' },
    env: { ALICE_PASSWORD: 'canary' },
  });
  expect(code).toBe(0);
  expect(stdout).not.toContain('canary');
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    valid: true,
    set: 'office.yaml+more.yaml',
    inputs: [{ name: 'office.yaml' }, { name: 'more.yaml' }],
    accounts: [{ account: 'acme', objects: { users: 1, menus: 1 } }],
    environment: { set: ['ALICE_PASSWORD'], unset: [] },
    unset: [],
    warnings: [{ file: 'more.yaml', line: 2, column: 27, message: expect.stringContaining('at most 10') }],
  });
});

it('warns about lint findings in callflows, except about omitted fields', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const callflows = `callflows:
  main:
    name: Main
    numbers: ["100"]
    flow: { module: menuu, data: {} }
  other: { name: Other }
`;
  const { code, stderr } = await telctl('validate -f a.yaml', { files: { 'a.yaml': callflows } });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: a\.yaml:5:21: .*not a module of callflows; did you mean "menu"/m);
  expect(stderr).not.toContain('Other');
});

it('does not print values from the environment, even invalid ones', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = {
    'a.yaml':
      'callflows: { c: { name: C, numbers: ["1"], flow: { module: voicemail, data: { action: "${env.A}" } } } }',
  };
  const run = await telctl('validate -f a.yaml -o json', { files, env: { A: 'canary' } });
  expect(run.code).toBe(10);
  expect(run.stdout + run.stderr).not.toContain('canary');
  expect(run.stderr).toContain('must be one of check, compose');
});

it('exits with code 10 and lists every problem', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const bad = office.replace('?', '').replace('first_name', 'frist_name');
  const run = await telctl('validate -f -', { stdin: bad });
  expect(run).toMatchObject({ code: 10, stdout: '' });
  expect(run.stderr).toBe(
    [
      'standard input:5:5: unknown field "frist_name"; did you mean "first_name"?',
      'standard input:7:15: the variable ALICE_PASSWORD is not set',
      'Nothing was sent. 2 problems in 1 file.',
      'Set the variables, or write ${env.NAME?} to leave a field out where NAME is not set. telctl validate --allow-unset checks the rest.',
      '',
    ].join('\n'),
  );
});

it('validates without secrets with --allow-unset', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = { 'a.yaml': office.replace('?', '').replace('Archer', '${var.last}') };
  const run = await telctl('validate -f a.yaml --allow-unset --var last=Adams', { files });
  expect(run).toMatchObject({ code: 0 });
  const strict = await telctl('validate -f b.yaml --strict-input', {
    files: { 'b.yaml': 'menus: { m: { name: M, retries: 99 } }' },
  });
  expect(strict).toMatchObject({ code: 10 });
});

it.each([
  ['validate', 'No manifest was named.'],
  ['validate -f nope.yaml', 'There is no file nope.yaml.'],
  ['validate -f - -f -', 'Standard input can only be read once, but -f - was given twice.'],
  ['validate -f a.yaml --var x', '--var takes NAME=VALUE, not "x".'],
])('rejects missing or invalid input: %s', async (line, sentence) => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl(line, { stdin: '', files: { 'a.yaml': office } });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(sentence);
});

it('accepts a manifest without objects', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl('validate -f -', { stdin: '' });
  expect(run).toMatchObject({ code: 0, stdout: '' });
  expect(run.stderr).toContain('warning: standard input: the manifest contains no objects');
});

it('lists all problems at once, in order', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const manifest = [
    'users:',
    '  alice: { username: alice, first_name: Alice, enabled: maybe }',
    'menus:',
    '  main: { name: Main, retries: 99 }',
    '  side: { nam: Side, retries: 98 }',
  ].join('\n');
  const run = await telctl('validate -f office.yaml --strict-input', { files: { 'office.yaml': manifest } });
  expect(run.code).toBe(10);
  const [one, two, three, four, five, six] = run.stderr.split('\n');
  expect([one, two]).toEqual([
    'office.yaml:2:3: users.alice has no "last_name", which it needs if it has to be created',
    'office.yaml:2:57: "enabled" must be true or false, not "maybe"',
  ]);
  expect(three).toMatch(/^office.yaml:4:32: "retries" must be at most 10/);
  expect(four).toMatch(/^office.yaml:5:\d+: .*"nam"; did you mean "name"/);
  expect(five).toMatch(/^office.yaml:5:31: "retries"/);
  expect(six).toContain('5 problems in 1 file');
  const lenient = await telctl('validate -f office.yaml');
  expect(lenient.code).toBe(10);
  expect(lenient.stderr).toMatch(/warning.*office.yaml:4:32: "retries" must be at most 10/i);
});

it('rejects an empty file name, and reads a file given twice once', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = { 'office.yaml': office, 'bad.yaml': 'users:\n\talice: {}\n' };
  const empty = await telctl(['validate', '-f', ''], { files });
  expect(empty).toMatchObject({
    code: 2,
    stderr: '-f was given an empty name.\nFor the current folder: -f .\n',
  });
  const twice = await telctl('validate -f office.yaml -f ./office.yaml -o json');
  expect(JSON.parse(twice.stdout)).toMatchObject({ set: 'office.yaml' });
  const bad = await telctl('validate -f bad.yaml');
  expect(bad.stderr).toMatch(/^bad.yaml:2:1: tabs are not allowed/);
});

it('reports an unset variable once per field, without further warnings', async () => {
  const world = await openWorld();
  const files = {
    'a.yaml': [
      'conferences: { c: { name: C, conference_numbers: ["${env.NOPE}", "100"] } }',
      'users: { a: { first_name: A, last_name: B, email: "${env.NOPE}" } }',
      '',
    ].join('\n'),
  };
  const run = await world.telctl('validate -f a.yaml', { files });
  expect(run.code).toBe(10);
  expect(run.stderr).not.toContain('warning');
  expect(run.stderr.match(/the variable NOPE is not set/g)).toHaveLength(2);
});

it('reports an invalid field of a module once', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const flow = '{ module: menuu, data: {} }';
  const files = { 'a.yaml': `callflows: { main: { name: Main, numbers: ["1"], flow: ${flow} } }` };
  const run = await telctl('validate -f a.yaml', { files });
  expect(run.stderr.match(/menu/g)).toHaveLength(1);
});

it('does not apply the length limit of ids to references in the manifest', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const desk = `account: acme
vmboxes: { desk: { mailbox: "1", name: Desk } }
callflows:
  main: { numbers: ["1"], flow: { module: voicemail, data: { id: "\${vmboxes.desk}" } } }
`;
  const run = await telctl('validate -f desk.yaml', { files: { 'desk.yaml': desk } });
  expect(run).toMatchObject({ code: 0, stderr: 'desk.yaml: 2 objects in 1 account\n' });
});

it.each([
  ['callflows', '{ name: A, numbers: ["2000"], flow: {} }', '"flow.module" is missing'],
  ['callflows', '{ name: A, numbers: ["2000"], flow: { data: {} } }', '"flow.module" is missing'],
  [
    'callflows',
    '{ name: A, numbers: ["2000"], flow: { module: hangup, children: { "1": {} } } }',
    '"flow.children.1.module" is missing',
  ],
  [
    'temporal_rules',
    '{ name: A, cycle: yearly, month: 12 }',
    'a yearly rule needs "days", or exactly one weekday',
  ],
  [
    'temporal_rules',
    '{ name: A, cycle: monthly, wdays: [monday, friday] }',
    'a monthly rule needs "days", or exactly one weekday',
  ],
])(
  'warns about input that a service rejects, and fails with --strict-input: %s %s',
  async (section, body, message) => {
    const world = await openWorld({ signIn: 'none' });
    const files = { 'office.yaml': `${section}: { a: ${body} }\n` };
    const loose = await world.telctl('validate -f office.yaml', { files });
    expect(loose).toMatchObject({ code: 0 });
    expect(loose.stderr).toContain(message);
    const strict = await world.telctl('validate -f office.yaml --strict-input', { files });
    expect(strict).toMatchObject({ code: 10 });
    expect(strict.stderr).toContain(message);
  },
);

it('warns about a temporal rule that never matches, also when creating it', async () => {
  const world = await openWorld();
  const line = 'temporal-rules create --name Xmas --cycle yearly --month 12';
  expect((await world.telctl(line)).stderr).toContain('a yearly rule needs "days"');
  expect(await world.telctl(`${line} --strict-input`)).toMatchObject({ code: 10 });
});

it.each([
  ['', 'No time zone is set; assuming UTC'],
  ['account_settings: { timezone: Europe/Zurch }\n', 'did you mean "Europe/Zurich"?'],
  ['account_settings: { timezone: Europe/Zurich }\n', undefined],
])('test, trace and validate warn about a missing or invalid time zone: %j', async (settings, words) => {
  const { telctl } = await openWorld();
  const files = {
    'hours.yaml': `${settings}temporal_rules: { hours: { name: Hours, cycle: weekly, wdays: [monday] } }
vmboxes: { o: { name: O, mailbox: "1" }, c: { name: C, mailbox: "2" } }
callflows: { m: { name: M, numbers: ["100"], flow: { module: temporal_route, data: { rules: ["\${temporal_rules.hours}"] }, children: { "\${temporal_rules.hours}": { module: voicemail, data: { id: "\${vmboxes.o}" } }, _: { module: voicemail, data: { id: "\${vmboxes.c}" } } } } } }
`,
    'hours.cases.yaml':
      'at: 2026-11-30 10:00 Pacific/Auckland\ncases:\n  - { name: A, call: { from: +13125550100, to: 100 }, expect: { ends_in: voicemail 2 } }\n',
  };
  for (const line of [
    'validate -f hours.yaml',
    'test hours.cases.yaml -f hours.yaml',
    'callflows trace 100 -f hours.yaml --at 2026-11-30T10:00',
    'callflows trace 100 -f hours.yaml --at 2026-11-30T10:00 --from +13125550100',
  ]) {
    const { stderr } = await telctl(line, { files });
    if (words === undefined) expect(stderr).not.toContain('assuming UTC');
    else expect(stderr, line).toContain(words);
  }
});
