import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { resourceByName, resources } from '../../contract/catalogue.ts';
import type { Resource, ResourceName } from '../../contract/types.ts';
import { textAt, textsAt } from '../fields.ts';
import type { Key, ListedRecord, Store, StoredRecord } from '../store/store.ts';
import type { Reach } from './command-line.ts';

/** What a view of an account, or of what is in it, is made from. */
export interface Viewing {
  readonly account: StoredRecord;
  readonly store: Store;
  /** The sandbox's clock, in Unix milliseconds. */
  readonly nowMs: number;
  readonly reach: Reach | undefined;
}

/** The kinds of records that an account has. */
export const kindsOfAccounts: readonly Resource[] = resources.filter(
  ({ absent }) => absent?.page === undefined,
);

/** The kind of that name, where accounts have such records. */
export const kindNamed = (name: string | undefined): Resource | undefined =>
  kindsOfAccounts.find((resource) => resource.name === name);

/** Where the records of a kind lie. */
export function whereIs(
  kind: ResourceName,
  accountId: string,
): { readonly scope: string; readonly key?: Key } {
  return resourceByName(kind).keptIn === 'service'
    ? { scope: '', key: { field: 'account', value: accountId } }
    : { scope: accountId };
}

/** One record of an account. */
export async function recordOf(
  store: Store,
  { name, keptIn }: Resource,
  accountId: string,
  id: string,
): Promise<StoredRecord | undefined> {
  const record = await store.get({ kind: name, scope: whereIs(name, accountId).scope, id });
  return keptIn === 'service' && record && textAt(record.hidden, 'account') !== accountId
    ? undefined
    : record;
}

/** Records of an account, from the beginning of their list. */
export const recordsOf = (
  store: Store,
  { name }: Resource,
  accountId: string,
  limit: number,
): Promise<readonly ListedRecord[]> =>
  store.stretch({ kind: name, ...whereIs(name, accountId), ascending: true, limit });

/** An account in the tree. */
export interface Branch {
  readonly account: StoredRecord;
  readonly depth: number;
}

/** Made once: thousands of names are compared for every page. */
const collator = new Intl.Collator('en');

/** Accounts with those below them following each. */
export function accountTree(accounts: readonly StoredRecord[]): readonly Branch[] {
  const ids = new Set(accounts.map(({ id }) => id));
  const byParent = Map.groupBy(accounts, ({ hidden }) => {
    const parent = textsAt(hidden, 'tree').at(-1);
    return parent !== undefined && ids.has(parent) ? parent : '';
  });
  const below = (parent: string, depth: number): readonly Branch[] =>
    (byParent.get(parent) ?? [])
      .toSorted((a, b) => collator.compare(nameOf(a), nameOf(b)))
      .flatMap((account) => [{ account, depth }, ...below(account.id, depth + 1)]);
  return below('', 0);
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

/** An id that is too long to be read. */
export const shortId = (id: string): string => (/^[0-9a-f]{32}$/.test(id) ? `${id.slice(0, 8)}…` : id);

/** What people call a record. */
export function nameOf({ id, body }: Pick<StoredRecord, 'id' | 'body'>, resource?: Resource): string {
  const paths = [...(resource?.naturalKeys ?? []), 'name', 'numbers.0'];
  return paths.map((path) => firstOf(body, path)).find(isText) ?? shortId(id);
}

function firstOf(body: JsonObject, path: string): Json | undefined {
  const value = valueAt(body, path);
  return Array.isArray(value) ? value[0] : value;
}
