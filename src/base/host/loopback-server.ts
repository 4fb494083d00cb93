import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Failure } from '../failure.ts';

export const loopback = '127.0.0.1';

/** Returns true if an IP address, or `localhost`, is only reachable from this machine. */
export const isLoopbackAddress = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(address);

/** Parses `127.0.0.1:8700`, `[::1]:8700` or `8700`. Returns `undefined` for other text. */
export function parseAddress(
  text: string,
): { readonly host: string | undefined; readonly port: number } | undefined {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  if (digits === undefined || Number(digits) > 65_535) return undefined;
  return { host: bracketed ?? plain, port: Number(digits) };
}

interface OwnNames {
  /** Allowed values of `Host` in addition to those of this machine. A value with a port allows only that port. */
  readonly others?: readonly string[];
  readonly isSecure?: boolean | undefined;
}

/**
 * Returns the header that shows that a request is not meant for this server. Web pages can point their own name at this
 * machine (DNS rebinding), and any page can send requests to it.
 */
export function findForeignHeader(
  { headers: { host, origin }, socket: { localPort } }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { others = [], isSecure = false }: OwnNames = {},
): 'host' | 'origin' | undefined {
  const usualPort = isSecure ? 443 : 80;
  const isOwn = (called: string): boolean => {
    const [, name = '', port = usualPort] = /^(.*?)(?::(\d+))?$/.exec(called) ?? [];
    if (others.includes(called) || others.includes(name)) return true;
    return Number(port) === localPort && isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
  };
  if (!isOwn((host ?? '').toLowerCase())) return 'host';
  // A proxy in front of the server may terminate TLS.
  const schemes = others.length > 0 ? ['https://', 'http://'] : [isSecure ? 'https://' : 'http://'];
  const isOwnPage = (page: string): boolean =>
    schemes.some((scheme) => page.startsWith(scheme) && isOwn(page.slice(scheme.length)));
  return origin === undefined || isOwnPage(origin) ? undefined : 'origin';
}

/** Time in which a request must arrive, in milliseconds. */
const requestTimeoutMs = 10_000;

/** `url` has no trailing slash. */
export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** Serves HTTP on this machine. Throws `Failure` (`usage`) with `hint` if it cannot listen there. */
export async function openServer(
  { port, address = loopback, hint }: { port: number; address?: string | undefined; hint: string },
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<LoopbackServer> {
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 2,
    },
    async (request, response) => {
      // A client can disconnect at any time and then gets no response.
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      try {
        await answer(request, response);
      } catch {
        response.destroy();
      }
    },
  );
  server.maxConnections = 256;
  server.listen(port, address);
  const shown = address.includes(':') ? `[${address}]` : address;
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Failure('usage', `Cannot listen on ${shown}:${port}.`, { hint, cause });
  }
  const bound = server.address();
  const boundPort = bound !== null && typeof bound === 'object' ? bound.port : port;
  return {
    port: boundPort,
    url: `http://${shown}:${boundPort}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Responds with a line of text without reading the rest of the request, and closes the connection. */
export function rejectRequest(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { socket } = response;
  const type = 'text/plain; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...headers, connection: 'close' });
  response.end(`${text}\n`, () => socket?.destroySoon());
}

/** Reads a body of at most `limit` bytes. The rest of a larger body is discarded until the connection closes. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | 'too large' | 'broken off'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return 'too large';
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) resolve('too large');
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => resolve('broken off'));
  });
}
