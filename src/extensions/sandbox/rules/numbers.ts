import { isObject, type Json, type JsonObject, objectsIn, textAt, valueAt } from '../../../base/json.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { withoutKeys } from '../fields.ts';
import { accountRecordName } from '../identity/principal.ts';
import { accountOf, type ResourceRules, type ServiceRequest } from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { numberRefusal } from '../telephony/numbers.ts';
import { isAuthority } from '../telephony/port-states.ts';

const localCarrier = 'knm_local';

export const isLocalNumber = ({ body }: Pick<StoredRecord, 'body'>, { services }: ServiceRequest): boolean =>
  body.carrier_name === localCarrier || services.behaviour.phoneNumbers.carrier === 'local';

/** Features and the fields that enable them (Conventions, Phone numbers). */
const features: readonly (readonly [name: string, isOn: (body: JsonObject) => boolean])[] = [
  ['port', (body) => isNonEmpty(body.porting)],
  ['outbound_cnam', (body) => valueAt(body, 'cnam.display_name') !== undefined],
  ['inbound_cnam', (body) => valueAt(body, 'cnam.inbound_lookup') === true],
  ['e911', (body) => isNonEmpty(body.e911)],
  ['prepend', (body) => valueAt(body, 'prepend.enabled') === true],
  ['failover', (body) => isNonEmpty(body.failover)],
  ['force_outbound', (body) => body.force_outbound === true],
  ['ringback', (body) => isNonEmpty(body.ringback)],
];

const isNonEmpty = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length > 0;

const featuresIn = (body: JsonObject): readonly string[] =>
  features.flatMap(([name, isOn]) => (isOn(body) ? [name] : []));

const numberFeatures = (number: StoredRecord, call: ServiceRequest): readonly string[] => [
  ...(isLocalNumber(number, call) ? ['local'] : []),
  ...featuresIn(number.body),
];

/** Features that are offered under another name. */
const offeredNames = new Map([
  ['inbound_cnam', 'cnam'],
  ['outbound_cnam', 'cnam'],
]);

function refuseUnavailable(
  body: JsonObject,
  before: StoredRecord | undefined,
  { services }: ServiceRequest,
): void {
  const had = featuresIn(before?.body ?? {});
  const offered = [...services.behaviour.phoneNumbers.features, 'port'];
  const wanted = featuresIn(body).filter((name) => !had.includes(name));
  const missing = wanted.find((name) => !offered.includes(offeredNames.get(name) ?? name));
  if (missing !== undefined)
    throw numberRefusal(403, 'forbidden', `The feature ${missing} is not available.`, missing);
}

/** Returns the use of a number, if a callflow lists it. */
async function numberUse({ id, hidden }: StoredRecord, { services }: ServiceRequest): Promise<JsonObject> {
  const account = textAt(hidden, 'account');
  if (account === undefined) return {};
  const count = await services.store.count('callflows', account, { field: 'numbers', value: id });
  return count > 0 ? { used_by: 'callflow' } : {};
}

/** Rules of phone numbers: features and use are computed at each read (Conventions, Phone numbers). */
export const numberRules: ResourceRules = {
  refine: (draft, before, call) => {
    refuseUnavailable(draft.body, before, call);
    return draft;
  },
  derive: async (record, call) => ({
    features: numberFeatures(record, call),
    ...(await numberUse(record, call)),
    _read_only: {
      created: record.createdAt,
      modified: record.modifiedAt,
      features: {
        available: call.services.behaviour.phoneNumbers.features,
        ...(isLocalNumber(record, call) ? { settings: {} } : {}),
      },
      ...(isLocalNumber(record, call) ? { carrier_module: 'local' } : {}),
    },
  }),
  summary: async (record, call) => ({
    features: numberFeatures(record, call),
    ...(await numberUse(record, call)),
    features_available: call.services.behaviour.phoneNumbers.features,
    features_allowed: [],
    features_denied: [],
    created: record.createdAt,
    updated: record.modifiedAt,
  }),
};

/** Returns the content type and size of a port request's documents by name. */
export const documentsOf = ({ hidden }: Pick<StoredRecord, 'hidden'>): JsonObject =>
  isObject(hidden.documents) ? hidden.documents : {};

/** Removes entries that only the port authority can read. */
const visibleEntries = (entries: readonly JsonObject[], call: ServiceRequest): readonly JsonObject[] =>
  isAuthority(call) ? entries : entries.filter((entry) => entry.is_private !== true);

const timestampOf = ({ timestamp }: JsonObject): number => (typeof timestamp === 'number' ? timestamp : 0);

/** Returns the transitions and comments of a port request, oldest first. */
export function portTimeline({ body, hidden }: StoredRecord, call: ServiceRequest): readonly JsonObject[] {
  const entries = [...objectsIn(hidden.moves), ...objectsIn(body.comments)];
  return visibleEntries(entries, call).toSorted((a, b) => timestampOf(a) - timestampOf(b));
}

async function portFacts(record: StoredRecord, call: ServiceRequest): Promise<JsonObject> {
  const account = accountOf(call);
  const authority = textAt(account.hidden, 'reseller_id');
  const above =
    authority === undefined ? undefined : await call.services.store.get(accountRecordName(authority));
  return {
    account_id: record.scope,
    account_name: textAt(account.body, 'name') ?? '',
    ...(record.body.ported_numbers === undefined ? {} : { ported_numbers: record.body.ported_numbers }),
    ...(above ? { port_authority: above.id, port_authority_name: textAt(above.body, 'name') ?? '' } : {}),
  };
}

/** Rules of port requests: numbers are normalized, and private comments are hidden (Conventions, Port requests). */
export const portRules: ResourceRules = {
  normalize: (data) => {
    const { numbers } = data;
    if (!isObject(numbers)) return data;
    return {
      ...data,
      numbers: Object.fromEntries(
        Object.entries(numbers).map(([number, details]) => [normalisedNumber(number), details]),
      ),
    };
  },
  refine: ({ body, hidden }, _, { services }) => {
    const { schedule, ported } = services.behaviour.ports;
    const isMoved = ported === 'moved' && body.port_state === 'completed';
    const numbers = isMoved ? { numbers: {}, ported_numbers: body.numbers } : {};
    const isDropped = (key: string): boolean => key === 'schedule_on' && schedule === 'any';
    return { body: { ...withoutKeys(body, isDropped), ...numbers }, hidden };
  },
  derive: async (record, call) => ({
    ...(record.body.comments === undefined
      ? {}
      : { comments: visibleEntries(objectsIn(record.body.comments), call) }),
    created: record.createdAt,
    updated: record.modifiedAt,
    sent: objectsIn(record.hidden.moves).length > 0,
    uploads: documentsOf(record),
    _read_only: await portFacts(record, call),
  }),
};
