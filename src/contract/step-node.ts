import { type ModuleKind, moduleData } from './module-data.ts';
import { resolved, type Schema, type SchemaNode, stepKind } from './schema-node.ts';

const known = new WeakMap<SchemaNode, Map<string, SchemaNode>>();

/**
 * The node of a flow's step with what its module takes in `data`: types and defaults beside the fields that every
 * step may have. The node itself where it is that of no step, or nobody knows the module.
 */
export function stepNode(root: Schema, node: SchemaNode, module: unknown): SchemaNode {
  const kind = stepKind(node);
  const taken = kind === undefined || typeof module !== 'string' ? undefined : moduleData(kind, module);
  if (taken === undefined) return node;
  const byModule = known.get(node) ?? new Map<string, SchemaNode>();
  known.set(node, byModule);
  const before = byModule.get(String(module));
  if (before !== undefined) return before;
  const open = resolved(root, node.properties?.data ?? {});
  const data = { ...open, properties: { ...taken.properties, ...open.properties } };
  const made = { ...node, properties: { ...node.properties, data } };
  byModule.set(String(module), made);
  return made;
}

/** Words of a node that are rules, as against what it is made of. */
const isRule = (word: string): boolean =>
  !['type', 'properties', 'items', 'anyOf', 'description'].includes(word);

/** A node of a module's data as the contract writes one: its rules are those of compatible services. */
function asConvention(node: SchemaNode): SchemaNode {
  const entries = Object.entries(node);
  const { properties, items, anyOf } = node;
  return {
    ...Object.fromEntries(entries.filter(([word]) => !isRule(word))),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, each]) => [key, asConvention(each)]),
          ),
        }
      : {}),
    ...(items ? { items: asConvention(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(asConvention) } : {}),
    'x-source': 'convention',
    'x-convention': Object.fromEntries(entries.filter(([word]) => isRule(word))),
  };
}

/**
 * Returns what a module takes in `data`, as a field that can be explained; `undefined` if nobody knows the module.
 */
export function explainedModule(kind: ModuleKind, module: string): SchemaNode | undefined {
  const schema = moduleData(kind, module);
  return schema && { ...asConvention(schema), description: `Data of the module ${module}` };
}
