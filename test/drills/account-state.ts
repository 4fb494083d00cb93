import { isObject, type Json } from '../../src/base/json.ts';
import type { Store, StoredRecord } from '../../src/extensions/sandbox/store/store.ts';
import {
  chargesToAccept,
  defaultPrices,
  pricedItems,
  quantitiesIn,
} from '../../src/extensions/sandbox/telephony/charges.ts';
import type { CalledSandbox } from '../support/called-sandbox.ts';

/** A record that a job creates, changes or deletes, as stored in the database. */
export interface ExpectedRecord {
  /** Name in reports: `user alice`. */
  readonly label: string;
  readonly kind: string;
  readonly field: string;
  readonly value: Json;
  /** Expected number of such records after the job. */
  readonly expectedCount: 0 | 1;
}

/** Counts the matching records of the seeded account in the sandbox's database. */
export async function countRecords(
  { store, seed }: CalledSandbox,
  { kind, field, value }: ExpectedRecord,
): Promise<number> {
  const records = await store.allOfKind(kind);
  return records.filter(({ scope, body }) => scope === seed.accountId && body[field] === value).length;
}

/** Returns a counter of charges. Each commit that increases a priced limit is a charge. */
export function countCharges(store: Store): () => number {
  const known = new Map<string, StoredRecord['body']>();
  let charges = 0;
  store.watch((changes) => {
    for (const change of changes) {
      if (change.change !== 'put' || change.record.kind !== 'limits') continue;
      const { scope, body } = change.record;
      const before = quantitiesIn(known.get(scope) ?? {});
      const added = chargesToAccept(
        pricedItems(defaultPrices, 'limits', before, quantitiesIn(body)),
        'items',
        scope,
      );
      charges += isObject(added) && isObject(added.limits) ? Object.keys(added.limits).length : 0;
      known.set(scope, body);
    }
  });
  return () => charges;
}
