import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { childOf, resolved, type SchemaNode } from '../contract/schema-node.ts';
import { maskedUrl } from '../contract/secrets.ts';

/** A text in a record: a value, or a key that is data (the members of a group). */
export interface TextAt {
  readonly keys: readonly string[];
  readonly text: string;
  readonly isKey: boolean;
  readonly node: SchemaNode;
}

/** Keys shorter than this are digits and `_`, which say nothing by themselves. */
const shortestKey = 3;

/**
 * The texts of a record that may be looked at: no secrets, URLs without what may be secret in them, and nothing that
 * the service makes of other records. Its own id is among them.
 */
export function* textsOf(schema: SchemaNode, record: JsonObject): Generator<TextAt> {
  const open: { readonly node: SchemaNode; readonly value: Json; readonly keys: readonly string[] }[] = [
    { node: schema, value: record, keys: [] },
  ];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const { value, keys } = here;
    const node = resolved(schema, here.node);
    if (node['x-secret'] === true || (node.readOnly === true && keys.join('.') !== 'id')) continue;
    if (typeof value === 'string') {
      const text = node['x-secret-bearing'] === true ? maskedUrl(value) : value;
      yield { keys, text, isKey: false, node };
      continue;
    }
    const inner = innerOf(schema, node, value, keys);
    for (const { key, isData } of inner)
      if (isData && key.length >= shortestKey) yield { keys: [...keys, key], text: key, isKey: true, node };
    // The last is looked at first.
    for (const each of inner.toReversed()) open.push(each);
  }
}

interface Inner {
  readonly node: SchemaNode;
  readonly value: Json;
  readonly keys: readonly string[];
  readonly key: string;
  /** The key is no name of a field. */
  readonly isData: boolean;
}

function innerOf(
  schema: SchemaNode,
  node: SchemaNode,
  value: Json,
  keys: readonly string[],
): readonly Inner[] {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, Json | undefined]) =>
    inner === undefined
      ? []
      : [
          {
            node: childOf(schema, node, key) ?? {},
            value: inner,
            keys: [...keys, key],
            key,
            isData: !isList && !Object.hasOwn(node.properties ?? {}, key),
          },
        ],
  );
}
