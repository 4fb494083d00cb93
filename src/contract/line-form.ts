import type { Json, JsonObject } from '../base/json.ts';
import { humanize, splitCommas } from '../base/wording.ts';
import { answering } from './callflow-modules.ts';
import { resourceByName, resourceByWord } from './catalogue.ts';
import { resolveReference, type Schema, type SchemaNode, stepKind } from './schema-node.ts';
import type { Resource, ResourceName } from './types.ts';

export interface NamedRecord {
  readonly id: string;
  readonly resource: Pick<Resource, 'name' | 'singular'>;
}

/** Format of several values in one line, for an option, a form or a table. */
export type LineForm = {
  /** Words are separated by commas. */
  readonly isMany: boolean;
} & (
  | {
      /** Kinds of the named records. */
      readonly names: readonly ResourceName[];
      readonly value: (records: readonly NamedRecord[]) => Json | undefined;
    }
  | {
      readonly names?: undefined;
      /** Parts of a word, which colons separate, for questions. */
      readonly parts: readonly string[];
      readonly value: (words: readonly string[]) => Json;
    }
);

export const wordsOfLine = ({ isMany }: LineForm, text: string): readonly string[] =>
  isMany ? splitCommas(text) : [text.trim()];

/** Derives the format from a schema. Returns `undefined` if a line cannot contain the value. */
export function lineFormOf(schema: Schema, reference: SchemaNode): LineForm | undefined {
  const node = resolveReference(schema, reference);
  if (stepKind(node) === 'callflow')
    return recordsForm([...answering.keys()], false, ([first]) => first && stepTo(first));
  if (node['x-key-ref'] !== undefined) return membersForm(node);
  if (node['x-dialled'] && node.type === 'object')
    return textForm([], true, (words) => Object.fromEntries(words.map((word) => [word, {}])));
  if (node.type !== 'array' || node.items === undefined) return undefined;
  const item = resolveReference(schema, node.items);
  if ((item.type ?? item['x-convention']?.type) !== 'string') return itemsForm(item);
  const ref = item['x-ref'];
  if (ref) return recordsForm([ref], true, (records) => records.map(({ id }) => id));
  // An expression can contain commas, so a line is one expression.
  return textForm([], node['x-dialled'] !== undefined, (words) => [...words]);
}

const recordsForm = (
  names: readonly ResourceName[],
  isMany: boolean,
  value: (records: readonly NamedRecord[]) => Json | undefined,
): LineForm => ({ isMany, names, value });

const textForm = (
  parts: readonly string[],
  isMany: boolean,
  value: (words: readonly string[]) => Json,
): LineForm => ({ isMany, parts, value });

/** Returns a step that sends calls to the record. */
export const stepTo = ({ id, resource }: NamedRecord, children: JsonObject = {}): JsonObject => ({
  module: answering.get(resource.name)?.name ?? resource.singular,
  data: { id },
  children,
});

/** Format of a map whose keys are ids of records. Values can contain the kind of each record. */
function membersForm({ additionalProperties, 'x-key-ref': keyRef }: SchemaNode): LineForm {
  const member = typeof additionalProperties === 'object' ? additionalProperties : {};
  const words = member.properties?.type?.['x-convention']?.enum ?? [];
  const hasType = keyRef === 'type';
  const kinds = hasType
    ? words.flatMap((word) => resourceByWord(String(word)) ?? [])
    : [keyRef ?? []].flat().map(resourceByName);
  return recordsForm(
    kinds.map(({ name }) => name),
    true,
    (records) =>
      Object.fromEntries(records.map(({ id, resource }) => [id, hasType ? { type: resource.singular } : {}])),
  );
}

/** Format of a list of objects. A word contains the required fields, or all fields if there are few. */
function itemsForm(item: SchemaNode): LineForm | undefined {
  const { properties = {}, 'x-convention': convention } = item;
  const fields = convention?.required ?? Object.keys(properties);
  if (item.type !== 'object' || fields.length === 0 || fields.length > 3) return undefined;
  const parts = fields.map(
    (field) => properties[field]?.['x-convention']?.enum?.join('|') ?? humanize(field),
  );
  return textForm(parts, true, (words) =>
    words.map((word) => {
      const said = fields.length === 1 ? [word] : word.split(':', fields.length);
      // A word without a colon sets all fields, such as `all`.
      return Object.fromEntries(fields.map((field, index) => [field, said[index] ?? said.at(-1)]));
    }),
  );
}
