import type { Failure } from '../../base/failure.ts';
import type { Clock, Random } from '../../base/host/host.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import type { Method, Operation } from '../../contract/types.ts';
import type { Charging } from './accept-charges.ts';
import type { Sending } from './client.ts';
import type { Incoming } from './exchange.ts';
import type { RateLimiters } from './rate-limiter.ts';
import type { Recorder } from './recorder.ts';
import type { KnownRevisions } from './revisions.ts';
import type { Transport } from './transport.ts';

/** Query parameters; `undefined` ones are left out, arrays repeat the name. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A file as it is sent. Its content appears in no trace and no log. */
export interface SentFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Words that stand for a file where its content must not: `binary, 1234 bytes`. */
export const fileWords = ({ bytes }: SentFile): string => `binary, ${counted(bytes.length, 'byte')}`;

export interface Call {
  readonly operation: Operation;
  /** Path parameters by name; `account_id` may be left out: the account acted on fills it. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** The envelope's `data`. Left out: `{}` where the operation takes a body. */
  readonly data?: Json;
  /** The file that an operation takes in place of data. */
  readonly file?: SentFile;
  /** The data goes out as it stands; otherwise its numbers are sent as services match them. */
  readonly isVerbatim?: true;
  /** Asks for another representation, such as `application/x-pem-file`. */
  readonly accept?: string;
  /** Name that the caller gives, for an operation that asks for one. */
  readonly confirm?: string;
  /** The record that the call is about, if the caller has read it. */
  readonly record?: JsonObject | undefined;
}

/** A request that changes something, as guards see it. */
export interface GuardedRequest {
  readonly operation: Operation;
  readonly data: Json | undefined;
  readonly confirm?: string | undefined;
  /** Parameters of its path, the account among them. */
  readonly path: Readonly<Record<string, string>>;
  /** The record that it is about, where that was read already. */
  readonly record?: JsonObject | undefined;
}

/** A call by method and path, for `telctl api`. The path is taken as typed, prefix included. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly query?: Query;
  /** The whole body, envelope included. */
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Name that the sender gives, for an operation that asks for one. */
  readonly confirm?: string;
}

export interface Reply {
  readonly status: number;
  /** The envelope's `data`; `{}` for an empty body. */
  readonly data: Json;
  readonly requestId: string | undefined;
  /** The rest of the envelope (page_size, next_start_key, timestamp, …); never `auth_token`. */
  readonly envelope: JsonObject;
  /** Body as text where it was not JSON. */
  readonly text?: string;
  /** Body where it was sound, or the file that was asked for. */
  readonly bytes?: Uint8Array;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Charges that were accepted with it, as text. */
  readonly charges?: string;
}

/** The request that a call would send, for `--dry-run` and plans. Secrets are still in `data`. */
export interface PlannedRequest {
  readonly method: Method;
  readonly path: string;
  readonly body: Json | undefined;
}

/** The service as the rest of telctl speaks to it. */
export interface Api {
  /** Sends one call, renewing the token and repeating where that is safe. Throws `Failure`. */
  call(call: Call): Promise<Reply>;
  /** All pages of a list, one array a page, to the last, each record once. `heard` gets the reply of each page. */
  pages(call: Call, heard?: (reply: Reply) => void): AsyncIterable<readonly JsonObject[]>;
  /** The request that a call would send; sends nothing. */
  plan(call: Call): PlannedRequest;
  raw(call: RawCall): Promise<Reply>;
  /**
   * Sends one call and gives the reply as it came, success or not: for finding out what a service is. Accepts no
   * charges and renews no token; the data goes out as it stands. Throws `Failure` where no reply came.
   */
  answer(call: Call, headers?: Readonly<Record<string, string>>): Promise<Incoming>;
  /** The same service with other waits, retries and consent to charges, which ends at another signal as well. */
  apart(own: CallTerms): Api;
  /** Country by which national numbers of an account are read, in two letters; `undefined` if it is not known. */
  country(accountId?: string): Promise<string | undefined>;
  /** Now, by the service's clock, in Unix milliseconds; `undefined` while no reply has told. */
  serviceNowMs(): number | undefined;
  close(): Promise<void>;
}

