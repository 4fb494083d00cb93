import type { Json, JsonObject } from '../../../base/json.ts';
import type { Operation } from '../../../contract/types.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Event } from '../events/event.ts';
import type { Principal } from '../identity/principal.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import type { ReceivedFile } from '../request.ts';
import type { Services } from '../services.ts';
import type { StoreChange, StoredRecord } from '../store/store.ts';

export interface ServiceRequest {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The validated `data` of the envelope, or `{}`. */
  readonly data: JsonObject;
  /** The complete request body, for fields next to `data`. */
  readonly envelope: JsonObject;
  readonly file: ReceivedFile | undefined;
  readonly hasFile: boolean;
  /** Host and port in the request. */
  readonly host: string;
  readonly accept: string;
  readonly services: Services;
  /** `undefined` for sign-ins and other public operations. */
  readonly principal: Principal | undefined;
  readonly account: StoredRecord | undefined;
  /** Changes to commit together before the response is sent. */
  readonly changes: StoreChange[];
  /** True for a part of a request for several records. Their charges are accepted together. */
  readonly defersCharges?: true;
  /** Webhook events, in addition to changes of objects. */
  readonly events: Event[];
}

export interface Answer {
  /** `undefined` omits `data` from the response. */
  readonly data: Json | undefined;
  /** The record as it was read, for the revision in the response. */
  readonly record?: StoredRecord;
  /** The revision of a response without a record. */
  readonly revision?: string;
  readonly created?: string;
  readonly envelope?: JsonObject;
  readonly token?: string;
  /** Sent instead of JSON. */
  readonly text?: {
    readonly type: string | undefined;
    readonly body: string | Uint8Array;
    readonly fileName?: string;
  };
}

export type RequestHandler = (call: ServiceRequest) => Promise<Answer>;

export type RequestHandlers = Readonly<Record<string, RequestHandler>>;

export interface RecordDraft {
  readonly body: JsonObject;
  readonly hidden: JsonObject;
}

/** Rules of a resource beyond the contract. All other behavior is generic. */
export interface ResourceRules {
  /** Returns the id of a new record, if its content determines the id. */
  readonly chosenId?: (data: JsonObject) => string | undefined;
  /** Normalizes sent data before defaults and validation. */
  readonly normalize?: (data: JsonObject, behaviour: Behaviour) => JsonObject;
  /** Changes or refuses a validated record before it is stored. `before` is the replaced record. */
  readonly refine?: (
    draft: RecordDraft,
    before: StoredRecord | undefined,
    call: ServiceRequest,
  ) => RecordDraft;
  readonly refuseRemoval?: (record: StoredRecord, call: ServiceRequest) => void;
  readonly refuse?: (record: StoredRecord, call: ServiceRequest) => Promise<void>;
  /** Returns additional changes of an update or, without `after`, of a removal. */
  readonly followUp?: (
    before: StoredRecord,
    after: StoredRecord | undefined,
    call: ServiceRequest,
  ) => Promise<readonly StoreChange[]>;
  /** Returns fields that are computed when the record is read. */
  readonly derive?: (record: StoredRecord, call: ServiceRequest) => Promise<JsonObject>;
  readonly summary?: (record: StoredRecord, call: ServiceRequest) => Promise<JsonObject>;
}

/** Returns the caller. Throws an error for an operation without authentication. */
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

/** Lists records of the account in the path. */
export const recordsIn = (call: ServiceRequest, kind: string): Promise<readonly StoredRecord[]> =>
  call.services.store.list({ kind, scope: accountOf(call).id });

export const recordIn = (call: ServiceRequest, kind: string, id: string): Promise<StoredRecord | undefined> =>
  call.services.store.get({ kind, scope: accountOf(call).id, id });

/** Lists the descendants or the children of the account in the path. */
export const storedDescendants = (call: ServiceRequest, field: 'ancestor' | 'parent' = 'ancestor') =>
  call.services.store.list({ kind: 'accounts', scope: '', key: { field, value: accountOf(call).id } });

/** Reads a record outside of accounts, such as a number or a provider. */
export const serviceRecord = (
  { services: { store } }: Pick<ServiceRequest, 'services'>,
  kind: string,
  id: string,
): Promise<StoredRecord | undefined> => store.get({ kind, scope: '', id });

/** Returns the sandbox's time in Gregorian seconds. */
export const nowOf = ({ services }: ServiceRequest): number => gregorianSeconds(services.clock);
