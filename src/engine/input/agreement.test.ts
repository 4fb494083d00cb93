import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resources } from '../../contract/catalogue.ts';
import { findFieldNode } from '../../contract/schema.ts';
import type { Schema, SchemaNode } from '../../contract/schema-node.ts';
import { createValidator } from '../../contract/validate.ts';
import { parse } from './read-documents.ts';
import { readRecordFile } from './read-records.ts';

const scalar = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom('post', 'json', 'oauth', 'text'),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('enabled', 'number', 'internal', 'callback', 'id'), scalar),
);

/** Records with the resource's own keys and any values; a map has keys of its own. */
const recordOf = (schema: SchemaNode) =>
  fc.dictionary(fc.constantFrom(...Object.keys(schema.properties ?? { enabled: 0 })), value, { maxKeys: 6 });

/** True where compatible services take further types in a field; the reader then takes them too. */
const takesMore = (schema: Schema, path: string): boolean =>
  findFieldNode(schema, path)?.['x-convention']?.alsoType !== undefined;

describe('the record reader', () => {
  it.each(resources.map((each) => [each.name, each] as const))(
    'accepts only records that the specification allows: %s',
    async (_, resource) => {
      const check = createValidator(resource.schema, 'specification');
      await fc.assert(
        fc.asyncProperty(recordOf(resource.schema), async (record) => {
          const { documents } = await parse('r.json', JSON.stringify(record));
          const { records, problems } = readRecordFile(documents, resource, {
            allowUnknownFields: false,
            allowNull: false,
          });
          if (problems.length > 0) return;
          const refused = check(records[0]?.value ?? {}).filter(
            ({ path }) => !takesMore(resource.schema, path),
          );
          expect(refused).toEqual([]);
        }),
        { numRuns: 60 },
      );
    },
  );
});
