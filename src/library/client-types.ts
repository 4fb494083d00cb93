import type { AskedCharges } from '../cli/command/context.ts';
import type { SentFile } from '../client/api/api.ts';
import type { Does } from '../contract/capabilities.ts';
import type { Operations } from './generated/operations.ts';

export type { SentFile };

/** Records of a list. Pages are requested as they are read. */
export interface Records<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<readonly T[]>;
  all(): Promise<readonly T[]>;
}

/** Header names are in lower case. */
export interface Replied<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Set by the service. */
  readonly requestId: string | undefined;
}

/** A running call. Await it to get the data of the response. */
export interface Sent<T> extends Promise<T> {
  /** Returns the complete response instead of its data. */
  reply(): Promise<Replied<T>>;
}

/** Decides whether to accept charges. Only `true` accepts them. */
export type AcceptCharges = (charges: AskedCharges) => boolean | Promise<boolean>;

export interface CallOptions<Q = Readonly<Record<string, string | readonly string[]>>> {
  /** Account for the call, by id, name or realm (default: the client's account). */
  readonly account?: string;
  /** Additional query parameters. */
  readonly query?: Q;
  /**
   * Confirmation for a dangerous call: the name of the account to delete, of the last administrator, or of the host
   * whose key or secret is reset. Without it, the call throws a `Failure` of kind `refused`.
   */
  readonly confirm?: string;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Timeout for each request, in milliseconds (default: the client's timeout). */
  readonly timeout?: number;
  /** Retries of a request that is safe to repeat (default: the client's retries). */
  readonly retries?: number;
  /**
   * Decides whether to accept the charges of this call (default: `onCharges` of the client). For an operation with
   * several representations: the requested media type.
   */
  readonly accept?: AcceptCharges | string;
}

export type SignIn =
  | { readonly baseUrl: string; readonly apiKey: string }
  | { readonly baseUrl: string; readonly token: string }
  | ({ readonly baseUrl: string; readonly username: string; readonly password: string } & AccountName);

/** The account that a user signs in to. Set exactly one of the three. */
export type AccountName =
  | { readonly accountName: string }
  | { readonly accountRealm: string }
  | { readonly phoneNumber: string };

/** Effects of a call in addition to reading and changing plain fields. */
export type Allowed = Extract<Does, 'costs' | 'deletes' | 'privileges' | 'sign-in' | 'shows-secrets'>;

/** Settings of a client, without its credentials. */
export interface ClientSettings {
  /** Account for calls, by id, name or realm (default: the signed-in account). */
  readonly account?: string;
  /** Two-letter country for phone numbers in national format (default: the country of the account's own number). */
  readonly country?: string;
  /** Timeout for each request, in milliseconds (default: 30000). */
  readonly timeoutMs?: number;
  /** Retries of a request that is safe to repeat (default: 3). */
  readonly retries?: number;
  /** Maximum number of parallel requests (default: 8). */
  readonly concurrency?: number;
  /** Allows plain http to other machines. */
  readonly allowHttp?: boolean;
  /** Refuses all changes. */
  readonly readOnly?: boolean;
  /**
   * Allows changes that intercept emergency numbers or block emergency calls. Without it, they throw a `Failure` of
   * kind `refused`.
   */
  readonly allowEmergencyShadow?: boolean;
  /**
   * Effects that calls may have (default: all). An empty list allows only reads and changes of plain fields. A call
   * with other effects throws a `Failure` of kind `refused`, and no request is sent.
   */
  readonly allow?: readonly Allowed[];
  /** Environment variables for manifests, proxies, and commands that print a secret (default: none). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Base folder for relative file names. */
  readonly cwd?: string;
  /** Folder of the profiles (default: that of the command line). */
  readonly configFolder?: string;
  /** Folder of ledgers and journals (default: that of the command line). */
  readonly stateFolder?: string;
  /** Aborts all running calls. */
  readonly signal?: AbortSignal;
  /** Decides whether to accept charges. Without it, a change that adds charges fails with kind `charges`. */
  onCharges?(charges: AskedCharges): boolean | Promise<boolean>;
  /** Called with warnings. */
  onWarning?(text: string): void;
}

export type ClientOptions = SignIn &
  ClientSettings & {
    /** Sends the requests (default: the runtime's `fetch`). */
    readonly fetch?: typeof fetch;
  };

/** Options of a client that works like the command line, with a profile of `telctl login` or with other credentials. */
export type ProfileOptions = ({ readonly profile: string } | SignIn) &
  ClientSettings & {
    /** PEM file of additional certificates to trust. */
    readonly caFile?: string;
    /** PEM files of the client certificate and its key. */
    readonly clientCert?: string;
    readonly clientKey?: string;
    /** Allows changes with a profile that asks before changes. */
    readonly allowProtected?: boolean;
  };

/** A service, with a method for each operation. Methods throw `Failure`. */
export interface Client extends Operations {
  /** Returns the id of the account that calls use. */
  accountId(): Promise<string>;
  /** Closes the connections. */
  close(): Promise<void>;
}
