import type { Readable } from 'node:stream';
import { Failure } from '../../base/failure.ts';

/** One HTTP request, complete: absolute URL, headers, body. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One HTTP reply. Header names are in lower case. The body must be read to its end or destroyed. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/**
 * Carries requests to a service: over the network, or straight into a sandbox app in a test. Never follows a
 * redirect. Throws a `Failure` of kind `unavailable` (or `interrupted`) where no reply came.
 */
export interface Transport {
  send(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}

/** Tells whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** Refuses plain http to another machine, where passwords and tokens could be read on the way, unless it is allowed. */
export function refusePlainHttp(base: URL, allowed: boolean): void {
  if (base.protocol === 'https:' || allowed || isLoopback(base.hostname)) return;
  throw new Failure(
    'refused',
    `${base.origin} is plain http: passwords and tokens could be read on the way.`,
    {
      hint: `Use https://${base.host}, or give --allow-http if the network is safe.`,
    },
  );
}
