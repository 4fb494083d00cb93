import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Failure } from '../../../../base/failure.ts';
import { type Delivered, deliveredPayload } from '../../../../contract/hook-request.ts';

/** A delivery that came in, whole. */
export interface Delivery extends Delivered {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Webhook that it is of, as it says itself. */
  readonly webhookId: string | undefined;
  readonly accountId: string | undefined;
}

export type Refusal = 'wrong secret' | 'too large' | 'not readable' | 'wrong method';

export interface Receiving {
  /** 0 takes a free one. */
  readonly port: number;
  readonly path: string;
  /** Host, with its port, by which a tunnel or proxy in front of it is called; it may come in as it was sent there. */
  readonly publicHost?: string | undefined;
  readonly isOurs: (payload: Delivered['payload']) => boolean;
  readonly accept: (delivery: Delivery) => void;
  readonly refuse: (why: Refusal) => void;
}

/** Largest body that is taken, in bytes. */
const largestBody = 1_048_576;
/** Time that a request may take to come in, in milliseconds. */
const patienceMs = 10_000;
const loopback = '127.0.0.1';

const statusOf: Readonly<Record<Refusal, number>> = {
  'wrong secret': 403,
  'too large': 413,
  'not readable': 400,
  'wrong method': 405,
};

/**
 * Listens on this machine alone for events, by form, JSON or query, and answers 200 before anything is done with them.
 * Throws `Failure` of kind `usage` where the port is taken.
 */
export async function openReceiver(receiving: Receiving) {
  const server = createServer(
    { requestTimeout: patienceMs, headersTimeout: patienceMs, connectionsCheckingInterval: patienceMs / 2 },
    (request, response) => {
      void answer(request, response, receiving);
    },
  );
  server.maxConnections = 256;
  server.listen(receiving.port, loopback);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Failure('usage', `Port ${receiving.port} of this machine cannot be listened on.`, {
      hint: 'Give another --port, or none to take a free one.',
      cause,
    });
  }
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : receiving.port,
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  receiving: Receiving,
): Promise<void> {
  // Whoever breaks off is not told anything.
  request.on('error', () => undefined);
  const turnAway = (why: Refusal): void => {
    receiving.refuse(why);
    say(response, statusOf[why], why);
  };
  const { method } = request;
  const url = URL.parse(request.url ?? '', `http://${loopback}`);
  // A page elsewhere can point its own name at this machine, and would be heard under that name.
  if (!isCalledByName(request, receiving)) return say(response, 403, 'telctl listens under another name');
  if (url?.pathname !== receiving.path)
    return say(response, 404, 'telctl listens for events at another path');
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT') return turnAway('wrong method');
  const body = await bodyUpToLimit(request);
  if (body === 'broken off') return;
  if (body === 'too large') return turnAway('too large');
  const read = deliveredPayload(method, url, request.headers['content-type'], body.toString('utf8'));
  if (read === undefined) return turnAway('not readable');
  if (!receiving.isOurs(read.payload)) return turnAway('wrong secret');
  say(response, 200, 'taken');
  receiving.accept({
    method,
    ...read,
    webhookId: headerOf(request, 'x-hook-id'),
    accountId: headerOf(request, 'x-account-id'),
  });
}

/**
 * Tells whether `Host` names this machine, by the port that the request came in at, or what stands in front of it.
 */
function isCalledByName({ headers, socket }: IncomingMessage, { publicHost }: Receiving): boolean {
  const host = (headers.host ?? '').toLowerCase();
  const own = [loopback, 'localhost'].map((name) => `${name}:${socket.localPort}`);
  return host === publicHost?.toLowerCase() || own.includes(host);
}

function say(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      ...(status === 413 ? { connection: 'close' } : {}),
    })
    .end(`${text}\n`);
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** A body up to the limit; of a larger one no more is kept, and its connection is closed with the answer. */
async function bodyUpToLimit(request: IncomingMessage): Promise<Buffer | 'too large' | 'broken off'> {
  const chunks: Buffer[] = [];
  let size = 0;
  if (Number(request.headers['content-length'] ?? 0) > largestBody) return 'too large';
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBody) resolve('too large');
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => resolve('broken off'));
  });
}
