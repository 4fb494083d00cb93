import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, FastifyServerFactory } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { findForeignHeader, isLoopbackAddress, loopback } from '../../base/host/loopback-server.ts';
import { messageOf } from '../../base/wording.ts';
import { Refusal } from './refusal.ts';
import { isSandboxUrl } from './requests/routes.ts';

/** The address that a sandbox listens at, and the names under which others than this machine call it. */
export interface ListenAddress {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address of this machine; left out: loopback. */
  readonly address?: string | undefined;
  /** Names in `Host` beside those of this machine, with a port where only that one is meant. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Origins of web pages that are answered beside the sandbox's own. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** The app speaks TLS. */
  readonly isSecure?: boolean | undefined;
}

export interface ListeningSandbox {
  readonly baseUrl: string;
  readonly port: number;
  /** Answers what is under way, then ends. */
  close(): Promise<void>;
  /** Breaks off what is still under way, where `close` has waited long enough. */
  closeConnections(): void;
}

/** Address that says whether the sandbox works. Whoever watches it may call it by any name: it tells nothing else. */
export const healthPath = '/sandbox/health';

/**
 * Refuses (403) requests that a page in a browser could be made to send: the name in `Host` must be this
 * machine's, with the right port, or one that was allowed, and an `Origin` must be the sandbox itself, under one of
 * them, or for the service itself one of the origins that were allowed.
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
      'The sandbox answers by its own address and the names it was given alone.',
    );
  if (foreign === 'origin' && !isAllowedOrigin(url, headers.origin, allowOrigins))
    throw new Refusal(403, 'forbidden', 'The sandbox does not answer to pages of other origins.');
}

/** Tells whether a page of another origin may ask: for the service, never for what controls or shows the sandbox. */
const isAllowedOrigin = (url: string, origin: string | undefined, allowed: readonly string[] = []): boolean =>
  origin !== undefined && allowed.includes(origin) && !isSandboxUrl(url);

/** Headers by which a browser lets a page of another origin read an answer, and send what it asked to send. */
const corsHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-headers':
    'accept, authorization, content-type, if-match, if-none-match, x-auth-token',
  'access-control-allow-methods': 'DELETE, GET, OPTIONS, PATCH, POST, PUT',
  'access-control-expose-headers': 'etag, location, retry-after, x-auth-token, x-request-id',
  vary: 'origin',
});

/** Answers pages of the origins that were allowed: what they ask for first, and the answers that they may read. */
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

/** Connections without a whole request yet: browsers open some ahead, and closing waits for them. */
function trackUnusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

/** The address by which this machine calls one that listens; one that listens everywhere by loopback. */
function callableAddress(address: string): string {
  if (address === '0.0.0.0' || address === 'localhost') return loopback;
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}

/** Lets an app listen, on this machine alone without another address. Throws the system's error. */
export async function listenAt(app: FastifyInstance, reach: ListenAddress): Promise<ListeningSandbox> {
  const { port, address = loopback, isSecure } = reach;
  const named = { ...reach, allowHosts: reach.allowHosts?.map((name) => name.toLowerCase()) };
  // Whoever is told to listen at one address is called by it, too.
  const own = callableAddress(address);
  const allowHosts = [...(named.allowHosts ?? []), ...(isLoopbackAddress(address) ? [] : [own])];
  app.addHook('onRequest', async (request) => refuseForeignRequests(request, { ...named, allowHosts }));
  if (reach.allowOrigins) answerAllowedOrigins(app, reach.allowOrigins);
  const unused = trackUnusedConnections(app.server);
  await app.listen({ host: address, port });
  const bound = app.server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The sandbox listens nowhere.');
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

/** A certificate, with those that vouch for it, and its key, as PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** The server of a sandbox that speaks TLS. */
export interface SecureServer {
  readonly factory: FastifyServerFactory;
  /** Takes another certificate for all connections from now on. Throws `Failure` (`usage`) where the pair does not fit. */
  renew(tls: Tls): void;
}

const oldest = { minVersion: 'TLSv1.2' } as const;

/** Makes the server of a sandbox that speaks TLS. Throws `Failure` (`usage`) where certificate and key do not fit. */
export async function secureServer(tls: Tls): Promise<SecureServer> {
  const [{ createServer }, { createSecureContext }] = await Promise.all([
    import('node:https'),
    import('node:tls'),
  ]);
  const checkPair = (pair: Tls): void => {
    try {
      createSecureContext(pair);
    } catch (error) {
      throw new Failure('usage', `The certificate and its key cannot be used: ${messageOf(error)}.`, {
        hint: 'Both are PEM; the certificate comes first in its file, then those that vouch for it.',
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
