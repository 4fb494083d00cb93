import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('lists samples, and shows them by hook or name', async () => {
  const world = await openWorld();
  const { stdout } = await world.telctl('webhooks samples -o name');
  expect(stdout.split('\n')).toContain('webhooks_channel_destroy');
  for (const name of ['channel_destroy', 'webhooks_channel_destroy']) {
    const run = await world.telctl(`webhooks samples ${name}`);
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject([{ hook_event: 'channel_destroy' }]);
  }
  const line = ['webhooks', 'samples', 'notifications', '-o', 'json', '--query', '[].event_name'];
  expect(JSON.parse((await world.telctl(line)).stdout)).toContain('voicemail_full');
});

test('suggests the nearest sample, and reports a service without samples', async () => {
  const world = await openWorld();
  const wrong = await world.telctl('webhooks samples chanel_destroy');
  expect(wrong.code).toBe(5);
  expect(wrong.stderr).toContain('Sample "chanel_destroy" not found. Did you mean "channel_destroy"?');
  const fault = { kind: 'answer', status: 404, body: '{"code":"not_found"}' } as const;
  const none = await world.telctl('webhooks samples', { faults: [{ fault, path: /samples$/ }] });
  expect([none.code, none.stdout]).toEqual([5, '']);
  expect(none.stderr).toContain('This service does not offer "List the samples of events"');
});
