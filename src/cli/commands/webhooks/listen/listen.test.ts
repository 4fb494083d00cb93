import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { receiver } from '../../../../../test/support/receiver.ts';
import { openWorld, type Run, type RunOptions, type World } from '../../../../../test/support/world.ts';
import { timers } from '../../../../base/host/real-host.ts';
import { isObject, type JsonObject } from '../../../../base/json.ts';

/** A listener that runs, with the subscriptions that it has made. */
async function listening(world: World, line = '', options: RunOptions = {}) {
  const stop = new AbortController();
  const run: Promise<Run> = world.telctl(`webhooks listen ${line}`, { interrupted: stop.signal, ...options });
  onTestFinished(() => stop.abort());
  const hooks = await eventually(async () => {
    const all = await subscriptions(world);
    return all.length > 0 && all.length >= (line.match(/--hook/g)?.length ?? 8) ? all : undefined;
  });
  const [first] = hooks;
  if (!first) throw new Error('there is no subscription');
  const uri = String(first.uri);
  const secret = isObject(first.custom_data) ? String(first.custom_data.secret) : '';
  return {
    hooks,
    uri,
    secret,
    first,
    send: (payload: JsonObject, init: RequestInit = {}) =>
      fetch(uri, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hook-id': String(first.id) },
        body: JSON.stringify({ ...payload, secret }),
        ...init,
      }),
    over: run,
    async end(): Promise<Run> {
      stop.abort();
      return run;
    },
  };
}

async function subscriptions(world: World): Promise<readonly JsonObject[]> {
  const token = await world.sandbox.adminToken();
  const path = `/v2/accounts/${world.seed.accountId}/webhooks`;
  const { data } = await world.sandbox.call('GET', path, { token });
  const ids = Array.isArray(data) ? data.filter(isObject).map(({ id }) => String(id)) : [];
  const whole = await Promise.all(ids.map((id) => world.sandbox.call('GET', `${path}/${id}`, { token })));
  return whole.flatMap((reply) => (isObject(reply.data) ? [reply.data] : []));
}

function eventually<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const found = async () => {
    const seen = await look();
    if (seen !== undefined) return seen;
    throw new Error('it never came about');
  };
  return vi.waitFor(found, { timeout: 60_000, interval: 5 });
}

const call = {
  hook_event: 'channel_create',
  caller_id_number: '+15551230001',
  callee_id_number: '+15551230002',
  call_direction: 'inbound',
};

