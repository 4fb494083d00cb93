import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Failure } from '../../src/base/failure.ts';
import type { HttpReply, HttpRequest, Transport } from '../../src/client/api/transport.ts';
import { connectionFailure } from '../../src/client/api/transport.ts';
import { type FaultRule, faultTable } from './faults.ts';

export interface SentRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Encoded path without query. */
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, other text, or `undefined` without a body. */
  readonly body: unknown;
}

/** The part of a Fastify app that is called without a network. */
export interface Injectable {
  inject(request: {
    method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
    url: string;
    headers: Record<string, string>;
    payload?: string | Buffer;
    remoteAddress: string;
  }): Promise<{
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
    readonly rawPayload: Buffer;
  }>;
}

/** A transport into an app that records requests and applies faults. */
export interface InjectTransport extends Transport {
  readonly requests: readonly SentRequest[];
}

/** Returns a body as text, or the size of a file. */
const bodyText = (body: string | Uint8Array | undefined): string | undefined =>
  body instanceof Uint8Array ? `${body.length} bytes` : body;

function parseBody(body: string | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const unreachableFailure = ({ url }: HttpRequest, code: string): Failure =>
  connectionFailure(url, Object.assign(new Error(code), { code }));

/** Ends the body after some bytes, like a connection that breaks. */
function breakAfter(body: Buffer, bytes: number): Readable {
  let sent = false;
  return new Readable({
    read() {
      if (sent) this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
      else this.push(body.subarray(0, bytes));
      sent = true;
    },
  });
}

function textHeaders(
  headers: Readonly<Record<string, string | string[] | number | undefined>>,
): Readonly<Record<string, string | string[] | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
}

async function waitForAbort(signal: AbortSignal | undefined): Promise<never> {
  if (signal && !signal.aborted) await once(signal, 'abort');
  throw new Failure('interrupted', 'Interrupted.');
}

/** Creates a transport into an app, or into the app at each origin. The first matching fault rule applies. */
export function injectTransport(
  app: Injectable | ((origin: string) => Injectable),
  rules: readonly FaultRule[] = [],
): InjectTransport {
  const appAt = typeof app === 'function' ? app : () => app;
  const requests: SentRequest[] = [];
  const faultFor = faultTable(rules);

  async function answer(request: HttpRequest): Promise<HttpReply> {
    const response = await appAt(request.url.origin).inject({
      method: request.method as 'GET',
      url: request.url.pathname + request.url.search,
      headers: { host: request.url.host, ...request.headers },
      remoteAddress: '127.0.0.1',
      ...(request.body === undefined
        ? {}
        : { payload: typeof request.body === 'string' ? request.body : Buffer.from(request.body) }),
    });
    return {
      status: response.statusCode,
      headers: textHeaders(response.headers),
      body: Readable.from([response.rawPayload]),
    };
  }

  return {
    requests,
    async send(request) {
      if (request.signal?.aborted) throw new Failure('interrupted', 'Interrupted.');
      const { origin, pathname, search } = request.url;
      requests.push({
        method: request.method,
        origin,
        path: pathname,
        search,
        headers: request.headers,
        body: parseBody(bodyText(request.body)),
      });
      const fault = faultFor(request.method, pathname, bodyText(request.body));
      switch (fault?.kind) {
        case undefined:
        case 'pass':
          return answer(request);
        case 'meanwhile':
          await fault.does();
          return answer(request);
        case 'refuse':
          throw unreachableFailure(request, 'ECONNREFUSED');
        case 'cut':
          throw unreachableFailure(request, fault.by === 'reset' ? 'ECONNRESET' : 'UND_ERR_SOCKET');
        case 'lose-reply':
          await answer(request);
          throw unreachableFailure(request, 'ECONNRESET');
        case 'late':
          await answer(request);
          throw unreachableFailure(request, 'UND_ERR_HEADERS_TIMEOUT');
        case 'duplicate':
          await answer(request);
          return answer(request);
        case 'answer':
          return {
            status: fault.status,
            headers: { 'content-type': 'application/json', ...fault.headers },
            body: Readable.from([Buffer.from(fault.body ?? '')]),
          };
        case 'truncate': {
          const reply = await answer(request);
          return { ...reply, body: breakAfter(await readBytes(reply.body), fault.afterBytes) };
        }
        case 'rewrite': {
          const reply = await answer(request);
          const changed = fault.change((await readBytes(reply.body)).toString('utf8'));
          return { ...reply, body: Readable.from([Buffer.from(changed)]) };
        }
        case 'keep': {
          const envelope = JSON.parse(bodyText(request.body) ?? '{}');
          const body = JSON.stringify({ ...envelope, data: await fault.change(envelope.data) });
          return answer({ ...request, body });
        }
        case 'hang':
          fault.onRequest?.();
          return waitForAbort(request.signal);
      }
    },
    async close() {},
  };
}

async function readBytes(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
