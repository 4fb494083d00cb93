import type { JsonObject } from '../base/json.ts';
import { operations, resources } from './catalogue.ts';
import { charges, legacyError, referenceError, successEnvelope } from './envelope.ts';
import { type Components, createComponents, errorReplies } from './publish/components.ts';
import { operationObject } from './publish/operation-object.ts';
import type { Operation } from './types.ts';
import { type RuleSet, sourcesOf } from './validate.ts';

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
    description: 'Most items of a page (convention)',
    schema: { type: 'integer', minimum: 1, default: 50 },
  },
  StartKey: {
    name: 'start_key',
    in: 'query',
    description: 'Where the page begins: next_start_key of the page before (convention)',
    schema: { type: 'string' },
  },
  Paginate: {
    name: 'paginate',
    in: 'query',
    description: 'False: everything at once (convention)',
    schema: { type: 'boolean', default: true },
  },
};

const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Token',
    description: 'The token that a sign-in answered with; good for about an hour',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'Discouraged. The user name is the account id, the password the MD5 hex digest of user:password',
  },
};

/** The cost of a change: by item, or as the invoices of services in the field. */
const itemised = { $ref: '#/components/schemas/Charges' };
const invoices = { type: 'array', items: { type: 'object', description: 'An invoice' } };

const eitherServer = { servers: [versioned, bare] };

function pathsOf(listed: readonly Operation[], rules: RuleSet, components: Components): JsonObject {
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

/** The service as an OpenAPI 3.1 document: by the rules of the specification, what it documents alone. */
export function openApiDocument(rules: RuleSet): JsonObject {
  const components = createComponents(rules);
  const listed = operations.filter(({ source }) => sourcesOf[rules].includes(source));
  const paths = pathsOf(listed, rules, components);
  components.named('SuccessEnvelope', successEnvelope);
  components.named('ReferenceError', referenceError);
  components.named('LegacyError', legacyError);
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
