// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const office = `
users:
  alice: { username: Alice, first_name: Alice, last_name: Archer }
  bob: { username: bob, first_name: Bob, last_name: Baker, password: "\${env.BOB}" }
menus:
  main: { name: Main }
`;
const options = { files: { 'office.yaml': office }, env: { BOB: 'canary-bob-1' } };
const line = 'apply -f office.yaml --yes --strict-input --generate-passwords new.csv';

test('new users without a password get one, which stands in one file and nowhere else', async () => {
  const world = await openWorld();
  const run = await world.telctl(line, options);
  expect(run.code, run.stderr).toBe(0);
  const path = join(world.folders.cwd, 'new.csv');
  const [head, row = '', ...others] = readFileSync(path, 'utf8').split('\n');
  expect([head, others, statSync(path).mode & 0o777]).toEqual(['account,username,password', [''], 0o600]);
  const [account, username, password = ''] = row.split(',');
  expect([account, username, password.length > 11]).toEqual(['acme', 'Alice', true]);
  const said = run.stdout + run.stderr;
  const files = world.filesWritten().filter((file) => !file.isFolder && !file.path.endsWith('new.csv'));
  for (const text of [said, ...files.map((file) => readFileSync(file.path, 'utf8'))])
    expect(text).not.toContain(password);
  const login = 'login --username alice --account-name acme --password-stdin --profile of-alice';
  const signed = await world.telctl(`${login} --base-url ${world.url}`, { stdin: password });
  expect(signed.code, signed.stderr).toBe(0);

  const again = await world.telctl(line, options);
  expect([again.code, again.requests.filter(({ method }) => method !== 'GET')]).toEqual([9, []]);
  expect(again.stderr).toContain('There is a file new.csv already');
  const idle = await world.telctl(line.replace('new.csv', 'other.csv'), options);
  expect([idle.code, existsSync(join(world.folders.cwd, 'other.csv'))]).toEqual([0, false]);
});

test('a run that is resumed takes the passwords of its file', async () => {
  const world = await openWorld();
  const broken = await world.telctl(`${line} --on-error continue`, {
    ...options,
    faults: [{ fault: { kind: 'answer', status: 500 }, method: 'PUT', path: /\/users$/, times: 99 }],
  });
  expect(broken.code).toBe(8);
  const path = join(world.folders.cwd, 'new.csv');
  const before = readFileSync(path, 'utf8');
  const run = await world.telctl('apply --resume --yes', options);
  expect(run.code, run.stderr).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(before);
  const [, row = ''] = before.split('\n');
  const login = 'login --username alice --account-name acme --password-stdin --profile of-alice';
  const stdin = row.split(',').at(-1) ?? '';
  expect((await world.telctl(`${login} --base-url ${world.url}`, { stdin })).code).toBe(0);
});
