import fc, { type Arbitrary } from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import {
  findChildNode,
  resolveReference,
  type Schema,
  type SchemaNode,
  takesFreeKeys,
} from '../../src/contract/schema-node.ts';

/** Text without markers and references. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((each) => !/\$\{|[\uE000\uE001]/.test(each));

const value: Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3 }),
  ),
})).any;

/** Keys of other programs, without private names of the service. */
const key = fc.oneof(
  fc.constantFrom('ui_metadata', 'smartpbx', 'apps', 'extra', 'x.y', '__proto__', 'constructor'),
  text.filter((each) => each !== '' && each !== 'id' && !/^(_|pvt_)/.test(each)),
);

/** Returns true for an object with known keys, to which a service allows others to be added. */
const isClosed = (node: SchemaNode): boolean =>
  node.properties !== undefined &&
  !takesFreeKeys(node) &&
  node.additionalProperties === undefined &&
  node['x-convention']?.additionalProperties !== false;

/** Returns a record with foreign fields at every level of the contract, and `ui_mark: one` at the top. */
export function withForeignFields(schema: Schema, record: JsonObject): Arbitrary<JsonObject> {
  const visit = (reference: SchemaNode, here: Json): Arbitrary<Json> => {
    const node = resolveReference(schema, reference);
    if (Array.isArray(here))
      return fc.tuple(
        ...here.map((item: Json, index) => visit(findChildNode(schema, node, String(index)) ?? {}, item)),
      );
    if (!isObject(here)) return fc.constant(here);
    const known = fc.tuple(
      ...Object.entries(here).map(([name, inner]) =>
        visit(findChildNode(schema, node, name) ?? {}, inner ?? null).map((made) => [name, made] as const),
      ),
    );
    const foreign = isClosed(node)
      ? fc.uniqueArray(
          fc.tuple(
            key.filter((name) => findChildNode(schema, node, name) === undefined),
            value,
          ),
          { minLength: 1, maxLength: 2, selector: ([name]) => name },
        )
      : fc.constant([]);
    return fc.tuple(known, foreign).map(([own, others]) => Object.fromEntries([...own, ...others]));
  };
  return visit(schema, record).map((made) => ({ ...(isObject(made) ? made : {}), ui_mark: 'one' }));
}
