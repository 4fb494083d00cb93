import type { Clock, Random } from '../host/host.ts';
import type { ChargesPolicy } from './accept-charges.ts';
import type { Authorizer } from './api.ts';
import type { RateLimiters } from './rate-limiter.ts';
import type { Recorder } from './recorder.ts';
import type { KnownRevisions } from './revisions.ts';
import type { Transport } from './transport.ts';

/** The parts of an API client. */
export interface ApiParts {
  readonly transport: Transport;
  /** Address of the service without version prefix: `https://api.example`. */
  readonly baseUrl: string;
  /** Prefix of paths that the specification writes without one: `/v2` or nothing. */
  readonly prefix: string;
  /** Fills `{account_id}` in paths that do not name another. */
  readonly accountId: string | undefined;
  /** Gives and renews the token. Without one, requests carry none. */
  readonly authorizer?: Authorizer | undefined;
  /** Further headers of every request, such as `authorization` for HTTP Basic. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Says when each request may go. One for all clients of a run. */
  readonly limiters: RateLimiters;
  /** Longest wait for one request. */
  readonly timeoutMs: number;
  /** Number of retries of a request that may be retried. */
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** True when a request that was sent is waited for even if `signal` aborts: then only the wait for a retry ends. */
  readonly finishes?: boolean | undefined;
  /** Revisions of what was read, shared by all who speak to services in one run; its own where left out. */
  readonly revisions?: KnownRevisions | undefined;
  readonly userAgent: string;
  /** Conventional reads that the service is known not to offer: they fail without being sent. */
  readonly notOffered?: ReadonlySet<string> | undefined;
  /** Name of the profile, where it allows no changes. */
  readonly readOnly?: string | undefined;
  /** Nothing may change: a call that would is a bug of the caller. */
  readonly dryRun?: boolean | undefined;
  /** Gets the word for charges. Without it, a change that adds some fails with `charges`. */
  readonly charges?: (() => Promise<ChargesPolicy>) | undefined;
  /** Notes every change in the log. Without one, none is noted. */
  readonly recorder?: Recorder | undefined;
  /** Gets a line for every request sent; never a secret. */
  readonly trace?: ((line: string) => void) | undefined;
}
