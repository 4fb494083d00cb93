import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitting } from '../../test/support/schema-arbitrary.ts';
import type { Json } from '../base/json.ts';
import { resources } from './catalogue.ts';
import { mapValue } from './map-value.ts';
import type { SchemaNode } from './schema-node.ts';

const isSecret = (node: SchemaNode): boolean => node['x-secret'] === true;
const isText = (node: SchemaNode): boolean => node.type === 'string';

test.each(resources.map((resource) => [resource.name, resource] as const))(
  'mapping only the relevant nodes of %s gives the same result as mapping all nodes',
  (_, { schema }) => {
    const hidden = (): Json => 'X';
    fc.assert(
      fc.property(fitting(schema, { all: true }), (value) => {
        for (const concern of [isSecret, isText])
          expect(mapValue(schema, value, hidden, concern)).toEqual(
            mapValue(schema, value, (node) => (concern(node) ? hidden() : undefined)),
          );
      }),
      { numRuns: 3 },
    );
  },
);

test('returns an unchanged value as is and visits only relevant nodes', () => {
  const schema = {
    properties: {
      plain: { properties: { name: {} } },
      gates: { items: { properties: { key: { 'x-secret': true } } } },
    },
  };
  const value = { plain: { name: 'x' }, gates: [{ key: 'k', other: 1 }, { other: 2 }] };
  const visited: Json[] = [];
  const noted = (_: SchemaNode, here: Json): undefined => void visited.push(here);
  expect(mapValue(schema, value, noted, isSecret)).toBe(value);
  expect(visited).toEqual(['k']);
  expect(mapValue(schema, value, () => 'X', isSecret)).toEqual({
    plain: { name: 'x' },
    gates: [{ key: 'X', other: 1 }, { other: 2 }],
  });
});
