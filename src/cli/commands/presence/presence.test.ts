import { expect, test } from 'vitest';
import { callsIn } from '../../../../test/support/calls-in.ts';
import { seededRandom } from '../../../../test/support/clock.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { timers } from '../../../base/host/real-host.ts';
import type { Act } from '../../../extensions/calls/engine/types.ts';
import { accountRecordName } from '../../../extensions/sandbox/identity/principal.ts';
import { makeServices } from '../../../extensions/sandbox/services.ts';
import { register } from '../../../extensions/sandbox/telephony/registrations.ts';

/** What a test does in the sandbox past the API: somebody calls, a phone registers. */
function inside({ sandbox }: World) {
  const { store, clock, seed } = sandbox;
  const services = makeServices({ store, clock, timers, random: seededRandom(5), version: '5.0.0' });
  const account = async () => {
    const found = await store.get(accountRecordName(seed.accountId));
    if (!found) throw new Error('the seed has no account');
    return found;
  };
  return {
    async register(id: string) {
      const device = await store.get({ kind: 'devices', scope: seed.accountId, id });
      if (!device) throw new Error('there is no such device');
      const { changes } = await register(services, await account(), device, {});
      await store.commit(changes);
    },
  };
}

test('parks a call in a slot until it is retrieved or ends', async () => {
  const world = await openWorld();
  const { telctl, service, clock, addUser } = world;
  const call = callsIn(world);
  const flow = (action: string) => ({ module: 'park', data: { action }, children: {} });
  await service('PUT', 'callflows', { patterns: ['^\\*3([0-9]*)$'], flow: flow('park') });
  await service('PUT', 'callflows', { patterns: ['^\\*5([0-9]*)$'], flow: flow('retrieve') });
  const alice = String((await addUser({ username: 'alice', first_name: 'A', last_name: 'B' })).id);
  await service('PUT', 'callflows', {
    numbers: ['2001'],
    flow: { module: 'user', data: { id: alice }, children: {} },
  });
  const parked = async () => JSON.parse((await telctl('parked-calls list -o json')).stdout);
  expect(await parked()).toEqual([]);
  const park: Act = { after: 3, does: 'park', argument: '101' };
  const { call_id } = await call('+15551230009', '2001', { acts: [park] });
  expect(await parked()).toEqual([]);
  clock.turn(15_000);
  expect(await parked()).toMatchObject([{ id: '101', call_id, presence_user: '101' }]);
  expect(await call('admin', '*5101')).toMatchObject({ outcome: 'answered' });
  expect(await parked()).toEqual([]);
  // Both are one call now, and nobody else can take it.
  expect(await call('alice', '*5101')).toMatchObject({ words: 'No call is parked in slot 101' });
  const channels = JSON.parse((await telctl('channels list -o json')).stdout);
  expect(channels.filter((each: { other_leg?: string }) => each.other_leg === call_id)).toHaveLength(1);
  clock.turn(61_000);
  expect(await parked()).toEqual([]);
});

test('lists presence of registered phones, and the users signed in at each phone', async () => {
  const world = await openWorld();
  const { telctl, service, addUser } = world;
  const alice = String((await addUser({ username: 'alice', first_name: 'A', last_name: 'B' })).id);
  const desk = await service('PUT', 'devices', {
    ...{ name: 'Desk', owner_id: alice, sip: { username: 'desk', password: 'first-sign-in' } },
    ...{ hotdesk: { users: { [alice]: {} } }, mwi_unsolicited_updates: false },
    provision: { combo_keys: { 1: { type: 'presence', value: { label: 'Alice', value: alice } } } },
  });
  const json = async (line: string) => JSON.parse((await telctl(`${line} -o json`)).stdout);
  expect(await json('presence list')).toEqual([]);
  await inside(world).register(String(desk.id));
  expect(await json('presence list --event dialog')).toEqual([
    { extension: 'alice', event: 'dialog', count: 1 },
  ]);
  expect((await telctl('presence get desk')).stdout).toMatch(/message-summary +sip:desk@/);
  expect(await telctl('presence reset 1001')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('reset command sent for extension 1001'),
  });
  expect((await telctl('presence set --user alice --show early')).stderr).toContain('command sent');
  expect(await telctl('presence set --show early')).toMatchObject({ code: 2 });
  expect((await telctl('presence reset --device Desk')).stderr).toContain('command sent');
  expect((await telctl('hotdesks list')).stdout).toMatch(/^alice +Desk +Desk$/m);
  const item = { device_id: desk.id, device_name: 'Desk', user_id: alice };
  for (const line of ['hotdesks list', 'hotdesks list --user alice', 'hotdesks list --device Desk'])
    expect(await json(line), line).toEqual([item]);
  // One setting to a device: it is named as the device is.
  const files = { 'a.json': JSON.stringify({ order: 'allow,deny', cidrs: ['203.0.113.7/32'] }) };
  expect(await telctl('devices access-lists update Desk -f a.json', { files })).toMatchObject({ code: 0 });
  expect((await telctl('devices access-lists get Desk')).stdout).toContain('203.0.113.7/32');
  expect(await telctl('devices access-lists delete Desk --yes')).toMatchObject({ code: 0 });
  expect(await json('devices access-lists get Desk')).toEqual({});
  expect(await telctl('devices rate-limits get Desc')).toMatchObject({ code: 5 });
});

test.each(['specification', 'kazoo'] as const)(
  'reports operations that the service (%s) does not offer, and prints empty lists',
  async (like) => {
    const { telctl } = await openWorld({ like });
    const lines = ['parked-calls list', 'presence list', 'hotdesks list'];
    for (const line of [...lines, 'devices access-lists get 00000000000000000000000000000000']) {
      const { code, stderr } = await telctl(line);
      const isOffered = like === 'kazoo' && lines.includes(line);
      expect([line, code], stderr).toEqual([line, isOffered ? 0 : 5]);
      if (!isOffered) expect(stderr).toContain('not offer');
    }
  },
);
