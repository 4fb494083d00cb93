import type { JsonObject } from '../../base/json.ts';
import { resourceByName } from '../catalogue.ts';
import { bodyExample } from '../examples.ts';
import { requiredFields, specificationSchema } from '../schema.ts';
import { childOf, type Schema } from '../schema-node.ts';
import type { Operation } from '../types.ts';
import { type RuleSet, sourcesOf } from '../validate.ts';
import type { Components } from './components.ts';

/** The schema of `data` in a request. */
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
        requiredFields(resource, verb === 'create' ? 'create' : 'update', sourcesOf[rules]),
      );
    default:
      return { type: 'object' };
  }
}

/** An example without the fields that the specification does not name. */
function documentedPart(schema: Schema, example: JsonObject): JsonObject {
  const documented = specificationSchema(schema);
  return Object.fromEntries(Object.entries(example).filter(([key]) => childOf(documented, documented, key)));
}

function dataExample(operation: Operation, rules: RuleSet): JsonObject {
  const { body, resource: name } = operation;
  const example = bodyExample(operation) ?? {};
  if (rules === 'conventions') return example;
  return documentedPart(body?.kind === 'value' ? body.schema : resourceByName(name).schema, example);
}

interface Body {
  readonly schema: JsonObject;
  readonly example: JsonObject;
}

/** A request's body: `data`, and `action` where there is one. */
function bodyOf(operation: Operation, rules: RuleSet, components: Components): Body {
  const { body, summary } = operation;
  const data = dataSchema(operation, rules, components);
  if (body?.kind === 'action') {
    const { action } = body;
    const properties = { action: { type: 'string', const: action }, data };
    return {
      schema: { type: 'object', title: summary, properties, required: ['action'] },
      example: { action, data: {} },
    };
  }
  return {
    schema: { type: 'object', title: summary, properties: { data }, required: ['data'] },
    example: { data: dataExample(operation, rules) },
  };
}

/** The body that operations of one method and path take; `undefined` where they take none. */
export function requestBody(
  together: readonly Operation[],
  rules: RuleSet,
  components: Components,
): JsonObject | undefined {
  const bodies = together
    .filter(({ body }) => body !== undefined)
    .map((operation) => ({ id: operation.id, ...bodyOf(operation, rules, components) }));
  const [first, ...others] = bodies;
  if (first === undefined) return undefined;
  const schema = others.length === 0 ? first.schema : { oneOf: bodies.map((body) => body.schema) };
  const examples = Object.fromEntries(bodies.map(({ id, example }) => [id, { value: example }]));
  return {
    required: !together.every(({ bodyOptional }) => bodyOptional),
    content: { 'application/json': { schema, examples } },
  };
}
