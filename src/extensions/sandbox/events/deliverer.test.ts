import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deliveringSandbox } from '../../../../test/support/delivering-sandbox.ts';
import { receiver } from '../../../../test/support/receiver.ts';
import { clusterId } from '../ids-and-secrets.ts';
import { makeServices } from '../services.ts';
import { openStore } from '../store/sqlite-store.ts';
import { startDeliveries } from './deliverer.ts';

const user = (name: string) => ({ first_name: name, last_name: 'Test' });

describe('deliveries', () => {
  test('a changed object is sent as form data, with the subscription in the headers', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    const id = await world.subscribe({ uri: `${target.url}/hook?from=sandbox` });
    const made = await world.service('PUT', 'users', user('Ann'));
    const [received] = await target.arrived(1);
    expect(received).toMatchObject({ method: 'POST', url: '/hook?from=sandbox' });
    expect(received?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'x-hook-id': id,
      'x-account-id': world.sandbox.seed.accountId,
    });
    expect(Object.fromEntries(new URLSearchParams(received?.body))).toEqual({
      id: made.id,
      account_id: world.sandbox.seed.accountId,
      action: 'doc_created',
      type: 'user',
      cluster_id: clusterId,
    });
  });

  test.each([
    ['post', 'json', 'POST', 'application/json'],
    ['put', 'json', 'PUT', 'application/json'],
    ['put', 'form-data', 'PUT', 'application/x-www-form-urlencoded'],
  ])('%s with %s', async (verb, format, method, type) => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    await world.subscribe({ uri: target.url, http_verb: verb, format });
    await world.service('PUT', 'users', user('Ann'));
    const [received] = await target.arrived(1);
    expect(received).toMatchObject({ method, headers: { 'content-type': type } });
    const body = String(received?.body);
    const payload = format === 'json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    expect(payload).toMatchObject({ action: 'doc_created', type: 'user' });
  });

  test('get appends the payload to an existing query, with nested keys in brackets', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    const custom_data = { type: 'user', action: 'all', site: { floor: '3' } };
    await world.subscribe({ uri: `${target.url}/in?key=1`, http_verb: 'get', custom_data });
    await world.service('PUT', 'users', user('Ann'));
    const [received] = await target.arrived(1);
    const query = new URL(received?.url ?? '', target.url).searchParams;
    expect([received?.method, received?.body, query.get('key'), query.get('site[floor]')]).toEqual([
      'GET',
      '',
      '1',
      '3',
    ]);
    expect(query.get('type')).toBe('user');
  });

  test('custom_data overwrites properties of the payload, except for its filters', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    const custom_data = { type: 'all', action: 'doc_created', id: 'mine', secret: 's3' };
    await world.subscribe({ uri: target.url, format: 'json', custom_data });
    await world.service('PUT', 'users', user('Ann'));
    const [received] = await target.arrived(1);
    expect(JSON.parse(String(received?.body))).toMatchObject({
      id: 'mine',
      secret: 's3',
      type: 'user',
      action: 'doc_created',
    });
  });

  test('a create, a change and a removal arrive in order', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    await world.subscribe({ uri: target.url, format: 'json' });
    const expected: string[] = [];
    for (let round = 0; round < 30; round += 1) {
      const { id } = await world.service('PUT', 'users', user(`N${round}`));
      await world.service('PATCH', `users/${id}`, { first_name: 'M' });
      await world.service('DELETE', `users/${id}`);
      for (const action of ['doc_created', 'doc_edited', 'doc_deleted']) expected.push(`${id} ${action}`);
    }
    await target.arrived(expected.length);
    const seen = target.received.map(({ body }) => JSON.parse(body));
    expect(seen.map(({ id, action }) => `${id} ${action}`)).toEqual(expected);
  });

  test('notifications of a new user and a new message have their types', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    const common = { uri: target.url, hook: 'notifications', format: 'json' };
    await world.subscribe({ ...common, custom_data: { type: 'voicemail_new' } });
    await world.service('PUT', 'users', { ...user('Ann'), username: 'ann', password: 'canary-password' });
    const box = await world.service('PUT', 'vmboxes', { name: 'Ann', mailbox: '100' });
    await world.service('PUT', `vmboxes/${box.id}/messages`, { caller_id_number: '+15551230001' });
    await world.idle();
    expect(target.received.map(({ body }) => JSON.parse(body).event_name)).toEqual(['voicemail_new']);
    await world.subscribe({ ...common, custom_data: { type: 'new_user' } });
    await world.service('PUT', 'users', { ...user('Bob'), username: 'bob', password: 'canary-password' });
    const [, last] = await target.arrived(2);
    expect(JSON.parse(last?.body ?? '')).toMatchObject({
      event_category: 'notification',
      event_name: 'new_user',
    });
    expect(last?.body).not.toContain('canary-password');
  });
});

