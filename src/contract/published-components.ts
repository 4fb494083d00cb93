import { isObject, type JsonObject } from '../base/json.ts';
import { listedSchema, resourceByName } from './catalogue.ts';
import { freeObject, text } from './fields.ts';
import { copySchema, type Form, publishedSchema } from './published-schema.ts';
import type { Schema } from './schema-node.ts';
import type { Operation, ReplyShape, Resource } from './types.ts';
import type { RuleSet } from './validate.ts';

/** `FlowNode` for `flow_node`. */
const componentName = (words: string): string =>
  words
    .split(/[_\s.-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const endings: Readonly<Record<Form, string>> = { reply: '', input: 'Input', changes: 'Changes' };

/** Removes the named keys of a map, because generators of clients do not support both. */
function omitNamedKeys(node: JsonObject): JsonObject {
  const { properties, additionalProperties: others, ...rest } = node;
  if (!isObject(properties) || !isObject(others) || Object.keys(others).length === 0) return node;
  const each = Object.values(properties).filter((property) => property !== undefined);
  return { ...rest, additionalProperties: { anyOf: [...each, others] } };
}

/** Requires the id of records in collections, with the rules of conventions. */
const generatedFields = (resource: Resource, rules: RuleSet): JsonObject => {
  const { idParameter, idElsewhere, shownWithoutId, schema } = resource;
  const isShown = idParameter !== undefined && idElsewhere === undefined && !shownWithoutId;
  return rules === 'conventions' && isShown && schema.properties?.id ? { required: ['id'] } : {};
};

/** Fields that any record of a response may have. */
const everyRecord = {
  id: text('Id'),
  _read_only: freeObject('Facts that the service adds', { source: 'convention' }),
};

const withEvery = (schema: Schema, rules: RuleSet): Schema =>
  rules === 'conventions' && schema.properties && Object.keys(schema.properties).length > 0
    ? { ...schema, properties: { ...everyRecord, ...schema.properties } }
    : schema;

/** Forbids unknown keys. Maps, free objects and records stay open. */
const closeObject = (node: JsonObject): JsonObject =>
  isObject(node.properties) && node.type === 'object' && node.additionalProperties === undefined
    ? { ...node, additionalProperties: false }
    : node;

/** Collects the named schemas of an OpenAPI document while its operations are described. */
export class Components {
  readonly #rules: RuleSet;
  readonly #isClosed: boolean;
  readonly #schemas = new Map<string, JsonObject>();

  constructor(rules: RuleSet, { isClosed = false }: { readonly isClosed?: boolean } = {}) {
    this.#rules = rules;
    this.#isClosed = isClosed;
  }

  envelope(name: string, schema: Schema): JsonObject {
    return this.#named(name, schema, 'reply', this.#isClosed ? { additionalProperties: false } : {});
  }

  named(name: string, schema: Schema): JsonObject {
    return this.#named(name, schema, 'reply');
  }

  record(resource: Resource): JsonObject {
    const schema = withEvery(resource.schema, this.#rules);
    return this.#named(
      recordName(resource, 'reply'),
      schema,
      'reply',
      generatedFields(resource, this.#rules),
    );
  }

  summary(resource: Resource): JsonObject {
    const { listFields, schema } = resource;
    if (listFields.length === 0) return this.record(resource);
    const shown = new Set(['id', ...listFields.map((path) => path.split('.', 1)[0])]);
    const fields = Object.entries(listedSchema(resource).properties ?? {});
    const properties = Object.fromEntries(fields.filter(([field]) => shown.has(field)));
    const description = `${schema.description ?? ''}, as lists show it`.replace(/^, a/, 'A');
    const name = `${recordName(resource, 'reply')}Summary`;
    const listed = { ...schema, description, properties };
    return this.#named(name, listed, 'reply', generatedFields(resource, this.#rules));
  }

  changes(resource: Resource): JsonObject {
    return this.#named(recordName(resource, 'changes'), resource.schema, 'changes');
  }

  input(resource: Resource, required: readonly string[]): JsonObject {
    const name = recordName(resource, 'input');
    const known = this.#schemas.get(name);
    if (known && String(known.required ?? []) !== String(required))
      throw new Error(`${name} has different required fields in two places.`);
    return this.#named(name, resource.schema, 'input', required.length === 0 ? {} : { required });
  }

  inline(schema: Schema, form: Form): JsonObject {
    // The rules of the specification do not include all fields of compatible services.
    return this.#publish(schema, form, this.#isClosed && this.#rules === 'conventions');
  }

  schemas(): JsonObject {
    return Object.fromEntries(
      [...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
    );
  }

  #named(name: string, schema: Schema, form: Form, more: JsonObject = {}): JsonObject {
    if (!this.#schemas.has(name)) this.#schemas.set(name, { ...this.#publish(schema, form), ...more });
    return reference(name);
  }

  /** Moves recursive parts to separate components, because parts of an OpenAPI document cannot have `$defs`. */
  #publish(schema: Schema, form: Form, isClosed = false): JsonObject {
    const { $defs, ...node } = publishedSchema(schema, this.#rules, { form });
    const definitionName = (definition: string) => componentName(definition) + endings[form];
    for (const [key, definition] of Object.entries($defs ?? {})) {
      const name = definitionName(key);
      if (isObject(definition) && !this.#schemas.has(name))
        this.#schemas.set(name, publishedPart(definition, form, isClosed, definitionName));
    }
    return publishedPart(node, form, isClosed, definitionName);
  }
}

const recordName = ({ singular }: Resource, form: Form): string => componentName(singular) + endings[form];

/** Refers to components instead of nested definitions. */
function publishedPart(
  part: JsonObject,
  form: Form,
  isClosed: boolean,
  nameOf: (definition: string) => string,
): JsonObject {
  const copy = copySchema(part, (inner) => {
    const { $ref, minProperties, ...rest } = inner;
    if (typeof $ref === 'string') return reference(nameOf($ref.replace('#/$defs/', '')));
    // In responses, objects with required properties can be empty, such as the numbers of a completed port.
    if (form !== 'reply')
      return omitNamedKeys(minProperties === undefined ? rest : { ...rest, minProperties });
    return omitNamedKeys(isClosed ? closeObject(rest) : rest);
  });
  return isObject(copy) ? copy : {};
}

/** The specification contains 401 and 402. The others are conventions. */
const failures = {
  400: { name: 'Invalid', description: 'The body is invalid; data lists the errors by field' },
  401: { name: 'NotSignedIn', description: 'The token is missing or expired; sign in again' },
  403: { name: 'Forbidden', description: 'The user is not allowed to do this' },
  404: { name: 'NotFound', description: 'No record has this id' },
  default: { name: 'Failed', description: 'Any other failure' },
} as const;

const errorBodies = { reference: 'ReferenceError', legacy: 'LegacyError' } as const;

const errorContent = (...schemas: readonly string[]): JsonObject => {
  const [first, ...others] = schemas.map(reference);
  return {
    'application/json': { schema: others.length === 0 && first ? first : { anyOf: schemas.map(reference) } },
  };
};

const charged = {
  description: 'The change adds charges, and accept_charges was not true',
  content: errorContent('ChargesError'),
};

/** By convention, every operation can return the legacy form of errors. */
export const errorReplies = (rules: RuleSet): JsonObject =>
  Object.fromEntries(
    Object.entries(errorBodies).flatMap(([shape, schema]) =>
      Object.values(failures).map(({ name, description }) => [
        componentName(`${shape}_${name}`),
        {
          description,
          content:
            rules === 'conventions' && schema !== errorBodies.legacy
              ? errorContent(schema, errorBodies.legacy)
              : errorContent(schema),
        },
      ]),
    ),
  );

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

/** The records of one account in a list of several accounts. */
const accountGroup = (key: string, items: JsonObject): JsonObject => ({
  type: 'object',
  description: 'The records of one account',
  properties: {
    account_id: { type: 'string', description: 'The account' },
    account_name: { type: 'string', description: 'Its name' },
    [key]: { type: 'array', items },
  },
  required: [key],
  additionalProperties: false,
});

export function replyData(operation: Operation, reply: ReplyShape, components: Components): JsonObject {
  switch (reply.kind) {
    case 'record': {
      const resource = resourceByName(reply.resource ?? operation.resource);
      const record = components.record(resource);
      const bare = reply.orBare === undefined ? undefined : resource.schema.properties?.[reply.orBare];
      const others: readonly JsonObject[] = [
        ...(reply.orOther ? [{ type: 'string' }, { type: 'array', items: {} }] : []),
        ...(bare ? [components.inline(bare, 'reply')] : []),
      ];
      return others.length === 0 ? record : { anyOf: [record, ...others] };
    }
    case 'list': {
      const items = reply.items
        ? components.inline(reply.items, 'reply')
        : components.summary(resourceByName(reply.resource ?? operation.resource));
      const { listed } = operation;
      return { type: 'array', items: listed?.as === 'groups' ? accountGroup(listed.key, items) : items };
    }
    case 'value':
      return components.inline(reply.schema, 'reply');
    case 'empty':
      return reply.orOther
        ? { type: 'object', description: 'Empty, or the changed settings' }
        : { type: 'object', maxProperties: 0, description: 'Empty' };
    case 'file':
      return { description: 'A file' };
  }
}

/** Contains the token and the release for signed-in callers. */
function replyEnvelope(operation: Operation, components: Components): JsonObject {
  const { reply, tokenOptional } = operation;
  const known = tokenOptional ? {} : { auth_token: { type: 'string' }, version: { type: 'string' } };
  // Services omit empty metadata.
  const needed = [...(reply.kind === 'empty' ? [] : ['data']), ...Object.keys(known)];
  const properties = { data: replyData(operation, reply, components), ...known };
  return {
    allOf: [
      { $ref: '#/components/schemas/SuccessEnvelope' },
      { type: 'object', properties, ...(needed.length === 0 ? {} : { required: needed }) },
    ],
  };
}

/** Empty, or the envelope with data, and other content types. */
function successResponse(operations: readonly Operation[], components: Components): JsonObject {
  const description = operations.map(({ summary }) => `Done: ${summary}`).join('; or: ');
  if (operations.every(({ reply }) => reply.kind === 'empty' && reply.bare)) return { description };
  const files = operations.flatMap(({ reply }) => (reply.kind === 'file' ? reply.types : []));
  const binary = files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }] as const);
  const records = operations.filter(({ reply }) => reply.kind !== 'file');
  if (records.length === 0) return { description, content: Object.fromEntries(binary) };
  const each = records.map((operation) => replyEnvelope(operation, components));
  // Equal responses must appear only once among the alternatives.
  const wrapped = [...new Map(each.map((reply) => [JSON.stringify(reply), reply])).values()];
  const [first] = wrapped;
  const others = operations.flatMap(({ accepts = [] }) => accepts);
  return {
    description,
    content: {
      'application/json': { schema: wrapped.length === 1 && first ? first : { anyOf: wrapped } },
      ...Object.fromEntries(others.map((type) => [type, { schema: { type: 'string' } }])),
      ...Object.fromEntries(binary),
    },
  };
}

export function describeResponses(
  together: readonly [Operation, ...Operation[]],
  components: Components,
): JsonObject {
  const [first] = together;
  // By convention, PUT creates a record.
  const status = first.method === 'PUT' ? 201 : 200;
  return { [status]: successResponse(together, components), ...errorResponses(first) };
}
