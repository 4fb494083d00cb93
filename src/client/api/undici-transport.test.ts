import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { files } from '../../base/host/files.ts';
import { operationById } from '../../contract/catalogue.ts';
import type { Api, ApiParts, ApiRequest } from './api.ts';
import { createApi } from './create-api.ts';
import { rateLimiters } from './rate-limiter.ts';
import type { Transport } from './transport.ts';
import { openTransport, type TransportOptions } from './undici-transport.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const success = JSON.stringify({
  status: 'success',
  data: [{ id: 'u1' }],
  request_id: 'r1',
  auth_token: 'echo',
});
const list: ApiRequest = { operation: operationById('users.list') };
const create: ApiRequest = { operation: operationById('users.create'), data: { username: 'ann' } };

/** Answers each request with the next listener, the last one again and again. */
async function service(...answers: RequestListener[]): Promise<{ readonly url: string; count(): number }> {
  let count = 0;
  const server = createServer((request, response) => {
    const answer = answers[Math.min(count, answers.length - 1)];
    count += 1;
    answer?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, count: () => count };
}

const answer =
  (body: string, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

async function open(baseUrl: string, options: Partial<TransportOptions> = {}): Promise<Transport> {
  const common = {
    baseUrl,
    env: {},
    clock: { now: () => performance.now() },
    files,
    insecure: false,
    allowHttp: false,
    connections: 4,
  };
  const transport = await openTransport({ ...common, ...options });
  ends.unshift(() => transport.close());
  return transport;
}

async function apiAt(
  baseUrl: string,
  parts: Partial<ApiParts> = {},
  options: Partial<TransportOptions> = {},
): Promise<Api> {
  const clock = turnedClock();
  return createApi({
    transport: await open(baseUrl, options),
    baseUrl,
    prefix: '/v2',
    accountId: 'acc',
    clock,
    random: seededRandom(),
    limiters: rateLimiters(clock, seededRandom(), () => undefined),
    timeoutMs: 5000,
    retries: 2,
    userAgent: 'telctl/test',
    ...parts,
  });
}

test('unwraps the response and removes the echoed token', async () => {
  const { url } = await service(answer(success));
  const reply = await (await apiAt(url)).call(list);
  expect(reply).toMatchObject({ status: 200, data: [{ id: 'u1' }], requestId: 'r1' });
  expect(JSON.stringify(reply)).not.toContain('echo');
});

test('retries a read after a 500, but not a create', async () => {
  const failing = answer('{"code":"500","message":"boom","request_id":"r5"}', 500);
  const reading = await service(failing, answer(success));
  expect((await (await apiAt(reading.url)).call(list)).status).toBe(200);
  expect(reading.count()).toBe(2);
  const creating = await service(failing, answer(success, 201));
  await expect((await apiAt(creating.url)).call(create)).rejects.toMatchObject({
    kind: 'failed',
    status: 500,
  });
  expect(creating.count()).toBe(1);
});

test('retries only a read after a connection reset', async () => {
  const reset: RequestListener = (request) => request.socket.destroy();
  const reading = await service(reset, answer(success));
  expect((await (await apiAt(reading.url)).call(list)).status).toBe(200);
  const creating = await service(reset, answer(success));
  await expect((await apiAt(creating.url)).call(create)).rejects.toMatchObject({
    kind: 'unavailable',
    hint: expect.stringContaining('may have been carried out'),
  });
  expect(creating.count()).toBe(1);
});

test('reports a truncated body as a failure', async () => {
  const cut: RequestListener = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"data":[', () => request.socket.destroy());
  };
  const { url, count } = await service(cut);
  await expect((await apiAt(url)).call(list)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('broke off'),
  });
  expect(count()).toBe(3);
});

test('gives up on a response that trickles in past the time-out', async () => {
  const clock = turnedClock();
  const drip: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drops = setInterval(() => {
      clock.turn(1000);
      response.write(' ');
    }, 5);
    response.on('close', () => clearInterval(drops));
  };
  const { url } = await service(drip);
  await expect((await apiAt(url, { clock, retries: 0 })).call(list)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('not complete in time'),
  });
});

test('gives up on a service that does not respond within the time-out', async () => {
  const { url } = await service(() => undefined);
  const api = await apiAt(url, { timeoutMs: 300, retries: 0 });
  await expect(api.call(list)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('timed out'),
  });
});

test('an interruption ends a hanging request', async () => {
  const stop = new AbortController();
  const { url } = await service(() => stop.abort());
  const api = await apiAt(url, { signal: stop.signal });
  await expect(api.call(list)).rejects.toMatchObject({ kind: 'interrupted' });
});

