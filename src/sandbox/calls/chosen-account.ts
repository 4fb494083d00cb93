import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import { textAt } from '../fields.ts';
import { lettersAndDigits } from '../placement.ts';
import { accountName } from '../principal.ts';
import type { Store, StoredRecord } from '../store.ts';
import { type AccountRecords, recordsOf } from './account-records.ts';

/** The account that the sandbox was made with: the first one below the platform. */
async function seeded(store: Store): Promise<StoredRecord | undefined> {
  const below = (await store.everyOf('accounts')).filter(({ hidden }) => hidden.master !== true);
  return below.toSorted((one, other) => one.createdAt - other.createdAt)[0];
}

async function found(store: Store, named: string): Promise<StoredRecord | undefined> {
  const byId = await store.get(accountName(named));
  if (byId) return byId;
  for (const [field, value] of [
    ['name', lettersAndDigits(named)],
    ['realm', named.toLowerCase()],
  ] as const) {
    const holder = await store.holder({ kind: 'accounts', scope: '', field, value });
    if (holder) return store.get(holder);
  }
  return undefined;
}

/** The account that `account` names by id, name or realm; the seeded one where left out. Throws `Failure` (`not_found`). */
export async function chosenAccount(store: Store, body: JsonObject): Promise<AccountRecords> {
  const named = textAt(body, 'account');
  const account = named === undefined ? await seeded(store) : await found(store, named);
  if (account) return recordsOf(store, account);
  throw new Failure('not_found', `The sandbox has no account ${JSON.stringify(named ?? 'acme')}.`, {
    hint: 'telctl accounts tree',
  });
}
