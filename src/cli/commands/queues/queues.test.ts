import { beforeEach, expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

let world: World;
let ids: readonly string[];

/** Runs a line that has to succeed, and returns all that it says. */
async function said(line: string): Promise<string> {
  const { code, stdout, stderr } = await world.telctl(line);
  expect(code, stderr).toBe(0);
  return stdout + stderr;
}

beforeEach(async () => {
  world = await openWorld();
  const alice = await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const bob = await world.addUser({ username: 'bob', first_name: 'Bob', last_name: 'Berg' });
  ids = [String(alice.id), String(bob.id)];
  await said('queues create --name Support --strategy most_idle');
  expect(await said('queues roster set Support alice bob')).toContain('Queue Support has 2 agents now.');
});

test('shows the same roster for queues and users', async () => {
  expect(await said('queues roster list Support')).toMatch(/alice +Alice Archer/);
  expect(JSON.parse(await said('queues get Support -o json')).agents).toEqual(ids);
  await said('queues roster clear Support --yes');
  expect((await world.service('GET', `users/${ids[1]}`)).queues).toEqual([]);
});

test('rings a device to listen to a queue, and rejects an unknown call', async () => {
  const device = String((await world.service('PUT', 'devices', { name: 'Desk' })).id);
  expect(await said('queues eavesdrop Support --device Desk --mode whisper')).toContain('rings to listen');
  const other = ['queues', 'eavesdrop', 'Support', '--device', device, '--call', 'nobody'];
  expect(await world.telctl(other)).toMatchObject({ code: 10, stderr: expect.stringContaining('call_id') });
});

test('returns empty statistics for a queue without calls', async () => {
  for (const line of ['queues stats --from 1h', 'queues calls --from 1h'])
    expect(await world.telctl(`${line} -o json`)).toMatchObject({ code: 0, stdout: '[]\n' });
});