describe('subscriptions', () => {
  test('two webhooks get the same event, and disabled or filtered webhooks do not', async () => {
    const [world, one, two, three] = await Promise.all([
      deliveringSandbox(),
      receiver(),
      receiver(),
      receiver(),
    ]);
    await world.subscribe({ uri: one.url });
    await world.subscribe({ uri: two.url, custom_data: { type: 'user', action: 'doc_created' } });
    await world.subscribe({ uri: three.url, enabled: false });
    await world.subscribe({ uri: three.url, custom_data: { type: 'vmbox', action: 'all' } });
    await world.subscribe({ uri: three.url, custom_data: { type: 'user', action: 'doc_deleted' } });
    await world.subscribe({ uri: three.url, modifiers: { action: ['doc_edited', 'doc_deleted'] } });
    await world.service('PUT', 'users', user('Ann'));
    await Promise.all([one.arrived(1), two.arrived(1)]);
    await world.idle();
    expect([one.received.length, two.received.length, three.received.length]).toEqual([1, 1, 0]);
  });

  test('webhooks of ancestors get events if they include sub-accounts, and those of siblings do not', async () => {
    const [world, above, deaf, beside] = await Promise.all([
      deliveringSandbox(),
      receiver(),
      receiver(),
      receiver(),
    ]);
    const { seed } = world.sandbox;
    const below = await world.service('PUT', `/v2/accounts/${seed.accountId}`, { name: 'below' });
    const other = await world.service('PUT', `/v2/accounts/${seed.accountId}`, { name: 'beside' });
    await world.subscribe({ uri: above.url, format: 'json', include_subaccounts: true });
    await world.subscribe({ uri: deaf.url });
    await world.subscribe({ uri: beside.url, include_subaccounts: true }, String(other.id));
    await world.service('PUT', `/v2/accounts/${below.id}/users`, user('Ann'));
    const [received] = await above.arrived(1);
    await world.idle();
    expect(JSON.parse(String(received?.body))).toMatchObject({ account_id: below.id });
    expect(received?.headers['x-account-id']).toBe(seed.accountId);
    expect([above.received.length, deaf.received.length, beside.received.length]).toEqual([1, 0, 0]);
  });
});

