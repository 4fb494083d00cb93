import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on loopback that can be cut. */
export interface CuttableWay {
  readonly port: number;
  /** From now on nothing comes through in either direction, and nobody is told. */
  cut(): void;
  /** Breaks what was cut; new connections come through again. */
  mend(): void;
  close(): Promise<void>;
}

/** Opens a way to a port. */
export async function cuttableWay(to: number): Promise<CuttableWay> {
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
    mend() {
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
