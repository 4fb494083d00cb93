import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { runProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

const mebibyte = 1024 * 1024;
const canary = 'token-of-the-canary';

/**
 * Starts a server that calls `treat` for each connection after its first data. Returns its URL and everything it
 * received.
 */
async function startServer(treat: (socket: Socket) => unknown): Promise<{ url: string; sent(): string }> {
  const open = new Set<Socket>();
  let sent = '';
  const listener = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => treat(socket));
    socket.on('data', (chunk: Buffer) => {
      sent += chunk.toString('latin1');
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    listener.close();
    await once(listener, 'close');
  });
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, sent: () => sent };
}

/** Writes a text repeatedly until the connection ends. */
function writeRepeatedly(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once('close', () => clearInterval(timer));
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Reads a path with a timeout of one second and no retries. */
const readAccounts = (url: string) =>
  runProcess(['api', 'GET', '/v2/accounts', '-o', 'json'], {
    home: testFolders().home,
    env: {
      ...{ TELCTL_BASE_URL: url, TELCTL_TOKEN: canary, TELCTL_TIMEOUT: '1', TELCTL_RETRIES: '0' },
      // Much less memory than a decompressed bomb.
      NODE_OPTIONS: '--max-old-space-size=200',
    },
  });

const bomb = gzipSync(Buffer.alloc(200 * mebibyte));

test.each([
  [
    'informational replies without end',
    (socket: Socket) => writeRepeatedly(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 5),
    [75],
  ],
  ['headers drop by drop', (socket: Socket) => writeRepeatedly(socket, 'H', 200), [75, 1]],
  [
    'a header without end',
    (socket: Socket) => {
      socket.write(`${ok}x-long: `);
      return writeRepeatedly(socket, 'x'.repeat(mebibyte), 5);
    },
    [75, 1],
  ],
  [
    'a body drop by drop',
    (socket: Socket) => {
      socket.write(`${ok}content-length: 100000\r\n\r\n{"data": "`);
      return writeRepeatedly(socket, 'x', 100);
    },
    [75],
  ],
  [
    'a body without end',
    (socket: Socket) => {
      socket.write(`${ok}\r\n{"data": "`);
      return writeRepeatedly(socket, 'x'.repeat(4 * mebibyte), 1);
    },
    [1, 75],
  ],
  [
    'a compressed body that is a bomb',
    (socket: Socket) => {
      socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
    [1],
  ],
  ['another protocol', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), [1, 75]],
] as const)('%s ends in time with one sentence', async (_, treat, codes) => {
  const { url } = await startServer(treat);
  const startedMs = performance.now();
  const { code, stdout, stderr } = await readAccounts(url);
  expect(codes, stderr).toContain(code);
  expect(performance.now() - startedMs).toBeLessThan(60_000);
  expect(stdout).toBe('');
  expect(JSON.parse(stderr).error.message).toContain(url);
  expect(stderr).not.toContain('bug in telctl');
});

test('a redirect carries no token to another origin', async () => {
  const other = await startServer((socket) => socket.end(`${ok}content-length: 11\r\n\r\n{"data": {}}`));
  const { url, sent } = await startServer((socket) =>
    socket.end(
      `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${other.url}/v2/accounts\r\ncontent-length: 0\r\n\r\n`,
    ),
  );
  const { code, stderr } = await readAccounts(url);
  expect(code, stderr).toBe(1);
  expect(sent()).toContain(canary);
  expect(other.sent()).toBe('');
});
