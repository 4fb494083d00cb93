import { describe, expect, test } from 'vitest';
import { openWorld, type RunOptions } from '../../../../test/support/world.ts';

const create = 'webhooks create --name crm --uri https://crm.example/hook';
const target = '--url http://127.0.0.1:9/hook';

describe('unsupported hook modifiers', () => {
  test.each([
    [
      `${create} --hook channel_create --type user`,
      'The hook channel_create does not accept --type.',
      'Hooks that accept --type: ',
    ],
    [
      `${create} --hook all --action doc_edited`,
      'The hook all does not accept --action.',
      'Hooks that accept --action: object',
    ],
    [
      `${create} --hook notifications --type all --action all`,
      'notifications does not accept --action',
      'object',
    ],
    [
      `${create} --hook object --type usr --action all`,
      'object has no type "usr". Did you mean "user"?',
      'all, account',
    ],
    ['webhooks listen --hook sms --type user', 'The hook sms does not accept --type.', 'object'],
    ['webhooks listen --hook object --hook sms --type usr', 'Did you mean "user"?', 'all, account'],
    [
      'webhooks listen --type voicemail_nwe',
      'No hook has the type "voicemail_nwe". Did you mean',
      'voicemail_new',
    ],
    ['webhooks listen --type voicemail_new --action doc_edited', 'No hook accepts both.', 'object'],
    [
      `webhooks trigger fax --type user ${target}`,
      'The hook fax does not accept --type.',
      'notifications, object',
    ],
    [
      `webhooks trigger notifications --type missed ${target}`,
      'Did you mean "missed_call"?',
      'voicemail_new',
    ],
    [`webhooks trigger object --action edited ${target}`, 'object has no action "edited".', 'doc_edited'],
  ])('telctl %s fails before any write', async (line, said, hint) => {
    const world = await openWorld();
    const run = await world.telctl(line);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(said);
    expect(run.stderr).toContain(hint);
    expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

const offering = (modifiers: object | undefined): RunOptions => ({
  faults: [
    {
      fault: {
        kind: 'answer',
        status: 200,
        body: JSON.stringify({
          status: 'success',
          request_id: 'r',
          data: [{ id: 'object', modifiers }, { id: 'channel_create' }],
        }),
      },
      path: /\/v2\/webhooks$/,
    },
  ],
});

describe('hook modifiers', () => {
  const line = `${create} --hook object --action all --type account --dry-run`;

  test('come from the list of the service', async () => {
    const world = await openWorld();
    const told = (type: string[]) => ({ type: { items: type }, action: { items: { doc_edited: {} } } });
    expect(await world.telctl(line, offering(told(['all', 'robot'])))).toMatchObject({ code: 2 });
    expect(await world.telctl(line, offering(told(['account'])))).toMatchObject({ code: 0 });
    const own = { call: { type: 'array', items: [] } };
    expect((await world.telctl(line, offering(own))).stderr).toContain('does not accept --type');
  });

  test('come from the contract if the service does not list them', async () => {
    const world = await openWorld();
    expect(await world.telctl(line, offering(undefined))).toMatchObject({ code: 0 });
    const wrong = await world.telctl(line.replace('account', 'acount'), offering(undefined));
    expect(wrong.stderr).toContain('Did you mean "account"?');
  });
});

test('webhooks listen --type subscribes only to hooks with matching events', async () => {
  const world = await openWorld();
  const run = await world.telctl('webhooks listen --type voicemail_new --dry-run -o json');
  const { requests } = JSON.parse(run.stdout);
  expect(requests).toHaveLength(1);
  expect(requests[0].body.data).toMatchObject({ hook: 'notifications' });
});
