import type { JsonObject } from '../../base/json.ts';
import { textAt, textsAt } from '../fields.ts';
import type { StoredRecord } from '../store/store.ts';

/** Hidden values of a number that an account has: whose it is, and in which part of the account tree. */
export const placeOf = (account: StoredRecord): JsonObject => ({
  account: account.id,
  tree: textsAt(account.hidden, 'tree'),
});

/** Whether a number belongs to an account. */
export const isOf = (number: StoredRecord, account: StoredRecord): boolean =>
  textAt(number.hidden, 'account') === account.id;
