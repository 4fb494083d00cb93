import type { JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import type { ResourceName } from '../../contract/types.ts';
import { textAt } from '../fields.ts';
import { type Store, type StoredRecord, walked } from '../store/store.ts';

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
      for await (const record of walked(store, { kind, scope })) if (fits(record.body)) return record;
      return undefined;
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
  return store.stretch({ kind, scope });
}
