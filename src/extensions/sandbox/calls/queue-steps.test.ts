import { expect, test } from 'vitest';
import { openCallWorld } from '../../../../test/support/call-world.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';

const step = (module: string, data: JsonObject, children: JsonObject = {}) => ({ module, data, children });

/** A queue of two agents, codes by which they come and go, and a number that leads to it. */
async function support() {
  const { make, service, simulate, sandbox } = await openCallWorld();
  const person = (username: string) =>
    make('users', {
      username,
      password: 'first-sign-in',
      first_name: username,
      last_name: 'Agent',
      presence_id: username,
    });
  const alice = await person('alice');
  const bob = await person('bob');
  const queue = await make('queues', {
    ...{ name: 'Support', agent_wrapup_time: 10, connection_timeout: 100, agent_ring_timeout: 12 },
  });
  await service('POST', `queues/${queue}/roster`, [alice, bob]);
  const after = { _: step('tts', { text: 'Sorry' }, { _: step('hangup', {}) }) };
  await make('callflows', { numbers: ['2001'], flow: step('acdc_member', { id: queue }, after) });
  for (const [number, module, data] of [
    ['81', 'acdc_agent', { action: 'login' }],
    ['82', 'acdc_agent', { action: 'logout' }],
    ['83', 'acdc_queue', { action: 'logout', id: queue }],
  ] as const)
    await make('callflows', { numbers: [number], flow: step(module, data, after) });
  const call = async (to: string, more: JsonObject = {}) => {
    const told = await simulate('call', { from: '+15557654321', to, duration: 60, ...more });
    return { path: JSON.stringify(told.path), words: told.words };
  };
  const data = async (path: string): Promise<Json | undefined> => (await service('GET', path)).data;
  return { alice, bob, queue, call, data, service, clock: sandbox.clock };
}

test('callers wait in a queue for ready agents, and every call is counted', async () => {
  const { alice, bob, queue, call, data, clock } = await support();
  const stats = async () => valueAt(await data('queues/stats'), 'stats');

  // Nobody has signed in: the caller gives up, or the key of the queue lets the call go on.
  expect((await call('2001')).words).toBe('The caller gave up in queue "Support"');
  expect((await call('2001', { acts: ['after 10s presses #'] })).path).toContain('leaves with #');
  expect((await call('2001', { duration: 300 })).path).toContain('No agent answered within 100 s');
  await call('81', { from: 'alice' });
  await call('81', { from: 'bob' });
  expect(await data(`agents/${alice}/status`)).toMatchObject({ status: 'ready' });
  expect((await call('2001')).words).toBe('Answered by alice');
  expect(await data(`agents/${alice}/status`)).toMatchObject({ status: 'connected', queue_id: queue });
  // The other one is rung while one is on a call.
  expect((await call('2001')).words).toBe('Answered by bob');
  expect((await call('2001')).words).toBe('The caller gave up in queue "Support"');
  clock.turn(80_000);
  expect(await data(`agents/${alice}/status`)).toMatchObject({ status: 'ready' });
  expect((await call('2001', { answering: 'no-answer', duration: 90 })).path).toContain('not answered');
  expect(await data('agents/stats')).toMatchObject({
    [alice]: { total_calls: 4, answered_calls: 1, missed_calls: 3 },
    [bob]: { answered_calls: 1, queues: { [queue]: { total_calls: 4 } } },
  });
  const all = await stats();
  expect(
    Array.isArray(all) &&
      all
        .filter(isObject)
        .map(({ status }) => status)
        .toSorted(),
  ).toEqual([...['abandoned', 'abandoned', 'abandoned', 'abandoned', 'abandoned', 'processed', 'processed']]);
});

test('an agent leaves a queue by its code, and a queue without agents can turn callers away', async () => {
  const { alice, bob, queue, call, data, service } = await support();
  for (const from of ['alice', 'bob']) await call('81', { from });
  await call('82', { from: 'alice' });
  expect(await data(`agents/${alice}/status`)).toMatchObject({ status: 'logged_out' });
  expect(await data(`agents/${bob}/status`)).toMatchObject({ status: 'ready' });
  await call('83', { from: 'bob' });
  expect(await data(`queues/${queue}/roster`)).toEqual([alice]);
  await service('PATCH', `queues/${queue}`, { enter_when_empty: false });
  expect((await call('2001')).path).toContain('tts \\"Sorry\\"');
});