describe('failures', () => {
  test.each([
    ['500', 500, { resp_status_code: 500, reason: 'bad response code' }],
    ['a redirect, which is not followed', 302, { resp_status_code: 302, reason: 'bad response code' }],
    ['a receiver that hangs', 'hang', { client_error: 'timeout' }],
    ['a reply that does not end', 'slow', { client_error: 'timeout' }],
    ['a broken connection', 'reset', { client_error: 'econnreset' }],
    ['a reply that is cut off by nonsense', 'garbage', { client_error: 'bad_reply' }],
    ['a reply with a header of 1 MB', 'headers', { client_error: 'bad_reply' }],
  ] as const)('%s is a failure, and is retried after the pause', async (_, answer, noted) => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver({ answer: [answer, 200] })]);
    const id = await world.subscribe({ uri: `${target.url}/hook` });
    await world.service('PUT', 'users', user('Ann'));
    await target.arrived(1);
    await world.idle();
    await world.turn(1999);
    expect(target.received).toHaveLength(1);
    await world.turn(1);
    expect(target.received.map(({ url }) => url)).toEqual(['/hook', '/hook']);
    expect(target.received[1]?.body).toBe(target.received[0]?.body);
    expect(await world.attempts(id)).toMatchObject([
      { result: 'success', try: 2, resp_status_code: 200 },
      { result: 'failure', try: 1, retries_left: 2, ...noted },
    ]);
  });

  test.each([
    ['204', 204],
    ['a reply too long to read', 'huge'],
    ['a reply that is packed, and stays so', 'bomb'],
    ['a reply with an early hint before it', 'hints'],
  ] as const)('%s is a success', async (_, answer) => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver({ answer })]);
    const id = await world.subscribe({ uri: target.url });
    await world.service('PUT', 'users', user('Ann'));
    await target.arrived(1);
    await world.idle();
    const [attempt] = await world.attempts(id);
    expect(attempt).toMatchObject({ result: 'success' });
    expect(String(attempt?.resp_body ?? '').length).toBeLessThanOrEqual(4096);
  });

  test.each([0, 1, 4])('with retries %i a failing delivery is retried that often', async (retries) => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver({ answer: 503 })]);
    const id = await world.subscribe({ uri: target.url, retries });
    await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    for (let pause = 0; pause < 8; pause += 1) await world.turn(2000);
    expect(target.received).toHaveLength(retries + 1);
    const attempts = await world.attempts(id);
    expect(attempts.map((attempt) => attempt.retries_left)).toEqual([
      'retries exceeded',
      ...Array.from({ length: retries }, (_, index) => index + 1),
    ]);
  });

  test('a receiver that was down gets missed events later, without delaying others', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    const id = await world.subscribe({ uri: target.url, format: 'json' });
    await target.close();
    const first = await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    await target.reopen();
    const second = await world.service('PUT', 'users', user('Bob'));
    await target.arrived(1);
    await world.turn(2000);
    expect(target.received.map(({ body }) => JSON.parse(body).id)).toEqual([second.id, first.id]);
    expect((await world.attempts(id)).at(-1)).toMatchObject({ client_error: 'econnrefused' });
  });

  test('a hanging receiver delays no other receiver', async () => {
    const world = await deliveringSandbox({ timeoutMs: 5000 });
    const [slow, quick] = await Promise.all([receiver({ answer: 'hang' }), receiver()]);
    for (let many = 0; many < 50; many += 1) await world.subscribe({ uri: slow.url });
    await world.subscribe({ uri: quick.url });
    await world.service('PUT', 'users', user('Ann'));
    await world.service('PUT', 'users', user('Bob'));
    await quick.arrived(2, 4000);
    await world.stop();
  });
});

