import { expect, test } from 'vitest';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld } from '../../support/world.ts';

throughValidatingProxy();

async function openWorldWithUsers(count: number) {
  const world = await openWorld();
  for (let index = 0; index < count; index += 1) {
    await world.addUser({
      username: `user${String(index).padStart(3, '0')}`,
      first_name: 'User',
      last_name: String(index),
    });
  }
  return world;
}

test('a list of more than a hundred users is complete for every page size', async () => {
  const world = await openWorldWithUsers(120);
  const run = await world.telctl('users list -o json');
  expect(run.code, run.stderr).toBe(0);
  const names = JSON.parse(run.stdout).map(({ username }: { username: string }) => username);
  expect(new Set(names).size).toBe(121);
  expect(names).toHaveLength(121);
  expect(run.requests.filter(({ path }) => path.endsWith('/users')).length).toBeGreaterThan(1);
});

test('a list reads all its pages', async () => {
  const world = await openWorldWithUsers(120);
  const run = await world.telctl('users list -o json --query [].last_name');
  const names: readonly string[] = JSON.parse(run.stdout);
  expect(names).toHaveLength(121);
  expect(names).toEqual([...names].sort());
});

test('a column without values is left out of the table but kept in CSV', async () => {
  const world = await openWorld();
  await world.telctl('webhooks create --name crm --uri https://crm.example/hook --hook channel_create');
  const table = await world.telctl('webhooks list');
  expect(table.stdout).toMatch(/^NAME +HOOK +URI +ENABLED +ID\n/);
  expect((await world.telctl('webhooks list -o csv')).stdout).toMatch(/^name,.*,disable_reason,id\n/);
});

test('ndjson prints one record per line', async () => {
  const world = await openWorldWithUsers(60);
  const run = await world.telctl('users list -o ndjson');
  const lines = run.stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(61);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('username');
});

test('a list that fails after a page says so and exits with code 8', async () => {
  const world = await openWorldWithUsers(120);
  const run = await world.telctl('users list -o ndjson --retries 0', {
    faults: [
      { path: /\/users$/, times: 1, fault: { kind: 'pass' } },
      { path: /\/users$/, fault: { kind: 'refuse' } },
    ],
  });
  expect(run.code).toBe(8);
  expect(run.stderr).toMatch(/whole|incomplete|not complete/i);
});

test('the table ends with a count', async () => {
  const world = await openWorldWithUsers(2);
  const run = await world.telctl('users list', { tty: true });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout.split('\n')[0]).toMatch(/^USERNAME\s+NAME\s+EMAIL\s+ROLE\s+ID/);
  expect(run.stdout + run.stderr).toContain('3 users');
});
