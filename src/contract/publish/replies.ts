import type { JsonObject } from '../../base/json.ts';
import { resourceByName } from '../catalogue.ts';
import type { Operation, ReplyShape } from '../types.ts';
import { type Components, componentName } from './components.ts';

/** Failures by status; the specification names 401 and 402, the others are conventions. */
const failures = {
  400: { name: 'Invalid', description: 'The body does not fit; data says field by field why' },
  401: { name: 'NotSignedIn', description: 'No token, or one that has ended: sign in again' },
  403: { name: 'Forbidden', description: 'Not for this user' },
  404: { name: 'NotFound', description: 'Nothing has that id' },
  default: { name: 'Failed', description: 'Any other failure' },
} as const;

const errorBodies = { reference: 'ReferenceError', legacy: 'LegacyError' } as const;

const errorContent = (schema: string): JsonObject => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

const charged = {
  description: 'The change adds charges, and accept_charges was not true',
  content: errorContent('ChargesError'),
};

/** The error replies that operations refer to: each failure, in both error bodies. */
export const errorReplies: JsonObject = Object.fromEntries(
  Object.entries(errorBodies).flatMap(([shape, schema]) =>
    Object.values(failures).map(({ name, description }) => [
      componentName(`${shape}_${name}`),
      { description, content: errorContent(schema) },
    ]),
  ),
);

/** The error replies of an operation. */
function errorResponses({ errors, body, effect, authenticated, path }: Operation): JsonObject {
  const reply = (status: keyof typeof failures): JsonObject => ({
    $ref: `#/components/responses/${componentName(`${errors}_${failures[status].name}`)}`,
  });
  return {
    ...(body ? { 400: reply(400) } : {}),
    401: reply(401),
    ...(effect === 'charges' ? { 402: charged } : {}),
    ...(authenticated ? { 403: reply(403) } : {}),
    ...(path.includes('{') ? { 404: reply(404) } : {}),
    default: reply('default'),
  };
}

/** The schema of `data` in a success reply. */
export function replyData(operation: Operation, reply: ReplyShape, components: Components): JsonObject {
  switch (reply.kind) {
    case 'record':
      return components.record(resourceByName(reply.resource ?? operation.resource));
    case 'list': {
      const items = reply.items
        ? components.inline(reply.items, 'reply')
        : components.record(resourceByName(reply.resource ?? operation.resource));
      return { type: 'array', items };
    }
    case 'value':
      return components.inline(reply.schema, 'reply');
    case 'empty':
    case 'text':
      return { description: 'A reply without useful content' };
  }
}

/** The success reply: nothing, or the envelope with the operation's data, and the other content types it can come in. */
function successResponse(operations: readonly Operation[], components: Components): JsonObject {
  const description = operations.map(({ summary }) => `Done: ${summary}`).join('; or: ');
  if (operations.every(({ reply }) => reply.kind === 'empty' && reply.bare)) return { description };
  const wrapped = operations.map((operation) => ({
    allOf: [
      { $ref: '#/components/schemas/SuccessEnvelope' },
      {
        type: 'object',
        properties: { data: replyData(operation, operation.reply, components) },
        required: ['data'],
      },
    ],
  }));
  const [first] = wrapped;
  const others = operations.flatMap(({ accepts = [] }) => accepts);
  return {
    description,
    content: {
      'application/json': { schema: wrapped.length === 1 && first ? first : { anyOf: wrapped } },
      ...Object.fromEntries(others.map((type) => [type, { schema: { type: 'string' } }])),
    },
  };
}

/** The replies of operations that share a method and path. */
export function responsesOf(
  together: readonly [Operation, ...Operation[]],
  components: Components,
): JsonObject {
  const [first] = together;
  // PUT makes something, by the convention of compatible services.
  const status = first.method === 'PUT' ? 201 : 200;
  return { [status]: successResponse(together, components), ...errorResponses(first) };
}
