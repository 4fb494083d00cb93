import { expect, test } from 'vitest';
import { openCallWorld } from '../../../../test/support/call-world.ts';
import { payloadProblems } from '../../../../test/support/payload-problems.ts';
import { isObject, valueAt } from '../../../base/json.ts';

test('payloads have the same types as the samples', async () => {
  const world = await openCallWorld();
  const { make, service, simulate, told } = world;
  for (const hook of ['all', 'object', 'notifications', 'fax'])
    await make('webhooks', {
      ...{ name: hook, uri: 'http://127.0.0.1:9/', hook },
      ...(hook === 'object' ? { custom_data: { type: 'all', action: 'all' } } : {}),
      ...(hook === 'notifications' ? { custom_data: { type: 'all' } } : {}),
    });
  const alice = await make('users', {
    ...{ username: 'alice', password: 'alice-12345', first_name: 'Alice', last_name: 'Archer' },
  });
  const box = await make('vmboxes', { name: 'Alice', mailbox: '2001' });
  const flow = { module: 'user', data: { id: alice }, children: {} };
  await make('callflows', { name: 'Alice', numbers: ['2001'], flow });
  await simulate('call', { from: '+15551230009', to: '2001' });
  await simulate('voicemail', { from: '+15551230009', box: '2001' });
  const { data: messages } = await service('GET', `vmboxes/${box}/messages`);
  const [message] = Array.isArray(messages) ? messages : [];
  await service('POST', `vmboxes/${box}/messages/${valueAt(message, 'media_id')}`, { folder: 'saved' });
  await make('port_requests', { name: 'Move', numbers: { '+12125550142': {} } });
  await make('faxes', {
    ...{ from_number: '+15551230009', to_number: '+12125550199', from_name: 'A', to_name: 'B', retries: 1 },
    document: { url: 'https://docs.example/a.pdf', method: 'get' },
  });
  const payloads = await told();
  const names = new Set(payloads.map(({ event_name, hook_event, type }) => event_name ?? hook_event ?? type));
  for (const name of [
    'channel_destroy',
    'new_user',
    'voicemail_new',
    'voicemail_saved',
    'port_unconfirmed',
    'user',
  ])
    expect([...names]).toContain(name);
  const hookOf = ({ event_category, hook_event }: (typeof payloads)[number]): string =>
    event_category === 'notification' ? 'notifications' : hook_event === 'fax' ? 'fax' : 'all';
  expect(payloads.filter(isObject).flatMap((each) => payloadProblems(hookOf(each), each))).toEqual([]);
});
