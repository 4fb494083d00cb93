import type { Role } from '../../contract/types.ts';
import { textsAt } from '../fields.ts';
import { forbidden, unknownId } from '../refusal.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { accountName, isAdministrator, isSuper, type Principal } from './principal.ts';

/** Whether an account is the caller's own or below it. */
const isInTree = (caller: Principal, account: StoredRecord): boolean =>
  account.id === caller.account.id || textsAt(account.hidden, 'tree').includes(caller.account.id);

/**
 * The account of that id, where the caller may see it. Refuses an unknown one (404) and one that is neither the
 * caller's nor below it (403).
 */
export async function reachableAccount(id: string, caller: Principal, store: Store): Promise<StoredRecord> {
  const account = id === caller.account.id ? caller.account : await store.get(accountName(id));
  if (!account) throw unknownId(id);
  if (!isInTree(caller, account)) throw forbidden('The account is outside your part of the account tree.');
  return account;
}

/** Refuses (403) callers who do not have an operation's role. `userId` is the user in the path. */
export function refuseOtherRoles(role: Role, caller: Principal, userId: string | undefined): void {
  switch (role) {
    case 'tree':
      return;
    case 'super':
      if (isSuper(caller)) return;
      throw forbidden('Only the super administrator may do this.');
    case 'self':
      if (userId !== undefined && caller.user?.id === userId) return;
      if (isAdministrator(caller)) return;
      throw forbidden('Only that user or an administrator of the account may do this.');
    case 'admin':
      if (isAdministrator(caller)) return;
      throw forbidden('Only an administrator of the account may do this.');
  }
}
