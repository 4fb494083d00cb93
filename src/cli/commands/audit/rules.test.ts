import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';
import { deriveFacts } from './facts.ts';
import { ruleSentence, rules } from './rules.ts';

const step = (module: string, data: JsonObject, children: JsonObject = {}) => ({ module, data, children });

/** Makes a record that has a problem, or the same without it. */
type Plant = (world: World, isWrong: boolean) => Promise<unknown>;

const user = (world: World, more: JsonObject) =>
  world.addUser({
    ...{ username: 'zoe', first_name: 'Zoe', last_name: 'Zimmer', password: 'first-sign-in' },
    ...{ email: 'zoe@acme.example', ...more },
  });
const device = (world: World, more: JsonObject) =>
  world.service('PUT', 'devices', {
    ...{ name: 'Zoe desk', sip: { username: 'zoedesk', password: 'Quay-Heron-4171' } },
    ...more,
  });
const box = (world: World, more: JsonObject) =>
  world.service('PUT', 'vmboxes', { name: 'Z', mailbox: '2222', ...more });
const flow = (world: World, first: JsonObject) =>
  world.service('PUT', 'callflows', { name: 'Z', numbers: ['2222'], flow: first });
const forward = (number: string) => ({ call_forward: { enabled: true, number } });

const ringing: Plant = async (world, isWrong) => {
  const { id = '' } = await user(world, { enabled: !isWrong });
  await device(world, { owner_id: id });
  return flow(world, step('user', { id }));
};

/** How each rule's problem is planted; a rule without a line fails. */
const plants: Readonly<Record<string, Plant>> = {
  'user-without-email': (world, isWrong) =>
    world.addUser({
      ...{ username: 'zoe', first_name: 'Zoe', last_name: 'Zimmer', password: 'first-sign-in' },
      ...(isWrong ? {} : { email: 'zoe@acme.example' }),
    }),
  administrator: (world, isWrong) => user(world, { priv_level: isWrong ? 'admin' : 'user' }),
  'forward-to-premium': (world, isWrong) => user(world, forward(isWrong ? '+19005550100' : '+14155550100')),
  'disabled-user-rings': ringing,
  'user-without-phone': async (world, isWrong) => {
    const { id = '' } = await user(world, {});
    if (!isWrong) await device(world, { owner_id: id });
    return flow(world, step('ring_group', { endpoints: [{ id, endpoint_type: 'user' }] }));
  },
  'weak-sip-password': (world, isWrong) =>
    device(world, isWrong ? { sip: { username: 'zoedesk', password: 'zoedesk-2026' } } : {}),
  'device-without-owner': async (world, isWrong) => {
    const { id = '' } = await user(world, {});
    return device(world, isWrong ? {} : { owner_id: id });
  },
  'device-not-registered': (world, isWrong) => device(world, { enabled: isWrong }),
  'phone-forward-to-premium': (world, isWrong) =>
    device(world, forward(isWrong ? '+881645550100' : '+14155550100')),
  'mailbox-without-pin': (world, isWrong) => box(world, isWrong ? {} : { pin: '482913' }),
  'mailbox-guessable-pin': (world, isWrong) => box(world, { pin: isWrong ? '1234' : '482913' }),
  'open-conference': (world, isWrong) =>
    world.service('PUT', 'conferences', { name: 'Z', ...(isWrong ? {} : { member: { pins: ['482913'] } }) }),
  'disa-without-pin': (world, isWrong) => flow(world, step('disa', isWrong ? {} : { pin: '482913' })),
  'disa-short-pin': (world, isWrong) => flow(world, step('disa', { pin: isWrong ? '4829' : '482913' })),
  'plain-pivot': (world, isWrong) =>
    flow(world, step('pivot', { voice_url: `${isWrong ? 'http' : 'https'}://pivot.example/` })),
  'queue-without-agents': async (world, isWrong) => {
    const { id: queue = '' } = await world.service('PUT', 'queues', { name: 'Z' });
    const { id: agent = '' } = await user(world, {});
    if (!isWrong) await world.service('POST', `queues/${queue}/roster`, [agent]);
  },
  'rule-never-or-always': (world, isWrong) =>
    world.service('PUT', 'temporal_rules', {
      ...{
        name: 'Z',
        cycle: 'weekly',
        wdays: ['monday'],
        time_window_start: 28_800,
        time_window_stop: 61_200,
      },
      ...(isWrong ? { enabled: false } : {}),
    }),
  'no-time-zone': async (world, isWrong) => {
    await world.service('PATCH', '', { timezone: isWrong ? 'Europe/Zurch' : 'Europe/Zurich' });
    await world.service('PUT', 'temporal_rules', { name: 'Hours', cycle: 'daily' });
  },
  'hotdesk-without-pin': (world, isWrong) =>
    user(world, {
      hotdesk: { enabled: true, id: '7', ...(isWrong ? {} : { require_pin: true, pin: '482913' }) },
    }),
  'rule-unused': async (world, isWrong) => {
    const rule = { name: 'Z', cycle: 'weekly', wdays: ['monday'], time_window_start: 0 };
    const { id = '' } = await world.service('PUT', 'temporal_rules', rule);
    return isWrong ? undefined : flow(world, step('temporal_route', { rules: [id] }));
  },
  'group-unused': async (world, isWrong) => {
    const { id = '' } = await world.service('PUT', 'groups', { name: 'Z', endpoints: {} });
    return isWrong ? undefined : flow(world, step('group', { id }));
  },
  'directory-unused': async (world, isWrong) => {
    const { id = '' } = await world.service('PUT', 'directories', { name: 'Z', users: [] });
    return isWrong ? undefined : flow(world, step('directory', { id }));
  },
  'menu-unused': async (world, isWrong) => {
    const { id = '' } = await world.service('PUT', 'menus', { name: 'Z' });
    return isWrong ? undefined : flow(world, step('menu', { id }));
  },
  'media-unused': async (world, isWrong) => {
    const { id = '' } = await world.service('PUT', 'media', { name: 'Z', streamable: true });
    return isWrong ? undefined : flow(world, step('play', { id }));
  },
};

