import type { Failure } from '../../base/failure.ts';
import type { Clock, Random } from '../../base/host/host.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { formatCount } from '../../base/wording.ts';
import type { Method, Operation } from '../../contract/types.ts';
import type { Charging } from './accept-charges.ts';
import type { Sending } from './client.ts';
import type { IncomingReply } from './exchange.ts';
import type { RateLimiters } from './rate-limiter.ts';
import type { Recorder } from './recorder.ts';
import type { KnownRevisions } from './revisions.ts';
import type { Transport } from './transport.ts';

/** `undefined` is omitted, and arrays repeat the name. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The content never appears in traces or logs. */
export interface SentFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Returns `binary, 1234 bytes`. */
export const describeFile = ({ bytes }: SentFile): string => `binary, ${formatCount(bytes.length, 'byte')}`;

export interface ApiRequest {
  readonly operation: Operation;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
  /** The envelope's `data` (default: `{}` if the operation has a body). */
  readonly data?: Json;
  readonly file?: SentFile;
  /** Sends the data unchanged. Otherwise its numbers are converted to the service's format. */
  readonly isVerbatim?: true;
  readonly accept?: string;
  /** Name of the record, as confirmation of a dangerous operation. */
  readonly confirm?: string;
  /** The record, if it was already read. */
  readonly record?: JsonObject | undefined;
}

export interface GuardedRequest {
  readonly operation: Operation;
  readonly data: Json | undefined;
  readonly confirm?: string | undefined;
  /** Includes the account. */
  readonly path: Readonly<Record<string, string>>;
  /** The record, if it was already read. */
  readonly record?: JsonObject | undefined;
}

/** A call by method and path, for `telctl api`. The path includes the prefix. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly query?: QueryParameters;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the record, as confirmation of a dangerous operation. */
  readonly confirm?: string;
}

export interface Reply {
  readonly status: number;
  /** The envelope's `data`, or `{}` for an empty body. */
  readonly data: Json;
  readonly requestId: string | undefined;
  /** The rest of the envelope (page_size, next_start_key, timestamp, …), without `auth_token`. */
  readonly envelope: JsonObject;
  /** Set if the body is not JSON. */
  readonly text?: string;
  /** Set if the body is audio or the requested file. */
  readonly bytes?: Uint8Array;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly charges?: string;
}

/** A request that was not sent, for `--dry-run` and plans. `data` still contains secrets. */
export interface PlannedRequest {
  readonly method: Method;
  readonly path: string;
  readonly body: Json | undefined;
}

export interface Api {
  /** Sends one call. Renews the token, and retries if it is safe. Throws `Failure`. */
  call(call: ApiRequest): Promise<Reply>;
  /** Reads all pages of a list, one array per page, with each record once. Calls `heard` with each response. */
  pages(call: ApiRequest, heard?: (reply: Reply) => void): AsyncIterable<readonly JsonObject[]>;
  plan(call: ApiRequest): PlannedRequest;
  raw(call: RawCall): Promise<Reply>;
  /**
   * Sends one call and returns any response unchanged, to detect what a service supports. Accepts no charges, renews
   * no token, and sends the data unchanged. Throws `Failure` if there is no response.
   */
  probe(call: ApiRequest, headers?: Readonly<Record<string, string>>): Promise<IncomingReply>;
  /** Overrides timeouts, retries and consent. Adds a signal. */
  withTerms(own: CallTerms): Api;
  /** Two-letter country of national numbers, or `undefined` if it is unknown. */
  country(accountId?: string): Promise<string | undefined>;
  /** Unix milliseconds, or `undefined` before the first response. */
  serviceNowMs(): number | undefined;
  close(): Promise<void>;
}

export type CallTerms = Partial<Pick<ApiParts, 'timeoutMs' | 'retries' | 'signal'>> &
  Partial<Pick<Charging, 'agreement'>>;

export interface Authorizer {
  token(): Promise<string>;
  /** Returns a token other than `rejected` after a 401, or throws a `Failure` of kind `auth`. */
  renew(rejected: string): Promise<string>;
}

export interface ApiParts {
  readonly transport: Transport;
  /** Address of the service without version prefix: `https://api.example`. */
  readonly baseUrl: string;
  /** Prefix of paths that the specification writes without one: `/v2` or empty. */
  readonly prefix: string;
  readonly accountId: string | undefined;
  /** Country of national numbers (default: that of the account's own number). */
  readonly country?: string | undefined;
  /** Called for a national number whose country is unknown or does not have such numbers. */
  readonly onUnreadNumber?: ((text: string, country: string | undefined) => void) | undefined;
  readonly authorizer?: Authorizer | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Shared by all clients of a run. */
  readonly limiters: RateLimiters;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** If true, `signal` only ends waits for a retry, and a sent request is finished. */
  readonly finishesRequests?: boolean | undefined;
  /** Shared by all clients of a run (default: separate). */
  readonly revisions?: KnownRevisions | undefined;
  readonly userAgent: string;
  /** Conventional reads that the service is known not to offer. They fail without a request. */
  readonly notOffered?: ReadonlySet<string> | undefined;
  /** Operations that refuse the current revision, and patches that only merge top-level fields. */
  readonly learned?:
    | {
        readonly refusesTags?: readonly string[] | undefined;
        readonly mergesOneLevel?: readonly string[] | undefined;
      }
    | undefined;
  /** For the hint to sign in again. */
  readonly profile?: string | undefined;
  /** Name of the profile, if it does not allow changes. */
  readonly readOnly?: string | undefined;
  /** Returns the failure for a request that the caller is not allowed to send. */
  readonly forbids?:
    | ((sending: Pick<Sending, 'operation' | 'body' | 'effect'>) => Failure | undefined)
    | undefined;
  /** Asks someone other than the user to approve a change. Throws `Failure` if it is refused. */
  readonly approve?: ((request: GuardedRequest) => Promise<void>) | undefined;
  /** Asks the user for the confirmations of a change. Throws `Failure` if it must not be sent. */
  readonly guard?: ((request: GuardedRequest) => Promise<void>) | undefined;
  /** Forbids changes. A change is then a bug in the caller. */
  readonly dryRun?: boolean | undefined;
  /** Without it, a change that adds charges fails with `charges`. */
  readonly charges?: Charging | undefined;
  readonly onChange?: (() => void) | undefined;
  /** Called after a create with an id. `isTaken` is true if the record has that id. */
  readonly onOwnId?: ((isTaken: boolean) => Promise<void>) | undefined;
  readonly recorder?: Recorder | undefined;
  /** Called with the number of records that a list contained twice. */
  readonly onRepeats?: ((operation: Operation, again: number) => void) | undefined;
  /** Receives a line without secrets for every request. */
  readonly trace?: ((line: string) => void) | undefined;
}
