import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openWorld } from '../../support/world.ts';

async function openWorldWithAlice() {
  const world = await openWorld();
  await world.addUser({
    username: 'alice',
    first_name: 'Alice',
    last_name: 'Archer, Ms "A"',
    caller_id: { external: { name: 'Alice', number: '+15555550101' } },
  });
  return world;
}

test('json and yaml have the same content', async () => {
  const world = await openWorldWithAlice();
  const json = JSON.parse((await world.telctl('users get alice -o json')).stdout);
  expect(json).toMatchObject({ username: 'alice', caller_id: { external: { number: '+15555550101' } } });
  expect(parse((await world.telctl('users get alice -o yaml')).stdout)).toEqual(json);
});

test('csv quotes special characters', async () => {
  const world = await openWorldWithAlice();
  const run = await world.telctl('users list -o csv --fields username,last_name');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout.split(/\r?\n/)).toContain('alice,"Archer, Ms ""A"""');
});

test('name prints natural keys, one per line', async () => {
  const world = await openWorldWithAlice();
  const run = await world.telctl('users list -o name');
  expect(run.stdout.trimEnd().split('\n').toSorted()).toEqual(['admin', 'alice']);
});

test('--fields selects keys in any format, nested ones with dots', async () => {
  const world = await openWorldWithAlice();
  const run = await world.telctl('users get alice -o json --fields username,caller_id.external.number');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('+15555550101');
  expect(run.stdout).not.toContain('first_name');
});

test('--query filters by JMESPath', async () => {
  const world = await openWorldWithAlice();
  const run = await world.telctl([
    'users',
    'list',
    '-o',
    'json',
    '--query',
    "[?username=='alice'].first_name",
  ]);
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toEqual(['Alice']);
});

test('an invalid --query is a usage error', async () => {
  const world = await openWorldWithAlice();
  const run = await world.telctl(['users', 'list', '--query', '[?']);
  expect(run.code).toBe(2);
  expect(run.stdout).toBe('');
});

test('secrets are masked with a fixed length, and shown with --reveal', async () => {
  const world = await openWorld();
  const masked = await world.telctl('accounts api-key show -o json');
  expect(masked.code, masked.stderr).toBe(0);
  expect(masked.stdout).not.toContain(world.seed.apiKey.slice(0, 6));
  const revealed = await world.telctl('accounts api-key show -o json --reveal');
  expect(revealed.stdout).toContain(world.seed.apiKey);
});

test('stdout has only data and messages go to stderr', async () => {
  const world = await openWorld();
  const create = 'users create --first-name Bob --last-name Baker --password-stdin';
  const run = await world.telctl(`${create} --username bob -o json`, { stdin: 'first-sign-in' });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ username: 'bob' });
  const quiet = await world.telctl(`${create} --username eve -q`, { stdin: 'first-sign-in' });
  expect(quiet.stderr).toBe('');
});

test('colors appear only at a terminal that supports them', async () => {
  const world = await openWorldWithAlice();
  const env = { NO_COLOR: '', TERM: 'xterm-256color' };
  const always = await world.telctl('users list --color always', { tty: true, env });
  expect(always.stdout).toContain('\u001b[');
  for (const option of ['--color never', '']) {
    const run = await world.telctl(`users list ${option}`, { tty: option !== '' });
    expect(run.stdout).not.toContain('\u001b[');
  }
});

test('a table fits the terminal', async () => {
  const world = await openWorldWithAlice();
  for (const width of [60, 80, 200]) {
    const run = await world.telctl('users list', { tty: true, width });
    for (const line of run.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  }
});

test('scripts receive an error as one JSON object on stderr', async () => {
  const world = await openWorld();
  const run = await world.telctl('users get nobody -o json');
  expect(run.code).toBe(5);
  expect(run.stdout).toBe('');
  expect(Object.keys(JSON.parse(run.stderr))).toEqual(['error']);
  expect(JSON.parse(run.stderr).error).toMatchObject({ kind: 'not_found' });
});
