import { type JsonObject, textAt } from '../../../base/json.ts';
import { classOfNumber, type NumberClass } from '../../../contract/number-classes.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { textsAt, withoutKeys } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { RequestHandler } from '../requests/service-request.ts';
import { newRecord, type Store, type StoredRecord } from '../store/store.ts';

class NumberRefusal extends Refusal {}

/** An error of a phone number, with the word and the cause that compatible services give. */
export function numberRefusal(status: number, error: string, message: string, cause: string): Refusal {
  return new NumberRefusal(status, error, message, { code: status, error, cause, message });
}

/** Answers of single numbers; services in the field tell of a fault of their own whatever is the matter (as recorded). */
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

/** No number that the service could ever have. */
export const notReconcilable = (id: string): Refusal =>
  numberRefusal(404, 'not_reconcilable', `${id} is not a number of the public network.`, id);

/** A move between states that does not exist (Conventions, states of phone numbers). */
export const invalidMove = (from: string, to: string): Refusal =>
  numberRefusal(
    400,
    'invalid_state_transition',
    `A number cannot go from ${from} to ${to}.`,
    `from ${from} to ${to}`,
  );

/** Hidden values of a number that an account has: whose it is, and in which part of the account tree. */
export const ownerFields = (account: StoredRecord): JsonObject => ({
  account: account.id,
  tree: textsAt(account.hidden, 'tree'),
});

/** Id of the account that has a number in service, however the number is written. */
export async function accountInService(store: Store, typed: string): Promise<string | undefined> {
  const number = await store.get({ kind: 'numbers', scope: '', id: normalisedNumber(typed) });
  return number?.body.state === 'in_service' ? textAt(number.hidden, 'account') : undefined;
}

export const belongsTo = (number: StoredRecord, account: StoredRecord): boolean =>
  textAt(number.hidden, 'account') === account.id;

/** Numbers that the sandbox's carrier sells: a hundred of each area code, in the 555 exchange. */
const stockPattern = /^\+1[2-9]\d\d55501\d\d$/;
const stockEndings = Array.from({ length: 100 }, (_, index) => `55501${String(index).padStart(2, '0')}`);

/** Numbers of the stock that begin so: an area code, with the country before it or not, and digits after it. */
export function stockNumbers(prefix: string): readonly string[] {
  const [, area, begin = ''] = /^(?:\+?1)?([2-9]\d\d)(\d{0,7})$/.exec(prefix) ?? [];
  return area === undefined
    ? []
    : stockEndings.filter((rest) => rest.startsWith(begin)).map((rest) => `+1${area}${rest}`);
}

/** The record of a number of the stock before somebody has it; `undefined` for any other number. */
export const stockNumber = (id: string): StoredRecord | undefined =>
  stockPattern.test(id)
    ? newRecord({ kind: 'numbers', scope: '', id }, { state: 'discovery' }, 0)
    : undefined;

/** The kinds by name, as services list them. */
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

/** Writes a number by a pattern: `S` passes over a character, `#` writes one, all else is written as it is. */
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

/** As `classify`, with a printed form only where the kind has one, and a word for emergency numbers. */
export function classifyAlone(typed: string, classes: readonly NumberClass[]): JsonObject {
  const found = classify(typed, classes);
  const hasForm = found.pretty_print !== found.e164;
  return {
    ...withoutKeys(found, (key) => key === 'pretty_print' && !hasForm),
    ...(found.name === 'emergency' ? { emergency: true } : {}),
  };
}

/** Returns the kind of a number, in the fields of compatible services. */
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
