import type { Json, JsonObject } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { ConventionRules } from '../../../contract/fields.ts';
import { optionFields } from '../../../contract/schema.ts';
import { resolveReference, type Schema, type SchemaNode } from '../../../contract/schema-node.ts';
import type { Operation, Resource, StatementSource } from '../../../contract/types.ts';
import { bodySchema, type ExplainSubject, modulesOf, objectInside } from './find-subject.ts';

interface Rule extends JsonObject {
  /** A keyword of JSON Schema, or `unique`. */
  readonly rule: string;
  readonly target: Json;
  readonly text: string;
  readonly source: StatementSource;
}

type Words = Readonly<Record<string, unknown>>;

const inWords = new Map<string, (target: unknown) => string>([
  ['enum', (values) => `one of ${listed(values)}`],
  ['minLength', (n) => `at least ${formatCount(Number(n), 'character')}`],
  ['maxLength', (n) => `at most ${formatCount(Number(n), 'character')}`],
  ['minimum', (n) => `at least ${n}`],
  ['maximum', (n) => `at most ${n}`],
  ['minItems', (n) => `at least ${formatCount(Number(n), 'item')}`],
  ['minProperties', (n) => `at least ${formatCount(Number(n), 'entry', 'entries')}`],
  ['uniqueItems', () => 'no duplicate items'],
  ['pattern', (pattern) => `matches ${pattern}`],
  ['format', (format) => (format === 'email' ? 'an e-mail address' : 'a URL')],
  ['required', (fields) => `needs ${listed(fields)}`],
  ['additionalProperties', () => 'no other keys'],
  ['keyPattern', (pattern) => `keys match ${pattern}`],
  ['alsoType', (types) => `may also be ${listed(types)}`],
]);

const listed = (values: unknown): string => (Array.isArray(values) ? values.map(String).join(', ') : '');

/** Rules of the contract contain only plain data. */
const typeOfJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

function rulesIn(words: Words, source: StatementSource): readonly Rule[] {
  return [...inWords].flatMap(([rule, say]) => {
    const target = words[rule];
    // `additionalProperties` describes the shape of an object, and is a rule only if it forbids other keys.
    if (target === undefined || (rule === 'additionalProperties' && target !== false)) return [];
    return [{ rule, target: typeOfJson(target), text: say(target), source }];
  });
}

function rulesOf(node: SchemaNode): readonly Rule[] {
  const own = rulesIn({ ...node }, 'specification');
  const convention: ConventionRules = node['x-convention'] ?? {};
  const added = rulesIn({ ...convention }, 'convention');
  return [...own, ...added.filter(({ rule }) => !own.some((stated) => stated.rule === rule))];
}

/** Facts of the contract about a field, as `telctl explain -o json` shows them. */
interface FieldFacts extends JsonObject {
  readonly type: string;
  readonly description: string;
  readonly rules: readonly Rule[];
  readonly default?: { readonly value: Json; readonly source: StatementSource };
  /** The specification's term for the maturity of the field. */
  readonly support?: 'supported' | 'beta';
  readonly secret?: true;
  readonly readOnly?: true;
  readonly writeOnly?: true;
  readonly references?: string;
  readonly source: StatementSource;
}

/** `string`, `list of string`, `map of object`. */
export function typeInPlainWords(root: Schema, reference: SchemaNode): string {
  const node = resolveReference(root, reference);
  if (node.anyOf) return node.anyOf.map((each) => typeInPlainWords(root, each)).join(' or ');
  if (node.items) return `list of ${typeInPlainWords(root, node.items)}`;
  const { type, properties, additionalProperties } = node;
  if (type === 'object' && properties === undefined) {
    return typeof additionalProperties === 'object'
      ? `map of ${typeInPlainWords(root, additionalProperties)}`
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

function fieldFacts(root: Schema, reference: SchemaNode): FieldFacts {
  const node = resolveReference(root, reference);
  const filled = defaultOf(node);
  return {
    type: typeInPlainWords(root, node),
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

/** Returns the rules that the resource defines for the field: required and unique values. */
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
      text: `required with ${fields.filter((field) => field !== path).join(' and ')} in a create or a change of it`,
      source,
    }));
  const unique = resource.unique
    .filter(({ field }) => field === path)
    .map(({ within, ignoreCase }) => ({
      rule: 'unique',
      target: within,
      text: `unique within the ${within}${ignoreCase ? ', ignoring case' : ''}`,
      source: 'convention' as const,
    }));
  return [...required, ...together, ...unique];
}

