import { expect, test } from 'vitest';
import { lookedAt } from '../../../../test/support/looked-at.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { judgeWebhook } from '../../../cli/commands/webhooks/health/health.ts';

const minute = 60_000;

/** An account with a webhook, and what the page and `telctl webhooks health` say of it. */
async function hooked() {
  const looked = await lookedAt();
  const { put, look, call, store, clock, seed, token } = looked;
  const { accountId } = seed;
  const webhookId = await put('webhooks', {
    name: 'CRM',
    uri: 'http://127.0.0.1:9/x',
    hook: 'channel_destroy',
  });
  const path = `/v2/accounts/${accountId}/webhooks/${webhookId}`;
  return {
    ...looked,
    /** Notes an attempt of now. */
    async tried(result: 'success' | 'failure'): Promise<void> {
      const timestamp = Math.floor(clock.now() / 1000) + gregorianOffset;
      const body = { hook_id: webhookId, hook_event: 'channel_destroy', event_id: 'e', result, timestamp };
      await store.commit([{ change: 'attempt', attempt: { webhookId, accountId, timestamp, body } }]);
    },
    async onPage(): Promise<string> {
      const list = await look('kind=webhooks');
      const own = await look(`kind=webhooks&id=${webhookId}`);
      const [one, other] = [list, own].map(
        (text) => /<span class="status [a-z]+">(enabled|failing|disabled)</.exec(text)?.[1] ?? 'nothing',
      );
      expect(one).toBe(other);
      return one ?? '';
    },
    async inTerminal(): Promise<string> {
      const record = (await call('GET', path, { token: await looked.adminToken() })).data;
      const now = Math.floor(clock.now() / 1000) + gregorianOffset;
      const query = `?created_from=${now - 86_400}&created_to=${now}`;
      const list = (await call('GET', `${path}/attempts${query}`, { token: await looked.adminToken() })).data;
      const attempts: readonly JsonObject[] = Array.isArray(list) ? list.filter(isObject) : [];
      return judgeWebhook(isObject(record) ? record : {}, attempts, clock.now()).state;
    },
    disable: () => call('PATCH', path, { token, data: { enabled: false } }),
  };
}

test('a webhook is enabled, failing or disabled at the same times as in telctl webhooks health', async () => {
  const { tried, clock, onPage, inTerminal, disable } = await hooked();
  const is = async (state: string): Promise<void> => {
    expect([await onPage(), await inTerminal()]).toEqual([state, state]);
  };
  await is('enabled');
  await tried('success');
  // Of two attempts in one second, the later one counts.
  await tried('failure');
  await is('failing');
  await clock.advance(15 * minute - 1000);
  await is('failing');
  await clock.advance(1000);
  await is('enabled');
  await tried('failure');
  await tried('success');
  await is('enabled');
  await disable();
  await is('disabled');
});

test('the first page lists webhooks that fail now, and not those that failed earlier', async () => {
  const { tried, clock, get } = await hooked();
  await tried('failure');
  expect((await get()).text).toContain('Webhook <bdi>CRM</bdi>');
  await clock.advance(20 * minute);
  expect((await get()).text).toContain('No recent failures.');
});
