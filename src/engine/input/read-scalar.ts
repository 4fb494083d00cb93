import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { listAllowed, suggestInline } from '../../base/nearest.ts';
import {
  formExamples,
  isShownForm,
  parseShownDay,
  parseShownNumber,
  type ShownForm,
} from '../../base/shown-form.ts';
import { formatCount } from '../../base/wording.ts';
import { isNameList, type NameList } from '../../contract/name-lists.ts';
import { masked } from '../../contract/secrets.ts';
import type { ScalarNode } from './document.ts';

export type Reading = { readonly value: Json } | { readonly expected: string };

const whole = /^-?(?:0|[1-9]\d*)$/;
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const withExponent = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const isTrue = /^(?:true|True|TRUE)$/;
const isFalse = /^(?:false|False|FALSE)$/;
const isNull = /^(?:null|Null|NULL|~|)$/;

const names = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
} as const;

/** Lists the allowed types: `true or false`, `text or a list`. */
export const describeTypes = (shape: Shape): string =>
  [...shape.types].map((type) => names[type]).join(' or ');

export const isNullScalar = (node: ScalarNode): boolean => node.plain && isNull.test(node.text);

/**
 * Reads a scalar by the type of its field. A text field keeps the typed text, so that `+15551230000`, `0100`, `1e5`
 * and `no` stay text. In a field of any type, only plain decimal numbers and telctl's own output are numbers. A date
 * without a time is a day in `zone` (default: UTC).
 */
export function readScalar(node: ScalarNode, shape: Shape, zone?: string): Reading {
  if (isNullScalar(node)) return { value: null };
  const { types } = shape;
  const typed = (node.plain ? readPlain(node, types) : undefined) ?? readForm(node, shape, zone);
  if (typeof typed === 'number' && shape.minimum !== undefined && typed < shape.minimum)
    return { expected: `at least ${shape.minimum}` };
  if (typed !== undefined) return { value: typed };
  if (shape.choices.length > 0 && !shape.choices.includes(node.text))
    return {
      expected: `one of ${listAllowed(shape.choices)}${shape.secret ? '' : suggestInline(node.text, shape.choices)}`,
    };
  if (types.size === 0 || types.has('string')) return readText(node.text, shape);
  const example = shape.form && formExamples[shape.form];
  return {
    expected: example === undefined ? describeTypes(shape) : `${describeTypes(shape)}, or ${example}`,
  };
}

const hasForm = ({ form, types }: Shape): boolean => form !== undefined && !types.has('string');

const readForm = ({ text }: ScalarNode, shape: Shape, zone: string | undefined): number | undefined =>
  shape.form === undefined || !hasForm(shape) || /^\d+$/.test(text)
    ? undefined
    : parseShownNumber(shape.form, text, zone);

/** Returns true for a date without a time. Its number depends on a time zone. */
export const isDayText = (text: string, shape: Shape): boolean =>
  hasForm(shape) && parseShownDay(shape.form, text) !== undefined;

function readText(text: string, { length: { min, max } }: Shape): Reading {
  const characters = [...text].length;
  if (characters >= min && characters <= max) return { value: text };
  if (min === max) return { expected: `text of ${formatCount(min, 'character')}` };
  return {
    expected:
      characters < min
        ? `text of at least ${formatCount(min, 'character')}`
        : `text of at most ${formatCount(max, 'character')}`,
  };
}

function readPlain({ text, source }: ScalarNode, types: Shape['types']): Json | undefined {
  const anything = types.size === 0;
  if (anything || types.has('boolean')) {
    if (isTrue.test(text)) return true;
    if (isFalse.test(text)) return false;
  }
  const fits = anything
    ? source.typed || isAsWritten(text)
      ? withExponent
      : decimal
    : types.has('number')
      ? withExponent
      : types.has('integer')
        ? whole
        : undefined;
  // A field of numbers and text keeps unusual formats as text.
  if (!fits?.test(text)) return undefined;
  const value = Number(text);
  const exact = whole.test(text)
    ? Number.isSafeInteger(value) || (source.typed && isAsWritten(text))
    : Number.isFinite(value);
  return exact ? value : undefined;
}

/** telctl prints such numbers. People do not type `1.5e+300`. */
const isAsWritten = (text: string): boolean => String(Number(text)) === text;

type Scalar = 'string' | 'integer' | 'number' | 'boolean';

export interface Shape {
  /** `undefined` if any value is allowed. */
  readonly node: JsonObject | undefined;
  /** Empty if any value is allowed. */
  readonly types: ReadonlySet<Scalar | 'array' | 'object'>;
  readonly readOnly: boolean;
  readonly secret: boolean;
  /** Empty if any value is allowed. */
  readonly choices: readonly string[];
  readonly minimum: number | undefined;
  readonly length: { readonly min: number; readonly max: number };
  readonly form: ShownForm | undefined;
  readonly open: readonly string[];
  readonly names: NameList | undefined;
  items(): Shape;
  under(key: string): Shape | undefined;
  readonly keys: readonly string[];
}

