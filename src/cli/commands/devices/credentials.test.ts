import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';

const files = { 'phones.csv': 'name,owner\ndesk,alice\nlobby,\n' };
const line = 'devices create -f phones.csv --credentials secrets.csv';

test('writes generated SIP passwords of several phones only to a new private file', async () => {
  const { telctl, addUser, folders } = await openWorld();
  const { id: alice } = await addUser({ username: 'alice', first_name: 'A', last_name: 'B' });
  const run = await telctl(line, { files });
  expect(run.code, run.stderr).toBe(0);
  const path = join(folders.cwd, 'secrets.csv');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const [head, ...rows] = readFileSync(path, 'utf8').trim().split('\n');
  expect(head).toBe('name,username,password,realm');
  expect(rows).toHaveLength(2);
  const devices: readonly JsonObject[] = JSON.parse((await telctl('devices list -o json')).stdout);
  expect(devices).toMatchObject([{ name: 'desk', owner_id: alice }, { name: 'lobby' }]);
  for (const row of rows) {
    const [name = '', username = '', password = ''] = row.split(',');
    expect(run.stdout + run.stderr).not.toContain(password);
    const kept = JSON.parse((await telctl(`devices get ${name} -o json --reveal`)).stdout);
    expect(kept.sip).toMatchObject({ username, password });
  }
  expect((await telctl(line, { files })).code).toBe(9);
});

test('creates neither phones nor passwords from an invalid file', async () => {
  const { telctl, folders } = await openWorld();
  const run = await telctl(line, { files });
  expect([run.code, run.stderr]).toEqual([10, expect.stringContaining('no user "alice"')]);
  expect(existsSync(join(folders.cwd, 'secrets.csv'))).toBe(false);
});
