// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text that looks like a reference
import type { World } from './world.ts';

const anyId = (digit: string): string => digit.repeat(32);

/** Fills an account with every kind of record, and with values that are easily damaged. */
export async function busyAccount(world: World) {
  const alice = await world.addUser({
    username: 'alice',
    first_name: 'Alice',
    last_name: 'Archer',
    presence_id: '0100',
    timezone: 'Europe/Zurich',
    call_forward: { enabled: true, number: '+14155550142' },
    profile: { note: 'costs ${env.HOME}\nand $${more}\n', nicknames: ['no', '1e5', '12:30', '~', '- x', ''] },
    hotdesk: { id: '77', pin: 'canary-1234' },
    caller_id: {},
    ringtones: { 'a: #b': { "it's": [1, 1.5, 1e21, 1e-7, true, null, '#'] } },
  });
  const nameless = await world.service('PUT', 'users', { first_name: 'No', last_name: 'Name' });
  const id = (record: { readonly id?: unknown }) => String(record.id);
  const box = await world.service('PUT', 'vmboxes', {
    name: 'Alice',
    mailbox: '0100',
    owner_id: id(alice),
    pin: '987654',
  });
  const menu = await world.service('PUT', 'menus', { name: 'Menü «Haupt»', record_pin: '456789' });
  const twins = [
    await world.service('PUT', 'menus', { name: 'Twin' }),
    await world.service('PUT', 'menus', { name: 'Twin', retries: 5 }),
  ];
  const group = await world.service('PUT', 'groups', {
    name: 'Reception',
    endpoints: { [id(alice)]: { type: 'user', weight: 1 }, [anyId('a')]: { type: 'device' } },
  });
  const directory = await world.service('PUT', 'directories', { name: 'Staff', min_dtmf: 2 });
  await world.service('PUT', 'conferences', {
    name: 'Weekly',
    conference_numbers: ['0555'],
    member: { pins: ['4321', '8765'] },
    bridge_password: 'canary-bridge',
  });
  const hours = await world.service('PUT', 'callflows', {
    name: 'After hours',
    numbers: ['2001'],
    flow: { module: 'voicemail', data: { id: id(box) }, children: {} },
  });
  const main = await world.service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['+14155550100', '2000'],
    patterns: ['^9(\\d+)$'],
    flow: {
      module: 'menu',
      data: { id: id(menu), captures: `before ${id(alice)}, after` },
      children: {
        1: {
          module: 'user',
          data: { id: id(alice), timeout: 20 },
          children: { _: { module: 'callflow', data: { id: id(hours) } } },
        },
        2: {
          module: 'ring_group',
          data: { endpoints: [{ id: id(group), endpoint_type: 'group' }] },
          children: {},
        },
        3: { module: 'disa', data: { pin: 'canary-5550', media: anyId('b') } },
        4: { module: 'menu', data: { id: id(twins[0] ?? {}) } },
        _: { module: 'directory', data: { id: id(directory) } },
      },
    },
  });
  await world.service('PATCH', `callflows/${id(hours)}`, {
    flow: { children: { _: { module: 'callflow', data: { id: id(main) } } } },
  });
  await world.service('PATCH', `users/${id(alice)}`, { directories: { [id(directory)]: id(main) } });
  await world.service('PUT', 'webhooks', {
    name: 'CRM',
    uri: 'https://user:canary-url@crm.example/hook?key=canary-query',
    hook: 'channel_create',
    custom_data: {
      type: 'all',
      action: 'any',
      token: 'canary-token',
      // KAZOO only accepts text.
      ...(world.behaviour.webhooks.customData === 'any' ? { nested: { deep: 'canary-deep' }, port: 5 } : {}),
    },
  });
  await world.service('PUT', 'webhooks', { name: 'Plain', uri: 'https://crm.example/hook', hook: 'all' });
  await world.service('POST', 'metaflows', {
    binding_digit: '#',
    numbers: { 12: { module: 'callflow', data: { id: id(hours) } } },
  });
  const { sandbox, seed } = world;
  await sandbox.call('PATCH', `/v2/accounts/${seed.accountId}`, {
    token: await sandbox.adminToken(),
    data: { preflow: { always: id(hours) }, org: 'yes' },
  });
  return { alice, nameless, menu, main, hours, twins };
}
