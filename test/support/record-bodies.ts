import fc, { type Arbitrary } from 'fast-check';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { requiredFields } from '../../src/contract/schema.ts';
import type { Resource, ResourceName } from '../../src/contract/types.ts';
import { sourcesByRules } from '../../src/contract/validate.ts';
import { mode } from './mode.ts';
import { fitting, type Making } from './schema-arbitrary.ts';

/** Rules for the bodies of a resource that its schema does not contain. */
interface Peculiarity extends Pick<Making, 'instead'> {
  /** Returns a body as the service stores it. */
  readonly kept?: (body: JsonObject) => JsonObject;
  /** Omitted fields. */
  readonly unsent?: readonly string[];
}

/** Created when needed, because it takes a second. */
const webUrl = fc.constant(null).chain(() => fc.webUrl({ validSchemes: ['http', 'https'] }));
const extension = fc.stringMatching(/^[2-9][0-9]{1,4}$/);
const without = (body: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));
const lowerCaseField = (body: JsonObject, key: string): JsonObject => {
  const value = body[key];
  return typeof value === 'string' ? { ...body, [key]: value.toLowerCase() } : body;
};

const peculiarities: Partial<Readonly<Record<ResourceName, Peculiarity>>> = {
  accounts: { kept: (body) => lowerCaseField(body, 'realm') },
  users: {
    // A user name needs a password.
    instead: { password: fc.string({ minLength: 1 }) },
    kept: (body) => without(lowerCaseField(body, 'username'), 'password'),
  },
  devices: {
    // The type of a device cannot change, and a device that calls from an address needs one.
    instead: {
      device_type: fc.constant('sip_device'),
      mac_address: fc.stringMatching(/^[\da-f]{12}$/),
      'sip.ip': fc.ipV4(),
      'sip.method': fc.constant('password'),
      outbound_flags: fc.array(fc.string()),
    },
  },
  callflows: {
    instead: {
      numbers: fc.uniqueArray(extension, { minLength: 1, maxLength: 3 }),
      patterns: fc.uniqueArray(extension.map((digits) => `^${digits}[0-9]+$`)),
    },
  },
  apps: {
    instead: {
      client_id: fc.stringMatching(/^[a-z][\w-]{1,30}$/),
      provider: fc.constantFrom('google', 'office365'),
    },
  },
  // The service allows no carrier that is identified only by its address.
  carriers: { instead: { peer: fc.constant(false) } },
  carrier_templates: { instead: { peer: fc.constant(false) } },
  system_carriers: { instead: { peer: fc.constant(false) } },
  faxes: {
    instead: { to_number: fc.stringMatching(/^\+1415555[2-9][0-9]{3}$/) },
    // The service sets the progress of a job.
    kept: (body) => without(body, 'attempts', 'tx_result'),
  },
  // The path determines the list.
  list_entries: { unsent: ['list_id'] },
  // The language of a prompt is part of its id and in lower case.
  media: {
    kept: (body) => (body.prompt_id === undefined ? body : lowerCaseField(body, 'language')),
  },
  // An account administrator can only create numbers in these states.
  numbers: { instead: { create_with_state: fc.constantFrom('reserved', 'in_service') } },
  ports: {
    instead: {
      numbers: fc.dictionary(fc.stringMatching(/^\+1415555[0-9]{4}$/), fc.constant({}), {
        minKeys: 1,
        maxKeys: 3,
      }),
      'comments.*.is_private': fc.constant(false),
      'comments.*.action_required': fc.constant(false),
    },
    // The service signs comments.
    kept: (body) => without(body, 'comments', 'schedule_on'),
  },
  webhooks: {
    instead: {
      hook: fc.constantFrom('channel_create', 'channel_answer', 'all'),
      uri: webUrl,
    },
  },
};

/** Differences on KAZOO. */
const kazooPeculiarities: typeof peculiarities = {
  // Realms are stored without spaces. Derived fields appear when a record is read.
  accounts: { kept: (body) => without(body, 'realm') },
  directories: { kept: (body) => without(body, 'users') },
  faxes: { instead: { ...peculiarities.faxes?.instead, document: fc.record({ url: webUrl }) } },
  // No carrier offers these features there, and the state is hidden.
  numbers: { ...peculiarities.numbers, unsent: ['cnam', 'create_with_state', 'e911', 'failover'] },
  webhooks: {
    instead: { ...peculiarities.webhooks?.instead, custom_data: fc.dictionary(fc.string(), fc.string()) },
  },
};

const findPeculiarity = (name: ResourceName): Peculiarity => ({
  ...peculiarities[name],
  ...(mode === 'kazoo' ? kazooPeculiarities[name] : {}),
});

/** Fields that every body needs. */
const requiredExtras: Partial<Readonly<Record<ResourceName, readonly string[]>>> = {
  users: ['username', 'password'],
  callflows: ['numbers'],
  ...(mode === 'kazoo' ? { faxes: ['document'] } : {}),
};

/** Bodies of valid new records. With `all`, every field is present. */
export function recordBodies(resource: Resource, { all = false } = {}): Arbitrary<JsonObject> {
  const { schema, name } = resource;
  const { unsent = [], ...making } = findPeculiarity(name);
  return fitting(schema, {
    all,
    required: [
      ...requiredFields(resource, 'create', sourcesByRules.conventions),
      ...(requiredExtras[name] ?? []),
    ],
    ...making,
  })
    .filter(isObject)
    .map((body) => without(body, ...unsent));
}

/** Returns a body as the service stores and shows it. */
export const keptBody = ({ name }: Resource, body: JsonObject): JsonObject =>
  findPeculiarity(name).kept?.(body) ?? body;