describe('a webhook that fails too often', () => {
  test('is disabled with a reason, drops its deliveries, and restarts empty when it is enabled', async () => {
    const [world, target, ops] = await Promise.all([
      deliveringSandbox(),
      receiver({ answer: 500 }),
      receiver(),
    ]);
    const id = await world.subscribe({ uri: target.url, retries: 2 });
    await world.subscribe({
      uri: ops.url,
      hook: 'notifications',
      format: 'json',
      custom_data: { type: 'webhook_disabled' },
    });
    await world.service('PUT', 'users', user('Ann'));
    await world.service('PUT', 'users', user('Bob'));
    await world.idle();
    await world.turn(2000);
    expect(await world.service('GET', `webhooks/${id}`)).toMatchObject({ enabled: true });
    await world.turn(2000);
    expect(await world.service('GET', `webhooks/${id}`)).toMatchObject({
      enabled: false,
      disable_reason: 'too many failed attempts',
    });
    const [told] = await ops.arrived(1);
    expect(JSON.parse(String(told?.body))).toMatchObject({ event_name: 'webhook_disabled', hook_id: id });
    target.answerWith(200);
    await world.service('PUT', 'users', user('Cid'));
    await world.turn(10_000);
    expect(target.received).toHaveLength(6);

    const on = await world.service('PATCH', `webhooks/${id}`, { enabled: true });
    expect(on).toMatchObject({ enabled: true });
    expect(on).not.toHaveProperty('disable_reason');
    target.answerWith([500, 200]);
    await world.service('PUT', 'users', user('Dan'));
    await world.idle();
    await world.turn(2000);
    expect(await world.service('GET', `webhooks/${id}`)).toMatchObject({ enabled: true });
    expect(target.received).toHaveLength(8);
  });

  test('stays enabled if its failures are far apart', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver({ answer: 500 })]);
    const id = await world.subscribe({ uri: target.url, retries: 0 });
    for (let round = 0; round < 8; round += 1) {
      await world.service('PUT', 'users', user(`N${round}`));
      await world.idle();
      await world.turn(13_000);
    }
    expect(target.received).toHaveLength(8);
    expect(await world.service('GET', `webhooks/${id}`)).toMatchObject({ enabled: true });
  });

  test('gets no further delivery after a user has disabled it', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver({ answer: [500, 200] })]);
    const id = await world.subscribe({ uri: target.url });
    await world.service('PUT', 'users', user('Ann'));
    await target.arrived(1);
    await world.idle();
    await world.service('PATCH', `webhooks/${id}`, { enabled: false });
    await world.turn(2000);
    await world.service('PATCH', `webhooks/${id}`, { enabled: true });
    await world.turn(2000);
    expect(target.received).toHaveLength(1);
  });
});

describe('disabled webhooks', () => {
  const failing = async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver({ answer: 500 })]);
    const below = await world.service('PUT', `/v2/accounts/${world.sandbox.seed.accountId}`, {
      name: 'below',
    });
    const places = [world.sandbox.seed.accountId, String(below.id)];
    const ids: string[] = [];
    for (const place of places) {
      ids.push(await world.subscribe({ uri: target.url, retries: 0 }, place));
      for (let round = 0; round < 6; round += 1)
        await world.service('PUT', `/v2/accounts/${place}/users`, user(`N${round}`));
    }
    await world.idle();
    const off = await world.subscribe({ uri: target.url, enabled: false });
    const enabled = async () => {
      const names = [...ids.map((id, index) => [places[index], id]), [places[0], off]];
      const read = ([place, id]: readonly (string | undefined)[]) =>
        world.service('GET', `/v2/accounts/${place}/webhooks/${id}`);
      return Promise.all(names.map(async (name) => (await read(name)).enabled));
    };
    return { world, target, enabled };
  };

  test('are enabled together in an account, except for those that a user disabled', async () => {
    const { world, target, enabled } = await failing();
    expect(await enabled()).toEqual([false, false, false]);
    const token = await world.sandbox.adminToken();
    const data = { 're-enable': true };
    expect((await world.sandbox.call('PATCH', world.path, { token, data })).data).toBe('hooks updated');
    expect(await enabled()).toEqual([true, false, false]);
    for (let round = 0; round < 5; round += 1) await world.service('PUT', 'users', user(`M${round}`));
    await world.idle();
    expect([target.received.length, await enabled()]).toEqual([17, [true, false, false]]);
  });

  test('are enabled together in the descendants', async () => {
    const { world, enabled } = await failing();
    const token = await world.sandbox.adminToken();
    const path = world.path.replace('/webhooks', '/descendants/webhooks');
    const data = { 're-enable': true };
    expect((await world.sandbox.call('PATCH', path, { token, data })).data).toBe('hooks updated');
    expect(await enabled()).toEqual([false, true, false]);
  });
});

