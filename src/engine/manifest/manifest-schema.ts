import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { publishedSchema, stepConditions, stepWord } from '../../contract/published-schema.ts';
import { extraKey } from '../input/read-fields.ts';
import { type Kind, kinds } from './kinds.ts';

type Node = JsonObject;

/** These keywords do not restrict the value. */
const dropped = new Set(['default', 'required', 'minProperties', 'readOnly', 'writeOnly']);
const description = 'description';
const filledIn = { type: 'string', pattern: '\\$\\{' } as const;
/** The value of text that is a single expression can be a number or boolean. */
const filledInWhole = { type: 'string', pattern: '^\\$\\{[^}]+\\}$' } as const;

const schemaTypes = ({ type }: Node): readonly string[] =>
  Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];

const writtenProperties = (nodes: Json | undefined): JsonObject | undefined =>
  isObject(nodes)
    ? Object.fromEntries(
        Object.entries(nodes).flatMap(([key, node]) =>
          isObject(node) && node.readOnly !== true ? [[key, manifestForm(node)] as const] : [],
        ),
      )
    : undefined;

/** Allows expressions instead of scalars, and text that looks like a number. Omits read-only fields. */
function manifestForm(node: Node): JsonObject {
  if (node.$ref !== undefined) return node;
  const kept: JsonObject = Object.fromEntries(
    Object.entries(node).filter(([word]) => !dropped.has(word) && !word.startsWith('x-')),
  );
  if (Array.isArray(node.anyOf)) return { ...kept, anyOf: node.anyOf.filter(isObject).map(manifestForm) };
  const said = { ...(describe(node) === undefined ? {} : { [description]: describe(node) }) };
  const types = schemaTypes(node);
  if (types.includes('object') || node.properties !== undefined)
    return { ...kept, ...said, ...keyRules(node), ...stepRules(node) };
  const items = isObject(node.items) ? { items: manifestForm(node.items) } : {};
  if (types.includes('array')) return { ...kept, ...said, ...items };
  if (types.length === 0 && node.enum === undefined) return { ...kept, ...said };
  return { ...said, ...scalar(kept, types) };
}

function scalar({ description: _, ...rules }: Node, types: readonly string[]): JsonObject {
  if (!types.includes('string')) return { anyOf: [rules, filledInWhole] };
  // Editors read text without quotes as a number. telctl keeps it as text.
  const open = { ...rules, type: [...new Set([...types, 'number'])] };
  const isFree = Object.keys(rules).every((word) => word === 'type');
  return isFree ? open : { anyOf: [rules.enum === undefined ? open : rules, filledIn] };
}

function keyRules(node: Node): JsonObject {
  const { properties, patternProperties, additionalProperties } = node;
  const patterns = writtenProperties(patternProperties);
  const [first] = Object.values(patterns ?? {});
  return {
    ...(properties === undefined ? {} : { properties: writtenProperties(properties) }),
    // A key may be the id of another object.
    ...(patterns === undefined ? {} : { patternProperties: { ...patterns, [filledIn.pattern]: first } }),
    ...(isObject(additionalProperties)
      ? { additionalProperties: manifestForm(additionalProperties) }
      : additionalProperties === undefined && properties !== undefined
        ? { additionalProperties: false }
        : {}),
  };
}

function stepRules(node: Node): JsonObject {
  const { allOf } = stepConditions({ [stepWord]: node[stepWord] }, manifestForm);
  return allOf === undefined ? {} : { allOf };
}

function describe(node: Node): string | undefined {
  if (typeof node.description !== 'string') return undefined;
  const ref = node['x-ref'];
  if (node['x-secret'] === true) return `${node.description}. Secret: write \${env.NAME}, not the value.`;
  return typeof ref === 'string' ? `${node.description}: \${${ref}.NAME} or an id` : node.description;
}

/** Characters of JSON. Shorter repeated parts are not shared. */
const worthSharing = 250;

/** Moves repeated parts to shared definitions, named after the first field that uses them. */
function withSharedParts(
  schemas: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const times = new Map<string, number>();
  const countNode = (_: string, node: JsonObject): JsonObject => {
    count(node);
    return node;
  };
  const count = (node: JsonObject): void => {
    const text = JSON.stringify(node);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 0) mapSubschemas(node, countNode);
  };
  for (const schema of Object.values(schemas)) mapSubschemas(schema, countNode);

  const names = new Map<string, string>();
  const used = new Set(Object.keys(schemas));
  const parts: Record<string, JsonObject> = {};
  const freeName = (key: string): string => {
    const tries = [key, ...Array.from({ length: 99 }, (_, index) => `${key}_${index + 2}`)];
    return tries.find((each) => !used.has(each)) ?? key;
  };
  const share = (key: string, node: JsonObject): JsonObject => {
    const text = JSON.stringify(node);
    if (text.length < worthSharing || (times.get(text) ?? 0) < 2) return mapSubschemas(node, share);
    const known = names.get(text);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = freeName(key);
    names.set(text, name);
    used.add(name);
    parts[name] = mapSubschemas(node, share);
    return { $ref: `#/$defs/${name}` };
  };
  const whole = Object.entries(schemas).map(
    ([name, schema]) => [name, mapSubschemas(schema, share)] as const,
  );
  return { ...Object.fromEntries(whole), ...parts };
}

