import { textAt } from '../fields.ts';
import { isSuper } from '../identity/principal.ts';
import { accountOf, type Call, principalOf } from '../requests/call.ts';

/** Whether the caller carries out the account's port requests: its reseller, or the super administrator. */
export function isAuthority(call: Call): boolean {
  const caller = principalOf(call);
  const { id, hidden } = accountOf(call);
  return isSuper(caller) || (caller.account.id !== id && textAt(hidden, 'reseller_id') === caller.account.id);
}
