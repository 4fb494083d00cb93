import { expect, it, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

const people = async () => {
  const world = await openWorld();
  await world.addUser({
    username: 'alice',
    first_name: 'Alice',
    last_name: 'Archer',
    email: 'alice@acme.example',
  });
  await world.addUser({ username: 'bob', first_name: 'Bob\nBaker\u001b[2J', last_name: 'B', enabled: false });
  return world;
};

it('prints one line per record of a list, and reads fields that lists omit', async () => {
  const world = await people();
  const run = await world.telctl([
    'users',
    'list',
    '--filter',
    'username=alice',
    '--template',
    '{username} <{email}>',
  ]);
  expect(run).toMatchObject({ code: 0, stdout: 'alice <alice@acme.example>\n' });
  const priority = ['users', 'list', '--template', "{username}\\t{presence_id || 'none'}"];
  expect((await world.telctl(priority)).stdout.split('\n')).toContain('alice\tnone');
});

it('prints one line for an item, with text unchanged and other values as JSON', async () => {
  const world = await people();
  const template =
    '{{{username}}} {enabled} {length(first_name)} {gone} {[username, last_name]} { {a: username}.a }';
  const { stdout } = await world.telctl(['users', 'get', 'alice', '--template', template]);
  expect(stdout).toBe('{alice} true 5  ["alice","Archer"] alice\n');
});

it('keeps a record on one line, and escapes control characters', async () => {
  const world = await people();
  const { stdout } = await world.telctl(['users', 'get', 'bob', '--template', '{first_name}|{username}']);
  expect(stdout.split('\n')).toHaveLength(2);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/\|bob\n$/);
});

it('accepts query results, masks secrets, and overrides the format for assistants', async () => {
  const world = await people();
  const query = ['users', 'list', '--query', '[].{name: username}', '--template', '- {name}'];
  const { stdout } = await world.telctl(query, { env: { CLAUDECODE: '1' } });
  expect(stdout.split('\n').toSorted()).toEqual(['', '- admin', '- alice', '- bob']);
  const key = await world.telctl(['accounts', 'api-key', 'show', '--template', '{api_key}']);
  expect(key.code, key.stderr).toBe(0);
  expect(key.stdout).not.toContain(world.seed.apiKey);
});

test.each([
  ['{username', 'Unmatched { at character 1 of --template'],
  ['username}', 'Unmatched } at character 9 of --template'],
  ['{user name}', 'is not a JMESPath expression'],
])('rejects %s before any request', async (template, why) => {
  const world = await openWorld();
  const run = await world.telctl(['users', 'list', '--template', template]);
  expect(run).toMatchObject({ code: 2, stdout: '', requests: [] });
  expect(run.stderr).toContain(why);
});

it('rejects --output next to --template, and does not affect --template of users import', async () => {
  const world = await openWorld();
  const both = await world.telctl(['users', 'list', '--template', '{username}', '-o', 'json']);
  expect(both).toMatchObject({ code: 2, requests: [] });
  expect(both.stderr).toContain('Give --template or --output, not both.');
  const files = { 'users.csv': 'username,first_name,last_name\ncarol,Carol,C\n' };
  const plan = await world.telctl('users import users.csv --template missing.yaml --dry-run', { files });
  expect(plan.stderr).toContain('missing.yaml');
});