describe('the queue', () => {
  test('survives a restart with its deliveries and their attempts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'telctl-queue-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const store = openStore(join(folder, 'db'));
    const [world, target] = await Promise.all([
      deliveringSandbox({ store }),
      receiver({ answer: [500, 200] }),
    ]);
    const id = await world.subscribe({ uri: target.url, format: 'json' });
    const first = await world.service('PUT', 'users', user('Ann'));
    await target.arrived(1);
    await world.idle();
    await world.stop();
    const second = await world.service('PUT', 'users', user('Bob'));
    await store.close();
    const kept = openStore(join(folder, 'db'));
    onTestFinished(() => kept.close());
    const { clock, services } = world;
    const { random, timers } = services;
    const again = makeServices({ store: kept, clock, timers, random, version: '5.0.0' });
    const deliveries = startDeliveries(again, { allowHosts: [] });
    onTestFinished(() => deliveries.stop());
    await target.arrived(2);
    expect(JSON.parse(String(target.received[1]?.body)).id).toBe(second.id);
    clock.turn(2000);
    await deliveries.idle();
    expect(JSON.parse(String(target.received[2]?.body)).id).toBe(first.id);
    expect(await kept.queueHeads()).toEqual([]);
    const between = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const log = { accountId: world.sandbox.seed.accountId, webhookId: id, between, limit: 10 };
    expect((await kept.listAttempts(log)).map(({ body }) => body.try)).toEqual([2, 1, 1]);
  });

  test('stores events while the sandbox is stopped, and sends them in order after the start', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    await world.subscribe({ uri: target.url, format: 'json' });
    await world.stop();
    const ids: unknown[] = [];
    for (let round = 0; round < 120; round += 1)
      ids.push((await world.service('PUT', 'users', user('A'))).id);
    expect(target.received).toHaveLength(0);
    world.start();
    await target.arrived(120);
    expect(target.received.map(({ body }) => JSON.parse(body).id)).toEqual(ids);
  });

  test('keeps a future event for webhooks that subscribe before it happens', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    const fax = {
      from_number: '+15551230001',
      to_number: '+15551239999',
      document: { url: 'https://files.example/a.pdf' },
    };
    await world.service('PUT', 'faxes', fax);
    await world.subscribe({
      uri: target.url,
      hook: 'notifications',
      format: 'json',
      custom_data: { type: 'outbound_fax' },
    });
    await world.turn(40_000);
    expect(target.received).toHaveLength(0);
    await world.turn(30_000);
    expect(target.received).toHaveLength(1);
  });
});

describe('the attempts', () => {
  test('are listed newest first, by page, filter and time', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver({ answer: [500, 200] })]);
    const id = await world.subscribe({ uri: target.url });
    await world.service('PUT', 'users', user('Ann'));
    await target.arrived(1);
    await world.idle();
    await world.turn(2000);
    const reply = await world.sandbox.call('GET', `${world.path}/${id}/attempts?page_size=1`, {
      token: await world.sandbox.adminToken(),
    });
    expect(reply.data).toMatchObject([{ result: 'success' }]);
    const next = await world.attempts(id, `?page_size=1&start_key=${reply.at('next_start_key')}`);
    expect(next).toMatchObject([{ result: 'failure', hook_id: id, hook_event: 'object', method: 'post' }]);
    expect(await world.attempts(id, '?filter_result=failure')).toHaveLength(1);
    expect(await world.attempts(id, '?created_to=63000000000')).toEqual([]);
    const other = await world.sandbox.call('GET', `${world.path}/${'0'.repeat(32)}/attempts`, {
      token: await world.sandbox.adminToken(),
    });
    expect(other.status).toBe(404);
  });

  test('of all webhooks of an account are in one list, including deleted webhooks', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    const first = await world.subscribe({ uri: target.url });
    await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    await world.service('DELETE', `webhooks/${first}`);
    const second = await world.subscribe({ uri: target.url });
    await world.turn(1000);
    await world.service('PUT', 'users', user('Bob'));
    await world.idle();
    const token = await world.sandbox.adminToken();
    const page = await world.sandbox.call('GET', `${world.path}/attempts?page_size=1`, { token });
    expect(page.data).toMatchObject([{ hook_id: second }]);
    const rest = `${world.path}/attempts?start_key=${page.at('next_start_key')}`;
    expect((await world.sandbox.call('GET', rest, { token })).data).toMatchObject([{ hook_id: first }]);
    const one = `${world.path}/attempts?filter_hook_id=${first}`;
    expect((await world.sandbox.call('GET', one, { token })).data).toMatchObject([{ hook_id: first }]);
  });
});

