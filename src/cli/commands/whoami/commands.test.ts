import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('rejects --account, and warns about an account from the environment', async () => {
  const world = await openWorld();
  const refused = await world.telctl('whoami --account no-such-branch');
  expect([refused.code, refused.requests]).toEqual([2, []]);
  const env = { TELCTL_ACCOUNT: 'no-such-branch' };
  const run = await world.telctl('whoami -o json', { env });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ profile: 'test', account_name: 'acme' });
  expect(run.stderr).toContain('TELCTL_ACCOUNT names account no-such-branch');
  const shown = await world.telctl('whoami', { env });
  expect(shown.stdout).toMatch(/^User +admin {2}\(account administrator\)$/m);
});

test('prints the user, or the account of an API key, with -o name', async () => {
  const world = await openWorld();
  expect(await world.telctl('whoami -o name')).toMatchObject({ code: 0, stdout: 'admin\n' });
  const faults = [
    { method: 'GET', path: /users/, times: 9, fault: { kind: 'answer', status: 403 } },
  ] as const;
  expect((await world.telctl('whoami -o name', { faults })).stdout).toBe('acme\n');
  expect((await world.telctl('whoami -o name --query method')).stdout).toBe('api-key\n');
});

test('shows when a token expires, if the token contains that', async () => {
  const world = await openWorld();
  const token = (await world.telctl('tokens show')).stdout.trim();
  const env = { TELCTL_BASE_URL: world.url, TELCTL_TOKEN: token };
  const { expires_at } = JSON.parse((await world.telctl('whoami -o json', { env })).stdout);
  const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(Date.parse(expires_at)).toBe(exp * 1000);
  expect((await world.telctl('whoami', { env })).stdout).toContain('by a given token; token valid ');
});

test('reports an empty record, and prints an empty object for scripts', async () => {
  const world = await openWorld();
  const run = await world.telctl('metaflows get');
  expect(run).toMatchObject({ code: 0, stdout: '' });
  expect(run.stderr).toBe('No values are set.\n');
  expect((await world.telctl('metaflows get -o json')).stdout).toBe('{}\n');
});

test('shows Gregorian times as dates in tables, and as numbers for scripts', async () => {
  const world = await openWorld();
  await world.service('PUT', 'faxes', { from_number: '+15551230001', to_number: '+15551230002' });
  const table = await world.telctl('faxes list');
  expect(table.stdout).toMatch(/CREATED/);
  expect(table.stdout).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/);
  expect((await world.telctl('faxes list -o json')).stdout).toMatch(/"created": \d{11}/);
});

test('warns if others can read a file with secrets', async () => {
  const world = await openWorld();
  expect((await world.telctl('whoami')).stdout).toContain('API key and token in ~/.config/telctl (0600)');
  chmodSync(join(world.folders.home, '.config', 'telctl', 'credentials', 'test.json'), 0o644);
  expect((await world.telctl('whoami')).stdout).toContain(
    'API key in ~/.config/telctl (mode 0644: others can read it)',
  );
});
