import { textAt } from '../fields.ts';
import { accountName, isSuper } from '../identity/principal.ts';
import { accountOf, type Call, principalOf } from '../requests/call.ts';
import { forbidden } from '../requests/refusal.ts';

/**
 * Refuses (403) all but those who may change what an account is charged for: its reseller, the super
 * administrator, and the account itself where it stands right below the first one (Conventions, Roles).
 */
export async function refuseUnlessReseller(call: Call, what: string): Promise<void> {
  const caller = principalOf(call);
  const account = accountOf(call);
  const parent = textAt(account.hidden, 'parent');
  const above = parent === undefined ? undefined : await call.services.store.get(accountName(parent));
  const isReseller = textAt(account.hidden, 'reseller_id') === caller.account.id;
  if (isSuper(caller) || isReseller || above?.hidden.master === true) return;
  throw forbidden(`Only the reseller of the account may change its ${what}.`);
}
