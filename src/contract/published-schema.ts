import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { type ModuleKind, moduleData, moduleNames } from './module-data.ts';
import {
  inputSchema,
  partialSchema,
  requiredFields,
  specificationSchema,
  withConventions,
} from './schema.ts';
import type { Schema, SchemaNode } from './schema-node.ts';
import type { Resource } from './types.ts';
import { type RuleSet, sourcesByRules } from './validate.ts';

/** The value is the kind of flow. */
export const stepWord = 'x-modules';

const partialStepWord = 'x-modules-partial';

const innerWords: ReadonlySet<string> = new Set([
  'x-option',
  'x-secret-bearing',
  'x-names',
  'x-shown-as',
  'x-open-keys',
  'x-key-words',
  'x-exact',
  'x-worked-out',
  'x-dialled',
  'x-kept-as',
  'x-does',
]);

const isKind = (value: unknown): value is ModuleKind => value === 'callflow' || value === 'metaflow';

/**
 * Returns the node of a flow's step for editors and validators: `module` is a known name, and `data` matches the
 * module. Other nodes are unchanged. `written` converts the schema of a module's data to the format of the document.
 */
export function stepConditions(
  node: JsonObject,
  written: (schema: JsonObject) => JsonObject = (schema) => schema,
): JsonObject {
  const { [stepWord]: kind, [partialStepWord]: _, ...rest } = node;
  if (!isKind(kind)) return node;
  const names = moduleNames(kind);
  return {
    ...rest,
    allOf: [
      { properties: { module: written({ type: 'string', enum: [...names] }) } },
      ...names.flatMap((name) => {
        const data = moduleData(kind, name);
        if (data === undefined) return [];
        const plain: JsonObject = JSON.parse(
          JSON.stringify({ ...data, additionalProperties: true }, (word, value) =>
            innerWords.has(word) || word === stepWord ? undefined : value,
          ),
        );
        return [
          Object.fromEntries([
            ['if', { properties: { module: { const: name } }, required: ['module'] }],
            ['then', { properties: { data: written(plain) } }],
          ]),
        ];
      }),
    ],
  };
}

/** Schema of responses, complete records to send, or partial records. */
export type Form = 'reply' | 'input' | 'changes';

export interface Publishing {
  readonly form?: Form;
  /** Converts the node of a flow's step. Without it, the data of modules is not described. */
  readonly step?: (node: JsonObject) => JsonObject;
}

const withoutStepWords = ({ [stepWord]: _, [partialStepWord]: __, ...node }: JsonObject): JsonObject => node;

/** Passes each object through `map`, the innermost first. */
export function copySchema(value: Json, map: (node: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((item: Json) => copySchema(item, map));
  if (!isObject(value)) return value;
  return map(
    Object.fromEntries(
      Object.entries(value).map(([word, within]) => [
        word,
        within === undefined ? within : copySchema(within, map),
      ]),
    ),
  );
}

const withoutInnerWords = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([word]) => !innerWords.has(word)));

function toPlainSchema(schema: SchemaNode, step: (node: JsonObject) => JsonObject): JsonObject {
  const copy = copySchema(JSON.parse(JSON.stringify(schema)), (node) => step(withoutInnerWords(node)));
  return isObject(copy) ? copy : {};
}

const forms: Readonly<Record<Form, (schema: SchemaNode) => SchemaNode>> = {
  reply: (schema) => schema,
  input: inputSchema,
  changes: partialSchema,
};

/** Converts a schema for other programs, with one set of rules. Conventions are marked. */
export function publishedSchema(
  schema: Schema,
  rules: RuleSet,
  { form = 'reply', step = withoutStepWords }: Publishing = {},
): JsonObject {
  const whole =
    rules === 'specification' ? specificationSchema(schema) : withConventions(schema, { marked: true });
  return toPlainSchema(forms[form](whole), step);
}

const whose = {
  specification: 'The rules of the specification. Other keys are allowed.',
  conventions:
    'The rules of the specification and, where it is silent, those of compatible services: x-source and x-conventions mark the latter.',
} as const satisfies Record<RuleSet, string>;

/** Returns JSON Schema 2020-12 of the data that creates a record. */
export function jsonSchema(resource: Resource, rules: RuleSet): JsonObject {
  const { description: _, ...schema } = publishedSchema(resource.schema, rules, { step: stepConditions });
  const required = requiredFields(resource, 'create', sourcesByRules[rules]);
  const documented = requiredFields(resource, 'create', sourcesByRules.specification);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: resource.singular,
    description: `${resource.summary}. ${whose[rules]}`,
    ...schema,
    ...(required.length > 0 ? { required } : {}),
    ...(required.length > documented.length ? { 'x-conventions': ['required'] } : {}),
  };
}
