import { type Json, textAt } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { isRoutable, normalisedNumber } from '../../../contract/phone-number.ts';
import { answerList, createdInRange } from '../collections/collection.ts';
import { shownRecord, writableFields, write } from '../collections/records.ts';
import { textsAt } from '../fields.ts';
import { gregorianSeconds, monthId } from '../ids-and-secrets.ts';
import { invalid, Refusal } from '../refusal.ts';
import {
  accountOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { numberHandlers } from './numbers.ts';

const defaultDeck = 'ratedeck';
const deckOf = ({ body }: StoredRecord): string => textAt(body, 'ratedeck_id') ?? defaultDeck;
const prefixOf = ({ body }: StoredRecord): string => String(body.prefix);
const isWantedDeck =
  ({ query }: ServiceRequest) =>
  (rate: StoredRecord): boolean =>
    query.get('ratedeck_id') === null || query.get('ratedeck_id') === deckOf(rate);

/** Lists rates with all fields. With a number in the query, lists only rates whose prefix matches. */
const listRates: RequestHandler = (call) => {
  const inDeck = isWantedDeck(call);
  const prefix = call.query.get('prefix');
  return answerList(call, 'rates', {
    scope: '',
    has: (rate) => inDeck(rate) && (prefix === null || prefix.startsWith(prefixOf(rate))),
    ...(prefix === null ? {} : { item: (rate) => shownRecord(call, 'rates', rate) }),
  });
};

const listDecks: RequestHandler = async ({ services }) => {
  const rates = await services.store.allOfKind('rates');
  return {
    data: {
      default_ratedeck: defaultDeck,
      ratedecks: [...new Set([defaultDeck, ...rates.map(deckOf)])].sort(),
    },
  };
};

/** Returns true if a rate applies to a number, by its patterns or else by its prefix. */
function appliesTo(rate: StoredRecord, number: string): boolean {
  const routes = textsAt(rate.body, 'routes');
  return routes.length === 0
    ? number.replace('+', '').startsWith(prefixOf(rate))
    : routes.some((each) => compilePattern(each)?.test(number) ?? false);
}

/**
 * Returns the costs of a call to a number, by the longest prefix. Refuses invalid numbers (400) and numbers without a
 * rate.
 */
const rateNumber: RequestHandler = async (call) => {
  const number = normalisedNumber(pathParameter(call, 'phone_number'));
  if (!isRoutable(number))
    throw invalid([
      { path: 'number format', rule: 'error', message: 'is not a phone number', cause: number },
    ]);
  const inDeck = isWantedDeck(call);
  const direction = call.query.get('direction');
  const [rate] = (await call.services.store.allOfKind('rates'))
    .filter((each) => inDeck(each) && appliesTo(each, number))
    .filter(({ body }) => {
      const directions = textsAt(body, 'direction');
      return direction === null || directions.length === 0 || directions.includes(direction);
    })
    .toSorted(
      (one, other) =>
        prefixOf(other).length - prefixOf(one).length ||
        Number(one.body.weight ?? 1) - Number(other.body.weight ?? 1),
    );
  if (!rate) {
    const message = 'No rate found for this number';
    throw new Refusal(call.services.behaviour.rates.none, message, message, { message });
  }
  const { body } = rate;
  const cost = Number(body.rate_cost);
  const minimum = Number(body.rate_minimum ?? 60);
  const surcharge = Number(body.rate_surcharge ?? 0);
  return {
    data: {
      'Base-Cost': cost * Math.floor(minimum / 60) + surcharge,
      'E164-Number': number,
      Prefix: prefixOf(rate),
      Rate: cost,
      'Rate-Description': textAt(body, 'description') ?? '',
      'Rate-Increment': Number(body.rate_increment ?? 60),
      'Rate-Minimum': minimum,
      'Rate-Name': textAt(body, 'rate_name') ?? '',
      Surcharge: surcharge,
    },
  };
};

/** Creates a number. Returns the error if that fails. */
async function createNumber(
  call: ServiceRequest,
  phone_number: string,
): Promise<{ readonly done?: Json; readonly error?: Json }> {
  const create = numberHandlers['numbers.create'];
  if (!create) throw new Error('Numbers cannot be made.');
  try {
    const data = { create_with_state: 'in_service' };
    return { done: (await create({ ...call, params: { ...call.params, phone_number }, data })).data ?? {} };
  } catch (error) {
    if (error instanceof Refusal) return { error: { code: error.status, error: error.code } };
    throw error;
  }
}

/** Runs a job immediately. Its result can be read later. */
const create: RequestHandler = async (call) => {
  const { clock, random } = call.services;
  const sent = writableFields(call, 'carrier_jobs');
  const success: Record<string, Json> = {};
  const errors: Record<string, Json> = {};
  const timestamp = gregorianSeconds(clock);
  const name = { kind: 'carrier_jobs', scope: accountOf(call).id, id: monthId(clock, random, 16) };
  for (const number of new Set(textsAt(sent, 'numbers'))) {
    const { done, error } = await createNumber(call, number);
    if (done !== undefined) success[number] = done;
    if (error !== undefined) errors[number] = error;
  }
  const body = { ...sent, success, errors, status: 'complete', timestamp };
  const record = await write(call, 'carrier_jobs', name, body);
  const { success: _, errors: __, ...asked } = await shownRecord(call, 'carrier_jobs', record);
  return { data: { ...asked, status: 'pending' }, created: name.id };
};

const listJobs: RequestHandler = async (call) =>
  answerList(call, 'carrier_jobs', {
    has: createdInRange(call),
    item: (record) => shownRecord(call, 'carrier_jobs', record),
  });

export const carrierHandlers: RequestHandlers = {
  // Rates (Conventions, Carriers).
  'rates.list': listRates,
  'rates.ratedecks': listDecks,
  'rates.of-number': rateNumber,
  'rates.of-number-everywhere': rateNumber,
  // Jobs that add numbers of a carrier to an account (Conventions, Carriers).
  'carrier_jobs.list': listJobs,
  'carrier_jobs.create': create,
};
