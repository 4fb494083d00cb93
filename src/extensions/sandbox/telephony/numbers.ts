import { type JsonObject, textAt } from '../../../base/json.ts';
import { classOfNumber, type NumberClass } from '../../../contract/number-classes.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { textsAt, withoutKeys } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { RequestHandler } from '../requests/service-request.ts';
import { newRecord, type Store, type StoredRecord } from '../store/store.ts';

class NumberRefusal extends Refusal {}

/** Creates an error of a phone number, in the format of compatible services. */
export function numberRefusal(status: number, error: string, message: string, cause: string): Refusal {
  return new NumberRefusal(status, error, message, { code: status, error, cause, message });
}

/** Converts errors of a handler to the server errors of services in the field (as recorded). */
export const withServiceFaults =
  (handler: RequestHandler): RequestHandler =>
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

export const unknownNumber = (id: string): Refusal =>
  numberRefusal(404, 'not_found', `The account has no number ${id}.`, id);

/** Returns a 404 for numbers that the service can never have. */
export const notReconcilable = (id: string): Refusal =>
  numberRefusal(404, 'not_reconcilable', `${id} is not a number of the public network.`, id);

/** Returns a 400 for an invalid change of state (Conventions, states of phone numbers). */
export const invalidMove = (from: string, to: string): Refusal =>
  numberRefusal(
    400,
    'invalid_state_transition',
    `A number cannot go from ${from} to ${to}.`,
    `from ${from} to ${to}`,
  );

/** Returns the hidden fields of a number that an account owns. */
export const ownerFields = (account: StoredRecord): JsonObject => ({
  account: account.id,
  tree: textsAt(account.hidden, 'tree'),
});

/** Returns the account with a number in service. `typed` can have any format. */
export async function accountInService(store: Store, typed: string): Promise<string | undefined> {
  const number = await store.get({ kind: 'numbers', scope: '', id: normalisedNumber(typed) });
  return number?.body.state === 'in_service' ? textAt(number.hidden, 'account') : undefined;
}

export const belongsTo = (number: StoredRecord, account: StoredRecord): boolean =>
  textAt(number.hidden, 'account') === account.id;

/** Numbers for sale: a hundred in each area code, in the 555 exchange. */
const stockPattern = /^\+1[2-9]\d\d55501\d\d$/;
const stockEndings = Array.from({ length: 100 }, (_, index) => `55501${String(index).padStart(2, '0')}`);

/** Lists numbers for sale by prefix: an area code with optional country code and further digits. */
export function stockNumbers(prefix: string): readonly string[] {
  const [, area, begin = ''] = /^(?:\+?1)?([2-9]\d\d)(\d{0,7})$/.exec(prefix) ?? [];
  return area === undefined
    ? []
    : stockEndings.filter((rest) => rest.startsWith(begin)).map((rest) => `+1${area}${rest}`);
}

/** Returns the record of an unsold number. Returns `undefined` if the number is not for sale. */
export const stockNumber = (id: string): StoredRecord | undefined =>
  stockPattern.test(id)
    ? newRecord({ kind: 'numbers', scope: '', id }, { state: 'discovery' }, 0)
    : undefined;

export const classifiersByName = (classes: readonly NumberClass[]): JsonObject =>
  Object.fromEntries(
    classes.map(({ name, friendlyName, regex, prettyPrint }) => [
      name,
      {
        friendly_name: friendlyName,
        regex,
        ...(prettyPrint === undefined ? {} : { pretty_print: prettyPrint }),
        ...(name === 'emergency' ? { emergency: true } : {}),
      },
    ]),
  );

/** Formats a number. In a pattern, `S` skips a character and `#` copies one. */
function formatNumber(pattern: string, number: string): string {
  let place = 0;
  return [...pattern]
    .map((sign) => {
      if (sign !== 'S' && sign !== '#') return sign;
      place += 1;
      return sign === 'S' ? '' : (number[place - 1] ?? '');
    })
    .join('');
}

/** Classifies a number. Only classes with a format include a formatted number. */
export function classifyAlone(typed: string, classes: readonly NumberClass[]): JsonObject {
  const found = classify(typed, classes);
  const hasForm = found.pretty_print !== found.e164;
  return {
    ...withoutKeys(found, (key) => key === 'pretty_print' && !hasForm),
    ...(found.name === 'emergency' ? { emergency: true } : {}),
  };
}

/** Returns the class of a number with the fields of compatible services. */
export function classify(typed: string, classes: readonly NumberClass[]): JsonObject {
  const number = normalisedNumber(typed);
  const found = classOfNumber(number, classes);
  if (!found) return { number: typed, e164: number };
  const { name, friendlyName, regex, prettyPrint } = found;
  return {
    number: typed,
    e164: number,
    name,
    friendly_name: friendlyName,
    pretty_print: prettyPrint === undefined ? number : formatNumber(prettyPrint, number),
    regex,
  };
}
