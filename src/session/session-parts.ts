import type { Authorizer } from '../api/api.ts';
import type { ApiParts } from '../api/api-parts.ts';
import type { RateLimiters } from '../api/rate-limiter.ts';
import type { Transport } from '../api/transport.ts';
import type { Host } from '../host/host.ts';
import type { Settings } from './settings.ts';

/** What signing in takes of the run it happens in. */
export interface SessionParts {
  readonly host: Host;
  readonly settings: Settings;
  /** The way to a service; opened when a request is due, closed by whoever gave this. */
  connect(baseUrl: string): Promise<Transport>;
  /** Say when each request may go. */
  readonly limiters: RateLimiters;
  /** Asks for a secret; left out where nobody can be asked. */
  readonly askSecret?: ((question: string) => Promise<string>) | undefined;
  warn(line: string): void;
  readonly userAgent: string;
  /** Gets a line for every request sent. */
  readonly trace?: ((line: string) => void) | undefined;
}

/** Which service is spoken to, and as whom. */
export interface Address {
  readonly baseUrl: string;
  readonly prefix: string;
  readonly accountId: string | undefined;
  readonly authorizer?: Authorizer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an API client for an address is made of in this run. */
export async function apiPartsFor(parts: SessionParts, address: Address): Promise<ApiParts> {
  const { host, settings, limiters, userAgent, trace } = parts;
  return {
    ...address,
    transport: await parts.connect(address.baseUrl),
    clock: host.clock,
    random: host.random,
    limiters,
    timeoutMs: settings.timeoutMs.value,
    retries: settings.retries.value,
    signal: host.interrupted,
    userAgent,
    trace,
  };
}
