import type { JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { textAt } from '../fields.ts';
import { accountName } from '../identity/principal.ts';
import { lettersAndDigits } from '../placement.ts';
import { Refusal } from '../refusal.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { type AccountRecords, calledName, recordsOf } from '../telephony/account-records.ts';

/** The account that the sandbox was made with: the first one below the platform. */
async function seeded(store: Store): Promise<StoredRecord | undefined> {
  const below = (await store.everyOf('accounts')).filter(({ hidden }) => hidden.master !== true);
  return below.toSorted((one, other) => one.createdAt - other.createdAt)[0];
}

/** The account of an id, a name or a realm. Throws `Refusal` (404) that names the nearest one. */
export async function needAccount(store: Store, named: string): Promise<StoredRecord> {
  const byId = await store.get(accountName(named));
  if (byId) return byId;
  for (const [field, value] of [
    ['name', lettersAndDigits(named)],
    ['realm', named.toLowerCase()],
  ] as const) {
    const holder = await store.holder({ kind: 'accounts', scope: '', field, value });
    const account = holder && (await store.get(holder));
    if (account) return account;
  }
  const names = (await store.everyOf('accounts')).map(calledName);
  const near = nearest(named, names);
  throw new Refusal(404, 'not_found', `The sandbox has no account ${JSON.stringify(named)}.`, {
    hint: near === undefined ? 'telctl accounts tree' : `Did you mean ${near}?`,
  });
}

/** The account that `account` names by id, name or realm; the seeded one where left out. Throws `Refusal` (404). */
export async function chosenAccount(store: Store, body: JsonObject): Promise<AccountRecords> {
  const named = textAt(body, 'account');
  const account = named === undefined ? await seeded(store) : await needAccount(store, named);
  if (!account)
    throw new Refusal(404, 'not_found', 'The sandbox has no account below the platform any more.', {
      hint: 'telctl sandbox reset',
    });
  return recordsOf(store, account);
}
