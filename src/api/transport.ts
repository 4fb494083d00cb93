import type { Readable } from 'node:stream';

/** One HTTP request, complete: absolute URL, headers, body. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
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
