import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../support/process.ts';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld } from '../../support/world.ts';

throughValidatingProxy();

const readExample = (name: string): string => readFileSync(join(root, 'examples', name), 'utf8');

test('a file with a list of users is created with one report', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create -f users.yaml', {
    files: { 'users.yaml': readExample('users.yaml') },
  });
  expect(run.code, run.stderr).toBe(0);
  const bob = JSON.parse((await world.telctl('users get bob -o json')).stdout);
  expect(bob.call_forward.number).toBe('+15555550142');
});

test('failed records are named, the rest is created, and the exit code is 8', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'bob', first_name: 'Bob', last_name: 'Baker' });
  const run = await world.telctl('users create -f users.yaml', {
    files: { 'users.yaml': readExample('users.yaml') },
  });
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('bob');
  const names = (await world.telctl('users list -o name')).stdout;
  expect(names).toContain('alice');
  expect(names).toContain('carol');
});

test('an unknown key is refused with file, line, column and suggestion before any request', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create -f a.yaml', {
    files: { 'a.yaml': 'username: alice\nlast_name: Archer\nfrist_name: Alice\n' },
  });
  expect(run.code).toBe(10);
  expect(run.stderr).toMatch(/a\.yaml:3:1: .*frist_name.*first_name/);
  expect(run.requests).toEqual([]);
});

test('a duplicate key is refused', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create -f a.yaml', {
    files: { 'a.yaml': 'username: alice\nusername: bob\n' },
  });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('a.yaml:2:1');
  expect(run.requests).toEqual([]);
});

test('a wrong type is refused with its place', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create -f a.yaml', {
    files: { 'a.yaml': 'username: alice\nenabled: yes please\n' },
  });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('a.yaml:2:');
  expect(run.requests).toEqual([]);
});

test('numbers in text fields keep their notation', async () => {
  const world = await openWorld();
  const run = await world.telctl('callflows create -f - -o json', {
    stdin: 'name: Line\nnumbers: [+15555550123, 0100]\nflow: { module: hangup, data: {}, children: {} }\n',
  });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout).numbers).toEqual(['+15555550123', '0100']);
});

test('an alias bomb is refused', async () => {
  const world = await openWorld();
  const bomb = Array.from({ length: 12 }, (_, index) =>
    index === 0 ? 'a0: &a0 [x, x]' : `a${index}: &a${index} [${`*a${index - 1}, `.repeat(9)}*a${index - 1}]`,
  ).join('\n');
  const run = await world.telctl('users create -f bomb.yaml', { files: { 'bomb.yaml': bomb } });
  expect(run.code).toBe(10);
  expect(run.stderr.length).toBeLessThan(5000);
  expect(run.requests).toEqual([]);
});

test('a file over ten megabytes is refused', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create -f big.yaml', {
    files: { 'big.yaml': `username: alice\n# ${'x'.repeat(10_500_000)}\n` },
  });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('big.yaml');
  expect(run.requests).toEqual([]);
});

test('a missing file is named', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create -f nowhere.yaml');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('nowhere.yaml');
});

test('unknown fields are sent with a warning on request', async () => {
  const world = await openWorld();
  const run = await world.telctl('users create -f a.yaml --allow-unknown-fields', {
    files: {
      'a.yaml':
        'username: alice\nfirst_name: Alice\nlast_name: Archer\npassword: first-sign-in\nhologram: true\n',
    },
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('hologram');
  const [create] = run.requests.filter(({ method }) => method === 'PUT');
  expect(create?.body).toMatchObject({ data: { hologram: true } });
});
