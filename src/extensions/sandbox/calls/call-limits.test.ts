import { expect, test } from 'vitest';
import { type CallWorld, openCallWorld } from '../../../../test/support/call-world.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';

const outside = '+14155550109';
const ours = '+14155550100';

/** An account with these limits, and a callflow 2001 that plays something to whoever calls. */
async function limited(limits: JsonObject): Promise<CallWorld> {
  const world = await openCallWorld();
  await world.make('callflows', {
    name: 'Music',
    numbers: ['2001', ours],
    flow: { module: 'tts', data: { text: 'Music', endless_playback: true }, children: {} },
  });
  await world.service('POST', 'limits', { ...limits, accept_charges: true });
  return world;
}

const call = (world: CallWorld, body: JsonObject = {}) =>
  world.simulate('call', { from: outside, to: ours, duration: 60, real_time: true, ...body });
const out = (world: CallWorld, body: JsonObject = {}) => call(world, { from: 'admin', to: outside, ...body });
const refusal = (message: string, hint: string) => ({ status: 403, message, data: { hint } });

test('the limit on calls counts calls in progress until their end on the sandbox clock', async () => {
  const world = await limited({ calls: 1 });
  await call(world);
  world.sandbox.clock.turn(12_000);
  await expect(call(world)).rejects.toMatchObject(
    refusal(
      'acme accepts no more calls: the limit "calls" is 1, with 1 in progress.',
      'The next call ends in 48 s: telctl sandbox clock advance 48s',
    ),
  );
  await expect(out(world)).rejects.toMatchObject({ status: 403 });
  world.sandbox.clock.turn(48_000);
  await call(world);
});

test('a refused call gets no hint to wait if the limit is 0', async () => {
  const world = await limited({});
  await call(world);
  await world.service('POST', 'limits', { calls: 0 });
  await expect(call(world)).rejects.toMatchObject({
    message: 'acme accepts no more calls: the limit "calls" is 0, with 1 in progress.',
    data: { hint: 'Raise the limits: telctl limits set' },
  });
});

const billings = ({ legs }: JsonObject): readonly Json[] =>
  (Array.isArray(legs) ? legs.filter(isObject) : []).flatMap(({ billing }) => billing ?? []);
const noTrunk =
  'acme accepts no more calls: no trunk is free, and neither prepaid nor postpaid credit covers it.';

test('a refused call has a record and events', async () => {
  const world = await limited({ calls: 0 });
  await world.make('webhooks', { name: 'all', uri: 'http://127.0.0.1:9/', hook: 'all' });
  await expect(call(world)).rejects.toMatchObject({
    message: 'acme accepts no more calls: the limit "calls" is 0, with 0 in progress.',
    data: { hint: 'Raise the limits: telctl limits set' },
  });
  expect((await world.told()).map(({ hook_event: hook }) => hook)).toEqual([
    'channel_create',
    'channel_destroy',
  ]);
  world.sandbox.clock.turn(1000);
  expect((await world.service('GET', 'cdrs')).data).toMatchObject([{ hangup_cause: 'USER_BUSY' }]);
});

test('without credit, a call needs a free trunk in its direction', async () => {
  const world = await limited({ allow_prepay: false, outbound_trunks: 1 });
  await expect(call(world)).rejects.toMatchObject({ message: noTrunk });
  expect(billings(await out(world))).toEqual(['flat_rate']);
  await expect(out(world)).rejects.toMatchObject({ message: noTrunk });
});

test('one-way trunks are used before two-way trunks, and burst trunks last', async () => {
  const limits = { inbound_trunks: 1, twoway_trunks: 1, burst_trunks: 1, allow_prepay: false };
  const world = await limited(limits);
  expect(billings(await call(world))).toEqual(['flat_rate']);
  expect(billings(await call(world))).toEqual(['flat_rate']);
  expect(billings(await out(world))).toEqual(['flat_rate_burst']);
  await expect(out(world)).rejects.toMatchObject({ status: 403 });
});

test('with prepaid credit, calls without a trunk are charged by the minute', async () => {
  const world = await limited({ allow_prepay: true, inbound_trunks: 1 });
  expect(billings(await call(world))).toEqual(['flat_rate']);
  expect(billings(await call(world))).toEqual(['per_minute']);
});

test('the limit on resource-consuming calls ignores calls within the account', async () => {
  const world = await limited({ resource_consuming_calls: 1 });
  expect(billings(await call(world, { from: 'admin' }))).toEqual([]);
  await call(world);
  await expect(call(world)).rejects.toMatchObject({ status: 403 });
  await call(world, { from: 'admin' });
});

test('calls of an authorized resource type need no trunk', async () => {
  const world = await limited({ allow_prepay: false, authz_resource_types: ['audio'] });
  expect(billings(await call(world))).toEqual(['limits_disabled']);
});

test('simultaneous calls are counted one after another', async () => {
  const world = await limited({ calls: 2 });
  const all = await Promise.allSettled([call(world), call(world), call(world)]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('ended calls free their limits', async () => {
  const world = await limited({});
  await call(world);
  world.sandbox.clock.turn(61_000);
  const { call_id: id } = await call(world);
  expect((await world.sandbox.store.allOfKind('calls')).map((each) => each.id)).toEqual([id]);
});