export function rows(cells: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return cells
    .map((row) => `  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

/** Formats two columns, without rows that have no value. */
export const labelledRows = (pairs: readonly (readonly [string, string | undefined])[]): string =>
  rows(pairs.flatMap(([label, text]) => (text === undefined || text === '' ? [] : [[label, text]])));

export const section = (heading: string, body: string): string => `${heading}\n${body}\n`;

export const sentence = (text: string): string => (/[.…]$/.test(text) ? text : `${text}.`);

type Field = Extract<ExplainSubject, { kind: 'field' }>;

interface FieldExplanation extends FieldFacts {
  readonly kind: 'field';
  readonly path: string;
  readonly option?: string;
  /** Operations that accept it in their body. */
  readonly takenBy: readonly string[];
  /** Chapter of the specification that describes the record. */
  readonly section: string;
  readonly fields: readonly NamedField[];
  readonly modules?: readonly string[];
}

export interface NamedField extends FieldFacts {
  readonly name: string;
}

/** Returns the direct fields of an object, or of the items of a list or map. */
export function fieldsIn(subject: Pick<Field, 'root'>, node: SchemaNode): readonly NamedField[] {
  const { properties = {} } = objectInside(subject.root, node);
  return Object.entries(properties).map(([name, child]) => ({ name, ...fieldFacts(subject.root, child) }));
}

const acceptsField = (operation: Operation, key: string): boolean => {
  const schema = bodySchema(operation);
  const kind = operation.body?.kind;
  if (schema === undefined) return kind === 'record' || kind === 'partial';
  return Object.hasOwn(resolveReference(schema, schema).properties ?? {}, key);
};

export function explainField(subject: Field): FieldExplanation {
  const { resource, operation, root, node, keys } = subject;
  const facts = fieldFacts(root, node);
  const start = operation ? operation.id : resource.name;
  const own = operation ? [] : recordRules(resource, keys.join('.'));
  const option = operation ? undefined : optionFields(resource).find(({ field }) => field === keys.join('.'));
  const modules = modulesOf(objectInside(root, node));
  const takers = operation
    ? [operation]
    : resource.operations.filter((each) => acceptsField(each, keys[0] ?? ''));
  return {
    kind: 'field',
    path: [start, ...keys].join('.'),
    ...facts,
    rules: [...own, ...facts.rules],
    ...(option ? { option: `--${option.flag}` } : {}),
    takenBy: facts.readOnly ? [] : takers.map(({ id }) => id),
    section: operation?.section ?? resource.section,
    fields: fieldsIn(subject, node),
    ...(modules.length > 0 ? { modules } : {}),
  };
}

const sourceWords = (source: FieldFacts['source'], section: string): string =>
  source === 'specification' ? section : `convention of compatible services; the record is in ${section}`;

function accessWords(field: FieldFacts): string | undefined {
  if (field.readOnly) return 'read only: set by the service';
  if (field.writeOnly) return 'write only: sent, never returned';
  return undefined;
}

const formatDefault = ({ default: filled }: FieldFacts): string | undefined =>
  filled && `${JSON.stringify(filled.value)} (${filled.source})`;

function describeInLine(field: FieldFacts): string {
  const marks = [
    ...(field.secret ? ['secret'] : []),
    ...(field.readOnly ? ['read only'] : []),
    ...(field.writeOnly ? ['write only'] : []),
    ...(field.support === 'beta' ? ['beta'] : []),
    ...(field.references ? [`id in ${field.references}`] : []),
    ...(field.source === 'convention' ? ['convention'] : []),
  ];
  return marks.length === 0 ? field.description : `${field.description} [${marks.join(', ')}]`;
}

export const fieldRows = (fields: readonly NamedField[]): string =>
  rows(fields.map((field) => [field.name, field.type, describeInLine(field)]));

const splitIntoColumns = (words: readonly string[], count: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(words.length / count) }, (_, row) =>
    words.slice(row * count, (row + 1) * count),
  );

function fieldPage(field: FieldExplanation): string {
  const facts = labelledRows([
    ...field.rules.map(
      ({ text, source }, index) => [index === 0 ? 'Allowed' : '', `${text} (${source})`] as const,
    ),
    ['Default', formatDefault(field)],
    ['Support', field.support],
    ['Secret', field.secret ? 'masked in all output' : undefined],
    ['Access', accessWords(field)],
    ['Refers to', field.references && `the id of a record of ${field.references}`],
    ['Option', field.option],
    ['Taken by', field.takenBy.join(', ')],
    ['Source', sourceWords(field.source, field.section)],
  ]);
  const fields = field.fields.length === 0 ? '' : `\n${section('Fields', fieldRows(field.fields))}`;
  const meaning = field.description === '' ? '' : `${sentence(field.description)}\n\n`;
  const { modules = [] } = field;
  const data =
    modules.length === 0
      ? ''
      : `\n${section(`Modules (telctl explain ${field.path}.MODULE)`, rows(splitIntoColumns(modules, 4)))}`;
  return `${field.path}: ${field.type}\n\n${meaning}${facts}\n${fields}${data}`;
}

export function fieldResult(subject: Field): { readonly text: string; readonly value: JsonObject } {
  const value = explainField(subject);
  return { text: fieldPage(value), value };
}
