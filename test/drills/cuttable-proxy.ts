import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback whose connections can be interrupted. */
export interface CuttableProxy {
  readonly port: number;
  /** Drops all data in both directions without closing connections. */
  cut(): void;
  /** Closes the interrupted connections. New connections work again. */
  restore(): void;
  close(): Promise<void>;
}

export async function openCuttableProxy(to: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (isCut) socket.pause();
  };
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) keep(socket);
    const pass = (from: Socket, other: Socket): void => {
      from.on('data', (chunk) => {
        if (!isCut) other.write(chunk);
      });
      from.on('close', () => {
        if (!isCut) other.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut() {
      isCut = true;
    },
    restore() {
      breakAll();
      isCut = false;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}
