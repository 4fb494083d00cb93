import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** A request that arrived at a receiver. */
export interface Received {
  readonly method: string;
  /** With query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

/**
 * Reaction of a receiver: a status (3xx redirects to another path), `hang` never responds, `reset` breaks the
 * connection, `slow` sends 200 byte by byte, `huge` sends 64 MB, `bomb` sends 4 MB that are small when compressed.
 * `garbage`, `headers` and `hints` violate HTTP or its limits: invalid chunks, a header of 1 MB, an early hint before
 * 200.
 */
export type Behaviour = number | 'hang' | 'reset' | 'slow' | 'huge' | 'bomb' | keyof typeof rawAnswers;

/** Raw responses. */
const rawAnswers = {
  garbage: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nno chunk\r\n',
  headers: `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(1_048_576)}\r\ncontent-length: 0\r\n\r\n`,
  hints: 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
} as const;

/**
 * Selects the reaction by request and number of earlier requests. It can act first, for example disable its webhook.
 */
export type Answering = (request: Received, before: number) => Behaviour | Promise<Behaviour>;

export interface ReceiverOptions {
  /** Default: 200. A list has one reaction per request; the last one repeats. */
  readonly answer?: Behaviour | readonly Behaviour[] | Answering;
  /** Closes permanently after so many responses. */
  readonly closeAfter?: number;
}

/** A web server for a test. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** In order of arrival. */
  readonly received: readonly Received[];
  /** Changes the reaction from now on. */
  answerWith(answer: NonNullable<ReceiverOptions['answer']>): void;
  /** Waits until this many requests have arrived in total. Throws after `withinMs`. */
  arrived(count: number, withinMs?: number): Promise<readonly Received[]>;
  /** Refuses new connections and breaks open ones. */
  close(): Promise<void>;
  /** Listens on the same port again. */
  reopen(): Promise<void>;
}

const hugeChunk = Buffer.alloc(1_048_576, 'x');
const hugeChunks = 64;
const slowPauseMs = 20;

function toAnswering(answer: NonNullable<ReceiverOptions['answer']>): Answering {
  if (typeof answer === 'function') return answer;
  const list = typeof answer === 'object' ? answer : [answer];
  return (_request, before) => list[Math.min(before, list.length - 1)] ?? 200;
}

async function read(request: IncomingMessage): Promise<Received> {
  const at = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.entries(request.headers).map(([name, value = '']) => [name, String(value)]);
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
    at,
  };
}

function answerSlowly(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const beat = setInterval(() => response.write('.'), slowPauseMs);
  response.on('close', () => clearInterval(beat));
}

function answerCompressed(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
  response.end(gzipSync(Buffer.alloc(4 * hugeChunk.length)));
}

async function answerHugely(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const chunks = Array.from({ length: hugeChunks }, () => hugeChunk);
  await pipeline(Readable.from(chunks), response);
}

async function behave(response: ServerResponse, behaviour: Behaviour): Promise<void> {
  if (behaviour === 'reset') response.socket?.resetAndDestroy();
  else if (behaviour === 'slow') answerSlowly(response);
  else if (behaviour === 'huge') await answerHugely(response);
  else if (behaviour === 'bomb') answerCompressed(response);
  else if (behaviour === 'garbage' || behaviour === 'headers' || behaviour === 'hints')
    response.socket?.write(rawAnswers[behaviour]);
  else if (typeof behaviour === 'number') {
    if (behaviour >= 300 && behaviour < 400) response.setHeader('location', '/elsewhere');
    response.writeHead(behaviour);
    response.end(behaviour === 204 ? undefined : 'noted');
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return address.port;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** Starts a local web server that records requests and stops with the test. */
export async function receiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { closeAfter = Number.POSITIVE_INFINITY } = options;
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let answering = toAnswering(options.answer ?? 200);
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrival = await read(request);
    const before = received.push(arrival) - 1;
    for (const wake of waiting) wake();
    await behave(response, await answering(arrival, before));
    if (before + 1 >= closeAfter) response.on('finish', () => void closeServer(server));
  };
  const server = createServer((request, response) => {
    // A client that disconnects while sending is expected.
    take(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  onTestFinished(() => closeServer(server));

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    answerWith: (answer) => {
      const from = received.length;
      const next = toAnswering(answer);
      answering = (request, before) => next(request, before - from);
    },
    arrived: (count, withinMs = 5000) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (received.length < count) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(received);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${received.length} of ${count} requests arrived within ${withinMs} ms`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
    close: () => closeServer(server),
    reopen: async () => {
      await listen(server, port);
    },
  };
}
