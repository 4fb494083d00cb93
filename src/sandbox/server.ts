import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';

const address = '127.0.0.1';
const loopbackNames = [address, 'localhost', '[::1]'];

/** A sandbox that listens. */
export interface ListeningSandbox {
  readonly baseUrl: string;
  readonly port: number;
  /** Answers what is under way, then ends. */
  close(): Promise<void>;
}

/**
 * Refuses (403) requests that a page in a browser could be made to send: the name in `Host` must be this
 * machine's, with the right port, and an `Origin` must be the sandbox itself. There is no CORS.
 */
function refuseStrangers({ headers, socket }: FastifyRequest): void {
  const port = socket.localPort;
  const own = loopbackNames.map((name) => (port === 80 ? name : `${name}:${port}`));
  if (!own.includes((headers.host ?? '').toLowerCase())) {
    throw new Refusal(403, 'forbidden', 'The sandbox answers to this machine alone, by its own address.');
  }
  const { origin } = headers;
  if (origin !== undefined && !own.some((host) => origin === `http://${host}`)) {
    throw new Refusal(403, 'forbidden', 'The sandbox does not answer to pages of other origins.');
  }
}

/**
 * The connections that have not brought a whole request yet: browsers open some ahead, and Node.js waits for them when
 * it closes.
 */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

/** Lets an app listen on this machine alone. Port 0 takes a free one. Throws the system's error where it is taken. */
export async function listenLocally(app: FastifyInstance, port: number): Promise<ListeningSandbox> {
  app.addHook('onRequest', async (request) => refuseStrangers(request));
  const unused = unusedConnections(app.server);
  await app.listen({ host: address, port });
  const bound = app.server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The sandbox listens nowhere.');
  return {
    baseUrl: `http://${address}:${bound.port}`,
    port: bound.port,
    close: async () => {
      const closing = app.close();
      for (const socket of unused) socket.destroy();
      await closing;
    },
  };
}