describe('a listener', () => {
  test('subscribes to every hook of the service, prints events, and removes its subscriptions', async () => {
    const world = await openWorld();
    const { hooks, send, end, secret } = await listening(world);
    expect(hooks.map(({ hook }) => hook).sort()).toEqual([
      'channel_answer',
      'channel_bridge',
      'channel_create',
      'channel_destroy',
      'fax',
      'notifications',
      'object',
      'sms',
    ]);
    expect(hooks.every(({ name }) => String(name).startsWith('telctl-listen-'))).toBe(true);
    expect(secret.length).toBeGreaterThan(40);
    expect((await send(call)).status).toBe(200);
    const run = await end();
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      /^TIME +HOOK +ID +WHAT\n09:00:00Z +channel_create +[0-9a-f]{8} +\+15551230001 → \+15551230002 +inbound\n$/,
    );
    expect(run.stderr).toMatch(
      /^Listening at http:\/\/127\.0\.0\.1:\d+ for .*\. End with Ctrl-C\.\n1 event\. Unsubscribed\.\n$/,
    );
    expect(run.stdout + run.stderr).not.toContain(secret);
    expect(await subscriptions(world)).toEqual([]);
  });

  test('prints complete, escaped events without the secret with -o ndjson', async () => {
    const world = await openWorld();
    const { send, end, secret } = await listening(world, '--hook object --type user -o ndjson');
    await send({ action: 'doc_edited', type: 'user', id: 'a\u001b[31m', account_id: 'b' });
    const run = await end();
    const [line = ''] = run.stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({
      hook: 'object',
      account_id: 'b',
      payload: { action: 'doc_edited', type: 'user', id: 'a\u001b[31m' },
    });
    expect(run.stdout).not.toContain('\u001b');
    expect(run.stdout).not.toContain(secret);
  });

  test('fills CSV columns like table columns', async () => {
    const world = await openWorld();
    const { send, end } = await listening(world, '--hook channel_create -o csv');
    await send(call);
    const { stdout } = await end();
    expect(stdout).toMatch(
      /^time,hook,id,what\n09:00:00Z,channel_create,[0-9a-f]{8},'\+15551230001 → \+15551230002 {2}inbound\n$/,
    );
  });

  test('reads forms and query strings like JSON', async () => {
    const world = await openWorld();
    const { send, end, uri, secret } = await listening(world, '--hook channel_create -o ndjson');
    const form = new URLSearchParams({ hook_event: 'channel_create', 'custom_channel_vars[a]': '1', secret });
    await send(
      {},
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString() },
    );
    await fetch(`${uri}?${form}`);
    const { stdout } = await end();
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ verb }) => verb)).toEqual(['post', 'get']);
    for (const { payload } of events)
      expect(payload).toEqual({ hook_event: 'channel_create', custom_channel_vars: { a: '1' } });
  });

  test('rejects and counts requests with a wrong secret, or with a large or unreadable body', async () => {
    const world = await openWorld();
    const { send, end } = await listening(world, '--hook channel_create');
    const statuses = [
      (await send({}, { body: JSON.stringify({ ...call, secret: 'guessed' }) })).status,
      (await send({}, { body: JSON.stringify(call) })).status,
      (await send({}, { body: '{"half' })).status,
      (await send({}, { method: 'DELETE', body: '' })).status,
    ];
    expect(statuses).toEqual([403, 403, 400, 405]);
    const large = await send({}, { body: 'x'.repeat(1_200_000) }).then(
      ({ status }) => status,
      () => 413,
    );
    expect(large).toBe(413);
    const run = await end();
    expect(run.code).toBe(0);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(
      '0 events, 2 refused (wrong secret), 1 refused (not readable), 1 refused (wrong method), 1 refused (too large). Unsubscribed.',
    );
  });

  test('rejects a payload that is nested too deeply, and continues', async () => {
    const world = await openWorld();
    const { send, end, secret } = await listening(world, '--hook channel_create');
    const deep = `{"secret":${JSON.stringify(secret)},"a":${'['.repeat(9000)}${']'.repeat(9000)}}`;
    expect((await send({}, { body: deep })).status).toBe(400);
    expect((await send(call)).status).toBe(200);
    expect((await end()).stderr).toContain('1 event, 1 refused (not readable). Unsubscribed.');
  });

  test('reads a secret from standard input, and forwards events with it', async () => {
    const world = await openWorld();
    const app = await receiver();
    const { send, end, secret } = await listening(
      world,
      `--hook channel_create --secret-stdin --forward ${app.url}`,
      {
        stdin: 'a long secret of the developer\n',
      },
    );
    expect(secret).toBe('a long secret of the developer');
    await send(call);
    await app.arrived(1);
    const run = await end();
    expect(run.code).toBe(0);
    expect(app.received).toHaveLength(1);
    expect(app.received[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(app.received[0]?.body ?? '')).toEqual({ ...call, secret });
    expect(run.stdout + run.stderr).not.toContain(secret);
  });

  test('reports an unreachable target, continues, and stores missed events', async () => {
    const world = await openWorld();
    const app = await receiver();
    app.answerWith(503);
    const { send, end } = await listening(world, `--hook channel_create --forward ${app.url}`);
    await send(call);
    await app.arrived(3);
    await send(call);
    await app.arrived(4);
    app.answerWith(204);
    await send(call);
    await send(call);
    // Events go one after the other: the last one shows that the third was taken.
    await app.arrived(6);
    const run = await end();
    expect(run.code).toBe(0);
    expect(run.stdout.trim().split('\n')).toHaveLength(5);
    expect(run.stderr).toMatch(
      /was not accepted by http:\/\/127\.0\.0\.1:\d+: 503 in \d+ ms\. It is stored. To send it again: telctl webhooks replay [0-9a-f]{8}/,
    );
    expect(run.stderr).toMatch(/accepts events again\.\n/);
    expect(run.stderr).toMatch(/\n4 events, [23] not forwarded/);
    const again = await world.telctl('webhooks replay --since 10m');
    expect(again).toMatchObject({ code: 0, requests: [] });
    expect(app.received).toHaveLength(10);
  });

  test('removes only webhooks of killed listeners of this machine', async () => {
    const world = await openWorld();
    const { end } = await listening(world, '--hook sms');
    await end();
    const { stdout: machine } = {
      stdout: readFileSync(join(world.folders.home, '.local/state/telctl/machine'), 'utf8'),
    };
    const dead = 2 ** 22 + 1;
    const make = (name: string) =>
      world.service('PUT', 'webhooks', { name, uri: 'http://127.0.0.1:9/x', hook: 'sms' });
    await make(`telctl-listen-${machine}-${dead}-sms`);
    // In a container, the listener before may have had the number of this process.
    await make(`telctl-listen-${machine}-${process.pid}-sms`);
    await make(`telctl-listen-ffffffff-${dead}-sms`);
    await make('telctl-listen-by-hand');
    // Five hooks: four webhooks stand there before it begins, so that five are there only once it has subscribed.
    const hooks = ['sms', 'fax', 'object', 'channel_create', 'channel_answer'];
    const second = await listening(world, hooks.map((hook) => `--hook ${hook}`).join(' '));
    const run = await second.end();
    expect(run.stderr).toContain('Removed 2 subscriptions of a listener that was killed.');
    expect((await subscriptions(world)).map(({ name }) => name).sort()).toEqual([
      'telctl-listen-by-hand',
      `telctl-listen-ffffffff-${dead}-sms`,
    ]);
  });

  test('removes its webhooks if subscribing fails halfway', async () => {
    const world = await openWorld();
    const fault = { kind: 'answer', status: 500, body: '{}' } as const;
    const run = await world.telctl('webhooks listen --hook sms --hook fax', {
      faults: [
        { fault: { kind: 'pass' }, method: 'PUT', path: /webhooks$/, times: 1 },
        { fault, method: 'PUT', path: /webhooks$/ },
      ],
    });
    expect(run.code).toBe(1);
    expect(run.stdout).toBe('');
    expect(await subscriptions(world)).toEqual([]);
  });

  test('removes its webhooks if the response to a subscription was lost', async () => {
    const world = await openWorld();
    const run = await world.telctl('webhooks listen --hook sms', {
      faults: [{ fault: { kind: 'lose-reply' }, method: 'PUT', path: /webhooks$/ }],
    });
    expect(run.code).toBe(75);
    expect(await subscriptions(world)).toEqual([]);
  });

  test('lists remaining webhooks and exits with code 8 if cleanup fails', async () => {
    const world = await openWorld();
    const { hooks, end } = await listening(world, '--hook sms --hook fax', {
      faults: [
        { fault: { kind: 'refuse' }, method: 'DELETE' },
        { fault: { kind: 'refuse' }, method: 'PATCH' },
      ],
    });
    const run = await end();
    expect(run.code).toBe(8);
    expect(run.stderr).toMatch(
      /warning: 2 webhooks telctl-listen-[0-9a-f]{8}-\d+-… are still there: .*\. The next telctl webhooks listen removes them. To do so now: telctl webhooks delete NAME\n/,
    );
    expect(run.stderr).toMatch(/\n0 events\. 2 subscriptions could not be removed\.\n$/);
    expect(await subscriptions(world)).toHaveLength(hooks.length);
  });

  test('reports that a remote service cannot reach this machine, and accepts a tunnel address', async () => {
    const world = await openWorld();
    const env = { TELCTL_BASE_URL: 'https://api.example', TELCTL_API_KEY: world.seed.apiKey };
    const refused = await world.telctl('webhooks listen', { env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('https://api.example cannot reach 127.0.0.1 of this machine.');
    expect(refused.stderr).toContain('--public-url');
    const dry = await world.telctl(
      'webhooks listen --hook sms --public-url https://tunnel.example/in --dry-run -o json',
      { env },
    );
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain('"uri": "https://tunnel.example/in"');
    expect(dry.stdout).not.toMatch(/"secret": "(?!•)/);
  });

  test('suggests the nearest hook for an unknown one', async () => {
    const world = await openWorld();
    const run = await world.telctl('webhooks listen --hook chanel_create');
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('Did you mean "channel_create"?');
  });

  test('saves events to a new private file, or to one file per event in a folder', async () => {
    const world = await openWorld();
    const { send, end } = await listening(world, '--hook sms --save events.ndjson');
    await send({ ...call, hook_event: 'sms' });
    await end();
    const path = join(world.folders.cwd, 'events.ndjson');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ hook: 'sms' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await world.telctl('webhooks listen --hook sms --save events.ndjson');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('events.ndjson already exists');
    const second = await listening(world, '--hook sms --save events/');
    await second.send({ ...call, hook_event: 'sms' });
    await second.end();
    expect(readdirSync(join(world.folders.cwd, 'events'))).toHaveLength(1);
    for (const { path: kept, mode, isFolder } of world.filesWritten())
      if (kept.includes('/events')) expect(mode).toBe(isFolder ? 0o700 : 0o600);
  });
});

describe('a replay', () => {
  async function withEvents() {
    const world = await openWorld();
    const { send, end } = await listening(world, '--hook channel_create -o name');
    await send(call);
    await send({ ...call, caller_id_number: '+15551230009' });
    const { stdout } = await end();
    return { world, ids: stdout.trim().split('\n') };
  }

  test('sends one event unchanged to an address, or lists stored events', async () => {
    const { world } = await withEvents();
    const app = await receiver();
    const listed = await world.telctl('webhooks replay --list -o json');
    const [, second] = JSON.parse(listed.stdout);
    const run = await world.telctl(`webhooks replay ${second.id} --forward ${app.url} --secret-stdin`, {
      stdin: 'secret again',
    });
    expect(run).toMatchObject({ code: 0, requests: [] });
    expect(run.stdout).toContain('200 in');
    expect(JSON.parse(app.received[0]?.body ?? '')).toEqual({
      ...call,
      caller_id_number: '+15551230009',
      secret: 'secret again',
    });
  });

  test('exits with code 8 if some events were rejected, and with code 1 if all were', async () => {
    const { world } = await withEvents();
    const app = await receiver({ answer: [500, 200] });
    const some = await world.telctl(`webhooks replay --since 1h --forward ${app.url}`);
    expect(some.code).toBe(8);
    expect(some.stderr).toContain('1 of 2 events were not accepted.');
    const none = await world.telctl('webhooks replay --since 1h --forward http://127.0.0.1:9/none');
    expect(none.code).toBe(1);
    expect(none.stdout).toContain('connection refused');
  });

  test('requires events and a target', async () => {
    const { world } = await withEvents();
    expect((await world.telctl('webhooks replay')).code).toBe(2);
    expect((await world.telctl('webhooks replay --since 1h')).stderr).toContain('--forward URL');
    expect(await world.telctl('webhooks replay nothere')).toMatchObject({ code: 5, stdout: '' });
    const slip = await world.telctl('webhooks replay --list --hook chanel_create');
    expect(slip).toMatchObject({ code: 2, stdout: '' });
    expect(slip.stderr).toContain('Did you mean "channel_create"?');
    expect((await world.telctl('webhooks replay --since yesterday')).stderr).toContain('--since 10m');
  });
});

test('a listener continues on a full disk, warns once, counts lost events, and exits with code 8', async () => {
  const world = await openWorld();
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const disk: NonNullable<RunOptions['disk']> = {
    openAppendOnly: () => ({
      add: () => {
        throw full;
      },
      flush: async () => undefined,
      close: () => undefined,
    }),
  };
  const { send, end } = await listening(world, '--hook channel_create --save events.ndjson', { disk });
  for (const _ of [1, 2]) expect((await send(call)).status).toBe(200);
  const run = await end();
  expect(run.code).toBe(8);
  expect(run.stdout.trim().split('\n')).toHaveLength(3);
  expect(run.stderr.match(/could not be written to events\.ndjson \(ENOSPC\)/g)).toHaveLength(1);
  expect(run.stderr).toMatch(/2 events, 2 not saved\. Unsubscribed\.\n$/);
});

test('events that a listener did not forward before Ctrl-C can be replayed', async () => {
  const world = await openWorld();
  const dead = 'http://127.0.0.1:9/hook';
  const { send, end } = await listening(world, `--hook channel_create --forward ${dead}`);
  for (const _ of [1, 2, 3, 4]) await send(call);
  const run = await end();
  expect(run).toMatchObject({ code: 0 });
  expect(run.stderr).toContain('4 events, 4 not forwarded (telctl webhooks replay --list)');
  const replayed = await world.telctl('webhooks replay --since 1h');
  expect(replayed.code).toBe(1);
  expect(replayed.stderr).toContain('4 of 4 events were not accepted.');
});

describe('a subscription', () => {
  /** Timers whose work is due at once when `fire` is called. */
  function heldTimers() {
    const due = new Set<() => void>();
    return {
      timers: {
        ...timers,
        later(ms: number, act: () => void) {
          if (ms < 20_000) return timers.later(ms, act);
          due.add(act);
          return () => void due.delete(act);
        },
      },
      async fire() {
        await eventually(() => (due.size > 0 ? true : undefined));
        for (const act of [...due]) if (due.delete(act)) act();
      },
    };
  }

  test.each([
    ['was deleted', 'DELETE', {}],
    ['was disabled', 'PATCH', { enabled: false }],
  ])('that %s ends the listener with code 8', async (why, method, data) => {
    const world = await openWorld();
    const held = heldTimers();
    const { first, over } = await listening(world, '--hook object', { timers: held.timers });
    await world.service(method, `webhooks/${first.id}`, data);
    await held.fire();
    const run = await over;
    expect([run.code, run.stderr]).toEqual([8, expect.stringContaining(why)]);
    expect(run.stderr).toContain('1 subscription ended by the service');
  });

  test('is recreated with --resubscribe after it was deleted', async () => {
    const world = await openWorld();
    const held = heldTimers();
    const { first, end } = await listening(world, '--hook object --resubscribe', { timers: held.timers });
    await world.service('DELETE', `webhooks/${first.id}`);
    await held.fire();
    const [again] = await eventually(async () => {
      const all = await subscriptions(world);
      return all.length > 0 ? all : undefined;
    });
    expect(again).toMatchObject({ hook: 'object', uri: first.uri });
    await held.fire();
    const run = await end();
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('Subscribed again to object')]);
    expect(await subscriptions(world)).toEqual([]);
  });
});
