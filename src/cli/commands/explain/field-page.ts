import type { JsonObject } from '../../../base/json.ts';
import { optionFields } from '../../../contract/schema.ts';
import { resolved, type SchemaNode } from '../../../contract/schema-node.ts';
import type { Operation } from '../../../contract/types.ts';
import { bodySchema, insideOf, modulesOf, type Subject } from '../find-subject.ts';
import { type FieldFacts, factsOf, labelled, recordRules, rows, section, sentence } from './field-facts.ts';

type Field = Extract<Subject, { kind: 'field' }>;

/** A field as `-o json` shows it. */
export interface FieldExplanation extends FieldFacts {
  readonly kind: 'field';
  readonly path: string;
  /** Option of `create`, `update` and `patch` that sets it. */
  readonly option?: string;
  /** Operations whose body may hold it. */
  readonly takenBy: readonly string[];
  /** Chapter of the specification that describes the record. */
  readonly section: string;
  readonly fields: readonly NamedField[];
  /** Modules that a step of a flow can have. */
  readonly modules?: readonly string[];
}

export interface NamedField extends FieldFacts {
  readonly name: string;
}

/** The fields that stand directly in an object, or in what a list or map holds. */
export function fieldsIn(subject: Pick<Field, 'root'>, node: SchemaNode): readonly NamedField[] {
  const { properties = {} } = insideOf(subject.root, node);
  return Object.entries(properties).map(([name, child]) => ({ name, ...factsOf(subject.root, child) }));
}

const holds = (operation: Operation, key: string): boolean => {
  const schema = bodySchema(operation);
  const kind = operation.body?.kind;
  if (schema === undefined) return kind === 'record' || kind === 'partial';
  return Object.hasOwn(resolved(schema, schema).properties ?? {}, key);
};

export function explainField(subject: Field): FieldExplanation {
  const { resource, operation, root, node, keys } = subject;
  const facts = factsOf(root, node);
  const start = operation ? operation.id : resource.name;
  const own = operation ? [] : recordRules(resource, keys.join('.'));
  const option = operation ? undefined : optionFields(resource).find(({ field }) => field === keys.join('.'));
  const modules = modulesOf(insideOf(root, node));
  const takers = operation ? [operation] : resource.operations.filter((each) => holds(each, keys[0] ?? ''));
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
  source === 'specification' ? section : `convention of compatible services; the record: ${section}`;

function accessWords(field: FieldFacts): string | undefined {
  if (field.readOnly) return 'read only: made by the service';
  if (field.writeOnly) return 'write only: sent, never returned';
  return undefined;
}

const shownDefault = ({ default: filled }: FieldFacts): string | undefined =>
  filled && `${JSON.stringify(filled.value)} (${filled.source})`;

/** Returns the text of a row after a field's type: the description, and what is special about it. */
function inOneLine(field: FieldFacts): string {
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
  rows(fields.map((field) => [field.name, field.type, inOneLine(field)]));

const inColumns = (words: readonly string[], count: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(words.length / count) }, (_, row) =>
    words.slice(row * count, (row + 1) * count),
  );

function fieldPage(field: FieldExplanation): string {
  const facts = labelled([
    ...field.rules.map(
      ({ text, source }, index) => [index === 0 ? 'Allowed' : '', `${text} (${source})`] as const,
    ),
    ['Default', shownDefault(field)],
    ['Support', field.support],
    ['Secret', field.secret ? 'masked wherever it is shown' : undefined],
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
      : `\n${section(`Modules (telctl explain ${field.path}.MODULE)`, rows(inColumns(modules, 4)))}`;
  return `${field.path}: ${field.type}\n\n${meaning}${facts}\n${fields}${data}`;
}

export function fieldResult(subject: Field): { readonly text: string; readonly value: JsonObject } {
  const value = explainField(subject);
  return { text: fieldPage(value), value };
}