describe('allowed targets', () => {
  const forbidden = {
    result: 'failure',
    reason: 'forbidden address',
    retries_left: 'retries exceeded',
    try: 1,
  };

  test.each([
    'http://192.0.2.1/hook',
    'https://crm.example/hook',
    'http://3232235777/',
    'http://[::ffff:10.0.0.1]/',
  ])('%s is refused with a reason, is not retried, and does not disable the webhook', async (uri) => {
    const world = await deliveringSandbox();
    const id = await world.subscribe({ uri });
    for (let round = 0; round < 8; round += 1) await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    await world.turn(2000);
    const attempts = await world.attempts(id);
    expect(attempts).toHaveLength(8);
    expect(attempts[0]).toMatchObject(forbidden);
    expect(attempts[0]?.client_error).toContain('--allow-deliveries-to');
    expect(await world.service('GET', `webhooks/${id}`)).toMatchObject({ enabled: true });
  });

  test('include this machine by any of its names', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver()]);
    for (const host of ['localhost', '127.0.0.1', '2130706433', '0177.0.0.1', '[::ffff:127.0.0.1]'])
      await world.subscribe({ uri: `http://${host}:${target.port}/` });
    await world.service('PUT', 'users', user('Ann'));
    await target.arrived(5);
    await world.idle();
    expect(target.received).toHaveLength(5);
  });

  test('include allowed hosts, and check the addresses of their names', async () => {
    const world = await deliveringSandbox({ allowHosts: ['metadata.example', '192.0.2.1', '[2001:db8::1]'] });
    const uris = [
      ...['http://metadata.example/', 'http://192.0.2.1/', 'http://[2001:db8::1]/'],
      ...['http://sub.metadata.example/', 'http://192.0.2.2/', 'http://[2001:db8::2]/'],
    ];
    const ids: string[] = [];
    for (const uri of uris) ids.push(await world.subscribe({ uri, retries: 0 }));
    await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    const reasons = await Promise.all(ids.map(async (id) => (await world.attempts(id))[0]?.reason));
    const [tried, not] = ['http client error', 'forbidden address'];
    expect(reasons).toEqual([tried, tried, tried, not, not, not]);
  });

  test('include the sandbox itself, which requires a token', async () => {
    const world = await deliveringSandbox();
    const base = await world.sandbox.app.listen({ host: '127.0.0.1', port: 0 });
    const id = await world.subscribe({
      uri: base + world.path,
      http_verb: 'put',
      format: 'json',
      retries: 0,
    });
    await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    expect(await world.attempts(id)).toMatchObject([{ result: 'failure', resp_status_code: 401 }]);
  });

  test.each(['http://169.254.169.254/latest/meta-data', 'http://[fe80::1]/', 'http://[::ffff:169.254.1.1]/'])(
    '%s is refused at creation',
    async (uri) => {
      const world = await deliveringSandbox();
      const reply = await world.sandbox.call('PUT', world.path, {
        token: await world.sandbox.adminToken(),
        data: { name: 'Meta', uri, hook: 'channel_create' },
      });
      expect(reply.status).toBe(400);
      expect(reply.data).toHaveProperty('uri.error');
    },
  );
});
