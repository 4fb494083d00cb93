import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { findChildNode, resolveReference, type Schema, type SchemaNode } from './schema-node.ts';

/** Returns true for the nodes that a walk visits. Use one function for all calls, because it is a cache key. */
export type Concern = (node: SchemaNode) => boolean;

interface Reach {
  readonly here: boolean;
  /** Named fields that are or contain matching nodes. */
  readonly fields: readonly string[];
  /** True if items or other keys contain matching nodes. */
  readonly others: boolean;
}

const everywhere: Reach = { here: true, fields: [], others: true };
const known = new WeakMap<Concern, WeakMap<Schema, Map<SchemaNode, Reach>>>();

const nodesBelow = ({ properties, patternProperties, additionalProperties, items, anyOf }: SchemaNode) => ({
  named: Object.entries(properties ?? {}),
  others: [
    ...Object.values(patternProperties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items ? [items] : []),
    ...(anyOf ?? []),
  ],
});

function hasConcern(schema: Schema, concern: Concern, start: SchemaNode): boolean {
  const seen = new Set<SchemaNode>();
  const visit = (reference: SchemaNode): boolean => {
    const node = resolveReference(schema, reference);
    if (seen.has(node)) return false;
    seen.add(node);
    const { named, others } = nodesBelow(node);
    return concern(node) || others.some(visit) || named.some(([, child]) => visit(child));
  };
  return visit(start);
}

/** Returns the parts with matching nodes, so that a walk can skip other parts. */
export function findReach(schema: Schema, concern: Concern, node: SchemaNode): Reach {
  const bySchema = known.get(concern) ?? new WeakMap<Schema, Map<SchemaNode, Reach>>();
  known.set(concern, bySchema);
  const byNode = bySchema.get(schema) ?? new Map<SchemaNode, Reach>();
  bySchema.set(schema, byNode);
  const found = byNode.get(node);
  if (found) return found;
  const { named, others } = nodesBelow(node);
  const reach = {
    here: concern(node),
    fields: named.flatMap(([name, child]) => (hasConcern(schema, concern, child) ? [name] : [])),
    others: others.some((child) => hasConcern(schema, concern, child)),
  };
  byNode.set(node, reach);
  return reach;
}

/**
 * Copies a value with changes along its schema, or returns it unchanged if there are none. `instead` returns the
 * replacement of a value, or `undefined` to visit its parts. The node of an unknown value is empty. With a `concern`,
 * only matching nodes and those above them are visited, because lists can be long. `from` is the node of the value.
 */
export function mapValue(
  schema: Schema,
  value: Json,
  instead: (node: SchemaNode, here: Json) => Json | undefined,
  concern?: Concern,
  from: SchemaNode = schema,
): Json {
  const visit = (reference: SchemaNode, here: Json): Json => {
    const node = resolveReference(schema, reference);
    const reach = concern ? findReach(schema, concern, node) : everywhere;
    const given = reach.here ? instead(node, here) : undefined;
    if (given !== undefined) return given;
    if (typeof here !== 'object' || here === null) return here;
    const mapPart = (key: string, inner: Json) => visit(findChildNode(schema, node, key) ?? {}, inner);
    if (Array.isArray(here)) {
      if (!reach.others) return here;
      const mapped = here.map((item: Json, index) => mapPart(String(index), item));
      return mapped.some((item, index) => item !== here[index]) ? mapped : here;
    }
    if (!isObject(here)) return here;
    let changes: Map<string, Json> | undefined;
    for (const key of reach.others ? Object.keys(here) : reach.fields) {
      const inner = Object.hasOwn(here, key) ? here[key] : undefined;
      const mapped = inner === undefined ? undefined : mapPart(key, inner);
      if (mapped === undefined || mapped === inner) continue;
      changes ??= new Map();
      changes.set(key, mapped);
    }
    return changes === undefined ? here : applyChanges(here, changes);
  };
  return visit(from, value);
}

const applyChanges = (before: JsonObject, changes: ReadonlyMap<string, Json>): JsonObject =>
  Object.fromEntries(
    Object.entries(before).map(([key, value]) => [key, changes.has(key) ? changes.get(key) : value]),
  );

const convertText = (text: string, types: readonly string[]): Json => {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (types.includes('integer') && Number.isSafeInteger(number)) return number;
  if (types.includes('number') && Number.isFinite(number)) return number;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/**
 * Converts text to numbers and booleans if the schema does not allow text, like lenient services (Conventions, life
 * cycle of a record). With `rounds`, also rounds fractions if the schema requires whole numbers.
 */
export function coerceValue(schema: Schema, value: Json, { rounds = false } = {}): Json {
  return mapValue(schema, value, (node, here) => {
    const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
    if (typeof here === 'number' && rounds && types.includes('integer') && !types.includes('number'))
      return Math.round(here);
    if (typeof here !== 'string') return undefined;
    return types.includes('string') ? here : convertText(here, types);
  });
}
