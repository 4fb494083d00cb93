import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { operations, resourceByName, resources } from './catalogue.ts';
import { charges, legacyError, referenceError, successEnvelope } from './envelope.ts';
import { Components, describeResponses, errorReplies } from './published-components.ts';
import { anyId, bodyExample, pathExamples } from './samples.ts';
import { requiredFields, specificationSchema } from './schema.ts';
import { findChildNode, type Schema } from './schema-node.ts';
import type { Operation } from './types.ts';
import { type RuleSet, sourcesByRules } from './validate.ts';

const description = `The HTTP interface of the telephony service, as telctl speaks it.

The specification is the authority. Where it is silent, operations, fields and rules are those of compatible services; they carry \`x-source: convention\`, and \`x-conventions\` lists the rules of a field that are.

Every reply is JSON in an envelope, \`data\` within it being what was asked for. There are two error bodies: authentication, limits and webhooks answer with the legacy one, all other operations with code, message and request_id; by convention with the legacy one, too.`;

const host = { host: { default: 'telephony.example', description: 'Host of the service' } };
const versioned = { url: 'https://{host}/v2', description: 'With the version prefix', variables: host };
const bare = { url: 'https://{host}', description: 'Without the version prefix', variables: host };

const parameters = {
  PageSize: {
    name: 'page_size',
    in: 'query',
    description: 'Maximum number of items per page (convention)',
    schema: { type: 'integer', minimum: 1, default: 50 },
  },
  StartKey: {
    name: 'start_key',
    in: 'query',
    description: 'Start of the page: next_start_key of the previous page (convention)',
    schema: { type: 'string' },
  },
  Paginate: {
    name: 'paginate',
    in: 'query',
    description: 'false returns all items at once (convention)',
    schema: { type: 'boolean', default: true },
  },
};

const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Token',
    description: 'Token returned by a sign-in, valid for about an hour',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'Discouraged. The user name is the account id, the password the MD5 hex digest of user:password',
  },
};

/** The cost of a change by item, or as the invoices of compatible services. */
const itemised = { $ref: '#/components/schemas/Charges' };
const invoices = { type: 'array', items: { type: 'object', description: 'An invoice' } };

const eitherServer = { servers: [versioned, bare] };

function describePaths(listed: readonly Operation[], rules: RuleSet, components: Components): JsonObject {
  const paths = Map.groupBy(listed, ({ path }) => path);
  return Object.fromEntries(
    [...paths].map(([path, here]) => {
      const methods = [...Map.groupBy(here, ({ method }) => method)].flatMap(
        ([method, [first, ...others]]) =>
          first
            ? [[method.toLowerCase(), operationObject([first, ...others], rules, components)] as const]
            : [],
      );
      const isBare = here.every(({ prefix }) => prefix === 'profile');
      return [path, { ...(isBare ? eitherServer : {}), ...Object.fromEntries(methods) }];
    }),
  );
}

/** Returns an OpenAPI 3.1 document. With the rules of the specification, it contains only documented operations. */
export function openApiDocument(rules: RuleSet): JsonObject {
  const components = new Components(rules, { isClosed: true });
  const listed = operations.filter(({ source }) => sourcesByRules[rules].includes(source));
  const paths = describePaths(listed, rules, components);
  components.envelope('SuccessEnvelope', successEnvelope);
  components.envelope('ReferenceError', referenceError);
  components.envelope('LegacyError', legacyError);
  components.named('Charges', charges);
  const inUse = new Set(listed.map(({ resource }) => resource));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Telephony service',
      version: '2',
      summary: 'Accounts, users, callflows, limits, webhooks and sign-in of a multi-tenant telephony service',
      description,
      contact: { name: 'The telctl project' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [versioned],
    security: [{ token: [] }, { basic: [] }],
    tags: resources
      .filter(({ name }) => inUse.has(name))
      .map(({ name, summary }) => ({ name, description: summary })),
    paths,
    components: {
      securitySchemes,
      ...(rules === 'conventions' ? { parameters } : {}),
      responses: errorReplies(rules),
      schemas: {
        ...components.schemas(),
        ChargesError: {
          allOf: [
            { $ref: '#/components/schemas/LegacyError' },
            {
              type: 'object',
              properties: { data: rules === 'conventions' ? { anyOf: [itemised, invoices] } : itemised },
              required: ['data'],
            },
          ],
        },
      },
    },
  };
}

function describe({ source, section, effect, repeat }: Operation): string {
  const effects = {
    read: 'Reads.',
    write: 'Changes data.',
    destructive: 'Deletes data.',
    charges: 'May add charges.',
  } as const;
  const repeats = {
    safe: '',
    idempotent: ' Sending it twice is the same as once.',
    never: ' Not to be sent again blindly.',
  } as const;
  const said =
    source === 'specification'
      ? `Specification: ${section}.`
      : `Convention of compatible services: ${section}.`;
  return `${effects[effect]}${repeats[repeat]} ${said}`;
}

