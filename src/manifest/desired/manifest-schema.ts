import { isObject, type JsonObject } from '../../base/json.ts';
import { publishedSchema } from '../../contract/published-schema.ts';
import { extraKey } from '../../input/extra-fields.ts';
import { type Kind, kinds } from '../kinds.ts';
import { withSharedParts } from './shared-parts.ts';
import { asWritten, type Node } from './written-schema.ts';

const text = { type: 'string', minLength: 1 } as const;
const protect = {
  type: 'boolean',
  description: 'Never deleted by telctl, even when it is taken out of the manifest. Never sent.',
} as const;
const renamedFrom = {
  ...text,
  description: 'Former local name, or former name in the account, of an object that was renamed. Never sent.',
} as const;
const extra = {
  type: ['object', 'null'],
  description: 'Fields that telctl does not know: sent as they are, beside the others, and not checked.',
} as const;
/** Local names: none of the characters that references are written with. */
const localNames = '^[^{}$]+$';

const markWords = (kind: Kind): JsonObject =>
  kind.shape === 'one'
    ? { protect, [extraKey]: extra }
    : { protect, renamed_from: renamedFrom, [extraKey]: extra };

/** The manifest as JSON Schema 2020-12, for editors: derived from the contract, nothing required. */
export function manifestSchema(): JsonObject {
  const shared = new Map<string, JsonObject>();
  const records = kinds.map((kind) => [kind.name, recordSchema(kind, shared)] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'telctl manifest',
    description:
      'What an account should hold. A field that is not named is left alone; null removes it. telctl help manifests says more.',
    type: ['object', 'null'],
    properties: {
      $schema: { type: 'string', description: 'This schema, for editors. Ignored.' },
      account: {
        ...text,
        description:
          'Account that the document is about: its id, name or realm, or a reference to a sub-account that a document before describes. Left out: the account acted on.',
      },
      set: {
        ...text,
        description:
          'Name of the manifest set, by which --prune knows what is its own. Left out: the name of the file.',
      },
      ...Object.fromEntries(kinds.map((kind) => [kind.name, section(kind)])),
    },
    // Sections of the user's own, such as a place for anchors.
    patternProperties: { '^x-': {} },
    additionalProperties: false,
    $defs: withSharedParts({ ...Object.fromEntries(records), ...Object.fromEntries(shared) }),
  };
}

function section({ name, shape, resource }: Kind): JsonObject {
  const record = { $ref: `#/$defs/${name}` };
  if (shape === 'one') return { description: `${resource.summary}.`, ...record };
  return {
    description: `${resource.summary}, by local names.`,
    type: ['object', 'null'],
    patternProperties: { [localNames]: record },
    additionalProperties: false,
  };
}

/** The record of a kind as a manifest writes it; parts that are recursive go into `shared`. */
function recordSchema(kind: Kind, shared: Map<string, JsonObject>): JsonObject {
  const { $defs, ...record }: Node = publishedSchema(kind.schema, 'conventions', {
    form: 'changes',
    step: (node) => node,
  });
  for (const [name, part] of Object.entries(isObject($defs) ? $defs : {})) {
    if (!isObject(part)) continue;
    const written = asWritten(part);
    const known = shared.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(written))
      throw new Error(`Two resources have different parts named ${name}.`);
    shared.set(name, written);
  }
  const written = asWritten(record);
  const properties = isObject(written.properties) ? written.properties : {};
  const title = kind.shape === 'one' ? kind.name : kind.resource.singular;
  return { title, ...written, type: ['object', 'null'], properties: { ...properties, ...markWords(kind) } };
}
