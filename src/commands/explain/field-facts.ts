import type { Json, JsonObject } from '../../base/json.ts';
import { resolved, type Schema, type SchemaNode } from '../../contract/schema-node.ts';
import type { Resource, Source } from '../../contract/types.ts';
import { type Rule, rulesOf } from './rules.ts';

/** Facts of the contract about a field, as `telctl explain -o json` shows them. */
export interface FieldFacts extends JsonObject {
  readonly type: string;
  readonly description: string;
  readonly rules: readonly Rule[];
  readonly default?: { readonly value: Json; readonly source: Source };
  /** The specification's word, where it has one for the field. */
  readonly support?: 'supported' | 'beta';
  readonly secret?: true;
  readonly readOnly?: true;
  readonly writeOnly?: true;
  /** The resource whose id stands here. */
  readonly references?: string;
  readonly source: Source;
}

/** A field's type in words: `string`, `list of string`, `map of object`. */
export function typeOf(root: Schema, reference: SchemaNode): string {
  const node = resolved(root, reference);
  if (node.anyOf) return node.anyOf.map((each) => typeOf(root, each)).join(' or ');
  if (node.items) return `list of ${typeOf(root, node.items)}`;
  const { type, properties, additionalProperties } = node;
  if (type === 'object' && properties === undefined) {
    return typeof additionalProperties === 'object'
      ? `map of ${typeOf(root, additionalProperties)}`
      : 'object with any keys';
  }
  return type === undefined ? 'anything' : typeof type === 'string' ? type : type.join(' or ');
}

const isJson = (value: unknown): value is Json => value !== undefined;

function defaultOf(node: SchemaNode): FieldFacts['default'] {
  if (isJson(node.default)) return { value: node.default, source: 'specification' };
  const value = node['x-convention']?.default;
  return isJson(value) ? { value, source: 'convention' } : undefined;
}

/** Everything that the contract says of one node of a schema. */
export function factsOf(root: Schema, reference: SchemaNode): FieldFacts {
  const node = resolved(root, reference);
  const filled = defaultOf(node);
  return {
    type: typeOf(root, node),
    description: node.description ?? '',
    rules: rulesOf(node),
    ...(filled ? { default: filled } : {}),
    ...(node['x-support'] ? { support: node['x-support'] } : {}),
    ...(node['x-secret'] ? { secret: true } : {}),
    ...(node.readOnly ? { readOnly: true } : {}),
    ...(node.writeOnly ? { writeOnly: true } : {}),
    ...(node['x-ref'] ? { references: node['x-ref'] } : {}),
    source: node['x-source'] ?? 'specification',
  };
}

/** Rules that stand in the resource and not in the field: must be present, must be the only one. */
export function recordRules(resource: Resource, path: string): readonly Rule[] {
  const required = resource.required
    .filter(({ fields }) => fields.includes(path))
    .map(({ on, source }) => ({
      rule: 'required',
      target: on,
      text: `required to ${on.join(' and ')}`,
      source,
    }));
  const together = (resource.together ?? [])
    .filter(({ fields }) => fields.includes(path))
    .map(({ fields, source }) => ({
      rule: 'together',
      target: fields.filter((field) => field !== path),
      text: `needed beside ${fields.filter((field) => field !== path).join(' and ')} to create, and where that changes`,
      source,
    }));
  const unique = resource.unique
    .filter(({ field }) => field === path)
    .map(({ within, ignoreCase }) => ({
      rule: 'unique',
      target: within,
      text: `once within the ${within}${ignoreCase ? ', whatever the case' : ''}`,
      source: 'convention' as const,
    }));
  return [...required, ...together, ...unique];
}