function describeParameters({ path, query = [], reply, source }: Operation): readonly JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: `${name.replaceAll('_', ' ').replace(/^\w/, (letter) => letter.toUpperCase())}`,
    schema: { type: 'string' },
    example: pathExamples.get(name) ?? anyId,
  }));
  const inQuery = query.map(({ name, doc, required, secret }) => ({
    name,
    in: 'query',
    required: required === true,
    description: doc,
    schema: { type: 'string' },
    ...(secret ? { 'x-secret': true } : {}),
  }));
  const isPaged = reply.kind === 'list' && source === 'convention';
  const paging = ['PageSize', 'StartKey', 'Paginate'].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return [...inPath, ...inQuery, ...(isPaged ? paging : [])];
}

/** If several operations share a method and path, `action` in the body distinguishes them. */
function operationObject(
  together: readonly [Operation, ...Operation[]],
  rules: RuleSet,
  components: Components,
): JsonObject {
  const [first] = together;
  const body = requestBody(together, rules, components);
  const joinOperations = (word: 'id' | 'summary', between: string) =>
    together.map((each) => each[word]).join(between);
  return {
    operationId: joinOperations('id', '-or-'),
    summary: joinOperations('summary', '; or: '),
    description: together.map(describe).join('\n\n'),
    tags: [first.resource],
    'x-operations': together.map(({ id }) => id),
    'x-source': first.source,
    'x-effect': first.effect,
    security: first.authenticated ? [{ token: [] }, { basic: [] }, ...(first.tokenOptional ? [{}] : [])] : [],
    parameters: describeParameters(first),
    ...(body ? { requestBody: body } : {}),
    responses: describeResponses(together, components),
  };
}

export function dataSchema(
  { body, verb, resource: name }: Operation,
  rules: RuleSet,
  components: Components,
): JsonObject {
  const resource = resourceByName(name);
  switch (body?.kind) {
    case 'value':
      return components.inline(body.schema, 'input');
    case 'partial':
      return components.changes(resource);
    case 'record':
      return components.input(
        resource,
        requiredFields(resource, verb === 'create' ? 'create' : 'update', sourcesByRules[rules]),
      );
    case 'action':
      return body.data ? components.inline(body.data, 'input') : { type: 'object' };
    default:
      return { type: 'object' };
  }
}

/** Omits fields that the specification does not contain. */
function omitUndocumented(schema: Schema, example: JsonObject): JsonObject {
  const documented = specificationSchema(schema);
  return Object.fromEntries(
    Object.entries(example).filter(([key]) => findChildNode(documented, documented, key)),
  );
}

function dataExample(operation: Operation, rules: RuleSet): Json {
  const { body, resource: name } = operation;
  const example = bodyExample(operation) ?? {};
  if (rules === 'conventions' || !isObject(example)) return example;
  return omitUndocumented(body?.kind === 'value' ? body.schema : resourceByName(name).schema, example);
}

/** Returns `data`, and `action` if the operation has one. */
function bodyObject(operation: Operation, rules: RuleSet, components: Components) {
  const { body, summary } = operation;
  const data = dataSchema(operation, rules, components);
  if (body?.kind === 'action') {
    const { action } = body;
    const properties = { action: { type: 'string', const: action }, data };
    return {
      schema: { type: 'object', title: summary, properties, required: ['action'] },
      example: { action, data: dataExample(operation, rules) },
    };
  }
  return {
    schema: { type: 'object', title: summary, properties: { data }, required: ['data'] },
    example: { data: dataExample(operation, rules) },
  };
}

function requestBody(
  together: readonly Operation[],
  rules: RuleSet,
  components: Components,
): JsonObject | undefined {
  const bodies = together
    .filter(({ body }) => body !== undefined && body.kind !== 'file')
    .map((operation) => ({ id: operation.id, ...bodyObject(operation, rules, components) }));
  const files = together.flatMap(({ body }) => (body?.kind === 'file' ? body.types : []));
  const binary = Object.fromEntries(
    files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }] as const),
  );
  const [first, ...others] = bodies;
  if (first === undefined) return files.length === 0 ? undefined : { required: true, content: binary };
  // A body with only data would also match one with an action.
  const isApart = together.every(({ body }) => body?.kind === 'action');
  const all = bodies.map((body) => body.schema);
  const schema = others.length === 0 ? first.schema : isApart ? { oneOf: all } : { anyOf: all };
  const examples = Object.fromEntries(bodies.map(({ id, example }) => [id, { value: example }]));
  return {
    required: !together.every(({ bodyOptional }) => bodyOptional),
    content: { 'application/json': { schema, examples }, ...binary },
  };
}
