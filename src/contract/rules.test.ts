import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { resources } from './catalogue.ts';
import { specificationSchema, withConventions } from './schema.ts';
import { resolveReference, type Schema, type SchemaNode, subschemas } from './schema-node.ts';
import { createValidator, type ServiceRules } from './validate.ts';

/** Every node of a schema once, with the schema that it stands in. */
function nodesOf(
  root: SchemaNode,
  node: SchemaNode = root,
  seen = new Set<SchemaNode>(),
): readonly SchemaNode[] {
  const here = resolveReference(root, node);
  if (seen.has(here)) return [];
  seen.add(here);
  return [here, ...subschemas(here).flatMap((child) => nodesOf(root, child, seen))];
}

/** A value of a type, such as no field asks for in particular. */
const ofType: Readonly<Record<string, Json>> = {
  string: 'a text',
  boolean: true,
  number: 1.5,
  array: [],
  object: {},
};

/** How often a value is of the wrong type. */
const problems = (node: Schema, rules: ServiceRules, value: Json): number =>
  createValidator(
    { type: 'object', properties: { field: node } },
    rules,
  )({ field: value }).filter(({ rule }) => rule === 'type').length;

const cases = resources.map(({ name, schema }) => [name, nodesOf(schema)] as const);

describe.each(cases)('%s', (_, nodes) => {
  test('accepts only documented types under the specification, and extra types under the conventions', () => {
    for (const node of nodes) {
      for (const type of node['x-convention']?.alsoType ?? []) {
        const value = ofType[type] ?? null;
        expect(problems(node, 'conventions', value)).toBe(0);
        if (node['x-source'] === 'convention') continue;
        expect([problems(node, 'specification', value), problems(node, 'documented-types', value)]).toEqual([
          1, 1,
        ]);
      }
    }
  });

  test('ignores constraints of the conventions under the specification', () => {
    for (const { $id: _id, ...node } of nodes) {
      for (const [word, bound] of Object.entries(node['x-convention'] ?? {})) {
        if (!['enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'required'].includes(word))
          continue;
        if (Object.hasOwn(node, word)) continue;
        expect(withConventions(node)).toHaveProperty(word, bound);
        expect(specificationSchema(node)).not.toHaveProperty(word);
      }
    }
  });
});
