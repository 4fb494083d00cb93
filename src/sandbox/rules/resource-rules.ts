import type { JsonObject } from '../../base/json.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../requests/call.ts';
import type { Change, StoredRecord } from '../store/store.ts';

/** A record about to be written. */
export interface Draft {
  readonly body: JsonObject;
  readonly hidden: JsonObject;
}

/** Rules of a resource beyond the contract's schema and uniqueness. Everything else is generic. */
export interface ResourceRules {
  /** The id that a new record has by what it holds; any where left out. */
  readonly ownId?: (data: JsonObject) => string | undefined;
  /** Puts the sent data into the form in which it is kept; before defaults and checks. */
  readonly normalise?: (data: JsonObject, behaviour: Behaviour) => JsonObject;
  /** The checked record as it is stored; refuses what is wrong in it. `before` is what is replaced. */
  readonly refine?: (draft: Draft, before: StoredRecord | undefined, call: Call) => Draft;
  readonly refuseRemoval?: (record: StoredRecord, call: Call) => void;
  readonly refuse?: (record: StoredRecord, call: Call) => Promise<void>;
  /** Further changes that a write of a record brings, or (`after` left out) its removal. */
  readonly follow?: (
    before: StoredRecord,
    after: StoredRecord | undefined,
    call: Call,
  ) => Promise<readonly Change[]>;
  /** Fields that are worked out when the record is read. */
  readonly derive?: (record: StoredRecord, call: Call) => Promise<JsonObject>;
  /** Fields that are worked out in lists. */
  readonly summary?: (record: StoredRecord, call: Call) => Promise<JsonObject>;
}