/** The terms of one caller, in place of those that hold for all. */
export type CallTerms = Partial<Pick<ApiParts, 'timeoutMs' | 'retries' | 'signal'>> &
  Partial<Pick<Charging, 'agreement'>>;

/** Gives the token for requests and renews it; the session is one. */
export interface Authorizer {
  /** The token to send, signing in first where there is none. */
  token(): Promise<string>;
  /** Returns a token other than `rejected`, after a 401, or throws `Failure` of kind `auth`. */
  renew(rejected: string): Promise<string>;
}

export interface ApiParts {
  readonly transport: Transport;
  /** Address of the service without version prefix: `https://api.example`. */
  readonly baseUrl: string;
  /** Prefix of paths that the specification writes without one: `/v2` or nothing. */
  readonly prefix: string;
  /** Fills `{account_id}` in paths that do not name another. */
  readonly accountId: string | undefined;
  /** Country that the user named, by which national numbers are read; otherwise that of the account's own number. */
  readonly country?: string | undefined;
  /** Called for a national number that stays as typed: its country is unknown, or has no such numbers. */
  readonly unreadNumber?: ((text: string, country: string | undefined) => void) | undefined;
  /** Gives and renews the token. Without one, requests carry none. */
  readonly authorizer?: Authorizer | undefined;
  /** Further headers of every request, such as `authorization` for HTTP Basic. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Says when each request may go. One for all clients of a run. */
  readonly limiters: RateLimiters;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** A request that was sent is waited for even after `signal` aborts; only a wait for a retry ends. */
  readonly finishes?: boolean | undefined;
  /** Revisions of what was read, shared by all who speak to services in one run; its own where left out. */
  readonly revisions?: KnownRevisions | undefined;
  readonly userAgent: string;
  /** Conventional reads that the service is known not to offer: they fail without being sent. */
  readonly notOffered?: ReadonlySet<string> | undefined;
  /** Operations of the service that are known to refuse the current revision, and patches that merge one level alone. */
  readonly learned?:
    | {
        readonly refusesTags?: readonly string[] | undefined;
        readonly mergesOneLevel?: readonly string[] | undefined;
      }
    | undefined;
  /** Name of the profile, where there is one: somebody who is signed out signs in to it again. */
  readonly profile?: string | undefined;
  /** Name of the profile, where it allows no changes. */
  readonly readOnly?: string | undefined;
  /** Returns the failure for a request that the caller may not send. */
  readonly forbids?:
    | ((sending: Pick<Sending, 'operation' | 'body' | 'effect'>) => Failure | undefined)
    | undefined;
  /** Asks whoever must agree to what a change sends, beside the user of the command. Throws `Failure` if the answer is no. */
  readonly approve?: ((request: GuardedRequest) => Promise<void>) | undefined;
  /** Asks for the confirmations that a change needs. Throws `Failure` if it may not be sent. */
  readonly guard?: ((request: GuardedRequest) => Promise<void>) | undefined;
  /** Nothing may change; a call that would change something is a bug of the caller. */
  readonly dryRun?: boolean | undefined;
  /** Asks for consent to charges. Without it, a change that adds charges fails with `charges`. */
  readonly charges?: Charging | undefined;
  /** Called before a request that changes something is sent. */
  readonly sends?: (() => void) | undefined;
  /** Called when a reply shows whether the id that a new record brought along became its id. */
  readonly sawOwnId?: ((isTaken: boolean) => Promise<void>) | undefined;
  /** Notes every change in the log. Without one, none is noted. */
  readonly recorder?: Recorder | undefined;
  /** Called after a list in which the service showed records again, with their number. */
  readonly moved?: ((operation: Operation, again: number) => void) | undefined;
  /** Receives a line for every request sent, without secrets. */
  readonly trace?: ((line: string) => void) | undefined;
}
