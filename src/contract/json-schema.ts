import type { JsonObject } from '../base/json.ts';
import { publishedSchema } from './published-schema.ts';
import { requiredFields } from './schema.ts';
import { stepConditions } from './step-conditions.ts';
import type { Resource } from './types.ts';
import { type RuleSet, sourcesOf } from './validate.ts';

const whose = {
  specification: 'The rules of the specification; other keys may stand beside those that it names.',
  conventions:
    'The rules of the specification and, where it is silent, those of compatible services: x-source and x-conventions mark the latter.',
} as const satisfies Record<RuleSet, string>;

/**
 * The record of a resource as JSON Schema 2020-12 that stands alone, as one writes it to create the record: for
 * editors and validators. `x-secret`, `x-ref`, `x-key-ref` and `x-support` are annotations.
 */
export function jsonSchema(resource: Resource, rules: RuleSet): JsonObject {
  const { description: _, ...schema } = publishedSchema(resource.schema, rules, { step: stepConditions });
  const required = requiredFields(resource, 'create', sourcesOf[rules]);
  const documented = requiredFields(resource, 'create', sourcesOf.specification);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: resource.singular,
    description: `${resource.summary}. ${whose[rules]}`,
    ...schema,
    ...(required.length > 0 ? { required } : {}),
    ...(required.length > documented.length ? { 'x-conventions': ['required'] } : {}),
  };
}
