import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { resourceByName } from '../catalogue.ts';
import { anyId, bodyExample, pathExamples } from '../samples.ts';
import { requiredFields, specificationSchema } from '../schema.ts';
import { childOf, type Schema } from '../schema-node.ts';
import type { Operation } from '../types.ts';
import { type RuleSet, sourcesOf } from '../validate.ts';
import { type Components, responsesOf } from './components.ts';

/** Everything that is said in a description beside the summary. */
function describe({ source, section, effect, repeat }: Operation): string {
  const effects = {
    read: 'Reads.',
    write: 'Changes something.',
    destructive: 'Destroys something.',
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

function parametersOf({ path, query = [], reply, source }: Operation): readonly JsonObject[] {
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

/** One method of a path; where several operations share it, `action` in the body tells them apart. */
export function operationObject(
  together: readonly [Operation, ...Operation[]],
  rules: RuleSet,
  components: Components,
): JsonObject {
  const [first] = together;
  const body = requestBody(together, rules, components);
  const joined = (word: 'id' | 'summary', between: string) =>
    together.map((each) => each[word]).join(between);
  return {
    operationId: joined('id', '-or-'),
    summary: joined('summary', '; or: '),
    description: together.map(describe).join('\n\n'),
    tags: [first.resource],
    'x-operations': together.map(({ id }) => id),
    'x-source': first.source,
    'x-effect': first.effect,
    security: first.authenticated ? [{ token: [] }, { basic: [] }, ...(first.tokenOptional ? [{}] : [])] : [],
    parameters: parametersOf(first),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(together, components),
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
        requiredFields(resource, verb === 'create' ? 'create' : 'update', sourcesOf[rules]),
      );
    case 'action':
      return body.data ? components.inline(body.data, 'input') : { type: 'object' };
    default:
      return { type: 'object' };
  }
}

/** An example without the fields that the specification does not name. */
function documentedPart(schema: Schema, example: JsonObject): JsonObject {
  const documented = specificationSchema(schema);
  return Object.fromEntries(Object.entries(example).filter(([key]) => childOf(documented, documented, key)));
}

function dataExample(operation: Operation, rules: RuleSet): Json {
  const { body, resource: name } = operation;
  const example = bodyExample(operation) ?? {};
  if (rules === 'conventions' || !isObject(example)) return example;
  return documentedPart(body?.kind === 'value' ? body.schema : resourceByName(name).schema, example);
}

interface Body {
  readonly schema: JsonObject;
  readonly example: JsonObject;
}

/** A request's body: `data`, and `action` where there is one. */
function bodyObject(operation: Operation, rules: RuleSet, components: Components): Body {
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

/** The body that operations of one method and path take; `undefined` where they take none. */
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
  // A body of data alone does not exclude one that has an action beside it.
  const isApart = together.every(({ body }) => body?.kind === 'action');
  const all = bodies.map((body) => body.schema);
  const schema = others.length === 0 ? first.schema : isApart ? { oneOf: all } : { anyOf: all };
  const examples = Object.fromEntries(bodies.map(({ id, example }) => [id, { value: example }]));
  return {
    required: !together.every(({ bodyOptional }) => bodyOptional),
    content: { 'application/json': { schema, examples }, ...binary },
  };
}
