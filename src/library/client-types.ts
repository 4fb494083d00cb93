import type { AskedCharges } from '../cli/command/context.ts';
import type { SentFile } from '../client/api/api.ts';
import type { Does } from '../contract/capabilities.ts';
import type { Operations } from './generated/operations.ts';

export type { SentFile };

/** Records of a list, read page by page as they are asked for. */
export interface Records<T> extends AsyncIterable<T> {
  /** The pages as the service sends them. */
  pages(): AsyncIterable<readonly T[]>;
  /** All records at once. */
  all(): Promise<readonly T[]>;
}

/** A whole reply: the data of its envelope, and what came around it. Names of headers are in lower case. */
export interface Replied<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Name of the request at the service. */
  readonly requestId: string | undefined;
}

/** A call that was sent: awaited, it gives the data of the reply. */
export interface Sent<T> extends Promise<T> {
  /** Gives the whole reply instead. */
  reply(): Promise<Replied<T>>;
}

/** Accepts charges, or not: true alone is a yes. */
export type AcceptCharges = (charges: AskedCharges) => boolean | Promise<boolean>;

/** Options of one call. */
export interface CallOptions<Q = Readonly<Record<string, string | readonly string[]>>> {
  /** Account that the call is for, by id, name or realm; that of the client where left out. */
  readonly account?: string;
  /** Further parameters of the address. */
  readonly query?: Q;
  /**
   * Name of what is meant, for a call that asks for one: of the account that is deleted, of the last administrator, of the
   * host whose key or secret is reset. Without it such a call throws `Failure` of kind `refused`.
   */
  readonly confirm?: string;
  /** Ends the call. */
  readonly signal?: AbortSignal;
  /** Longest wait for one request, in milliseconds; that of the client where left out. */
  readonly timeout?: number;
  /** Number of retries of a request that may be repeated; that of the client where left out. */
  readonly retries?: number;
  /**
   * Accepts the charges of this call, or not; `onCharges` of the client where left out. For an operation that has several
   * representations: the media type of the one that is asked for.
   */
  readonly accept?: AcceptCharges | string;
}

/** Identity that signs in: an API key, a token, or a user of an account. */
export type SignIn =
  | { readonly baseUrl: string; readonly apiKey: string }
  | { readonly baseUrl: string; readonly token: string }
  | ({ readonly baseUrl: string; readonly username: string; readonly password: string } & AccountName);

/** Name of the account that a user signs in to: exactly one of the three. */
export type AccountName =
  | { readonly accountName: string }
  | { readonly accountRealm: string }
  | { readonly phoneNumber: string };

/**
 * What a call may do beside its effect: add charges, remove records, change roles and rights, change how somebody signs
 * in, show a secret.
 */
export type Allowed = Extract<Does, 'costs' | 'deletes' | 'privileges' | 'sign-in' | 'shows-secrets'>;

/** Settings of a client beside who signs in. */
export interface ClientSettings {
  /** Account that calls are for, by id, name or realm; the one signed in to where left out. */
  readonly account?: string;
  /** Country by which national numbers are read, in two letters; that of the account's own number if left out. */
  readonly country?: string;
  /** Longest wait for one request, in milliseconds; 30 seconds where left out. */
  readonly timeoutMs?: number;
  /** Number of retries of a request that may be repeated; 3 where left out. */
  readonly retries?: number;
  /** Requests at once; 8 where left out. */
  readonly concurrency?: number;
  /** Allows plain http to another machine. */
  readonly allowHttp?: boolean;
  /** Allows no changes at all. */
  readonly readOnly?: boolean;
  /** Allows changes that take emergency numbers or bar emergency calls; without it they throw `Failure` of kind `refused`. */
  readonly allowEmergencyShadow?: boolean;
  /**
   * What calls may do beside reading and changing plain fields, in the words of the contract: all of it where left out, and
   * nothing of it where the list is empty. A call that does more throws `Failure` of kind `refused`, and is not sent.
   */
  readonly allow?: readonly Allowed[];
  /** Variables that may be read: by manifests, for proxies, by a command that prints a secret. None where left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder that names of files are relative to. */
  readonly cwd?: string;
  /** Folder of the profiles; that of the command line where left out. */
  readonly configFolder?: string;
  /** Folder of ledgers and journals; that of the command line where left out. */
  readonly stateFolder?: string;
  /** Ends what is under way. */
  readonly signal?: AbortSignal;
  /** Accepts charges, or not. Without it, a change that adds charges fails with the kind `charges`. */
  onCharges?(charges: AskedCharges): boolean | Promise<boolean>;
  /** Called for what somebody should look at. */
  onWarning?(text: string): void;
}

/** Options of a client: who signs in, where, and how requests are sent. */
export type ClientOptions = SignIn &
  ClientSettings & {
    /** Sends the requests: the `fetch` of the runtime where left out. */
    readonly fetch?: typeof fetch;
  };

/** Options of a client that speaks as the command line does, by a profile of `telctl login` or any other identity. */
export type ProfileOptions = ({ readonly profile: string } | SignIn) &
  ClientSettings & {
    /** PEM file of certificates to trust beside the usual ones. */
    readonly caFile?: string;
    /** PEM files of the certificate and key by which this client shows who it is. */
    readonly clientCert?: string;
    readonly clientKey?: string;
    /** Allows changes by a profile that asks before them. */
    readonly allowProtected?: boolean;
  };

/** A service, with a method for each of its operations. Methods throw `Failure`. */
export interface Client extends Operations {
  /** The id of the account that calls are for. */
  accountId(): Promise<string>;
  /** Closes the connections. */
  close(): Promise<void>;
}
