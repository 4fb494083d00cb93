import { isObject, type Json, type JsonObject, valueAt } from '../../contract/json.ts';
import { textAt } from '../fields.ts';
import type { Call } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Carrier whose numbers the service makes itself. */
export const localCarrier = 'knm_local';

/** Features that a number can have. */
const available = ['cnam', 'e911', 'failover', 'force_outbound', 'prepend', 'ringback'];

/** Features, with the field that stands for each (Conventions, Phone numbers). */
const features: readonly (readonly [name: string, isOn: (body: JsonObject) => boolean])[] = [
  ['local', (body) => body.carrier_name === localCarrier],
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

/** Which features a number has. */
const featuresOf = (body: JsonObject): readonly string[] =>
  features.flatMap(([name, isOn]) => (isOn(body) ? [name] : []));

/** What answers a number: the callflow that lists it. */
async function usedBy({ id, hidden }: StoredRecord, { services }: Call): Promise<JsonObject> {
  const account = textAt(hidden, 'account');
  if (account === undefined) return {};
  const count = await services.store.count('callflows', account, { field: 'numbers', value: id });
  return count > 0 ? { used_by: 'callflow' } : {};
}

/** Phone numbers: features and use are worked out when they are read (Conventions, Phone numbers). */
export const numberRules: ResourceRules = {
  derive: async (record, call) => ({
    features: featuresOf(record.body),
    ...(await usedBy(record, call)),
    _read_only: {
      created: record.createdAt,
      modified: record.modifiedAt,
      features: { available },
    },
  }),
  summary: async (record, call) => ({
    features: featuresOf(record.body),
    ...(await usedBy(record, call)),
    features_available: available,
    created: record.createdAt,
    updated: record.modifiedAt,
  }),
};