test('reports a refused connection if the service is down', async () => {
  const api = await apiAt('http://127.0.0.1:9', { retries: 0 });
  await expect(api.call(list)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'http://127.0.0.1:9 does not answer (connection refused).',
  });
});

test('fails on a redirect, names its target and does not follow it', async () => {
  const other = await service(answer(success));
  const { url } = await service(answer('', 302, { location: `${other.url}/v2/users` }));
  await expect((await apiAt(url)).call(list)).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringContaining(other.url),
  });
  expect(other.count()).toBe(0);
});

test.each([
  ['HTML', '<html>hello</html>', 'text/html', 'HTML'],
  ['an empty body', '', 'application/json', 'empty body'],
  ['broken JSON', '{"data":', 'application/json', 'incomplete or damaged JSON'],
  ['JSON without an envelope', '["not","it"]', 'application/json', 'envelope'],
])('rejects %s as data', async (_, body, type, said) => {
  const { url } = await service(answer(body, 200, { 'content-type': type }));
  await expect((await apiAt(url)).call(list)).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringContaining(said),
  });
});

test('refuses plain http to another machine unless allowed', async () => {
  await expect(open('http://api.example')).rejects.toMatchObject({ kind: 'refused' });
  await expect(open('http://api.example', { allowHttp: true })).resolves.toBeDefined();
});

test('names a CA file that is missing or invalid', async () => {
  const caFile = import.meta.filename;
  await expect(open('https://api.example', { caFile: '/nowhere/ca.pem' })).rejects.toMatchObject({
    kind: 'usage',
  });
  await expect(open('https://api.example', { caFile })).rejects.toThrow(/PEM/);
});

/** A proxy that notes whom it was asked to reach, and leads everything to one port. */
async function proxy(port: number): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(success);
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const on = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      on.pipe(socket).pipe(on);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

test('sends requests through the proxy, except to local and NO_PROXY hosts', async () => {
  const { url: target } = await service(answer(success));
  const way = await proxy(Number(new URL(target).port));
  const env = { http_proxy: way.url };
  const through = await apiAt('http://api.example', {}, { env, allowHttp: true });
  expect((await through.call(list)).status).toBe(200);
  expect(way.asked).toHaveLength(1);
  expect(way.asked[0]).toContain('api.example');
  const direct = await apiAt(target, {}, { env });
  expect((await direct.call(list)).status).toBe(200);
  const exempt = await apiAt(
    'http://api.invalid',
    { retries: 0 },
    { env: { ...env, NO_PROXY: '.invalid' }, allowHttp: true },
  );
  await expect(exempt.call(list)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(way.asked).toHaveLength(1);
});

test('distinguishes a proxy that refuses from a service that does not answer', async () => {
  const server = createServer();
  server.on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const env = { https_proxy: `http://127.0.0.1:${address.port}` };
  const api = await apiAt('https://api.example', { retries: 0 }, { env });
  await expect(api.call(list)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The proxy on the way to https://api.example refuses to connect (403).',
    hint: expect.stringContaining('NO_PROXY=api.example'),
  });
});

test('names the proxy if it is down or requires a password', async () => {
  const down = await apiAt(
    'https://api.example',
    { retries: 0 },
    { env: { ALL_PROXY: 'http://127.0.0.1:1' } },
  );
  await expect(down.call(list)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(
      /^The proxy 127\.0\.0\.1:1 on the way to https:\/\/api\.example does not answer/,
    ),
  });
  const server = createServer((_, response) => response.writeHead(407).end());
  server.on('connect', (_request, socket) =>
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const env = { HTTP_PROXY: `http://127.0.0.1:${address.port}` };
  for (const scheme of ['http', 'https']) {
    const closed = await apiAt(
      `${scheme}://api.example`,
      { retries: 0 },
      { env: { ...env, HTTPS_PROXY: env.HTTP_PROXY }, allowHttp: true },
    );
    await expect(closed.call(list)).rejects.toMatchObject({
      kind: 'failed',
      message: `The proxy on the way to ${scheme}://api.example requires a user name and password (407).`,
    });
  }
});

test('gives up a proxy that accepts connections and opens no tunnel', async () => {
  const server = createServer().on('connect', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const env = { HTTPS_PROXY: `http://127.0.0.1:${address.port}` };
  const silent = await apiAt('https://api.example', { retries: 0 }, { env, connectTimeoutMs: 100 });
  await expect(silent.call(list)).rejects.toMatchObject({
    kind: 'unavailable',
    inDoubt: false,
    message: `The proxy 127.0.0.1:${address.port} on the way to https://api.example does not answer (timed out).`,
  });
});

test('rejects a base URL with a query', async () => {
  await expect(apiAt('https://api.example?tenant=1')).rejects.toMatchObject({ kind: 'usage' });
});
