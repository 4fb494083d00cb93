import type { Dispatcher } from 'undici';
import { Failure } from '../../base/failure.ts';
import type { Files } from '../../base/host/files.ts';
import type { Clock, Host } from '../../base/host/host.ts';
import {
  connectionFailure,
  isLoopback,
  proxySetting,
  proxyVariable,
  refusePlainHttp,
  type Transport,
} from './transport.ts';

export interface TransportOptions {
  readonly baseUrl: string;
  readonly env: Host['env'];
  readonly clock: Pick<Clock, 'now'>;
  readonly files: Pick<Files, 'readText'>;
  /** PEM file with additional certificates to trust. */
  readonly caFile?: string | undefined;
  /** PEM text of the certificate that the server itself must use, for any host name. */
  readonly certificate?: string | undefined;
  readonly client?: ClientCertificate | undefined;
  readonly insecure: boolean;
  readonly allowHttp: boolean;
  readonly connections: number;
  readonly connectTimeoutMs?: number;
}

/**
 * Creates a transport over the network. Loads the proxy part of the HTTP client only if a proxy is set. Throws
 * `Failure`: `refused` for plain http to another machine, `usage` for an unreadable certificate file.
 */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const base = new URL(options.baseUrl);
  if (base.search !== '' || base.hash !== '')
    throw new Failure(
      'usage',
      `The base URL ${base.origin}${base.pathname} has a query or fragment, which requests cannot carry.`,
      {
        hint: 'Give the address without the part from "?" or "#".',
      },
    );
  refusePlainHttp(base, options.allowHttp);
  const [dispatcher, { default: request }] = await Promise.all([
    openDispatcher(base, options),
    import('undici/lib/api/api-request.js'),
  ]);
  return {
    async send({ method, url, headers, body, timeoutMs, signal }) {
      const startedMs = options.clock.now();
      try {
        const reply = await request.call(dispatcher, {
          origin: url.origin,
          path: url.pathname + url.search,
          method: method as Dispatcher.HttpMethod,
          headers,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          // Restarts the wait for headers after each informational response.
          onInfo: () => {
            if (options.clock.now() - startedMs > timeoutMs) throw lateHeadersError();
          },
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        });
        return { status: reply.statusCode, headers: reply.headers, body: reply.body };
      } catch (error) {
        if (signal?.aborted) throw new Failure('interrupted', 'Interrupted.', { cause: error });
        throw connectionFailure(url, error, findProxy(base, options.env));
      }
    },
    // Does not wait for running requests, because the caller needs no more responses.
    close: () => dispatcher.destroy(),
  };
}

const lateHeadersError = (): Error =>
  Object.assign(new Error('informational replies alone'), { code: 'UND_ERR_HEADERS_TIMEOUT' });

async function openDispatcher(base: URL, options: TransportOptions): Promise<Dispatcher> {
  const { env, connections, connectTimeoutMs = 10_000 } = options;
  const tls = await tlsOptions(options);
  const proxy = proxySetting(base, env);
  if (!proxy || isLoopback(base.hostname)) {
    const { default: Pool } = await import('undici/lib/dispatcher/pool.js');
    return new Pool(base.origin, {
      connections,
      connect: { ...tls, timeout: connectTimeoutMs },
      allowH2: false,
    });
  }
  if (!isProxyAddress(proxy))
    throw new Failure(
      'usage',
      'The proxy in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY is not an http or https address.',
      {
        hint: 'Use the complete address: http://proxy.example:3128',
      },
    );
  const [{ default: ProxyAgent }, { default: Pool }, { default: Parent }, { default: connect }] =
    await Promise.all([
      import('undici/lib/dispatcher/env-http-proxy-agent.js'),
      import('undici/lib/dispatcher/pool.js'),
      import('undici/lib/dispatcher/dispatcher.js'),
      import('undici/lib/api/api-connect.js'),
    ]);
  // Only the complete undici adds this method, which tunnels use.
  Object.assign(Parent.prototype, { connect });
  return new ProxyAgent({
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: proxyVariable(env, 'NO_PROXY') ?? '',
    connections,
    connect: { ...tls, timeout: connectTimeoutMs },
    connectTimeout: connectTimeoutMs,
    requestTls: tls,
    allowH2: false,
    // undici waits five minutes for a proxy that accepts the connection and opens no tunnel.
    clientFactory: (origin, more) => {
      const client = new Pool(origin, { ...more, headersTimeout: connectTimeoutMs });
      const tunnel = async (wanted: Dispatcher.ConnectOptions) => {
        try {
          return await connect.call(client, wanted);
        } catch (error) {
          throw isLateReply(error) ? lateTunnelError(origin, error) : error;
        }
      };
      return Object.assign(client, { connect: tunnel });
    },
  });
}

