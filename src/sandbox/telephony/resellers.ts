import { textAt } from '../fields.ts';
import { accountName, isSuper } from '../identity/principal.ts';
import { forbidden } from '../refusal.ts';
import { accountOf, type Call, principalOf } from '../requests/call.ts';

/** Refuses (403) all but those who may change what an account is charged for (Conventions, Roles). */
export async function refuseUnlessReseller(call: Call, what: 'limits' | 'services'): Promise<void> {
  const { setBy } = call.services.behaviour[what];
  if (setBy === 'anyone') return;
  const caller = principalOf(call);
  const account = accountOf(call);
  const parent = textAt(account.hidden, 'parent');
  const above = parent === undefined ? undefined : await call.services.store.get(accountName(parent));
  const isReseller = textAt(account.hidden, 'reseller_id') === caller.account.id;
  const isTopLevel = setBy === 'resellers' && above?.hidden.master === true;
  if (isSuper(caller) || isReseller || isTopLevel) return;
  throw forbidden(`Only the reseller of the account may change its ${what}.`);
}
