import type { ConventionRules } from '../fields.ts';
import type { SchemaNode } from '../schema-node.ts';

/** Builders for what modules take in `data`: plain JSON Schema without documentation. */

type Rules = Omit<ConventionRules, 'required' | 'additionalProperties' | 'keyPattern' | 'alsoType'>;

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

export const text = (rules: Rules = {}): SchemaNode => ({ type: 'string', ...rules });

export const whole = (rules: Rules = {}): SchemaNode => ({ type: 'integer', ...rules });

export const number = (rules: Rules = {}): SchemaNode => ({ type: 'number', ...rules });

export const flag = (rules: Rules = {}): SchemaNode => ({ type: 'boolean', ...rules });

export const words = (of: readonly string[], standard?: string): SchemaNode =>
  text({ enum: of, ...(standard === undefined ? {} : { default: standard }) });

export const list = (items: SchemaNode, rules: Rules = {}): SchemaNode => ({
  type: 'array',
  items,
  ...rules,
});

/** Telephone keys that end something, all of them where left out. */
export const terminators = list(words(keys), { default: keys });

type Fields = Readonly<Record<string, SchemaNode>>;

/** An object with its fields in the order of their names, however the table has them. */
export const object = (fields: Fields, required: readonly string[] = []): SchemaNode => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ...(required.length > 0 ? { required } : {}),
});

/** Fields of one type without rules. */
const each =
  (shape: () => SchemaNode) =>
  (...names: readonly string[]): Fields =>
    Object.fromEntries(names.map((name) => [name, shape()]));
export const texts = each(text);
export const flags = each(flag);
export const wholes = each(whole);

export const anyObject: SchemaNode = { type: 'object' };

export const either = (one: SchemaNode, other: SchemaNode): SchemaNode => ({ anyOf: [one, other] });
