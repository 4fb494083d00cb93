import { expect, test } from 'vitest';
import { openWorld } from '../../../../../test/support/world.ts';
import { connect } from '../../../../library/client.ts';
import { startSandbox } from '../../library.ts';

const page = 'http://127.0.0.1:3000';

test('the sandbox answers pages of an allowed origin with CORS headers, and refuses other origins', async () => {
  const sandbox = await startSandbox({ allowOrigins: [page] });
  try {
    const ask = (path: string, origin: string, method = 'GET', more = {}) =>
      fetch(`${sandbox.baseUrl}${path}`, { method, headers: { origin, ...more } });
    const asked = await ask('/v2/accounts', page, 'OPTIONS', { 'access-control-request-method': 'PUT' });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, page]);
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-auth-token');
    const read = await ask('/v2/accounts', page);
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([404, page]);
    for (const other of ['http://127.0.0.1:3001', 'https://127.0.0.1:3000', 'http://page.example', 'null']) {
      const refused = await ask('/v2/accounts', other);
      expect([other, refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
        other,
        403,
        null,
      ]);
    }
    // What controls and shows the sandbox is nobody else's.
    expect((await ask('/sandbox/control/clock', page)).status).toBe(403);
  } finally {
    await sandbox.stop();
  }
});

test.each(['*', 'page.example', 'http://page.example/', 'http://page.example/app', 'ftp://page.example'])(
  '--allow-origin rejects %s',
  async (origin) => {
    const world = await openWorld();
    const { code, stderr } = await world.telctl(['sandbox', 'exec', '--allow-origin', origin, '--', 'true']);
    expect(code).toBe(2);
    expect(stderr).toContain('--allow-origin must be only a scheme, a host and a port');
  },
);

test('--allow-loopback-hooks lets a sandbox like kazoo accept webhooks to this machine', async () => {
  const hook = {
    name: 'Own',
    uri: 'http://127.0.0.1:9/hook',
    hook: 'channel_create',
    http_verb: 'post',
  } as const;
  for (const allowLoopbackHooks of [false, true]) {
    const sandbox = await startSandbox({ like: 'kazoo', allowLoopbackHooks });
    try {
      const client = connect({ baseUrl: sandbox.baseUrl, apiKey: sandbox.admin.apiKey });
      const made = client.webhooks.create(hook);
      await (allowLoopbackHooks ? made : expect(made).rejects.toThrow(/invalid client URL/));
      await client.close();
    } finally {
      await sandbox.stop();
    }
  }
});
