import fc, { type Arbitrary } from 'fast-check';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { requiredFields } from '../../src/contract/schema.ts';
import type { Resource, ResourceName } from '../../src/contract/types.ts';
import { sourcesOf } from '../../src/contract/validate.ts';
import { fitting, type Making } from './schema-arbitrary.ts';

/** How a resource's bodies are made, beyond its schema. */
interface Peculiarity extends Pick<Making, 'instead'> {
  /** A body as the service keeps it. */
  readonly kept?: (body: JsonObject) => JsonObject;
}

const extension = fc.stringMatching(/^[2-9][0-9]{1,4}$/);
const without = (body: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));
const inLowerCase = (body: JsonObject, key: string): JsonObject => {
  const value = body[key];
  return typeof value === 'string' ? { ...body, [key]: value.toLowerCase() } : body;
};

const peculiarities: Partial<Readonly<Record<ResourceName, Peculiarity>>> = {
  accounts: { kept: (body) => inLowerCase(body, 'realm') },
  users: {
    // A name to sign in with comes with a password.
    instead: { password: fc.string({ minLength: 1 }) },
    kept: (body) => without(inLowerCase(body, 'username'), 'password'),
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
  faxes: {
    instead: { to_number: fc.stringMatching(/^\+1415555[2-9][0-9]{3}$/) },
    // How far the job has come is the service's word.
    kept: (body) => without(body, 'attempts', 'tx_result'),
  },
  // In the other states a number cannot be made by an account's own administrator.
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
    // Comments are signed by the service.
    kept: (body) => without(body, 'comments', 'schedule_on'),
  },
  webhooks: {
    instead: {
      hook: fc.constantFrom('channel_create', 'channel_answer', 'all'),
      uri: fc.webUrl({ validSchemes: ['http', 'https'] }),
    },
  },
};

/** Fields that must stand beside others in every body. */
const beside: Partial<Readonly<Record<ResourceName, readonly string[]>>> = {
  users: ['username', 'password'],
  callflows: ['numbers'],
};

/** Bodies that a service takes for a new record; with `all`, every field is there. */
export function recordBodies(resource: Resource, { all = false } = {}): Arbitrary<JsonObject> {
  const { schema, name } = resource;
  return fitting(schema, {
    all,
    required: [...requiredFields(resource, 'create', sourcesOf.conventions), ...(beside[name] ?? [])],
    ...peculiarities[name],
  }).filter(isObject);
}

/** A body as the service keeps and shows it. */
export const keptBody = ({ name }: Resource, body: JsonObject): JsonObject =>
  peculiarities[name]?.kept?.(body) ?? body;
