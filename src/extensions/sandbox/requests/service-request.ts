import type { Json, JsonObject } from '../../../base/json.ts';
import type { Operation } from '../../../contract/types.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Event } from '../events/event.ts';
import type { Principal } from '../identity/principal.ts';
import { gregorianSeconds } from '../made-values.ts';
import type { ReceivedFile } from '../request.ts';
import type { Services } from '../services.ts';
import type { Key, StoreChange, StoredRecord } from '../store/store.ts';

/** A request, understood and let in: what a handler answers. */
export interface ServiceRequest {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The envelope's `data`, checked against the operation's schema; `{}` where there is none. */
  readonly data: JsonObject;
  /** The whole request body, for words that may stand beside `data`. */
  readonly envelope: JsonObject;
  readonly file: ReceivedFile | undefined;
  /** A file came with the request, among other parts. */
  readonly hasFile: boolean;
  /** Host and port at which the service was asked. */
  readonly host: string;
  /** Content types that the caller would rather have. */
  readonly accept: string;
  readonly services: Services;
  /** The caller; `undefined` in sign-in calls, which have none yet. */
  readonly principal: Principal | undefined;
  readonly account: StoredRecord | undefined;
  /** Changes to write; they are committed as one before the answer goes out. */
  readonly changes: StoreChange[];
  /** Part of a request for several records, which asks for the charges of all of them together. */
  readonly defersCharges?: true;
  /** Events for webhooks, besides the changes of objects. */
  readonly events: Event[];
}

export interface Answer {
  /** Left out: the reply has no `data`. */
  readonly data: Json | undefined;
  /** The record that the answer is about, as it was read: its revision stands in the reply. */
  readonly record?: StoredRecord;
  /** The revision of what is no record. */
  readonly revision?: string;
  /** Id that a `Location` header ends in. */
  readonly created?: string;
  /** Envelope keys besides the usual ones: `page_size`, `next_start_key`. */
  readonly envelope?: JsonObject;
  /** A token just issued, to stand in the envelope. */
  readonly token?: string;
  /** Another representation, sent bare. */
  readonly text?: {
    readonly type: string | undefined;
    readonly body: string | Uint8Array;
    readonly fileName?: string;
  };
}

export type RequestHandler = (call: ServiceRequest) => Promise<Answer>;

export type RequestHandlers = Readonly<Record<string, RequestHandler>>;

/** A record about to be written. */
export interface RecordDraft {
  readonly body: JsonObject;
  readonly hidden: JsonObject;
}

/** Rules of a resource beyond the contract's schema and uniqueness. Everything else is generic. */
export interface ResourceRules {
  /** The id that a new record has by what it holds; any where left out. */
  readonly chosenId?: (data: JsonObject) => string | undefined;
  /** Puts the sent data into the form in which it is kept; before defaults and checks. */
  readonly normalize?: (data: JsonObject, behaviour: Behaviour) => JsonObject;
  /** The checked record as it is stored; refuses what is wrong in it. `before` is what is replaced. */
  readonly refine?: (
    draft: RecordDraft,
    before: StoredRecord | undefined,
    call: ServiceRequest,
  ) => RecordDraft;
  readonly refuseRemoval?: (record: StoredRecord, call: ServiceRequest) => void;
  readonly refuse?: (record: StoredRecord, call: ServiceRequest) => Promise<void>;
  /** Further changes that a write of a record brings, or (`after` left out) its removal. */
  readonly followUp?: (
    before: StoredRecord,
    after: StoredRecord | undefined,
    call: ServiceRequest,
  ) => Promise<readonly StoreChange[]>;
  /** Fields that are worked out when the record is read. */
  readonly derive?: (record: StoredRecord, call: ServiceRequest) => Promise<JsonObject>;
  /** Fields that are worked out in lists. */
  readonly summary?: (record: StoredRecord, call: ServiceRequest) => Promise<JsonObject>;
}

/** Returns the caller of an operation that nobody can call without a token. */
export function principalOf(call: ServiceRequest): Principal {
  if (call.principal) return call.principal;
  throw new Error(`${call.operation.id} is answered without a sign-in.`);
}

export function accountOf(call: ServiceRequest): StoredRecord {
  if (call.account) return call.account;
  throw new Error(`${call.operation.id} has no account in its path.`);
}

export function pathParameter(call: ServiceRequest, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`${call.operation.id} has no ${name} in its path.`);
  return value;
}

/** The records of a kind in the account of the path, or those of them that share a key. */
export const recordsIn = (call: ServiceRequest, kind: string, key?: Key): Promise<readonly StoredRecord[]> =>
  call.services.store.list({ kind, scope: accountOf(call).id, key });

/** The record of that id in the account of the path; `undefined` where there is none. */
export const recordIn = (call: ServiceRequest, kind: string, id: string): Promise<StoredRecord | undefined> =>
  call.services.store.get({ kind, scope: accountOf(call).id, id });

/** The accounts below the one in the path: all of them, or its children alone. */
export const storedDescendants = (call: ServiceRequest, field: 'ancestor' | 'parent' = 'ancestor') =>
  call.services.store.list({ kind: 'accounts', scope: '', key: { field, value: accountOf(call).id } });

/** A record that lies in no account, such as a number or a provider. */
export const serviceRecord = (
  { services: { store } }: Pick<ServiceRequest, 'services'>,
  kind: string,
  id: string,
): Promise<StoredRecord | undefined> => store.get({ kind, scope: '', id });

/** The sandbox's time in Gregorian seconds. */
export const nowOf = ({ services }: ServiceRequest): number => gregorianSeconds(services.clock);