const isLateReply = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'UND_ERR_HEADERS_TIMEOUT';

/** The proxy opened no tunnel, so the request was not sent. */
const lateTunnelError = ({ hostname, port }: URL, cause: unknown): Error =>
  Object.assign(new Error('no tunnel', { cause }), { code: 'UND_ERR_CONNECT_TIMEOUT', hostname, port });

function findProxy(base: URL, env: Host['env']): URL | undefined {
  const proxy = isLoopback(base.hostname) ? undefined : proxySetting(base, env);
  return proxy && isProxyAddress(proxy) ? new URL(proxy) : undefined;
}

const isProxyAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

async function tlsOptions({ caFile, certificate, client = {}, insecure, files }: TransportOptions) {
  const own = await readClientCertificate(files, client);
  // Always set, because otherwise NODE_TLS_REJECT_UNAUTHORIZED would disable the check.
  const anyone = { ...own, rejectUnauthorized: !insecure };
  if (certificate !== undefined)
    return { ...anyone, ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
  if (caFile === undefined) return anyone;
  const text = readPem(files, caFile, 'CERTIFICATE');
  const { getCACertificates } = await import('node:tls');
  // The file may contain the certificate of the service itself.
  return { ...anyone, ca: [...getCACertificates('default'), text], allowPartialTrustChain: true };
}

/** PEM files. */
export interface ClientCertificate {
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Throws `Failure` (`usage`) if the file is unreadable or has no such block. */
export function readPem(
  files: Pick<Files, 'readText'>,
  path: string,
  block: 'CERTIFICATE' | 'PRIVATE KEY',
): string {
  const what = block === 'CERTIFICATE' ? 'certificate' : 'key';
  const invalidFileFailure = (why: string, cause?: unknown) =>
    new Failure('usage', `The ${what} file ${path} ${why}.`, { cause });
  let file: ReturnType<Files['readText']>;
  try {
    file = files.readText(path);
  } catch (error) {
    throw invalidFileFailure('cannot be read', error);
  }
  if (file === undefined) throw invalidFileFailure('does not exist');
  if (!new RegExp(`-----BEGIN [A-Z ]*${block}-----`).test(file.text))
    throw invalidFileFailure(`contains no PEM ${what}`);
  return file.text;
}

/** Throws `Failure` (`usage`) if the key has a passphrase or does not match the certificate. */
export async function readClientCertificate(
  files: Pick<Files, 'readText'>,
  { certFile, keyFile = certFile }: ClientCertificate,
) {
  if (certFile === undefined || keyFile === undefined) {
    if (keyFile === undefined) return {};
    throw new Failure('usage', 'A client key requires its certificate.', {
      hint: 'Pass the certificate with --client-cert FILE.',
    });
  }
  const cert = readPem(files, certFile, 'CERTIFICATE');
  const key = readPem(files, keyFile, 'PRIVATE KEY');
  if (/ENCRYPTED/.test(key))
    throw new Failure(
      'usage',
      `The key in ${keyFile} has a passphrase. telctl only reads keys without one.`,
      {
        hint: 'Write a copy without the passphrase to a file that only you can read: openssl pkey -in KEY -out OTHER',
      },
    );
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Failure('usage', `The certificate in ${certFile} does not match the key in ${keyFile}.`, {
      cause,
    });
  }
  return { cert, key };
}
