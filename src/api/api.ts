import type { Json, JsonObject } from '../base/json.ts';
import type { Method, Operation } from '../contract/types.ts';
import type { Incoming } from './exchange.ts';

/** Query parameters; `undefined` ones are left out, arrays repeat the name. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A call of one operation. */
export interface Call {
  readonly operation: Operation;
  /** Path parameters by name; `account_id` may be left out: the account acted on fills it. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** The envelope's `data`. Left out: `{}` where the operation takes a body. */
  readonly data?: Json;
  /** The data goes out as it stands; otherwise its numbers are sent as services match them. */
  readonly isVerbatim?: true;
  /** Asks for another representation, such as `application/x-pem-file`. */
  readonly accept?: string;
}

/** A call by method and path, for `telctl api`. The path is taken as typed, prefix included. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly query?: Query;
  /** The whole body, envelope included. */
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A success reply, without the token that the service echoes. */
export interface Reply {
  readonly status: number;
  /** The envelope's `data`; `{}` for an empty body. */
  readonly data: Json;
  readonly requestId: string | undefined;
  /** The rest of the envelope (page_size, next_start_key, timestamp, …); never `auth_token`. */
  readonly envelope: JsonObject;
  /** Body as text where it was not JSON. */
  readonly text?: string;
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
  /** All pages of a list, one array a page, to the last. */
  pages(call: Call): AsyncIterable<readonly JsonObject[]>;
  /** The request that a call would send; sends nothing. */
  plan(call: Call): PlannedRequest;
  raw(call: RawCall): Promise<Reply>;
  /**
   * Sends one call and gives the reply as it came, success or not: for finding out what a service is. Accepts no
   * charges and renews no token; the data goes out as it stands. Throws `Failure` where no reply came.
   */
  answer(call: Call, headers?: Readonly<Record<string, string>>): Promise<Incoming>;
  /** Now, by the service's clock, in Unix milliseconds; `undefined` while no reply has told. */
  serviceNowMs(): number | undefined;
  close(): Promise<void>;
}

/** Gives the token for requests and renews it; the session is one. */
export interface Authorizer {
  /** The token to send, signing in first where there is none. */
  token(): Promise<string>;
  /** Called after a 401: a token other than `rejected`, or throws `Failure` of kind `auth`. */
  renew(rejected: string): Promise<string>;
}
