import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { stepConditions, stepWord } from '../../contract/step-conditions.ts';

/** A part of a published schema. */
export type Node = JsonObject;

/** Words that say nothing about what may be written. */
const dropped = new Set(['default', 'required', 'minProperties', 'readOnly', 'writeOnly']);
const description = 'description';
/** Text that holds something to be filled in. */
const filledIn = { type: 'string', pattern: '\\$\\{' } as const;
/** Text that is one thing to be filled in, so that it may come to a number, true or false. */
const filledInWhole = { type: 'string', pattern: '^\\$\\{[^}]+\\}$' } as const;

const typesOf = ({ type }: Node): readonly string[] =>
  Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];

const mapped = (nodes: Json | undefined): JsonObject | undefined =>
  isObject(nodes)
    ? Object.fromEntries(
        Object.entries(nodes).flatMap(([key, node]) =>
          isObject(node) && node.readOnly !== true ? [[key, asWritten(node)] as const] : [],
        ),
      )
    : undefined;

/**
 * A schema of values as the schema of how a manifest writes them: any scalar may be filled in by `${…}`, text may look
 * like a number (`mailbox: 100`), unknown keys are marked, and fields that the service makes are gone.
 */
export function asWritten(node: Node): JsonObject {
  if (node.$ref !== undefined) return node;
  const kept: JsonObject = Object.fromEntries(
    Object.entries(node).filter(([word]) => !dropped.has(word) && !word.startsWith('x-')),
  );
  const said = { ...(describe(node) === undefined ? {} : { [description]: describe(node) }) };
  const types = typesOf(node);
  if (types.includes('object') || node.properties !== undefined)
    return { ...kept, ...said, ...keysOf(node), ...stepRules(node) };
  const items = isObject(node.items) ? { items: asWritten(node.items) } : {};
  if (types.includes('array')) return { ...kept, ...said, ...items };
  if (types.length === 0 && node.enum === undefined) return { ...kept, ...said };
  return { ...said, ...scalar(kept, types) };
}

/** Returns the schema of what may be written for a scalar. */
function scalar({ description: _, ...rules }: Node, types: readonly string[]): JsonObject {
  if (!types.includes('string')) return { anyOf: [rules, filledInWhole] };
  // Text without quotes may be read as a number by an editor; telctl keeps what was typed.
  const open = { ...rules, type: [...new Set([...types, 'number'])] };
  const isFree = Object.keys(rules).every((word) => word === 'type');
  return isFree ? open : { anyOf: [rules.enum === undefined ? open : rules, filledIn] };
}

function keysOf(node: Node): JsonObject {
  const { properties, patternProperties, additionalProperties } = node;
  const patterns = mapped(patternProperties);
  const [first] = Object.values(patterns ?? {});
  return {
    ...(properties === undefined ? {} : { properties: mapped(properties) }),
    // A key may be the id of another object.
    ...(patterns === undefined ? {} : { patternProperties: { ...patterns, [filledIn.pattern]: first } }),
    ...(isObject(additionalProperties)
      ? { additionalProperties: asWritten(additionalProperties) }
      : additionalProperties === undefined && properties !== undefined
        ? { additionalProperties: false }
        : {}),
  };
}

/** Returns the rules of what a step of a flow takes, by its module. */
function stepRules(node: Node): JsonObject {
  const { allOf } = stepConditions({ [stepWord]: node[stepWord] }, asWritten);
  return allOf === undefined ? {} : { allOf };
}

/** The description, with what to write for secrets and ids. */
function describe(node: Node): string | undefined {
  if (typeof node.description !== 'string') return undefined;
  const ref = node['x-ref'];
  if (node['x-secret'] === true) return `${node.description}. Secret: write \${env.NAME}, not the value.`;
  return typeof ref === 'string' ? `${node.description}: \${${ref}.NAME} or an id` : node.description;
}
