import { expect, test } from 'vitest';
import { deliveringSandbox } from '../../../../test/support/delivering-sandbox.ts';
import { receiver } from '../../../../test/support/receiver.ts';
import { timers } from '../../../base/host/real-host.ts';
import type { JsonObject } from '../../../base/json.ts';
import { callHandlers } from '../control/control.ts';
import type { ControlInput } from '../control-operations.ts';

const hooks = ['channel_create', 'channel_answer', 'channel_bridge', 'channel_destroy'];
const pause = (ms: number) => new Promise<void>((resolve) => void timers.later(ms, resolve));

/** Three parallel calls to a person who answers or lets the caller leave a message, told to five subscriptions. */
async function tellsCalls() {
  const world = await deliveringSandbox();
  // Receivers of early events are the slowest ones, as a program that makes a record first.
  const target = await receiver({
    answer: async ({ body }) => {
      const { hook_event: hook } = JSON.parse(body);
      await pause(hook === 'channel_create' ? 20 : hook === 'channel_answer' ? 5 : 0);
      return 200;
    },
  });
  const hear = (hook: string, more: JsonObject = {}) =>
    world.subscribe({ uri: `${target.url}/${hook}`, hook, format: 'json', custom_data: {}, ...more });
  for (const hook of hooks.toReversed()) await hear(hook);
  await hear('notifications', { custom_data: { type: 'voicemail_new' } });
  const alice = await world.service('PUT', 'users', {
    first_name: 'Alice',
    last_name: 'Archer',
    username: 'alice',
    password: 'alice-12345',
  });
  const box = await world.service('PUT', 'vmboxes', { mailbox: '2001', name: 'Alice' });
  const toBox = { _: { module: 'voicemail', data: { id: box.id }, children: {} } };
  const flow = { module: 'user', data: { id: alice.id, timeout: 20 }, children: toBox };
  await world.service('PUT', 'callflows', { numbers: ['2001'], flow });
  await world.idle();
  const { call } = callHandlers(world.services);
  const simulate = (input: Partial<ControlInput<'call'>>) =>
    call({ from: '+15551230009', to: '2001', ...input });
  return { world, target, simulate };
}

test('a receiver with five subscriptions gets every call in the order of its events', async () => {
  const { world, target, simulate } = await tellsCalls();
  await Promise.all([simulate({}), simulate({ answering: 'no-answer' }), simulate({})]);
  await world.idle();
  const told: readonly JsonObject[] = target.received.map(({ body }) => JSON.parse(body));
  const calls = Map.groupBy(told, ({ call_id }) => call_id);
  const steps = [...calls.values()].map((events) =>
    events.map(({ hook_event, event_name }) => String(hook_event ?? event_name)),
  );
  expect(steps.length).toBeGreaterThan(3);
  expect(steps.flat()).toContain('voicemail_new');
  for (const names of steps) {
    const ofLeg = names.filter((name) => name.startsWith('channel_'));
    expect([names[0], ofLeg.at(-1)]).toEqual(['channel_create', 'channel_destroy']);
    const bridge = names.indexOf('channel_bridge');
    expect(bridge === -1 || bridge > names.indexOf('channel_answer'), names.join()).toBe(true);
  }
});

test('events that waited for the start of deliveries keep their order', async () => {
  const { world, target, simulate } = await tellsCalls();
  await world.stop();
  await simulate({});
  world.start();
  await world.idle();
  const names = target.received.map(({ url }) => url.slice(1));
  expect(names[0]).toBe('channel_create');
  expect(names.at(-1)).toBe('channel_destroy');
  expect(names.indexOf('channel_bridge')).toBeGreaterThan(names.indexOf('channel_answer'));
});

test('webhooks of an account and of its parent get its events in the same order', async () => {
  const world = await deliveringSandbox();
  // The account above makes a record of each user before it answers.
  const target = await receiver({
    answer: async ({ url }) => {
      await pause(url === '/above' ? 30 : 0);
      return 200;
    },
  });
  const account = await world.service('PUT', `/v2/accounts/${world.sandbox.seed.accountId}`, {
    name: 'below',
  });
  const hear = (name: string, type: string, more: JsonObject, accountId?: string) =>
    world.subscribe(
      { uri: `${target.url}/${name}`, hook: 'object', format: 'json', custom_data: { type }, ...more },
      accountId,
    );
  await hear('above', 'user', { include_subaccounts: true });
  await hear('own', 'device', {}, String(account.id));
  await world.idle();
  const users = ['ann', 'bob', 'cid'];
  for (const name of users)
    await world.service('PUT', `/v2/accounts/${account.id}/users`, { first_name: name, last_name: 'Archer' });
  await world.service('PUT', `/v2/accounts/${account.id}/devices`, { name: 'desk' });
  await world.idle();
  expect(target.received.map(({ url }) => url)).toEqual(['/above', '/above', '/above', '/own']);
});
