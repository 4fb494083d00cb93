import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, FastifyServerFactory } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { findForeignHeader, isLoopbackAddress, loopback } from '../../base/host/loopback-server.ts';
import { errorMessage } from '../../base/wording.ts';
import { Refusal } from './refusal.ts';
import { isSandboxUrl } from './requests/routes.ts';

/** The address of a sandbox, and the callers that it accepts. */
export interface ListenAddress {
  /** 0 selects a free port. */
  readonly port: number;
  /** Address of this machine (default: loopback). */
  readonly address?: string | undefined;
  /** Additional names in the `Host` header, with or without a port. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly allowOrigins?: readonly string[] | undefined;
  readonly isSecure?: boolean | undefined;
}

export interface ListeningSandbox {
  readonly baseUrl: string;
  readonly port: number;
  /** Completes running requests, then stops. */
  close(): Promise<void>;
  /** Cuts running requests. Use it if `close` takes too long. */
  closeConnections(): void;
}

/** Path of the health check. It accepts any host name, because it only shows that the sandbox is running. */
export const healthPath = '/sandbox/health';

/**
 * Refuses (403) requests that a foreign web page can cause (DNS rebinding, CSRF). `Host` must be this machine or an
 * allowed name. `Origin` must be the sandbox itself, or an allowed origin for requests to the service.
 */
function refuseForeignRequests(
  { headers, socket, url }: FastifyRequest,
  { allowHosts: others = [], allowOrigins, isSecure }: ListenAddress,
): void {
  const foreign = findForeignHeader({ headers, socket }, { others, isSecure });
  if (foreign === 'host' && url !== healthPath)
    throw new Refusal(
      403,
      'forbidden',
      'The sandbox only answers requests for its own address or an allowed host name.',
    );
  if (foreign === 'origin' && !isAllowedOrigin(url, headers.origin, allowOrigins))
    throw new Refusal(403, 'forbidden', 'The sandbox does not accept requests from pages of other origins.');
}

/** Returns true if pages of an origin can call the service. They can never control the sandbox or read its page. */
const isAllowedOrigin = (url: string, origin: string | undefined, allowed: readonly string[] = []): boolean =>
  origin !== undefined && allowed.includes(origin) && !isSandboxUrl(url);

const corsHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-headers':
    'accept, authorization, content-type, if-match, if-none-match, x-auth-token',
  'access-control-allow-methods': 'DELETE, GET, OPTIONS, PATCH, POST, PUT',
  'access-control-expose-headers': 'etag, location, retry-after, x-auth-token, x-request-id',
  vary: 'origin',
});

/** Responds to CORS preflights of allowed origins, and adds CORS headers to responses. */
function answerAllowedOrigins(app: FastifyInstance, allowed: readonly string[]): void {
  app.addHook('onRequest', async ({ headers: { origin, ...headers }, method, url }, reply) => {
    if (!isAllowedOrigin(url, origin, allowed) || method !== 'OPTIONS') return;
    if (headers['access-control-request-method'] === undefined) return;
    return reply.code(204).send();
  });
  app.addHook('onSend', async ({ headers: { origin = '' }, url }, reply) => {
    if (isAllowedOrigin(url, origin, allowed)) reply.headers(corsHeaders(origin));
  });
}

/**
 * Tracks connections without a request, because closing would wait for them. Browsers open such connections in
 * advance.
 */
function trackUnusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

/** Returns the host name that reaches a listening address from this machine. */
function callableAddress(address: string): string {
  if (address === '0.0.0.0' || address === 'localhost') return loopback;
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}

/** Starts an app at an address (default: loopback). Throws the error of the system. */
export async function listenAt(app: FastifyInstance, reach: ListenAddress): Promise<ListeningSandbox> {
  const { port, address = loopback, isSecure } = reach;
  const named = { ...reach, allowHosts: reach.allowHosts?.map((name) => name.toLowerCase()) };
  // Callers use the address that the sandbox listens on.
  const own = callableAddress(address);
  const allowHosts = [...(named.allowHosts ?? []), ...(isLoopbackAddress(address) ? [] : [own])];
  app.addHook('onRequest', async (request) => refuseForeignRequests(request, { ...named, allowHosts }));
  if (reach.allowOrigins) answerAllowedOrigins(app, reach.allowOrigins);
  const unused = trackUnusedConnections(app.server);
  await app.listen({ host: address, port });
  const bound = app.server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The sandbox has no TCP port.');
  return {
    baseUrl: `${isSecure ? 'https' : 'http'}://${own}:${bound.port}`,
    port: bound.port,
    closeConnections: () => app.server.closeAllConnections(),
    close: async () => {
      const closing = app.close();
      for (const socket of unused) socket.destroy();
      await closing;
    },
  };
}

/** A certificate with its chain, and its private key, as PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

export interface SecureServer {
  readonly factory: FastifyServerFactory;
  /** Replaces the certificate for new connections. Throws `Failure` (`usage`) if the pair does not match. */
  renew(tls: Tls): void;
}

const oldest = { minVersion: 'TLSv1.2' } as const;

/** Creates a TLS server. Throws `Failure` (`usage`) if certificate and key do not match. */
export async function secureServer(tls: Tls): Promise<SecureServer> {
  const [{ createServer }, { createSecureContext }] = await Promise.all([
    import('node:https'),
    import('node:tls'),
  ]);
  const checkPair = (pair: Tls): void => {
    try {
      createSecureContext(pair);
    } catch (error) {
      throw new Failure('usage', `The certificate and its key cannot be used: ${errorMessage(error)}.`, {
        hint: 'Both files must be PEM. The chain follows the certificate in its file.',
        cause: error,
      });
    }
  };
  checkPair(tls);
  let server: ReturnType<typeof createServer> | undefined;
  return {
    factory: (handler) => {
      server = createServer({ ...tls, ...oldest }, handler);
      return server;
    },
    renew(pair) {
      checkPair(pair);
      server?.setSecureContext({ ...pair, ...oldest });
    },
  };
}
