import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { globSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { listenForRedirect } from '../../src/cli/commands/login/sso-code.ts';
import { openReceiver } from '../../src/cli/commands/webhooks/listen/receiver.ts';
import { serveMetrics } from '../../src/extensions/fleet/reconcile/metrics.ts';
import { serveConsole } from '../../src/extensions/sandbox/console/console-server.ts';
import { listenAt } from '../../src/extensions/sandbox/server.ts';
import { calledSandbox } from '../support/called-sandbox.ts';
import { openWorld } from '../support/world.ts';

/** Address of a listener of telctl, and a valid request for it. */
interface Listener {
  readonly port: number;
  readonly path: string;
  readonly body: string;
}

/** Every listener of telctl, by the file that opens it. */
const listeners: Readonly<Record<string, () => Promise<Listener>>> = {
  'src/cli/commands/login/sso-code.ts': async () => {
    const listener = await listenForRedirect(undefined, 'google');
    onTestFinished(() => listener.close());
    const { port, pathname } = new URL(listener.redirectUri);
    void listener.answer(() => true);
    return { port: Number(port), path: `${pathname}?code=c0de`, body: '' };
  },
  'src/cli/commands/webhooks/listen/receiver.ts': async () => {
    const { port, close } = await openReceiver({
      port: 0,
      path: '/events',
      isOurs: () => true,
      accept: () => undefined,
      refuse: () => undefined,
    });
    onTestFinished(close);
    return { port, path: '/events', body: '{}' };
  },
  'src/extensions/sandbox/console/console-server.ts': async () => {
    const random = { bytes: (count: number) => randomBytes(count), fraction: () => 0 };
    const answer = async () => ({ status: 200, headers: {}, body: '' });
    const { address, close } = await serveConsole(0, random, answer);
    onTestFinished(close);
    const { port, pathname, search } = new URL(address);
    return { port: Number(port), path: pathname + search, body: '' };
  },
  'src/extensions/fleet/reconcile/metrics.ts': async () => {
    const health = () => ({ ok: true, text: 'ok' });
    const { port, close } = await serveMetrics('0', { text: async () => '' }, health);
    onTestFinished(close);
    return { port, path: '/metrics', body: '' };
  },
  'src/extensions/assistant/http.ts': async () => {
    const { telctl } = await openWorld();
    const ended = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string>();
    const run = telctl('mcp --http 127.0.0.1:0', {
      interrupted: ended.signal,
      wrote: (_, text) => {
        const [, port] = /at http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(text) ?? [];
        if (port) resolve(port);
      },
    });
    onTestFinished(async () => {
      ended.abort();
      await run;
    });
    return { port: Number(await promise), path: '/mcp', body: '{}' };
  },
  'src/extensions/sandbox/server.ts': async () => {
    const { app } = await calledSandbox();
    const { port, close } = await listenAt(app, { port: 0 });
    onTestFinished(close);
    return { port, path: '/v2/user_auth', body: '{"data":{}}' };
  },
};

/** Returns the addresses that `work` listens on, as Node.js reports them. */
async function recordListeners(work: () => Promise<unknown>): Promise<readonly AddressInfo[]> {
  const servers: Server[] = [];
  const note = (message: unknown): void => {
    if (isObject(message) && 'server' in message) servers.push(message.server as unknown as Server);
  };
  const channel = 'tracing:net.server.listen:asyncStart';
  subscribe(channel, note);
  await work();
  unsubscribe(channel, note);
  return servers.flatMap((server) => {
    const address = server.address();
    return address !== null && typeof address === 'object' ? [address] : [];
  });
}

interface Asked extends Listener {
  readonly host?: string;
  readonly method: 'GET' | 'PUT' | 'POST';
}

/** Returns the status of a response, or 0 if the connection was closed without one. */
function requestStatus({ port, path, host, method, body }: Asked): Promise<number> {
  return new Promise((resolve) => {
    const headers = { host: host ?? `127.0.0.1:${port}`, 'content-type': 'application/json' };
    const sent = request({ port, host: '127.0.0.1', path, method, headers }, (reply: IncomingMessage) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    sent.on('error', () => resolve(0));
    sent.end(method === 'GET' ? '' : body);
  });
}

const megabyte = 1_048_576;

/**
 * Sends an endless body until the listener closes the connection, up to 64 MB. Returns the number of accepted bytes.
 */
function sendEndlessBody({ port, path }: Listener, method: 'PUT' | 'POST'): Promise<number> {
  return new Promise((resolve) => {
    let taken = 0;
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const sent = request({ port, host: '127.0.0.1', path, method, headers }, (reply) => reply.resume());
    const chunk = Buffer.alloc(megabyte / 4, 'x');
    const send = (): void => {
      if (taken >= 64 * megabyte) return void sent.destroy();
      sent.write(chunk, (error) => {
        if (error) return;
        taken += chunk.length;
        setImmediate(send);
      });
    };
    sent.on('error', () => undefined);
    sent.on('close', () => resolve(taken));
    send();
  });
}

test('telctl opens no other listeners', () => {
  const opens = /\bcreateServer\(|\.listen\(|\bopenServer\(/;
  // The first pattern matches the servers of the listeners, the second a test for a free port, and the third a script
  // for browsers.
  const harmless = [
    'src/base/host/loopback-server.ts',
    'src/extensions/sandbox/commands/run/start.ts',
    'src/extensions/sandbox/page/document.ts',
  ];
  const found = globSync('src/**/*.ts', { exclude: ['src/**/*.test.ts'] })
    .filter((file) => opens.test(readFileSync(file, 'utf8')))
    .filter((file) => !harmless.includes(file));
  expect(
    found.toSorted(),
    'Add each file that listens to `listeners` in test/conformance/listeners.test.ts',
  ).toEqual(Object.keys(listeners).toSorted());
});

describe.each(Object.entries(listeners))('the listener of %s', (_, open) => {
  test('listens only on loopback', async () => {
    const addresses = await recordListeners(open);
    expect(addresses.map(({ address }) => address)).toEqual(['127.0.0.1']);
  });

  test('responds only to its own host name', async () => {
    const listener = await open();
    const { port } = listener;
    const hosts = ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', `127.0.0.1:${port + 1}`];
    const methods = listener.body === '' ? (['GET'] as const) : (['GET', 'PUT', 'POST'] as const);
    for (const host of hosts)
      for (const method of methods)
        expect([400, 403, 404], `${method} ${host}`).toContain(
          await requestStatus({ ...listener, host, method }),
        );
    const [own] = methods.toReversed();
    expect([403, 404, 421]).not.toContain(await requestStatus({ ...listener, method: own ?? 'GET' }));
  });

  test.each(['PUT', 'POST'] as const)('limits the size of a request body: %s', async (method) => {
    expect(await sendEndlessBody(await open(), method)).toBeLessThan(24 * megabyte);
  });
});

test.each([
  'http://0.0.0.0:0/callback',
  'http://evil.example/callback',
  'https://127.0.0.1/callback',
  'http://[::]/c',
])('%s does not leak to the browser through the Referer header', async (redirectUri) => {
  await expect(listenForRedirect(redirectUri, 'google')).rejects.toMatchObject({
    kind: 'usage',
  });
});

test('a receiver accepts the host name of a reverse proxy', async () => {
  const { port, close } = await openReceiver({
    port: 0,
    path: '/events',
    publicHost: 'hooks.example',
    isOurs: () => true,
    accept: () => undefined,
    refuse: () => undefined,
  });
  onTestFinished(close);
  const asked = { port, path: '/events', body: '{}', method: 'POST' } as const;
  expect(await requestStatus({ ...asked, host: 'hooks.example' })).toBe(200);
  expect(await requestStatus({ ...asked, host: 'other.example' })).toBe(403);
});
