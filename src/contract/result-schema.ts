import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { resourceByName } from './catalogue.ts';
import { Components, replyData } from './published-components.ts';
import { copySchema } from './published-schema.ts';
import { isListed } from './resource.ts';
import type { Operation, Resource } from './types.ts';

const published = '#/components/schemas/';

/** Converts references to OpenAPI components to references of a separate schema. */
const toStandaloneSchema = (schema: Json): Json =>
  copySchema(schema, ({ $ref, ...rest }) =>
    typeof $ref === 'string' ? { ...rest, $ref: $ref.replace(published, '#/$defs/') } : rest,
  );

const wholeVerbs = new Set(['list', 'create', 'get', 'update', 'patch']);

/** A complete record of a collection has its id. */
const hasId = ({ kind, oneOfEach, operations }: Resource, { verb }: Operation): boolean =>
  kind === 'collection' &&
  oneOfEach === undefined &&
  wholeVerbs.has(verb) &&
  operations.some((each) => each.verb === 'create');

const requireId = (schemas: JsonObject, { $ref }: JsonObject): JsonObject => {
  const name = String($ref).replace(published, '');
  const record = schemas[name];
  return isObject(record) ? { ...schemas, [name]: { ...record, required: ['id'] } } : schemas;
};

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const number = { type: 'number' } as const;

/** An object with these required fields. */
const row = (properties: JsonObject, others: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { ...properties, ...others },
  required: Object.keys(properties),
});
const rows = (...items: readonly JsonObject[]): JsonObject => ({
  type: 'array',
  items: items.length === 1 ? { ...items[0] } : { anyOf: items },
});

/** Converts a map to rows with their keys in `field`. */
const rowsByKey =
  (field: string) =>
  ({ additionalProperties: value }: JsonObject): JsonObject =>
    rows({ allOf: [isObject(value) ? value : {}, row({ [field]: text })] });

/** Returns the rows in a field of the response. */
const rowsInField =
  (field: string) =>
  ({ properties }: JsonObject): JsonObject => {
    const list = isObject(properties) ? properties[field] : undefined;
    return isObject(list) ? list : {};
  };

const sums = { legs: integer, answered: integer, seconds: number, billed: number } as const;
const hosts = rows(row({ type: text, host: text }));

/** Results whose format differs from the data of the response. */
const ownForms: Readonly<Record<string, (reply: JsonObject) => JsonObject>> = {
  'accounts.tree': () => {
    const [name, children] = [{ type: ['string', 'null'] }, { type: 'array', items: { $ref: '#' } }];
    return row({ id: name, name, realm: name, children });
  },
  'agents.stats': rowsByKey('agent_id'),
  'allotments.consumed': rowsByKey('bucket'),
  'cdrs.summary': () =>
    rows(row({ name: text, ...sums }), row({ direction: text, address: text, kind: text, seconds: number })),
  'devices.status': () => rows(row({ id: text, registered: text })),
  'keys.list': () => rows(row({ id: text }, { fingerprint: text })),
  'ledgers.summary': rowsInField('breakdown'),
  'ledgers.sums': rowsByKey('source'),
  'media.languages': () => rows(row({ language: text, count: integer }), row({ id: text })),
  'media.prompts': () => rows(row({ prompt: text, count: integer }), row({ id: text })),
  'numbers.check': () => rows(row({ number: text, status: text })),
  'numbers.classifiers': rowsByKey('name'),
  'numbers.locality': (reply) => ({ anyOf: [rows(row({ id: text })), reply] }),
  'ports.timeline': (reply) => ({ anyOf: [rows(row({}, { timestamp: integer })), reply] }),
  'presence.get': () => rows(row({ extension: text, event: text })),
  'queues.stats': rowsInField('stats'),
  'security.modules': () => rows(row({ module: text })),
  'tasks.actions': () => rows(row({ category: text, action: text })),
  'webhooks.samples': () => rows(row({ id: text })),
  'whitelabel.check-domains': () => hosts,
  'whitelabel.domains': () => hosts,
};

export const hasResult = ({ reply }: Operation): boolean => reply.kind !== 'file' && reply.kind !== 'empty';

/**
 * Returns JSON Schema 2020-12 of a result, as in `-o json` and in the library. Lists are arrays without the envelope.
 * Fields of compatible services are included and marked.
 */
export function resultSchema(operation: Operation): JsonObject {
  const { id, reply } = operation;
  const named = reply.kind === 'list' || reply.kind === 'record' ? reply.resource : undefined;
  const resource = resourceByName(named ?? operation.resource);
  const components = new Components('conventions');
  const ofReply = replyData(operation, reply, components);
  const ownForm = ownForms[id];
  const ofRecords =
    isListed(operation) && !(reply.kind === 'list' && reply.items)
      ? rows(components.record(resource), ...(resource.inLists ? [components.summary(resource)] : []))
      : ofReply;
  const data = toStandaloneSchema(ownForm ? ownForm(ofReply) : ofRecords);
  const schemas = components.schemas();
  const used = toStandaloneSchema(
    hasId(resource, operation) ? requireId(schemas, components.record(resource)) : schemas,
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: id,
    description: `${operation.summary}: what comes back.`,
    ...(isObject(data) ? data : {}),
    ...(isObject(used) && Object.keys(used).length > 0 ? { $defs: used } : {}),
  };
}