/** A service on this machine may be told of by plain HTTP: this rule is tried by itself. */
const tried = rules.filter(({ code }) => code !== 'plain-webhook');

test.each(tried.map(({ code, doc }) => ({ code, doc })))(
  '$code detects $doc, and reports nothing for a healthy account',
  async ({ code }) => {
    const plant = plants[code];
    if (!plant) throw new Error(`no problem of ${code} is planted`);
    for (const isWrong of [true, false]) {
      const world = await openWorld();
      await plant(world, isWrong);
      const run = await world.telctl(`audit --code ${code} -o json`);
      expect(run.code, run.stderr).toBe(0);
      const found: readonly JsonObject[] = JSON.parse(run.stdout);
      const names = found.map(({ name }) => name);
      if (isWrong) expect(names).toEqual([expect.stringMatching(/^(Z|zoe|Zoe desk|2222|account settings)$/)]);
      else expect(names.filter((name) => name !== 'admin')).toEqual([]);
    }
  },
);

test('combines findings with the same code into one row whose command lists them', async () => {
  const { telctl, service } = await openWorld();
  for (const number of [1, 2, 3, 4, 5])
    await service('PUT', 'vmboxes', { name: `Box ${number}`, mailbox: `210${number}` });
  const { stdout } = await telctl('audit --severity warning');
  expect(stdout.match(/mailbox-without-pin/g)).toHaveLength(2);
  expect(stdout).toContain('2101, 2102, 2103 and 2 others');
  const opened = await telctl('audit --code mailbox-without-pin');
  expect(opened.stdout.match(/210\d/g)).toHaveLength(5);
  expect(JSON.parse((await telctl('audit --severity warning -o json')).stdout)).toHaveLength(5);
});

test.each([
  ['http://crm.example/', false, true],
  ['https://crm.example/', false, false],
  ['http://127.0.0.1:9/', true, false],
])('reports a webhook to %s (local service: %s): %s', (uri, isLocal, isFound) => {
  const rule = rules.find(({ code }) => code === 'plain-webhook');
  const facts = deriveFacts({
    ...{
      sections: [],
      registrations: [],
      legs: [],
      failing: undefined,
      managed: undefined,
      ownId: undefined,
    },
    ...{ isLocal, nowS: 0 },
  });
  expect((rule && ruleSentence(rule, { uri }, facts)) !== undefined).toBe(isFound);
});
