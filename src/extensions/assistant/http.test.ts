import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

/** A server over HTTP in a world, with its address and token. */
async function served(more = '') {
  const world = await openWorld();
  const ended = new AbortController();
  const said = Promise.withResolvers<string>();
  let stderr = '';
  const run = world.telctl(`mcp --http 127.0.0.1:0${more}`, {
    interrupted: ended.signal,
    wrote: (stream, text) => {
      if (stream === 'stderr') stderr += text;
      const [, url] = /at (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(stderr) ?? [];
      if (url) said.resolve(url);
    },
  });
  const end = async () => {
    ended.abort();
    return run;
  };
  onTestFinished(async () => void (await end()));
  const url = await Promise.race([
    said.promise,
    run.then(({ stderr: text }) => Promise.reject(new Error(text))),
  ]);
  const file = join(world.folders.home, '.config', 'telctl', 'mcp-token');
  return { world, url: new URL(url), file, end };
}

/** The status of a request with these headers. */
const statusOf = (url: URL, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sent.on('error', reject);
    sent.end('{}');
  });

test('mcp --http serves the same tools to clients with its token', async () => {
  const { url, file, end } = await served();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const authorization = `Bearer ${readFileSync(file, 'utf8').trim()}`;
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('run_command');
  const { structuredContent } = await client.callTool({ name: 'users', arguments: { verb: 'list' } });
  expect(structuredContent).toMatchObject({ exit: 0 });
  await client.close();
  expect((await end()).code).toBe(0);
});

test('mcp --http refuses a missing token, another host name and other origins', async () => {
  const { url, file } = await served();
  const authorization = `Bearer ${readFileSync(file, 'utf8').trim()}`;
  expect(await statusOf(url, {})).toBe(401);
  expect(await statusOf(url, { authorization: 'Bearer other' })).toBe(401);
  expect(await statusOf(url, { authorization, host: 'evil.example' })).toBe(403);
  expect(await statusOf(url, { authorization, host: `evil.example:${url.port}` })).toBe(403);
  expect(await statusOf(url, { authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf(url, { authorization, origin: 'null' })).toBe(403);
  expect(await statusOf(new URL('/other', url), { authorization })).toBe(404);
  expect(await statusOf(url, { authorization, origin: url.origin })).not.toBe(403);
});

test.each(['content-length', 'chunked'])(
  'a message that is too large only ends its own connection (%s)',
  async (how) => {
    const { url, file, end } = await served();
    const authorization = `Bearer ${readFileSync(file, 'utf8').trim()}`;
    const body = Buffer.alloc(6_000_000, 0x20);
    const length = how === 'chunked' ? {} : { 'content-length': String(body.length) };
    for (let tries = 0; tries < 3; tries += 1) {
      const status = await new Promise<number | undefined>((resolve) => {
        const sent = request(url, { method: 'POST', headers: { authorization, ...length } }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        });
        // The server may close the connection while the rest is still being sent.
        sent.on('error', () => resolve(undefined));
        sent.end(body);
      });
      expect([413, undefined]).toContain(status);
    }
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
    );
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
    expect((await end()).code).toBe(0);
  },
);

test.each(['0.0.0.0:8700', '192.0.2.1:8700', 'evil.example:8700', '8700', '127.0.0.1:70000'])(
  'mcp --http %s is refused',
  async (address) => {
    const run = await (await openWorld()).telctl(`mcp --http ${address}`);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('must be a local address') });
  },
);

test('rejects a token file that other users can read', async () => {
  const world = await openWorld();
  const path = join(world.folders.cwd, 'token');
  writeFileSync(path, 'a-token-of-many-letters\n');
  chmodSync(path, 0o644);
  const run = await world.telctl(`mcp --http 127.0.0.1:0 --token-file token`);
  expect(run).toMatchObject({ code: 9, stderr: expect.stringContaining('chmod 600') });
});
