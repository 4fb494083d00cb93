import type { Json, JsonObject } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import type { ConventionRules } from '../../contract/fields.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import type { Source } from '../../contract/types.ts';

/** A rule that a value must keep to, in words and as data, with who says so. */
export interface Rule extends JsonObject {
  /** A word of JSON Schema, or `unique`. */
  readonly rule: string;
  readonly target: Json;
  readonly text: string;
  readonly source: Source;
}

type Words = Readonly<Record<string, unknown>>;

const inWords = new Map<string, (target: unknown) => string>([
  ['enum', (values) => `one of ${listed(values)}`],
  ['minLength', (n) => `at least ${counted(Number(n), 'character')}`],
  ['maxLength', (n) => `at most ${counted(Number(n), 'character')}`],
  ['minimum', (n) => `at least ${n}`],
  ['maximum', (n) => `at most ${n}`],
  ['minItems', (n) => `at least ${counted(Number(n), 'item')}`],
  ['minProperties', (n) => `at least ${counted(Number(n), 'entry', 'entries')}`],
  ['uniqueItems', () => 'no item twice'],
  ['pattern', (pattern) => `matches ${pattern}`],
  ['format', (format) => (format === 'email' ? 'an e-mail address' : 'a URL')],
  ['required', (fields) => `needs ${listed(fields)}`],
  ['additionalProperties', () => 'no other keys'],
  ['keyPattern', (pattern) => `keys match ${pattern}`],
  ['alsoType', (types) => `may also be ${listed(types)}`],
]);

const listed = (values: unknown): string => (Array.isArray(values) ? values.map(String).join(', ') : '');

/** Values of the contract's rules are plain data. */
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

function rulesIn(words: Words, source: Source): readonly Rule[] {
  return [...inWords].flatMap(([rule, say]) => {
    const target = words[rule];
    // A schema's own additionalProperties is its shape, not a rule, unless it forbids other keys.
    if (target === undefined || (rule === 'additionalProperties' && target !== false)) return [];
    return [{ rule, target: asJson(target), text: say(target), source }];
  });
}

/** The rules of a field: the specification's, then what compatible services add where it is silent. */
export function rulesOf(node: SchemaNode): readonly Rule[] {
  const own = rulesIn({ ...node }, 'specification');
  const convention: ConventionRules = node['x-convention'] ?? {};
  const added = rulesIn({ ...convention }, 'convention');
  return [...own, ...added.filter(({ rule }) => !own.some((stated) => stated.rule === rule))];
}
