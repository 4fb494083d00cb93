import { type JsonObject, textAt } from '../../../base/json.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { shownRecord } from '../collections/records.ts';
import { textsAt } from '../fields.ts';
import { accountRecordName, isSuper } from '../identity/principal.ts';
import { invalid, missingField, Refusal } from '../refusal.ts';
import {
  accountOf,
  pathParameter,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import {
  belongsTo,
  classifiersByName,
  classify,
  classifyAlone,
  stockNumber,
  unknownNumber,
  withServiceFaults,
} from '../telephony/numbers.ts';
import { creationStates, listNumbers } from './numbers.ts';

/** Returns the record of a number if the account owns it, or else only its id. */
async function recordOrId(call: ServiceRequest, id: string): Promise<JsonObject> {
  const number = await call.services.store.get({ kind: 'numbers', scope: '', id });
  return number && belongsTo(number, accountOf(call)) ? shownRecord(call, 'numbers', number) : { id };
}

/** Returns the location of a number with the fields of compatible services. */
function lookupEntry(typed: string): JsonObject {
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

/** Returns the location of a number as an `e911` address of the specification. */
function e911Address(e164: string): JsonObject {
  const place = localityOf(e164);
  if (!place) return {};
  const { locality, region, postalCode, latitude, longitude } = place;
  return { e911: { locality, region, postal_code: postalCode, street_address: '', latitude, longitude } };
}

/** Returns locations by number. Includes the record of the first number, as in the specification. */
const locality: RequestHandler = async (call) => {
  const numbers = textsAt(call.data, 'numbers');
  const [first] = numbers;
  if (first === undefined && call.services.behaviour.phoneNumbers.refusals === 'faults')
    throw invalid([missingField('numbers')]);
  if (first === undefined) return { data: {} };
  const id = normalisedNumber(first);
  const entries = Object.fromEntries(numbers.map((typed) => [typed, lookupEntry(typed)]));
  return { data: { ...entries, ...e911Address(id), ...(await recordOrId(call, id)) } };
};

/** Classifies a number. Includes its record, as in the specification. */
const classification: RequestHandler = async (call) => {
  const typed = pathParameter(call, 'phone_number');
  const { classification: form, classes } = call.services.behaviour.phoneNumbers;
  if (form === 'alone') return { data: classifyAlone(typed, classes) };
  return { data: { ...classify(typed, classes), ...(await recordOrId(call, normalisedNumber(typed))) } };
};

/** Carriers of services in the field (as recorded). */
const usableCarriers = [
  'bandwidth',
  'inventory',
  'inum',
  'local',
  'managed',
  'mdn',
  'other',
  'vitelity',
  'voip_innovations',
];

const carriers: RequestHandler = async (call) => {
  const states = await creationStates(call);
  return {
    data: {
      maximal_prefix_length: 10,
      usable_carriers: usableCarriers,
      usable_creation_states: isSuper(principalOf(call))
        ? [...states]
        : states.filter((each) => each !== 'port_in'),
    },
  };
};

const check: RequestHandler = async ({ data, services: { store, behaviour } }) => {
  const found = await Promise.all(
    textsAt(data, 'numbers').map(async (typed) => {
      const id = normalisedNumber(typed);
      const number = await store.get({ kind: 'numbers', scope: '', id });
      const isSold =
        behaviour.phoneNumbers.stock === 'sandbox' &&
        (number ? number.body.state === 'available' : stockNumber(id));
      return [
        typed,
        isSold ? 'available' : number && behaviour.phoneNumbers.stock === 'sandbox' ? 'unavailable' : 'error',
      ] as const;
    }),
  );
  return { data: Object.fromEntries(found) };
};

/** Returns the account of a number to any caller. Refuses (400) a number that is not in service. */
const identify: RequestHandler = async ({ params, services: { store } }) => {
  const id = normalisedNumber(params.phone_number ?? '');
  const number = await store.get({ kind: 'numbers', scope: '', id });
  const accountId = number && textAt(number.hidden, 'account');
  if (number === undefined || accountId === undefined) throw unknownNumber(id);
  const account = await store.get(accountRecordName(accountId));
  const data = { account_id: accountId, number: id };
  const cause =
    account?.body.enabled === false
      ? 'account_disabled'
      : number.body.state === 'in_service'
        ? undefined
        : 'not_in_service';
  if (cause === undefined) return { data };
  const message =
    cause === 'not_in_service' ? `${id} is not in service.` : `The account of ${id} is disabled.`;
  throw new Refusal(400, cause, message, { ...data, cause });
};

export const numberLookupHandlers: RequestHandlers = {
  'numbers.locality': locality,
  'numbers.classify': classification,
  'numbers.classifiers': async ({ services }) => ({
    data: classifiersByName(services.behaviour.phoneNumbers.classes),
  }),
  'numbers.carriers': carriers,
  'numbers.check': check,
  'numbers.identify': withServiceFaults(identify),
  'numbers.fix': listNumbers,
  'numbers.fix-one': async () => ({ data: {} }),
};

interface Locality {
  readonly prefix: string;
  readonly locality: string;
  /** Two letters. */
  readonly region: string;
  readonly country: string;
  readonly postalCode: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** Sample area codes. */
// biome-ignore format: a table, whose rows are read as lines
const localities: readonly Locality[] = [
  { prefix: '+1202', locality: 'Washington', region: 'DC', country: 'US', postalCode: '20004', latitude: '38.8951', longitude: '-77.0364' },
  { prefix: '+1206', locality: 'Seattle', region: 'WA', country: 'US', postalCode: '98104', latitude: '47.6038', longitude: '-122.3301' },
  { prefix: '+1212', locality: 'New York', region: 'NY', country: 'US', postalCode: '10007', latitude: '40.7143', longitude: '-74.0060' },
  { prefix: '+1213', locality: 'Los Angeles', region: 'CA', country: 'US', postalCode: '90012', latitude: '34.0522', longitude: '-118.2437' },
  { prefix: '+1303', locality: 'Denver', region: 'CO', country: 'US', postalCode: '80202', latitude: '39.7392', longitude: '-104.9847' },
  { prefix: '+1305', locality: 'Miami', region: 'FL', country: 'US', postalCode: '33130', latitude: '25.7743', longitude: '-80.1937' },
  { prefix: '+1312', locality: 'Chicago', region: 'IL', country: 'US', postalCode: '60602', latitude: '41.8500', longitude: '-87.6500' },
  { prefix: '+1404', locality: 'Atlanta', region: 'GA', country: 'US', postalCode: '30303', latitude: '33.7490', longitude: '-84.3880' },
  { prefix: '+1415', locality: 'San Francisco', region: 'CA', country: 'US', postalCode: '94102', latitude: '37.7749', longitude: '-122.4194' },
  { prefix: '+1416', locality: 'Toronto', region: 'ON', country: 'CA', postalCode: 'M5H 2N2', latitude: '43.7001', longitude: '-79.4163' },
  { prefix: '+1512', locality: 'Austin', region: 'TX', country: 'US', postalCode: '78701', latitude: '30.2672', longitude: '-97.7431' },
  { prefix: '+1514', locality: 'Montreal', region: 'QC', country: 'CA', postalCode: 'H2Y 1C6', latitude: '45.5088', longitude: '-73.5878' },
  { prefix: '+1555', locality: 'Springfield', region: 'IL', country: 'US', postalCode: '62701', latitude: '39.7990', longitude: '-89.6440' },
  { prefix: '+1604', locality: 'Vancouver', region: 'BC', country: 'CA', postalCode: 'V5Y 1V4', latitude: '49.2497', longitude: '-123.1193' },
  { prefix: '+1617', locality: 'Boston', region: 'MA', country: 'US', postalCode: '02108', latitude: '42.3584', longitude: '-71.0598' },
  { prefix: '+1702', locality: 'Las Vegas', region: 'NV', country: 'US', postalCode: '89101', latitude: '36.1750', longitude: '-115.1372' },
  { prefix: '+1713', locality: 'Houston', region: 'TX', country: 'US', postalCode: '77002', latitude: '29.7633', longitude: '-95.3633' },
  { prefix: '+3120', locality: 'Amsterdam', region: 'NL', country: 'NL', postalCode: '1011', latitude: '52.3740', longitude: '4.8897' },
  { prefix: '+331', locality: 'Paris', region: 'FR', country: 'FR', postalCode: '75001', latitude: '48.8534', longitude: '2.3488' },
  { prefix: '+4143', locality: 'Zurich', region: 'CH', country: 'CH', postalCode: '8001', latitude: '47.3667', longitude: '8.5500' },
  { prefix: '+4144', locality: 'Zurich', region: 'CH', country: 'CH', postalCode: '8001', latitude: '47.3667', longitude: '8.5500' },
  { prefix: '+4420', locality: 'London', region: 'GB', country: 'GB', postalCode: 'SW1A', latitude: '51.5085', longitude: '-0.1257' },
  { prefix: '+4930', locality: 'Berlin', region: 'DE', country: 'DE', postalCode: '10178', latitude: '52.5244', longitude: '13.4105' },
  { prefix: '+4989', locality: 'Munich', region: 'DE', country: 'DE', postalCode: '80331', latitude: '48.1374', longitude: '11.5755' },
];

const localityOf = (e164: string): Locality | undefined =>
  localities.find(({ prefix }) => e164.startsWith(prefix));
