import type { JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import type { ResourceName } from '../../contract/types.ts';
import { textAt } from '../fields.ts';
import type { Store, StoredRecord } from '../store/store.ts';

/** Number of records read at a time. */
const stretchSize = 200;

export interface AccountRecords {
  readonly account: StoredRecord;
  get(kind: ResourceName, id: string): Promise<StoredRecord | undefined>;
  /** The record that holds a value alone: the user of a username, the callflow of a number. */
  holding(kind: ResourceName, field: string, value: string): Promise<StoredRecord | undefined>;
  find(kind: ResourceName, fits: (body: JsonObject) => boolean): Promise<StoredRecord | undefined>;
}

export function recordsOf(store: Store, account: StoredRecord): AccountRecords {
  const scope = account.id;
  return {
    account,
    get: (kind, id) => store.get({ kind, scope, id }),
    async holding(kind, field, value) {
      const holder = await store.holder({ kind, scope, field, value });
      return holder && store.get(holder);
    },
    async find(kind, fits) {
      let from: { readonly order: string; readonly id: string } | undefined;
      while (true) {
        const records = await store.stretch({ kind, scope, ascending: true, from, limit: stretchSize + 1 });
        const found = records.slice(0, stretchSize).find(({ body }) => fits(body));
        const next = records[stretchSize];
        if (found || !next) return found;
        from = { order: next.order, id: next.id };
      }
    },
  };
}

/** The hint that names the record which a mistyped word most likely means. */
export async function nearestHint(
  records: AccountRecords,
  kind: ResourceName,
  typed: string,
  fields: readonly string[],
): Promise<string | undefined> {
  const names: string[] = [];
  await records.find(kind, (body) => {
    names.push(...fields.flatMap((field) => textAt(body, field) ?? []));
    return false;
  });
  const near = nearest(typed, names);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

export const calledName = ({ id, body }: StoredRecord): string =>
  textAt(body, 'name') ?? textAt(body, 'username') ?? id;

const kind = 'list_entries';

export const entryScope = (accountId: string, listId: string): string => `${accountId}/${listId}`;

/** Reads the entries of a list. */
export async function entriesOf(
  store: Store,
  accountId: string,
  listId: string,
): Promise<readonly StoredRecord[]> {
  const scope = entryScope(accountId, listId);
  return store.stretch({ kind, scope, ascending: true, limit: await store.count(kind, scope) });
}
