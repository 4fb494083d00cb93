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
const status = async (): Promise<unknown> => JSON.parse(await said('agents status alice -o json'));

beforeEach(async () => {
  world = await openWorld();
  const alice = await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const bob = await world.addUser({ username: 'bob', first_name: 'Bob', last_name: 'Berg' });
  ids = [String(alice.id), String(bob.id)];
  await said('queues create --name Support --strategy most_idle');
  await said('queues roster set Support alice bob');
});

test('moves an agent out of a queue and back into it', async () => {
  await said('agents leave alice Support');
  expect(await said('agents list')).toMatch(/Bob Berg +1/);
  expect((await world.service('GET', `users/${ids[0]}`)).queues).toEqual([]);
  await said('agents join alice Support');
  expect(await said('agents queues alice')).toContain('Support');
  expect(await said('agents get alice')).toContain('Archer');
});

test('signs an agent in and out', async () => {
  expect(await status()).toMatchObject({ agent_id: ids[0], status: 'logged_out' });
  await said('agents login alice');
  expect(await status()).toMatchObject({ status: 'ready' });
  for (const line of ['agents status alice', 'agents status']) {
    const shown = await said(line);
    expect(shown).toContain('alice');
    expect(shown).toMatch(/2025-01-\d\d/);
    expect(shown).not.toContain(ids[0]);
  }
  expect(await said('agents logout alice')).toContain('Agent alice takes no more calls.');
  expect(await world.telctl('agents stats -o json')).toMatchObject({ code: 0, stdout: '[]\n' });
});

test('pauses an agent for a duration, or until resumed', async () => {
  expect(await world.telctl('agents pause alice')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--for'),
  });
  await said('agents login alice');
  await said('agents pause alice --for 15m');
  expect(await status()).toMatchObject({ status: 'paused', pause_time: 900 });
  expect(JSON.parse(await said('agents status -o json'))).toEqual([
    expect.objectContaining({ agent_id: ids[0], status: 'paused' }),
    expect.objectContaining({ agent_id: ids[1], status: 'logged_out' }),
  ]);
  world.clock.turn(901_000);
  expect(await status()).toMatchObject({ status: 'ready' });
  await said('agents pause alice --for 0s');
  await said('agents resume alice');
  expect(await status()).toMatchObject({ status: 'ready' });
});
