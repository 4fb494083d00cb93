import fc, { type Arbitrary } from 'fast-check';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { moduleData, moduleNames } from '../../src/contract/module-data.ts';
import { withConventions } from '../../src/contract/schema.ts';
import {
  resolveReference,
  type Schema,
  type SchemaNode,
  takesObjects,
} from '../../src/contract/schema-node.ts';
import { mode } from './mode.ts';

/** JSON Schema keywords that the types of the contract omit. */
type Rules = SchemaNode & {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly format?: string;
};

/** Settings for generated values. */
export interface Making {
  /** Required top-level fields. */
  readonly required?: readonly string[];
  /** Generates every field. */
  readonly all?: boolean;
  /** Replacements at dotted paths, for rules that a schema cannot express. */
  readonly instead?: Readonly<Record<string, Arbitrary<Json>>>;
}

/** Samples of lists that the runtime has. */
const someNames = {
  'time-zone': ['Europe/Zurich', 'America/New_York'],
  language: ['en-US', 'de'],
} as const;

/** Depth of recursive parts. */
const deepest = 2;

/** Content of free objects. JSON has no `-0` after transport. */
const anyJson: Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)));

/** Keys that services store: no private ones. */
const freeKey = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((key) => !/^(_|pvt_)/.test(key));

const codePoints = (text: string): number => [...text].length;

/** Texts by their rules, because generators for patterns are slow to create. */
const madeTexts = new Map<string, Arbitrary<string>>();

function textArbitrary(rules: Rules): Arbitrary<string> {
  const key = JSON.stringify([rules.pattern, rules.format, rules.minLength, rules.maxLength]);
  const made = madeTexts.get(key) ?? createTextArbitrary(rules);
  madeTexts.set(key, made);
  return made;
}

function createTextArbitrary({ pattern, format, minLength = 0, maxLength = 40 }: Rules): Arbitrary<string> {
  const hasValidLength = (text: string) => codePoints(text) >= minLength && codePoints(text) <= maxLength;
  if (format === 'email') return fc.stringMatching(/^[a-z]{1,9}@[a-z]{1,9}\.example$/);
  if (format === 'uri') return fc.stringMatching(/^https:\/\/[a-z]{1,9}\.example\/[a-z]{0,9}$/);
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern), { maxLength }).filter(hasValidLength);
  return fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 40) });
}

const nodeTypes = ({ type }: SchemaNode): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

/** Values that match a schema under the rules of compatible services. */
export function fitting(schema: Schema, making: Making = {}): Arbitrary<Json> {
  const root = withConventions(schema, { addsTypes: mode === 'kazoo' });

  /** Returns the alternatives of a node with its common fields. */
  const alternatives = ({ anyOf = [], ...common }: SchemaNode): readonly SchemaNode[] =>
    common.properties === undefined
      ? anyOf
      : anyOf.map((each) => {
          const { properties, required = [] } = resolveReference(root, each);
          return {
            ...common,
            properties: { ...common.properties, ...properties },
            required: [...(common.required ?? []), ...required],
          };
        });

  const arbitraryAt = (
    reference: SchemaNode,
    path: string,
    above: readonly SchemaNode[],
  ): Arbitrary<Json> => {
    const special = making.instead?.[path];
    if (special) return special;
    const node: Rules = resolveReference(root, reference);
    if (node.enum) return fc.constantFrom(...(node.enum as Json[]));
    if (node['x-names']) return fc.constantFrom(...someNames[node['x-names']]);
    if (node.anyOf) return fc.oneof(...alternatives(node).map((each) => arbitraryAt(each, path, above)));
    const types = nodeTypes(node);
    if (types.length === 0) return anyJson;
    return fc.oneof(...types.map((type) => arbitraryOfType(type, node, path, above)));
  };

  const arbitraryOfType = (
    type: string,
    node: Rules,
    path: string,
    above: readonly SchemaNode[],
  ): Arbitrary<Json> => {
    const { minimum = -1000, maximum = minimum + 1_000_000 } = node;
    switch (type) {
      case 'string':
        return textArbitrary(node);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: minimum, max: maximum });
      case 'number':
        return fc.integer({ min: minimum * 8, max: maximum * 8 }).map((eighths) => eighths / 8);
      case 'array': {
        const item = node.items ? arbitraryAt(node.items, path === '' ? '*' : `${path}.*`, above) : anyJson;
        const bounds = { minLength: node.minItems ?? (making.all ? 1 : 0), maxLength: 3 };
        return node.uniqueItems
          ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
          : fc.array(item, bounds);
      }
      case 'object':
        return objectArbitrary(node, path, above);
      default:
        throw new Error(`no values of type ${type}`);
    }
  };

  const objectArbitrary = (
    node: Rules,
    path: string,
    above: readonly SchemaNode[],
  ): Arbitrary<JsonObject> => {
    const inner = [...above, node];
    const isDeep = above.filter((each) => each === node).length >= deepest;
    const at = (key: string) => (path === '' ? key : `${path}.${key}`);
    const fields = Object.entries(node.properties ?? {}).filter(([, field]) => field.readOnly !== true);
    const named = Object.fromEntries(fields.map(([key, field]) => [key, arbitraryAt(field, at(key), inner)]));
    const must = [...(node.required ?? []), ...(path === '' ? (making.required ?? []) : [])];
    const record = fc.record(
      named,
      making.all ? {} : { requiredKeys: must.filter((key) => Object.hasOwn(named, key)) },
    );
    const kind = node['x-modules'];
    if (isDeep) return fc.constant(kind === undefined ? {} : { module: 'hangup' });
    if (kind !== undefined)
      return fc
        .constantFrom(...moduleNames(kind))
        .chain((module) =>
          fc
            .tuple(arbitraryAt(moduleData(kind, module) ?? {}, at('data'), inner), record)
            .map(([data, known]) => ({ ...known, module, data }) as JsonObject),
        );
    const others = otherKeys(node, at('*'), inner);
    if (!others) return record as Arbitrary<JsonObject>;
    return fc
      .tuple(others, record)
      .map(
        ([free, known]) => ({ ...without(free, Object.keys(node.properties ?? {})), ...known }) as JsonObject,
      );
  };

  /** Entries with unknown keys, if the schema allows them. */
  const otherKeys = (
    node: Rules,
    path: string,
    above: readonly SchemaNode[],
  ): Arbitrary<JsonObject> | undefined => {
    const counts = { minKeys: node.minProperties ?? 0, maxKeys: 3 };
    const [matching] = Object.entries(node.patternProperties ?? {});
    if (matching) {
      const [pattern, values] = matching;
      const keys = fc
        .stringMatching(new RegExp(pattern), { maxLength: 12 })
        .filter((key) => key !== '__proto__');
      return fc.dictionary(keys, arbitraryAt(values, path, above), counts) as Arbitrary<JsonObject>;
    }
    const { additionalProperties: others } = node;
    if (others === false || !takesObjects(node) || (others === undefined && node.properties))
      return undefined;
    const values = typeof others === 'object' ? arbitraryAt(others, path, above) : anyJson;
    return fc.dictionary(freeKey, values, counts) as Arbitrary<JsonObject>;
  };

  return arbitraryAt(root, '', []);
}

