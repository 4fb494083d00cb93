import type { JsonObject } from '../base/json.ts';
import type { Kind } from '../manifest/kinds.ts';

/** The objects of one kind in an account, as far as they were read. */
export interface Section {
  readonly kind: Kind;
  /** Records with their ids; what an account has once is one record. */
  readonly records: readonly JsonObject[];
  /** Reason why there may be more records than these, as a sentence. */
  readonly missing?: string;
}
