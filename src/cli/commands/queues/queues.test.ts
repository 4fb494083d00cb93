import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('agents enter queues, take calls and pause; who is in a queue is known to users and queues alike', async () => {
  const { telctl, service, addUser, clock } = await openWorld();
  const alice = String((await addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' })).id);
  const bob = String((await addUser({ username: 'bob', first_name: 'Bob', last_name: 'Berg' })).id);
  expect((await telctl('queues create --name Support --strategy most_idle')).code).toBe(0);
  const run = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await telctl(line);
    expect(code, stderr).toBe(0);
    return stdout + stderr;
  };
  expect(await run('queues roster set Support alice bob')).toContain('Queue Support has 2 agents now.');
  expect(await run('queues roster list Support')).toMatch(/alice +Alice Archer/);
  expect(JSON.parse((await telctl('queues get Support -o json')).stdout).agents).toEqual([alice, bob]);
  await run('agents leave alice Support');
  expect(await run('agents list')).toMatch(/Bob Berg +1/);
  expect((await service('GET', `users/${alice}`)).queues).toEqual([]);
  await run('agents join alice Support');
  expect(await run('agents queues alice')).toContain('Support');
  const state = async (line = 'agents status alice -o json') => JSON.parse((await telctl(line)).stdout);
  expect(await state()).toMatchObject({ agent_id: alice, status: 'logged_out' });
  await run('agents login alice');
  expect(await state()).toMatchObject({ status: 'ready' });
  await run('agents pause alice --for 15m');
  expect(await state()).toMatchObject({ status: 'paused', pause_time: 900 });
  expect(await state('agents status -o json')).toEqual([
    expect.objectContaining({ agent_id: alice, status: 'paused' }),
    expect.objectContaining({ agent_id: bob, status: 'logged_out' }),
  ]);
  clock.turn(901_000);
  // A pause ends by itself.
  expect(await state()).toMatchObject({ status: 'ready' });
  await run('agents pause alice --for 0s');
  await run('agents resume alice');
  expect(await state()).toMatchObject({ status: 'ready' });
  expect(await telctl('agents pause alice')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--for'),
  });
  expect(await run('agents logout alice')).toContain('Agent alice takes no more calls.');
  expect(await run('agents get alice')).toContain('Archer');
  const device = String((await service('PUT', 'devices', { name: 'Desk' })).id);
  expect(await run('queues eavesdrop Support --device Desk --mode whisper')).toContain('rings to listen');
  const other = await telctl(['queues', 'eavesdrop', 'Support', '--device', device, '--call', 'nobody']);
  expect(other).toMatchObject({ code: 10, stderr: expect.stringContaining('call_id') });
  expect(await telctl('queues stats --from 1h -o json')).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await telctl('queues calls --from 1h -o json')).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await telctl('agents stats -o json')).toMatchObject({ code: 0, stdout: '[]\n' });
  await run('queues roster clear Support --yes');
  expect((await service('GET', `users/${bob}`)).queues).toEqual([]);
});