const without = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

/** A way to break a schema: an invalid value at a path, and the broken rule. */
export interface Breakage {
  readonly path: string;
  readonly value: Json;
  readonly rule: string;
}

/** Returns values of types that a node does not accept and that no service converts. */
function wrongTypes(node: Rules): readonly Json[] {
  const types = nodeTypes(node);
  if (types.length === 0) return [];
  const candidates: readonly (readonly [takenBy: readonly string[], value: Json])[] = [
    [['string'], 'neither number nor truth'],
    [['integer', 'number'], 7],
    [['boolean'], true],
    [['array'], [1]],
    [['object'], { a: 1 }],
  ];
  return candidates.flatMap(([takenBy, value]) =>
    takenBy.some((type) => types.includes(type)) ? [] : [value],
  );
}

function wrongValues(node: Rules): readonly Omit<Breakage, 'path'>[] {
  const found: Omit<Breakage, 'path'>[] = wrongTypes(node).map((value) => ({ value, rule: 'type' }));
  const add = (rule: string, value: Json) => found.push({ rule, value });
  const types = nodeTypes(node);
  if (types.includes('string')) {
    if (node.enum) add('enum', 'no such word');
    if (node.maxLength !== undefined) add('maxLength', 'x'.repeat(node.maxLength + 1));
    if (node.minLength) add('minLength', 'x'.repeat(node.minLength - 1));
    if (node.pattern) add('pattern', '\u{1f9ff} ');
    if (node.format) add('wrong_format', 'not a name at all');
  }
  if (types.includes('integer')) add('type', 1.5);
  if (types.some((type) => type === 'integer' || type === 'number')) {
    if (node.minimum !== undefined) add('minimum', node.minimum - 1);
    if (node.maximum !== undefined) add('maximum', node.maximum + 1);
  }
  if (types.includes('array') && node.uniqueItems) add('uniqueItems', ['77', '77']);
  return found.filter(({ value, rule }) => rule !== 'type' || value !== 1.5 || !types.includes('number'));
}

/** Returns all ways to break a schema at its named fields, under the rules of compatible services. */
export function findBreakages(schema: Schema): readonly Breakage[] {
  const root = withConventions(schema, { addsTypes: mode === 'kazoo' });
  const visit = (reference: SchemaNode, path: string, above: readonly SchemaNode[]): readonly Breakage[] => {
    const node: Rules = resolveReference(root, reference);
    if (above.includes(node) || node.anyOf) return [];
    const own = path === '' ? [] : wrongValues(node).map((each) => ({ ...each, path }));
    const fields = Object.entries(node.properties ?? {}).filter(([, field]) => field.readOnly !== true);
    const at = (key: string) => (path === '' ? key : `${path}.${key.replaceAll('.', '%2E')}`);
    return [...own, ...fields.flatMap(([key, field]) => visit(field, at(key), [...above, node]))];
  };
  return visit(root, '', []);
}

/** Returns a value with a replacement at a dotted path. Missing objects are created. */
export function replaceAt(value: JsonObject, path: string, wrong: Json): JsonObject {
  const [key = '', ...rest] = path.split('.');
  const name = key.replaceAll('%2E', '.');
  if (rest.length === 0) return { ...value, [name]: wrong };
  const inner = value[name];
  const object =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as JsonObject) : {};
  return { ...value, [name]: replaceAt(object, rest.join('.'), wrong) };
}