const known = new Set<string>(['string', 'integer', 'number', 'boolean', 'array', 'object']);
const isKnown = (word: unknown): word is Scalar | 'array' | 'object' =>
  typeof word === 'string' && known.has(word);

export const anyLength = { min: 0, max: Number.POSITIVE_INFINITY } as const;

const anything: Shape = {
  node: undefined,
  types: new Set(),
  readOnly: false,
  secret: false,
  choices: [],
  minimum: undefined,
  length: anyLength,
  form: undefined,
  open: [],
  names: undefined,
  items: () => anything,
  under: () => anything,
  keys: [],
};

const field = (schema: JsonObject, key: string): JsonObject | undefined => {
  const value = Object.hasOwn(schema, key) ? schema[key] : undefined;
  return isObject(value) ? value : undefined;
};

/** `$ref` refers to an enclosing `$id`. */
export function createShape(schema: unknown, scope: ReadonlyMap<string, JsonObject> = new Map()): Shape {
  if (!isObject(schema)) return anything;
  if (typeof schema.$ref === 'string') return createShape(scope.get(schema.$ref), scope);
  const inner = typeof schema.$id === 'string' ? new Map([...scope, [schema.$id, schema] as const]) : scope;
  const convention = field(schema, 'x-convention') ?? {};
  const also = convention.alsoType;
  const own = Array.isArray(schema.type) ? schema.type : [schema.type ?? convention.type];
  const types = new Set([...own, ...(Array.isArray(also) ? also : [])].filter(isKnown));
  const properties = field(schema, 'properties');
  const [pattern] = Object.values(field(schema, 'patternProperties') ?? {});
  const others = schema.additionalProperties ?? pattern;
  const free = types.size === 0 || (types.has('object') && !properties && others === undefined);
  const found = new Map<string, Shape | undefined>();
  function innerShape(key: string): Shape | undefined {
    if (properties && Object.hasOwn(properties, key)) return createShape(properties[key], inner);
    if (free || others === true) return anything;
    return isObject(others) ? createShape(others, inner) : undefined;
  }
  let item: Shape | undefined;
  return {
    node: schema,
    types,
    readOnly: schema.readOnly === true,
    secret: schema['x-secret'] === true,
    choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
    minimum: typeof schema.minimum === 'number' ? schema.minimum : undefined,
    length: {
      min: typeof schema.minLength === 'number' ? schema.minLength : anyLength.min,
      max: typeof schema.maxLength === 'number' ? schema.maxLength : anyLength.max,
    },
    form: isShownForm(schema['x-shown-as']) ? schema['x-shown-as'] : undefined,
    open: Array.isArray(schema['x-open-keys']) ? schema['x-open-keys'].map(String) : [],
    names: isNameList(schema['x-names']) ? schema['x-names'] : undefined,
    items: () => {
      item ??= createShape(schema.items, inner);
      return item;
    },
    under: (key) => {
      // Cached, because each field is requested for every record.
      if (properties && Object.hasOwn(properties, key) && !found.has(key)) found.set(key, innerShape(key));
      return found.get(key) ?? innerShape(key);
    },
    keys: Object.keys(properties ?? {}),
  };
}

const mask = 'the mask of a secret; give the value or leave the field out';
const placeholder = 'a placeholder without a value; give the value or leave the field out';

/** Placeholders of other tools: `##NAME##`, `@@NAME@@`, `{{ name }}`. */
const wholly = /^(?:##[A-Z]\w*##|@@[A-Z]\w*@@|\{\{\s*[\w.]+\s*\}\})$/;
/** A placeholder inside other text. Secrets must not contain one either. */
const inside = /##[A-Z]\w*##|@@[A-Z]\w*@@|\{\{[^{}]*\}\}/;
const variable = /^(?:%[A-Z]\w*%|\$[A-Z_][A-Z0-9_]*|\$\([A-Z_][A-Z0-9_]*\))$/;
const maskWord =
  /^(?:\[(?:masked|redacted)\]|<(?:masked|redacted)>|\((?:masked|redacted|sensitive value)\))$/i;
/** Every mask and placeholder contains one of these characters. */
const suspicious = /[•*#@{%$\]>)]/;

/**
 * Returns the reason if text is the mask of a secret or an unfilled placeholder. More texts are refused in secrets
 * than elsewhere.
 */
export function looksUnfilled(text: string, { types }: Shape, secret: boolean): string | undefined {
  if (!suspicious.test(text)) return undefined;
  if (text.includes(masked) || /^(?:\*{6,}|•+)$/.test(text)) return mask;
  if (maskWord.test(text)) return mask;
  // A field of any type may contain a template.
  if (types.size > 0 && wholly.test(text)) return placeholder;
  if (!secret) return undefined;
  if (/^\*{3,}$/.test(text)) return mask;
  return inside.test(text) || variable.test(text) ? placeholder : undefined;
}
