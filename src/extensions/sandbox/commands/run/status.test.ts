import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';

test('status shows changes since the start of the sandbox', async () => {
  const { telctl, json } = await serveSandbox('--memory');
  const fresh = await telctl('sandbox status');
  expect(fresh.stdout).toMatch(/^Clock +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ, not turned$/m);
  expect(fresh.stdout).toMatch(/^Faults +none\nDeliveries +none queued\nSnapshots +none$/m);

  const hook = { name: 'crm', uri: 'http://127.0.0.1:9/', hook: 'channel_destroy', http_verb: 'post' };
  await telctl('webhooks create -f -', { stdin: JSON.stringify(hook) });
  await telctl('webhooks create -f -', {
    stdin: JSON.stringify({ ...hook, name: 'off', enabled: false }),
  });
  await telctl('sandbox faults add --status 503 --match /nowhere --times 1');
  await telctl('sandbox faults add --status 503 --match /v2/about --times 1');
  await telctl('api GET /v2/about --retries 0');
  await telctl('sandbox snapshot save first');
  await telctl('sandbox clock advance 61m');
  await telctl('sandbox call --from admin --to +15551230009 --duration 3600 --real-time');
  const turned = await telctl('sandbox status');
  expect(turned.stdout).toMatch(/^Clock .*, 1 hour 1 minute ahead$/m);
  expect(turned.stdout).toMatch(/^Deliveries +none queued, \d events to come; 1 webhook disabled$/m);
  expect(turned.stdout).toMatch(/^Snapshots +1$/m);
  expect(await json('sandbox status')).toMatchObject({
    clock: { now: expect.stringMatching(/Z$/) },
    deliveries_queued: 0,
    events_queued: expect.any(Number),
    webhooks_disabled: 1,
    webhooks_failed: 0,
    snapshots: 1,
  });
});

test('status shows the rate limit, and start reports a different limit of a running sandbox', async () => {
  const { telctl, json } = await serveSandbox('--memory', '--rate-limit', '100/s:500');
  expect((await telctl('sandbox status')).stdout).toMatch(/^Limit +100\/s:500 requests$/m);
  expect(await json('sandbox status')).toMatchObject({ rate_limit: '100/s:500' });
  const other = await telctl('sandbox start --rate-limit 5/s');
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('limits requests to 100/s:500')]);
  for (const command of ['start --rate-limit 10', 'exec --rate-limit 0/s -- true']) {
    const wrong = await telctl(`sandbox ${command}`);
    expect([wrong.code, wrong.stderr], command).toEqual([
      2,
      expect.stringContaining('--rate-limit must be RATE[:BURST]'),
    ]);
  }
});

test('a running sandbox is found despite a damaged state file', async () => {
  const { telctl, state, folders } = await serveSandbox('--memory');
  const { baseUrl } = state();
  const path = `${folders.home}/.local/state/telctl/sandboxes/default/state.json`;
  for (const damage of ['', '{"pid": 1', '[]']) {
    writeFileSync(path, damage);
    expect((await telctl('sandbox status')).stdout).toContain(baseUrl);
    const again = await telctl('sandbox start');
    expect(again.stderr).toContain(`Sandbox already running at ${baseUrl}`);
  }
  rmSync(path);
  expect((await telctl('sandbox clock status')).code).toBe(0);
});

test('status of a sandbox of an older telctl omits unavailable facts', async () => {
  const { telctl, state, folders } = await serveSandbox('--memory');
  const { controlKey: _, ...older } = state();
  writeFileSync(`${folders.home}/.local/state/telctl/sandboxes/default/state.json`, JSON.stringify(older));
  const run = await telctl('sandbox status');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('default, running');
  expect(run.stdout).not.toContain('Clock');
});
