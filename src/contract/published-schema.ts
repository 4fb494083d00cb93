import type { Json, JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { inputSchema, partialSchema, specificationSchema, withConventions } from './schema.ts';
import type { Schema, SchemaNode } from './schema-node.ts';
import { innerWords, partialStepWord, stepWord } from './step-conditions.ts';
import type { RuleSet } from './validate.ts';

/** Purpose of a published schema: what the service answers, a whole record that it is sent, or a part of one. */
export type Form = 'reply' | 'input' | 'changes';

/** Options for publishing a schema. */
export interface Publishing {
  readonly form?: Form;
  /** Converts the node of a flow's step; left out, it does not tell what its module takes. */
  readonly step?: (node: JsonObject) => JsonObject;
}

const withoutStepWords = ({ [stepWord]: _, [partialStepWord]: __, ...node }: JsonObject): JsonObject => node;

/** A copy of a schema with each of its objects passed through `map`, the innermost first. */
export function copied(value: Json, map: (node: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((item: Json) => copied(item, map));
  if (!isObject(value)) return value;
  return map(
    Object.fromEntries(
      Object.entries(value).map(([word, within]) => [
        word,
        within === undefined ? within : copied(within, map),
      ]),
    ),
  );
}

const withoutInnerWords = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([word]) => !innerWords.has(word)));

/** A schema as plain data, without what telctl keeps in it for itself. */
function plain(schema: SchemaNode, step: (node: JsonObject) => JsonObject): JsonObject {
  const copy = copied(JSON.parse(JSON.stringify(schema)), (node) => step(withoutInnerWords(node)));
  return isObject(copy) ? copy : {};
}

const forms: Readonly<Record<Form, (schema: SchemaNode) => SchemaNode>> = {
  reply: (schema) => schema,
  input: inputSchema,
  changes: partialSchema,
};

/** A schema of the contract as other programs read it, by one set of rules, with conventions marked. */
export function publishedSchema(
  schema: Schema,
  rules: RuleSet,
  { form = 'reply', step = withoutStepWords }: Publishing = {},
): JsonObject {
  const whole =
    rules === 'specification' ? specificationSchema(schema) : withConventions(schema, { marked: true });
  return plain(forms[form](whole), step);
}
