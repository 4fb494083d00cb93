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
  'a mapping that visits only what concerns it finds as much in %s as one that visits everything',
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

test('what has nothing to change is given back as it is, and only what concerns a mapping is visited', () => {
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
