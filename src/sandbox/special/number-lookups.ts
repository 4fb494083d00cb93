import type { JsonObject } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { shown } from '../collections/records.ts';
import { textsAt } from '../fields.ts';
import { invalid } from '../refusal.ts';
import { accountOf, type Call, type Handler, parameter } from '../requests/call.ts';
import { classify, classifyAlone } from '../telephony/classifiers.ts';
import { localityOf } from '../telephony/localities.ts';
import { isOf } from '../telephony/number-refusals.ts';

/** A number as its record, where the account has it; else a record that holds its id alone. */
async function recordOf(call: Call, id: string): Promise<JsonObject> {
  const number = await call.services.store.get({ kind: 'numbers', scope: '', id });
  return number && isOf(number, accountOf(call)) ? shown(call, 'numbers', number) : { id };
}

/** Returns the place of a number, in the fields of compatible services. */
function entryOf(typed: string): JsonObject {
  const e164 = normalisedNumber(typed);
  const place = localityOf(e164);
  if (!place) return { number: typed, e164_number: e164, status: 'error' };
  const { locality, region, country, latitude, longitude } = place;
  return {
    number: typed,
    e164_number: e164,
    status: 'success',
    locality,
    region,
    country,
    geocode: `${latitude},${longitude}`,
  };
}

/** The address that the record's `e911` holds, for readers of the specification's shape. */
function addressOf(e164: string): JsonObject {
  const place = localityOf(e164);
  if (!place) return {};
  const { locality, region, postalCode, latitude, longitude } = place;
  return {
    e911: { locality, region, postal_code: postalCode, street_address: '', latitude, longitude },
  };
}

/**
 * Returns the places of numbers. The specification answers with a phone number record: that of the first number asked
 * for. Beside it stands the answer of compatible services, each number's place under the number.
 */
const locality: Handler = async (call) => {
  const numbers = textsAt(call.data, 'numbers');
  const [first] = numbers;
  if (first === undefined && call.services.behaviour.phoneNumbers.refusals === 'faults')
    throw invalid([{ path: 'numbers', rule: 'required', message: 'is required' }]);
  if (first === undefined) return { data: {} };
  const id = normalisedNumber(first);
  const entries = Object.fromEntries(numbers.map((typed) => [typed, entryOf(typed)]));
  return { data: { ...entries, ...addressOf(id), ...(await recordOf(call, id)) } };
};

/**
 * Returns the kind of a number. The specification answers with a phone number record; the words of compatible
 * services stand in it as further fields.
 */
const classification: Handler = async (call) => {
  const typed = parameter(call, 'phone_number');
  if (call.services.behaviour.phoneNumbers.classification === 'alone') return { data: classifyAlone(typed) };
  return { data: { ...classify(typed), ...(await recordOf(call, normalisedNumber(typed))) } };
};

/** Looking numbers up, whoever has them (Endpoints, Account resources). */
export const numberLookupHandlers = new Map<string, Handler>([
  ['numbers.locality', locality],
  ['numbers.classify', classification],
]);
