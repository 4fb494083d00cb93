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

/** Query parameters. `undefined` is omitted, and arrays repeat the name. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A file to send. Its content never appears in traces or logs. */
export interface SentFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Describes a file without its content: `binary, 1234 bytes`. */
export const describeFile = ({ bytes }: SentFile): string => `binary, ${formatCount(bytes.length, 'byte')}`;

export interface ApiRequest {
  readonly operation: Operation;
  /** Path parameters by name. `account_id` defaults to the chosen account. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
  /** The envelope's `data` (default: `{}` if the operation has a body). */
  readonly data?: Json;
  /** The file of an operation that takes a file instead of data. */
  readonly file?: SentFile;
  /** Sends the data unchanged. Otherwise its numbers are converted to the service's format. */
  readonly isVerbatim?: true;
  /** Requests another representation, such as `application/x-pem-file`. */
  readonly accept?: string;
  /** Name that the caller gives to confirm an operation. */
  readonly confirm?: string;
  /** The record of the call, if the caller has read it. */
  readonly record?: JsonObject | undefined;
}

/** A request that changes something, as guards get it. */
export interface GuardedRequest {
  readonly operation: Operation;
  readonly data: Json | undefined;
  readonly confirm?: string | undefined;
  /** Path parameters, including the account. */
  readonly path: Readonly<Record<string, string>>;
  /** The record of the request, if it was already read. */
  readonly record?: JsonObject | undefined;
}

/** A call by method and path, for `telctl api`. The path includes the prefix. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly query?: QueryParameters;
  /** The whole body, including the envelope. */
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Name that the sender gives to confirm an operation. */
  readonly confirm?: string;
}

export interface Reply {
  readonly status: number;
  /** The envelope's `data`, or `{}` for an empty body. */
  readonly data: Json;
  readonly requestId: string | undefined;
  /** The rest of the envelope (page_size, next_start_key, timestamp, …), without `auth_token`. */
  readonly envelope: JsonObject;
  /** The body as text if it is not JSON. */
  readonly text?: string;
  /** The body if it is audio, or the requested file. */
  readonly bytes?: Uint8Array;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Charges that were accepted with the request, as text. */
  readonly charges?: string;
}

/** A request that was not sent, for `--dry-run` and plans. `data` still contains secrets. */
export interface PlannedRequest {
  readonly method: Method;
  readonly path: string;
  readonly body: Json | undefined;
}

/** The service, for the rest of telctl. */
export interface Api {
  /** Sends one call. Renews the token, and retries if it is safe. Throws `Failure`. */
  call(call: ApiRequest): Promise<Reply>;
  /** Reads all pages of a list, one array per page, with each record once. `heard` gets each response. */
  pages(call: ApiRequest, heard?: (reply: Reply) => void): AsyncIterable<readonly JsonObject[]>;
  /** Returns the request of a call without sending it. */
  plan(call: ApiRequest): PlannedRequest;
  raw(call: RawCall): Promise<Reply>;
  /**
   * Sends one call and returns any response unchanged, to find out what a service supports. Accepts no charges, renews
   * no token, and sends the data unchanged. Throws `Failure` if there is no response.
   */
  probe(call: ApiRequest, headers?: Readonly<Record<string, string>>): Promise<IncomingReply>;
  /** The same service with other timeouts, retries and consent, and another signal in addition. */
  withTerms(own: CallTerms): Api;
  /** Two-letter country of an account's national numbers, or `undefined` if it is unknown. */
  country(accountId?: string): Promise<string | undefined>;
  /** Current time of the service in Unix milliseconds, or `undefined` before the first response. */
  serviceNowMs(): number | undefined;
  close(): Promise<void>;
}

/** Terms of one caller that override the general ones. */
export type CallTerms = Partial<Pick<ApiParts, 'timeoutMs' | 'retries' | 'signal'>> &
  Partial<Pick<Charging, 'agreement'>>;

/** Provides and renews the token for requests. The session is one. */
export interface Authorizer {
  /** Returns the token, and signs in first if there is none. */
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
  /** Default for `{account_id}` in paths. */
  readonly accountId: string | undefined;
  /** Country of national numbers that the user gave (default: that of the account's own number). */
  readonly country?: string | undefined;
  /** Called for a national number that cannot be converted, because its country is unknown or has no such numbers. */
  readonly onUnreadNumber?: ((text: string, country: string | undefined) => void) | undefined;
  /** Provides and renews the token. Without it, requests have no token. */
  readonly authorizer?: Authorizer | undefined;
  /** Additional headers of every request, such as `authorization` for HTTP Basic. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Schedules requests. Shared by all clients of a run. */
  readonly limiters: RateLimiters;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** Waits for a sent request even after `signal` aborts. Only waits for a retry end. */
  readonly finishesRequests?: boolean | undefined;
  /** Revisions of read records, shared by all clients of a run (default: separate). */
  readonly revisions?: KnownRevisions | undefined;
  readonly userAgent: string;
  /** Conventional reads that the service is known not to offer. They fail without a request. */
  readonly notOffered?: ReadonlySet<string> | undefined;
  /** Operations that are known to refuse the current revision, and patches that only merge top-level fields. */
  readonly learned?:
    | {
        readonly refusesTags?: readonly string[] | undefined;
        readonly mergesOneLevel?: readonly string[] | undefined;
      }
    | undefined;
  /** Name of the profile, for the hint to sign in again. */
  readonly profile?: string | undefined;
  /** Name of the profile, if it does not allow changes. */
  readonly readOnly?: string | undefined;
  /** Returns the failure for a request that the caller is not allowed to send. */
  readonly forbids?:
    | ((sending: Pick<Sending, 'operation' | 'body' | 'effect'>) => Failure | undefined)
    | undefined;
  /**
   * Asks for additional approval of a change, other than from the user of the command. Throws `Failure` if it is
   * refused.
   */
  readonly approve?: ((request: GuardedRequest) => Promise<void>) | undefined;
  /** Asks for the confirmations that a change requires. Throws `Failure` if it must not be sent. */
  readonly guard?: ((request: GuardedRequest) => Promise<void>) | undefined;
  /** Forbids changes. A call that changes something is then a bug in the caller. */
  readonly dryRun?: boolean | undefined;
  /** Asks for consent to charges. Without it, a change that adds charges fails with `charges`. */
  readonly charges?: Charging | undefined;
  /** Called before a changing request is sent. */
  readonly onChange?: (() => void) | undefined;
  /** Called when a response shows whether a new record got the id that the request contained. */
  readonly onOwnId?: ((isTaken: boolean) => Promise<void>) | undefined;
  /** Records every change in the log. Without it, no change is recorded. */
  readonly recorder?: Recorder | undefined;
  /** Called after a list in which the service returned records twice, with their number. */
  readonly onRepeats?: ((operation: Operation, again: number) => void) | undefined;
  /** Receives a line for every request, without secrets. */
  readonly trace?: ((line: string) => void) | undefined;
}
