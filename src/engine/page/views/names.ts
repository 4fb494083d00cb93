import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { shortId } from '../../../base/wording.ts';
import { resources } from '../../../contract/catalogue.ts';
import type { Resource, ResourceName } from '../../../contract/types.ts';
import { linkTo } from '../html/address.ts';
import type { ReadAccount, Reader, ReadRecord } from '../reader.ts';

export const kindsOfAccounts: readonly Resource[] = resources.filter(
  ({ absent }) => absent?.page === undefined,
);

export const kindNamed = (name: string | undefined): Resource | undefined =>
  kindsOfAccounts.find((resource) => resource.name === name);

/** A text field of an object; `undefined` where there is none or something else. */
export function textAt(object: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

export function pageName({ id, body }: Pick<ReadRecord, 'id' | 'body'>, resource?: Resource): string {
  const paths = [...(resource?.naturalKeys ?? []), 'name', 'numbers.0'];
  return paths.map((path) => firstOf(body, path)).find(isText) ?? shortId(id);
}

function firstOf(body: JsonObject, path: string): Json | undefined {
  const value = valueAt(body, path);
  return Array.isArray(value) ? value[0] : value;
}

/** The record that an id names, and its address. */
export interface Named {
  readonly name: string;
  /** Left out where the page does not show it. */
  readonly link?: string | undefined;
}

export type NamedIds = ReadonlyMap<string, Named>;

/** Most ids of one record that are looked up. */
const idsAtMost = 60;
export const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

function* idsIn(value: Json): Iterable<string> {
  if (typeof value === 'string' && isId(value)) yield value;
  if (Array.isArray(value)) for (const item of value) yield* idsIn(item);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      if (isId(key)) yield key;
      if (inner !== undefined) yield* idsIn(inner);
    }
}

const kinds = kindsOfAccounts.filter(({ kind, keptIn }) => kind === 'collection' && keptIn === undefined);

/** A record as far as it takes to name it. */
export const briefOf = (reader: Reader, accountId: string, kind: ResourceName, id: string) =>
  reader.brief ? reader.brief(accountId, kind, id) : reader.record(accountId, kind, id);

async function readNamed(
  reader: Reader,
  id: string,
  accountId: string,
  accounts: readonly ReadAccount[],
): Promise<Named | undefined> {
  const account = accounts.find((each) => each.id === id);
  if (account) return { name: pageName(account), link: linkTo({ accountId: id }) };
  for (const kind of kinds) {
    const record = await briefOf(reader, accountId, kind.name, id);
    if (record) return { name: pageName(record, kind), link: linkTo({ accountId, kind: kind.name, id }) };
  }
  return undefined;
}

/**
 * Reads the ids in a record that name something of the account or an account, as values and as keys: not every field
 * that holds ids is described as one, and in maps like `directories` the keys are ids, too.
 */
export async function readNamedIds(
  reader: Reader,
  { id: own, body }: ReadRecord,
  accountId: string,
  accounts: readonly ReadAccount[],
): Promise<NamedIds> {
  const ids = [...new Set(idsIn(body))].filter((id) => id !== own).slice(0, idsAtMost);
  const found = await Promise.all(
    ids.map(async (id) => [id, await readNamed(reader, id, accountId, accounts)] as const),
  );
  return new Map(found.flatMap(([id, what]) => (what ? [[id, what] as const] : [])));
}
