import type { JsonObject } from '../../contract/json.ts';
import { textAt } from '../fields.ts';
import type { Principal } from '../identity/principal.ts';
import type { Services } from '../parts.ts';
import type { StoredRecord } from '../store/store.ts';

const systemLanguage = 'en-US';

/**
 * The user whom an account acts as where a user is wanted: its administrator who was there first and is enabled.
 * A sign-in by API key answers with this user's id, since its reply has the shape of a user's.
 */
export async function actingUser(
  { account, user }: Pick<Principal, 'account' | 'user'>,
  { store }: Services,
): Promise<StoredRecord | undefined> {
  if (user) return user;
  const administrators = await store.stretch({
    kind: 'users',
    scope: account.id,
    key: { field: 'administers', value: 'yes' },
    ascending: true,
    limit: 100,
  });
  return administrators.reduce<StoredRecord | undefined>(
    (first, each) => (first && first.createdAt <= each.createdAt ? first : each),
    undefined,
  );
}

/** What a token says of its holder (Authentication records, Token information; Conventions, login reply). */
export async function information(principal: Principal, services: Services): Promise<JsonObject> {
  const { account } = principal;
  const owner = await actingUser(principal, services);
  const reseller = textAt(account.hidden, 'reseller_id');
  return {
    account_id: account.id,
    ...(owner ? { owner_id: owner.id } : {}),
    account_name: textAt(account.body, 'name') ?? '',
    language: textAt(owner?.body ?? {}, 'language') ?? textAt(account.body, 'language') ?? systemLanguage,
    is_reseller: account.hidden.reseller === true,
    ...(reseller === undefined ? {} : { reseller_id: reseller }),
    is_master_account: account.hidden.master === true,
    apps: [],
  };
}
