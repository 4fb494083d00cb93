import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { childOf, resolved, type Schema, type SchemaNode } from './schema-node.ts';

/** Returns true for the nodes that a walk looks for. One function for all calls, since the results are cached by it. */
export type Concern = (node: SchemaNode) => boolean;

/** Where a concern lies at and below a node. */
interface Reach {
  readonly here: boolean;
  /** Named fields at or below which it lies. */
  readonly fields: readonly string[];
  /** It lies below items or keys without a name of their own. */
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

/** Tells whether a concern lies at or below a node; schemas may lead back to themselves. */
function lies(schema: Schema, concern: Concern, start: SchemaNode): boolean {
  const seen = new Set<SchemaNode>();
  const visit = (reference: SchemaNode): boolean => {
    const node = resolved(schema, reference);
    if (seen.has(node)) return false;
    seen.add(node);
    const { named, others } = nodesBelow(node);
    return concern(node) || others.some(visit) || named.some(([, child]) => visit(child));
  };
  return visit(start);
}

/** Returns the parts of a resolved node in which a concern can be found: a walk can leave out all others. */
export function reachOf(schema: Schema, concern: Concern, node: SchemaNode): Reach {
  const bySchema = known.get(concern) ?? new WeakMap<Schema, Map<SchemaNode, Reach>>();
  known.set(concern, bySchema);
  const byNode = bySchema.get(schema) ?? new Map<SchemaNode, Reach>();
  bySchema.set(schema, byNode);
  const found = byNode.get(node);
  if (found) return found;
  const { named, others } = nodesBelow(node);
  const reach = {
    here: concern(node),
    fields: named.flatMap(([name, child]) => (lies(schema, concern, child) ? [name] : [])),
    others: others.some((child) => lies(schema, concern, child)),
  };
  byNode.set(node, reach);
  return reach;
}

/**
 * A value with changes made along its schema, or itself where there are none: `instead` gives what stands at a place, or
 * `undefined` to keep what is there and go on into its parts. Where the schema knows nothing, the node is empty. With a
 * `concern`, only nodes of which that is true, and those above them, are visited: lists can be long. `from`: the node
 * of the schema where the value stands.
 */
export function mapValue(
  schema: Schema,
  value: Json,
  instead: (node: SchemaNode, here: Json) => Json | undefined,
  concern?: Concern,
  from: SchemaNode = schema,
): Json {
  const visit = (reference: SchemaNode, here: Json): Json => {
    const node = resolved(schema, reference);
    const reach = concern ? reachOf(schema, concern, node) : everywhere;
    const given = reach.here ? instead(node, here) : undefined;
    if (given !== undefined) return given;
    if (typeof here !== 'object' || here === null) return here;
    const partOf = (key: string, inner: Json) => visit(childOf(schema, node, key) ?? {}, inner);
    if (Array.isArray(here)) {
      if (!reach.others) return here;
      const mapped = here.map((item: Json, index) => partOf(String(index), item));
      return mapped.some((item, index) => item !== here[index]) ? mapped : here;
    }
    if (!isObject(here)) return here;
    let changes: Map<string, Json> | undefined;
    for (const key of reach.others ? Object.keys(here) : reach.fields) {
      const inner = Object.hasOwn(here, key) ? here[key] : undefined;
      const mapped = inner === undefined ? undefined : partOf(key, inner);
      if (mapped === undefined || mapped === inner) continue;
      changes ??= new Map();
      changes.set(key, mapped);
    }
    return changes === undefined ? here : changed(here, changes);
  };
  return visit(from, value);
}

const changed = (before: JsonObject, changes: ReadonlyMap<string, Json>): JsonObject =>
  Object.fromEntries(
    Object.entries(before).map(([key, value]) => [key, changes.has(key) ? changes.get(key) : value]),
  );

const converted = (text: string, types: readonly string[]): Json => {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (types.includes('integer') && Number.isSafeInteger(number)) return number;
  if (types.includes('number') && Number.isFinite(number)) return number;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/**
 * A copy of a value in which text that reads as a number or a boolean has become one where its schema wants that
 * and takes no text, as lenient services do (Conventions, life cycle of a record). Nothing else is converted, but
 * `rounds` also makes whole numbers of fractions where the schema wants those.
 */
export function coerced(schema: Schema, value: Json, { rounds = false } = {}): Json {
  return mapValue(schema, value, (node, here) => {
    const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
    if (typeof here === 'number' && rounds && types.includes('integer') && !types.includes('number'))
      return Math.round(here);
    if (typeof here !== 'string') return undefined;
    return types.includes('string') ? here : converted(here, types);
  });
}
