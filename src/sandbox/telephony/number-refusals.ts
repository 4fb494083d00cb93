import type { JsonObject } from '../../base/json.ts';
import { textAt, textsAt } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Handler } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';

/** An error of a phone number. */
class NumberRefusal extends Refusal {}

/** An error of a phone number, with the word and the cause that compatible services give. */
export function numberRefusal(status: number, error: string, message: string, cause: string): Refusal {
  return new NumberRefusal(status, error, message, { code: status, error, cause, message });
}

/** Answers of single numbers; services in the field tell of a fault of their own whatever is the matter (as recorded). */
export const answeringFaults =
  (handler: Handler): Handler =>
  async (call) => {
    try {
      return await handler(call);
    } catch (error) {
      if (call.services.behaviour.phoneNumbers.refusals === 'coded' || !(error instanceof NumberRefusal))
        throw error;
      const { message } = error;
      throw call.operation.method === 'GET'
        ? new Refusal(404, 'bad_identifier', message, { message, not_found: message })
        : new Refusal(500, 'unspecified_fault', message);
    }
  };

/** No such number, or not one of the account. */
export const unknownNumber = (id: string): Refusal =>
  numberRefusal(404, 'not_found', `The account has no number ${id}.`, id);

/** No number that the service could ever have. */
export const notReconcilable = (id: string): Refusal =>
  numberRefusal(404, 'not_reconcilable', `${id} is not a number of the public network.`, id);

/** A move between states that does not exist (Conventions, states of phone numbers). */
export const noSuchMove = (from: string, to: string): Refusal =>
  numberRefusal(
    400,
    'invalid_state_transition',
    `A number cannot go from ${from} to ${to}.`,
    `from ${from} to ${to}`,
  );

/** Hidden values of a number that an account has: whose it is, and in which part of the account tree. */
export const placeOf = (account: StoredRecord): JsonObject => ({
  account: account.id,
  tree: textsAt(account.hidden, 'tree'),
});

export const isOf = (number: StoredRecord, account: StoredRecord): boolean =>
  textAt(number.hidden, 'account') === account.id;

/**
 * Numbers that the sandbox's own carrier sells: of each area code of North America a hundred of the 555 exchange, which
 * leads nowhere.
 */
const inStock = /^\+1[2-9]\d\d55501\d\d$/;
const hundred = Array.from({ length: 100 }, (_, index) => `55501${String(index).padStart(2, '0')}`);

/** Numbers of the stock that begin so: an area code, with the country before it or not, and digits after it. */
export function stockFrom(prefix: string): readonly string[] {
  const [, area, begin = ''] = /^(?:\+?1)?([2-9]\d\d)(\d{0,7})$/.exec(prefix) ?? [];
  return area === undefined
    ? []
    : hundred.filter((rest) => rest.startsWith(begin)).map((rest) => `+1${area}${rest}`);
}

/** The record of a number of the stock before somebody has it; `undefined` for any other number. */
export const fromStock = (id: string): StoredRecord | undefined =>
  inStock.test(id)
    ? {
        ...{ kind: 'numbers', scope: '', id, body: { state: 'discovery' }, hidden: {} },
        ...{ createdAt: 0, modifiedAt: 0, revision: 0 },
      }
    : undefined;
