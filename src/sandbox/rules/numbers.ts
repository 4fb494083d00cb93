import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import type { Call } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { numberRefusal } from '../telephony/number-refusals.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Carrier whose numbers the service makes itself. */
const localCarrier = 'knm_local';

/** Tells whether a number is one of the service's own carrier. */
export const isLocal = ({ body }: Pick<StoredRecord, 'body'>, { services }: Call): boolean =>
  body.carrier_name === localCarrier || services.behaviour.phoneNumbers.carrier === 'local';

/** Features, with the field that stands for each (Conventions, Phone numbers). */
const features: readonly (readonly [name: string, isOn: (body: JsonObject) => boolean])[] = [
  ['port', (body) => isFilled(body.porting)],
  ['outbound_cnam', (body) => valueAt(body, 'cnam.display_name') !== undefined],
  ['inbound_cnam', (body) => valueAt(body, 'cnam.inbound_lookup') === true],
  ['e911', (body) => isFilled(body.e911)],
  ['prepend', (body) => valueAt(body, 'prepend.enabled') === true],
  ['failover', (body) => isFilled(body.failover)],
  ['force_outbound', (body) => body.force_outbound === true],
  ['ringback', (body) => isFilled(body.ringback)],
];

const isFilled = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length > 0;

/** Returns the features that a number has by its fields. */
const featuresIn = (body: JsonObject): readonly string[] =>
  features.flatMap(([name, isOn]) => (isOn(body) ? [name] : []));

const featuresOf = (number: StoredRecord, call: Call): readonly string[] => [
  ...(isLocal(number, call) ? ['local'] : []),
  ...featuresIn(number.body),
];

/** Features that are switched on by another name than that by which they are offered. */
const offeredAs = new Map([
  ['inbound_cnam', 'cnam'],
  ['outbound_cnam', 'cnam'],
]);

/** Refuses features that the service has no provider for. */
function refuseUnavailable(body: JsonObject, before: StoredRecord | undefined, { services }: Call): void {
  const had = featuresIn(before?.body ?? {});
  const offered = [...services.behaviour.phoneNumbers.features, 'port'];
  const wanted = featuresIn(body).filter((name) => !had.includes(name));
  const missing = wanted.find((name) => !offered.includes(offeredAs.get(name) ?? name));
  if (missing !== undefined)
    throw numberRefusal(403, 'forbidden', `The feature ${missing} is not available.`, missing);
}

/** Finds what answers a number: the callflow that lists it. */
async function usedBy({ id, hidden }: StoredRecord, { services }: Call): Promise<JsonObject> {
  const account = textAt(hidden, 'account');
  if (account === undefined) return {};
  const count = await services.store.count('callflows', account, { field: 'numbers', value: id });
  return count > 0 ? { used_by: 'callflow' } : {};
}

/** Phone numbers: features and use are worked out when they are read (Conventions, Phone numbers). */
export const numberRules: ResourceRules = {
  refine: (draft, before, call) => {
    refuseUnavailable(draft.body, before, call);
    return draft;
  },
  derive: async (record, call) => ({
    features: featuresOf(record, call),
    ...(await usedBy(record, call)),
    _read_only: {
      created: record.createdAt,
      modified: record.modifiedAt,
      features: {
        available: call.services.behaviour.phoneNumbers.features,
        ...(isLocal(record, call) ? { settings: {} } : {}),
      },
      ...(isLocal(record, call) ? { carrier_module: 'local' } : {}),
    },
  }),
  summary: async (record, call) => ({
    features: featuresOf(record, call),
    ...(await usedBy(record, call)),
    features_available: call.services.behaviour.phoneNumbers.features,
    features_allowed: [],
    features_denied: [],
    created: record.createdAt,
    updated: record.modifiedAt,
  }),
};
