// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const nobody = 'f'.repeat(32);

async function office() {
  const world = await openWorld();
  const carol = await world.addUser({ username: 'carol', first_name: 'Carol', last_name: 'Chen' });
  await world.service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['+15551230000'],
    flow: {
      module: 'menu',
      data: { id: nobody },
      children: {
        2: { module: 'user', data: { id: carol.id, timeout: 20 }, children: {} },
        _: { module: 'hangup', data: {}, children: {} },
      },
    },
  });
  return world;
}

test('reports dead ends and missing records, and exits with code 10', async () => {
  const { telctl } = await office();
  const run = await telctl('callflows lint');
  expect(run).toMatchObject({ code: 10 });
  expect(run.stdout).toMatch(
    /Main line {2,}flow {2,}error {2,}missing-object {2,}data\.id refers to a menu that does not exist: ffffffff…/,
  );
  expect(run.stdout).toMatch(
    /Main line {2,}flow\/2 {2,}warning {2,}dead-end {2,}user "carol" has no next step, so callers hear silence after 20 s/,
  );
  expect(run.stderr).toBe('2 findings in 1 callflow\n');
});

test('exits with an error for warnings only with --strict', async () => {
  const { telctl } = await office();
  const relaxed = await telctl('callflows lint --disable missing-object -o json');
  expect(relaxed.code).toBe(0);
  expect(JSON.parse(relaxed.stdout)).toEqual([
    expect.objectContaining({ callflow: 'Main line', path: 'flow/2', level: 'warning', rule: 'dead-end' }),
  ]);
  expect(await telctl('callflows lint --disable missing-object --strict')).toMatchObject({ code: 10 });
  expect(await telctl('callflows lint --disable dead-ends')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean dead-end?'),
  });
});

test('checks a manifest offline and reports line numbers', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = {
    'office.yaml': `users:
  alice: { username: alice, password: "\${env.NOT_SET}" }
menus:
  main: { name: Main menu }
callflows:
  main:
    name: Main line
    numbers: ["0100"]
    flow:
      module: mneu
      data: { id: "\${menus.main}" }
      children:
        "1": { module: callflow, data: { id: "\${users.alice}" } }
  other: { name: Other, numbers: ["0101"], patterns: ["^(2"], flow: {} }
`,
  };
  const run = await telctl('callflows lint -f office.yaml -o ndjson', { files });
  expect(run.code).toBe(10);
  const found = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(found.map(({ place, rule }) => [place, rule])).toEqual([
    ['office.yaml:10:15', 'unknown-module'],
    ['office.yaml:13:46', 'missing-object'],
    ['office.yaml:14:55', 'bad-pattern'],
    ['office.yaml:14:69', 'empty-flow'],
  ]);
  expect(run.requests).toEqual([]);
});

test('reports no findings for an account without callflows', async () => {
  const { telctl } = await openWorld();
  expect(await telctl('callflows lint')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'No findings in 0 callflows\n',
  });
});

test('checks only the named callflows', async () => {
  const { telctl, service } = await office();
  await service('PUT', 'callflows', {
    name: 'Old',
    numbers: ['0101'],
    flow: { module: 'user', data: {}, children: {} },
  });
  const run = await telctl('callflows lint 0101');
  expect(run.code).toBe(10);
  expect(run.stdout).toContain('user needs data.id');
  expect(run.stderr).toBe('2 findings in 1 callflow\n');
  expect(await telctl('callflows lint Odl')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('Did you mean "Old"?'),
  });
});

test('wraps findings in a narrow terminal without squeezing the name column', async () => {
  const { telctl } = await office();
  const { stdout } = await telctl('callflows lint', { tty: true, width: 80 });
  expect(stdout).toContain('Main line  flow');
  expect(stdout).toMatch(/user "carol" has no next step,\s+so\s+callers\s+hear\s+silence\s+after\s+20\s+s\n/);
});

test('reports manifest errors and callflow findings in one run', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const manifest = [
    'users: { bob: { username: bob, enabled: maybe } }',
    'callflows:',
    '  main:',
    '    name: Main',
    '    numbers: ["100"]',
    '    flow: { module: menuu, data: {} }',
    '  side:',
    '    name: Side',
    '    numbers: ["101"]',
    '    flow: { module: user, data: { id: "${users.carol}" } }',
  ].join('\n');
  const run = await telctl('callflows lint -f office.yaml', { files: { 'office.yaml': manifest } });
  expect(run.code).toBe(10);
  expect(run.stdout).toMatch(/Main .*unknown-module.*menuu/);
  expect(run.stdout).not.toContain('Side  flow  office.yaml:10:35');
  expect(run.stderr).toContain('office.yaml:1:41: "enabled" must be true or false, not "maybe"');
  expect(run.stderr).toContain('${users.carol} is not in the manifest');
});
