import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { resourceByName } from './catalogue.ts';
import { isListed } from './operations.ts';
import { createComponents, replyData } from './publish/components.ts';
import { copied } from './published-schema.ts';
import type { Operation, Resource } from './types.ts';

const published = '#/components/schemas/';

/** References of an OpenAPI document as those of a schema that stands alone. */
const alone = (schema: Json): Json =>
  copied(schema, ({ $ref, ...rest }) =>
    typeof $ref === 'string' ? { ...rest, $ref: $ref.replace(published, '#/$defs/') } : rest,
  );

const wholeVerbs = new Set(['list', 'create', 'get', 'update', 'patch']);

/** A record that is kept in a collection has its id wherever it is shown whole. */
const hasId = ({ kind, oneOfEach, operations }: Resource, { verb }: Operation): boolean =>
  kind === 'collection' &&
  oneOfEach === undefined &&
  wholeVerbs.has(verb) &&
  operations.some((each) => each.verb === 'create');

const withId = (schemas: JsonObject, { $ref }: JsonObject): JsonObject => {
  const name = String($ref).replace(published, '');
  const record = schemas[name];
  return isObject(record) ? { ...schemas, [name]: { ...record, required: ['id'] } } : schemas;
};

/** Operations whose commands show the reply in a form of their own: rows of a table instead of a map, sums, a tree. */
export const shownOtherwise: ReadonlySet<string> = new Set([
  'accounts.tree',
  'agents.stats',
  'allotments.consumed',
  'cdrs.summary',
  'devices.status',
  'keys.list',
  'ledgers.summary',
  'ledgers.sums',
  'media.languages',
  'media.prompts',
  'numbers.check',
  'numbers.classifiers',
  'numbers.locality',
  'ports.timeline',
  'presence.get',
  'queues.stats',
  'security.modules',
  'tasks.actions',
  'webhooks.samples',
  'whitelabel.check-domains',
  'whitelabel.domains',
]);

/** True for an operation whose reply is data: records, a list or a value, and no file. */
export const hasResult = ({ reply }: Operation): boolean => reply.kind !== 'file' && reply.kind !== 'empty';

/**
 * JSON Schema 2020-12 of what an operation gives, as `-o json` of its command shows it and as the library returns it: the
 * data without the envelope, records of lists as an array. The fields of compatible services are in it, marked as such.
 */
export function resultSchema(operation: Operation): JsonObject {
  const { id, reply } = operation;
  const named = reply.kind === 'list' || reply.kind === 'record' ? reply.resource : undefined;
  const resource = resourceByName(named ?? operation.resource);
  const components = createComponents('conventions');
  const ofReply = replyData(operation, reply, components);
  const ofRecords =
    isListed(operation) && !(reply.kind === 'list' && reply.items)
      ? {
          type: 'array',
          items: components.record(resource),
        }
      : ofReply;
  const data = alone(ofRecords);
  const schemas = components.schemas();
  const used = alone(hasId(resource, operation) ? withId(schemas, components.record(resource)) : schemas);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: id,
    description: `${operation.summary}: what comes back.`,
    ...(isObject(data) ? data : {}),
    ...(isObject(used) && Object.keys(used).length > 0 ? { $defs: used } : {}),
  };
}