/** `key` is the property's name, or a word for other places. */
function mapSubschemas(
  node: JsonObject,
  replace: (key: string, child: JsonObject) => JsonObject,
): JsonObject {
  const mapOne = (key: string, value: Json | undefined): Json | undefined =>
    isObject(value) ? replace(key, value) : value;
  const mapAll = (value: Json | undefined, name?: string): Json | undefined =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mapOne(name ?? key, child)]))
      : value;
  return Object.fromEntries(
    Object.entries(node).map(([word, value]) => {
      if (word === 'properties') return [word, mapAll(value)];
      if (word === 'patternProperties') return [word, mapAll(value, 'entry')];
      if (word === 'allOf' && Array.isArray(value))
        return [word, value.map((each: Json) => (isObject(each) ? mapSubschemas(each, replace) : each))];
      if (word === 'then' && isObject(value)) return [word, mapSubschemas(value, replace)];
      return [word, word === 'items' || word === 'additionalProperties' ? mapOne('item', value) : value];
    }),
  );
}

const text = { type: 'string', minLength: 1 } as const;
const protect = {
  type: 'boolean',
  description: 'telctl never deletes the object, even if it is removed from the manifest. Never sent.',
} as const;
const mayShadow = {
  type: 'boolean',
  description: 'Allows the object to use emergency numbers or to block emergency calls. Never sent.',
} as const;
const renamedFrom = {
  ...text,
  description: 'Former local name, or former name in the account, of an object that was renamed. Never sent.',
} as const;
const id = {
  ...text,
  description:
    'Id of the object in the account, if its name does not distinguish it from others. Never sent.',
} as const;
const forEach = {
  type: ['array', 'object', 'string', 'null'],
  description:
    'Makes one object for each row: a list, a map, or the path of a CSV file. References each.key and each.COLUMN are replaced by its values, and the objects are named NAME[KEY]. Never sent.',
} as const;
const when = {
  type: ['string', 'number', 'boolean', 'null'],
  description: 'Leaves the object out if this is empty, false or 0. Never sent.',
} as const;
const extra = {
  type: ['object', 'null'],
  description: 'Fields that telctl does not know. They are sent unchanged and not validated.',
} as const;
/** References cannot contain these characters. */
const localNames = '^[^{}$]+$';

const file = {
  type: 'string',
  description: 'Path of the file of the object, relative to the manifest. Uploaded when its content changes.',
} as const;

const markWords = (kind: Kind): JsonObject =>
  kind.shape === 'one'
    ? { protect, allow_emergency_shadow: mayShadow, when, [extraKey]: extra }
    : {
        protect,
        allow_emergency_shadow: mayShadow,
        for_each: forEach,
        when,
        renamed_from: renamedFrom,
        ...(kind.keys.includes('id') ? {} : { id }),
        ...(kind.calls.upload ? { file } : {}),
        [extraKey]: extra,
      };

const use = {
  type: 'object',
  properties: { with: { type: ['object', 'null'] } },
  patternProperties: { '^(?!with$)[^{}$.]+$': { type: ['string', 'object', 'null'] } },
  minProperties: 1,
} as const;

/** Returns the JSON Schema (2020-12) of manifests for editors. It requires no fields. */
export function manifestSchema(): JsonObject {
  const shared = new Map<string, JsonObject>();
  const records = kinds.map((kind) => [kind.name, recordSchema(kind, shared)] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'telctl manifest',
    description:
      'What an account should contain. Fields that are not named stay unchanged, and null removes a field. See telctl help manifests.',
    type: ['object', 'null'],
    properties: {
      $schema: { type: 'string', description: 'This schema, for editors. Ignored.' },
      account: {
        ...text,
        description:
          'Account of the document: its id, name or realm, or a reference to a sub-account of an earlier document (default: the account acted on).',
      },
      country: {
        ...text,
        description: 'Two-letter country code of the account, such as AU, for national numbers. Never sent.',
      },
      set: {
        ...text,
        description:
          'Name of the manifest set. --prune only deletes objects of this set (default: the name of the file).',
      },
      use: {
        description:
          'A module: the prefix of its objects, its folder below that of the manifest, and its parameters, which it uses as with.NAME. A list names several modules.',
        anyOf: [use, { type: 'array', items: use }, { type: 'null' }],
      },
      ...Object.fromEntries(kinds.map((kind) => [kind.name, section(kind)])),
    },
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

/** Adds recursive parts to `shared`. */
function recordSchema(kind: Kind, shared: Map<string, JsonObject>): JsonObject {
  const { $defs, ...record }: Node = publishedSchema(kind.schema, 'conventions', {
    form: 'changes',
    step: (node) => node,
  });
  for (const [name, part] of Object.entries(isObject($defs) ? $defs : {})) {
    if (!isObject(part)) continue;
    const written = manifestForm(part);
    const known = shared.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(written))
      throw new Error(`Two resources have different parts named ${name}.`);
    shared.set(name, written);
  }
  const written = manifestForm(record);
  const properties = isObject(written.properties) ? written.properties : {};
  const title = kind.shape === 'one' ? kind.name : kind.resource.singular;
  return { title, ...written, type: ['object', 'null'], properties: { ...properties, ...markWords(kind) } };
}
