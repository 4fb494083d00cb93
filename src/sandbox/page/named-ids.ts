import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { accountName } from '../identity/principal.ts';
import { kindsOfAccounts, nameOf, type Viewing } from './look.ts';
import { linkTo } from './place.ts';

/** What an id names, and where that is shown. */
export interface Named {
  readonly name: string;
  readonly link: string;
}

/** So many ids of one record are looked up. */
const idsAtMost = 60;
const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

function* idsIn(value: Json): Iterable<string> {
  if (typeof value === 'string' && isId(value)) yield value;
  if (Array.isArray(value)) for (const item of value) yield* idsIn(item);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      if (isId(key)) yield key;
      if (inner !== undefined) yield* idsIn(inner);
    }
}

/** Kinds whose records are named by ids. */
const kinds = kindsOfAccounts.filter(({ kind, keptIn }) => kind === 'collection' && keptIn === undefined);

async function named(id: string, { account, store }: Viewing): Promise<Named | undefined> {
  const above = await store.get(accountName(id));
  if (above) return { name: nameOf(above), link: linkTo({ accountId: id }) };
  for (const kind of kinds) {
    const record = await store.get({ kind: kind.name, scope: account.id, id });
    if (record)
      return { name: nameOf(record, kind), link: linkTo({ accountId: account.id, kind: kind.name, id }) };
  }
  return undefined;
}

/**
 * The ids in a record that name something of the account or an account, as values and as keys: not every field that
 * holds ids is described as one, and in maps like `directories` the keys are ids, too.
 */
export async function namedIds(
  body: JsonObject,
  own: string,
  viewing: Viewing,
): Promise<ReadonlyMap<string, Named>> {
  const ids = [...new Set(idsIn(body))].filter((id) => id !== own).slice(0, idsAtMost);
  const found = await Promise.all(ids.map(async (id) => [id, await named(id, viewing)] as const));
  return new Map(found.flatMap(([id, what]) => (what ? [[id, what] as const] : [])));
}
