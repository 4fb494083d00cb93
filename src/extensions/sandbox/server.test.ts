import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { calledSandbox } from '../../../test/support/called-sandbox.ts';
import { listenAt } from './server.ts';

async function listening() {
  const { app } = await calledSandbox();
  const server = await listenAt(app, { port: 0 });
  onTestFinished(() => server.close());
  const ask = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(`${server.baseUrl}/v2/webhooks`, { headers, agent: false }, (reply) => {
        reply.resume();
        reply.on('end', () => resolve(reply.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end();
    });
  return { ...server, ask, bound: app.server.address() };
}

test('accepts loopback names with the right port', async () => {
  const { ask, port, bound } = await listening();
  expect(bound).toMatchObject({ address: '127.0.0.1' });
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])
    expect(await ask({ host: `${name}:${port}` })).toBe(401);
});

test.each(['evil.example', '127.0.0.1', '127.0.0.1:1', '127.0.0.1.evil.example:PORT', 'PORT'])(
  'refuses the host %s',
  async (host) => {
    const { ask, port } = await listening();
    expect(await ask({ host: host.replace('PORT', String(port)) })).toBe(403);
  },
);

test('refuses pages of other origins without CORS headers', async () => {
  const { ask, port, baseUrl } = await listening();
  const host = `127.0.0.1:${port}`;
  expect(await ask({ host, origin: 'https://evil.example' })).toBe(403);
  expect(await ask({ host, origin: 'null' })).toBe(403);
  expect(await ask({ host, origin: baseUrl })).toBe(401);
  const preflight = await fetch(`${baseUrl}/v2/webhooks`, { method: 'OPTIONS' });
  expect(preflight.status).toBe(405);
  expect([...preflight.headers.keys()].some((name) => name.startsWith('access-control'))).toBe(false);
});

test('closes despite connections without a complete request', async () => {
  const { app } = await calledSandbox();
  const server = await listenAt(app, { port: 0 });
  const sockets = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const ended = sockets.map((socket) => once(socket, 'close'));
  sockets[1]?.write('GET / HTTP/1.1\r\nhost: 127');
  // Both are there once another one, which came later, was answered.
  await fetch(`${server.baseUrl}/v2`);
  await server.close();
  await Promise.all(ended);
});
