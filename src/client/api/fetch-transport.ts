import { Readable } from 'node:stream';
import { Failure } from '../../base/failure.ts';
import { connectionFailure, refusePlainHttp, type Transport } from './transport.ts';

export interface FetchOptions {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly fetch: typeof fetch;
  readonly abortedAfter: (ms: number) => AbortSignal;
  /** Requests at once. */
  readonly concurrency: number;
}

/** A transport by the runtime's `fetch`, with its certificates and proxies. Refuses plain http elsewhere. */
export function openFetchTransport(options: FetchOptions): Transport {
  const { baseUrl, allowHttp, fetch, abortedAfter, concurrency } = options;
  refusePlainHttp(new URL(baseUrl), allowHttp);
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const ended = new AbortController();
  return {
    async send({ method, url, headers, body, timeoutMs, signal }) {
      if (underWay >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
      underWay += 1;
      const late = abortedAfter(timeoutMs);
      const signals = [late, ended.signal, ...(signal ? [signal] : [])];
      const free = (): void => {
        underWay -= 1;
        waiting.shift()?.();
      };
      try {
        const reply = await fetch(url, {
          method,
          headers,
          redirect: 'manual',
          signal: AbortSignal.any(signals),
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Uint8Array.from(body) }),
        });
        const bytes = new Uint8Array(await reply.arrayBuffer());
        // The runtime has decoded the body already.
        const { 'content-encoding': _, ...rest } = Object.fromEntries(reply.headers);
        return {
          status: reply.status,
          headers: rest,
          body: Readable.from(bytes.length === 0 ? [] : [bytes]),
        };
      } catch (error) {
        if (signal?.aborted || ended.signal.aborted)
          throw new Failure('interrupted', 'Interrupted.', { cause: error });
        throw connectionFailure(url, late.aborted ? tooLate() : error);
      } finally {
        free();
      }
    },
    async close() {
      ended.abort();
    },
  };
}

const tooLate = (): Error =>
  Object.assign(new Error('no reply in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
