import { expect, test } from 'vitest';
import { openCallWorld } from '../../../../test/support/call-world.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { SandboxMode } from '../differences.ts';

const node = (module: string, data: JsonObject): JsonObject => ({ module, data, children: {} });

/** An office in which alice, at 2001, has two phones; 2005 rings her desk alone, 2002 bob, who has none. */
async function office(like?: SandboxMode) {
  const world = await openCallWorld(like);
  const user = (first_name: string) => {
    const username = first_name.toLowerCase();
    return world.make('users', { username, first_name, last_name: 'A', password: `${username}-12345` });
  };
  const alice = await user('Alice');
  const bob = await user('Bob');
  const phone = (name: string, more: JsonObject = {}) => {
    const sip = { username: name, password: 'a-sip-password' };
    return world.make('devices', { name, owner_id: alice, sip, ...more });
  };
  const desk = await phone('desk');
  const soft = await phone('soft', {
    sip: { username: 'soft', password: 'a-sip-password', expire_seconds: 60 },
  });
  const flow = (number: string, step: JsonObject) =>
    world.make('callflows', { name: number, numbers: [number], flow: step });
  await flow('2001', node('user', { id: alice }));
  await flow('2002', node('user', { id: bob }));
  await flow('2005', node('device', { id: desk }));
  const call = async (to: string, more: JsonObject = {}) => {
    const made = await world.simulate('call', { from: '+15551230009', to, ...more });
    const legs: Json = made.legs ?? [];
    return {
      cause: made.hangup_cause,
      rings: (Array.isArray(legs) ? legs : [])
        .filter(isObject)
        .flatMap(({ direction, destination }) => (direction === 'outbound' ? [destination] : [])),
      said: Array.isArray(made.path) ? made.path.filter(isObject).map(({ note }) => note) : [],
    };
  };
  const register = (body: JsonObject) => world.simulate('registerPhones', body);
  const change = (id: string, body: JsonObject) => world.service('PATCH', `devices/${id}`, body);
  return { ...world, alice, desk, soft, call, register, change };
}

test('a phone rings while it is registered, and no phone rings without a registration', async () => {
  const { call, register, sandbox } = await office();
  expect(await call('2001')).toEqual({
    cause: 'NORMAL_CLEARING',
    rings: [],
    said: ['device soft is not registered; device desk is not registered'],
  });
  await register({ phone: 'desk', expires: 3600 });
  expect(await call('2001')).toMatchObject({
    rings: ['alice'],
    said: ['alice on device desk answers after 6 s'],
  });
  await register({ phone: 'alice' });
  expect((await call('2001')).rings).toHaveLength(2);
  // Phones renew their registration by themselves, unless they were told how long it holds.
  sandbox.clock.turn(7_200_000);
  expect((await call('2001')).rings).toHaveLength(2);
  await register({ phone: 'desk', expires: 60 });
  sandbox.clock.turn(61_000);
  expect(await call('2005')).toMatchObject({ cause: 'NORMAL_CLEARING', rings: [] });
});

test.each([
  [{ enabled: false }, 'NORMAL_CLEARING', 'device desk is disabled'],
  [{ do_not_disturb: { enabled: true } }, 'NORMAL_CLEARING', 'device desk is set to do not disturb'],
])('a device that is %j does not ring', async (settings, cause, note) => {
  const { call, register, change, desk } = await office();
  await register({ phone: 'desk' });
  await change(desk, settings);
  expect(await call('2005')).toEqual({ cause, rings: [], said: [note] });
});

test('call forwarding replaces a device, rings with it, or applies when it is unregistered', async () => {
  const { call, register, change, desk } = await office();
  const outside = '+15551230007';
  const forward = (call_forward: JsonObject) =>
    change(desk, { call_forward: { number: outside, ...call_forward } });
  await register({ phone: 'desk' });
  await forward({ enabled: true });
  expect((await call('2005')).said).toContain(`${outside} answers after 6 s`);
  await forward({ enabled: true, substitute: false });
  expect((await call('2005')).rings).toEqual(expect.arrayContaining(['alice', outside]));
  await forward({ enabled: true, substitute: true, direct_calls_only: true });
  expect((await call('2001')).rings).toContain(outside);
  await forward({ enabled: false, failover: true });
  expect((await call('2005')).rings).toEqual(['alice']);
  await change(desk, { sip: { password: 'another-password' } });
  expect((await call('2005')).said).toContain(`${outside} answers after 6 s`);
});

test('a user without a device answers, but not like services in the field', async () => {
  expect((await (await office()).call('2002')).said).toEqual(['bob answers after 6 s']);
  const field = await office('kazoo');
  expect(await field.call('2002')).toEqual({
    cause: 'NORMAL_CLEARING',
    rings: [],
    said: ['bob has no device'],
  });
  expect((await field.call('2001', { answering: 'busy' })).cause).toBe('NORMAL_CLEARING');
  await field.register({ phone: 'soft' });
  expect((await field.call('2001', { answering: 'busy' })).said).toEqual(['busy']);
  expect((await field.call('2001', { answering: 'no-answer' })).said).toEqual(['not answered in 20 s']);
});

test('webhooks receive registrations and their ends, except for ends by the service', async () => {
  const world = await office();
  const { register, sandbox, told, desk, change } = world;
  const hook = { name: 'N', uri: 'http://127.0.0.1:9/', hook: 'notifications', custom_data: { type: 'all' } };
  await world.make('webhooks', hook);
  const heard = async () =>
    (await told()).map(({ event_name, username, expires }) => [event_name, username, expires]);
  await register({ phone: 'desk', expires: 60 });
  await register({ phone: 'desk', expires: 120 });
  expect(await heard()).toEqual([['register', 'desk', 60]]);
  sandbox.clock.turn(119_000);
  expect(await heard()).toHaveLength(1);
  sandbox.clock.turn(1000);
  expect(await heard()).toEqual([
    ['register', 'desk', 60],
    ['deregister', 'desk', 120],
  ]);
  await register({ phone: 'desk' });
  await world.simulate('unregisterPhones', { phone: '00:04:f2:ab:7e:fd' }).catch(() => undefined);
  await change(desk, { mac_address: '00:04:F2:AB:7E:FD' });
  await world.simulate('unregisterPhones', { phone: '0004.f2ab.7efd' });
  expect((await heard()).slice(2).map(([event]) => event)).toEqual(['register', 'deregister']);
  // A new password ends the registration, and nobody is told, then or later.
  await register({ phone: 'desk' });
  await change(desk, { sip: { password: 'another-password' } });
  sandbox.clock.turn(1_000_000);
  expect((await heard()).slice(4).map(([event]) => event)).toEqual(['register']);
});

test('a refused registration reports the reason', async () => {
  const world = await office();
  await world.make('devices', { name: 'mobile', device_type: 'cellphone' });
  await world.make('devices', { name: 'bare' });
  await expect(world.register({ phone: 'mobile' })).rejects.toThrow(
    'a device of type cellphone never registers',
  );
  await expect(world.register({ phone: 'bare' })).rejects.toThrow('it has no SIP user name and password');
  await expect(world.register({ phone: 'bob' })).rejects.toThrow('bob has no device.');
  await expect(world.register({ phone: 'nobody' })).rejects.toThrow(
    'Device or user "nobody" not found in acme.',
  );
});
