import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { valueAt } from '../../../base/json.ts';

const office = `callflows:
  main: { name: Main, numbers: ["2001"], flow: { module: user, data: { id: nobody, timeout: 0 } } }
`;

const resultsOf = (text: string) => valueAt(JSON.parse(text), 'runs');

test('prints lint findings as SARIF with rule and location, and as JUnit with a test per callflow', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = { 'office.yaml': office };
  const sarif = await telctl('callflows lint -f office.yaml -o sarif', { files });
  expect(resultsOf(sarif.stdout)).toMatchObject([
    {
      tool: { driver: { name: 'telctl', rules: [{ id: 'dead-end' }, { id: 'odd-time' }] } },
      results: [
        { ruleId: 'dead-end', level: 'warning' },
        {
          ruleId: 'odd-time',
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'office.yaml' }, region: { startLine: 2 } } },
          ],
        },
      ],
    },
  ]);
  const junit = await telctl('callflows lint -f office.yaml -o junit', { files });
  expect(junit.stdout).toContain('<testsuite name="telctl callflows lint" tests="1" failures="0"');
});

test('prints problems of an invalid manifest as SARIF and JUnit, and exits with code 10', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = { 'bad.yaml': 'users:\n  a: { usrname: a }\n' };
  const sarif = await telctl('validate -f bad.yaml -o sarif', { files });
  expect(sarif.code).toBe(10);
  expect(JSON.stringify(resultsOf(sarif.stdout))).toContain('"level":"error"');
  expect(sarif.stderr).toContain('bad.yaml:2');
  const junit = await telctl('validate -f bad.yaml -o junit', { files });
  expect([junit.code, junit.stdout]).toEqual([10, expect.stringContaining('<failure message="bad.yaml:2')]);
  const right = await telctl('validate -f office.yaml -o junit', { files: { 'office.yaml': office } });
  expect([right.code, right.stdout]).toEqual([0, expect.stringContaining('failures="0"')]);
  const both = await telctl(['validate', '-f', 'base/*.yaml', '-o', 'junit'], {
    files: { 'base/a.yaml': 'set: x\nmenus: { a: { name: A } }\n', 'base/b.yaml': files['bad.yaml'] },
  });
  expect([...both.stdout.matchAll(/<testcase .* name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'base/a.yaml',
    'base/b.yaml',
  ]);
});

test('prints audit findings as SARIF, and other commands list their formats', async () => {
  const { telctl } = await openWorld();
  const { stdout, code } = await telctl('audit -o sarif');
  expect(code).toBe(0);
  expect(JSON.stringify(resultsOf(stdout))).toContain('no-manifest');
  expect(await telctl('users list -o sarif')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('does not support SARIF output'),
  });
});
