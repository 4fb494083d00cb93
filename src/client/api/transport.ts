import type { Readable } from 'node:stream';
import { createHint, Failure, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Repeat } from '../../contract/types.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Header names are in lower case. The caller must read the body to its end or destroy it. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/**
 * Sends requests to a service over the network, or directly to a sandbox app in tests. Never follows redirects.
 * Throws a `Failure` of kind `unavailable` or `interrupted` if there is no response.
 */
export interface Transport {
  send(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}

export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** Throws `refused`, because passwords and tokens could be read on the way. */
export function refusePlainHttp(base: URL, allowed: boolean): void {
  if (base.protocol === 'https:' || allowed || isLoopback(base.hostname)) return;
  throw new Failure(
    'refused',
    `${base.origin} is plain http: passwords and tokens could be read on the way.`,
    { hint: `Use https://${base.host}, or pass --allow-http if the network is safe.` },
  );
}

const reasons = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'connection reset'],
  ['UND_ERR_SOCKET', 'connection closed'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'the name cannot be looked up now'],
  ['EHOSTUNREACH', 'no route to it'],
  ['ENETUNREACH', 'no network'],
  ['ETIMEDOUT', 'timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timed out'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timed out'],
  ['UND_ERR_BODY_TIMEOUT', 'timed out'],
]);

/** A retry does not solve certificate errors. */
const certificate = /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/;
/** The service refused the client certificate, or requires one. */
const ownCertificate = /^ERR_SSL_.*ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE)/;

/** Permanent errors with messages and hints. The last group is for services that do not use TLS or HTTP. */
const permanentErrors = [
  [
    certificate,
    ({ origin }: URL) => `The certificate of ${origin} is not trusted`,
    'Pass the certificate of its authority with --ca-file FILE.',
  ],
  [
    ownCertificate,
    ({ origin }: URL) => `${origin} refused the connection: it may require a client certificate`,
    'Pass a certificate that it accepts with --client-cert FILE and --client-key FILE.',
  ],
  [
    /^(?:HPE_|ERR_SSL_|EPROTO$)/,
    ({ origin, protocol }: URL) => `The server at ${origin} does not speak ${protocol.slice(0, -1)}`,
    'Check the address, its port and https or http.',
  ],
] as const;

const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns the code of an error of Node.js or undici, or of one of the tried addresses. */
function networkErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? networkErrorCode(error.errors[0]) : networkErrorCode(error.cause);
}

/** Returns the status with which a proxy refused a tunnel. undici only has it in the error message. */
function proxyRefusalStatus(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return (
    /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message)?.[1] ??
    proxyRefusalStatus(error.cause)
  );
}

function isConnectionTo(proxy: URL, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return isConnectionTo(proxy, error.errors[0]);
  const { port, hostname, cause } = error as Error & { readonly port?: unknown; readonly hostname?: unknown };
  const own = proxy.port || (proxy.protocol === 'https:' ? '443' : '80');
  return String(port ?? '') === own || hostname === proxy.hostname || isConnectionTo(proxy, cause);
}

/** Reads a variable in lower or upper case. */
export const proxyVariable = (env: Host['env'], name: string): string | undefined =>
  env[name.toLowerCase()] ?? env[name];

/** Uses `ALL_PROXY` as the default. */
export const proxySetting = ({ protocol }: Pick<URL, 'protocol'>, env: Host['env']): string | undefined =>
  (protocol === 'https:' ? proxyVariable(env, 'HTTPS_PROXY') : undefined) ??
  proxyVariable(env, 'HTTP_PROXY') ??
  proxyVariable(env, 'ALL_PROXY');

/** The proxy requires credentials (407). */
export const proxyPasswordFailure = (origin: string, cause?: unknown): Failure =>
  new Failure('failed', `The proxy on the way to ${origin} requires a user name and password (407).`, {
    status: 407,
    details: { answered_by: 'proxy' },
    hint: 'Write them into HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@proxy.example:3128',
    cause,
  });

/** Returns `unavailable` for temporary problems and `failed` for permanent ones. */
export function connectionFailure(url: URL, error: unknown, proxy?: URL): Failure {
  const code = networkErrorCode(error);
  const { origin, hostname } = url;
  for (const [codes, said, hint] of permanentErrors)
    if (codes.test(code)) return new Failure('failed', `${said(url)} (${code}).`, { hint, cause: error });
  const refusal = proxyRefusalStatus(error);
  if (refusal === '407') return proxyPasswordFailure(origin, error);
  if (refusal !== undefined)
    return new Failure('unavailable', `The proxy on the way to ${origin} refuses to connect (${refusal}).`, {
      hint: `Look at HTTPS_PROXY and HTTP_PROXY; NO_PROXY=${hostname} bypasses them.`,
      cause: error,
    });
  const reason = reasons.get(code) ?? (code || 'connection lost');
  if (proxy && isConnectionTo(proxy, error))
    return new Failure(
      'unavailable',
      `The proxy ${proxy.host} on the way to ${origin} does not answer (${reason}).`,
      {
        hint: `Look at HTTPS_PROXY, HTTP_PROXY and ALL_PROXY; NO_PROXY=${hostname} bypasses them.`,
        cause: error,
      },
    );
  return new Failure('unavailable', `${origin} does not answer (${reason}).`, {
    hint: isLoopback(hostname)
      ? createHint`If the sandbox is not running, start it: ${nextStep`sandbox start`}`
      : undefined,
    cause: error,
  });
}

export const doubtHints = {
  idempotent: 'The request may have been carried out. It is safe to repeat it.',
  never: 'The request may have been carried out. Check before you repeat it.',
} as const satisfies Partial<Record<Repeat, string>>;

/** Returns false if there was no connection. */
export function wasSent(failure: Failure): boolean {
  const code = networkErrorCode(failure);
  if (unsentCodes.has(code) || certificate.test(code) || ownCertificate.test(code)) return false;
  return proxyRefusalStatus(failure) === undefined;
}

export function markInDoubt(failure: Failure, repeat: Repeat): Failure {
  if (repeat === 'safe') return failure;
  if (!wasSent(failure)) return failure;
  return new Failure(failure.kind, failure.lines, {
    hint: doubtHints[repeat],
    inDoubt: true,
    cause: failure,
  });
}
