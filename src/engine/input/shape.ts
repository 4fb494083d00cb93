import { isObject, type JsonObject } from '../../base/json.ts';
import { isShownForm, type ShownForm } from '../../base/shown-form.ts';
import { isNameList, type NameList } from '../../contract/known-names.ts';

type Scalar = 'string' | 'integer' | 'number' | 'boolean';

/** Rules for one place of a record, read from its JSON Schema. */
export interface Shape {
  /** The schema that it was read off; `undefined` where anything may stand. */
  readonly node: JsonObject | undefined;
  /** Types taken here; empty: anything. */
  readonly types: ReadonlySet<Scalar | 'array' | 'object'>;
  readonly readOnly: boolean;
  readonly secret: boolean;
  /** The only values there are; empty: any. */
  readonly choices: readonly string[];
  readonly minimum: number | undefined;
  /** Fewest and most characters of text. */
  readonly length: { readonly min: number; readonly max: number };
  /** Form in which people write its number. */
  readonly form: ShownForm | undefined;
  /** Keys of this secret map whose values are no secrets. */
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

/** Reads a shape off a schema; `$ref`s are looked up among the `$id`s met on the way. */
export function shapeOf(schema: unknown, scope: ReadonlyMap<string, JsonObject> = new Map()): Shape {
  if (!isObject(schema)) return anything;
  if (typeof schema.$ref === 'string') return shapeOf(scope.get(schema.$ref), scope);
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
  function under(key: string): Shape | undefined {
    if (properties && Object.hasOwn(properties, key)) return shapeOf(properties[key], inner);
    if (free || others === true) return anything;
    return isObject(others) ? shapeOf(others, inner) : undefined;
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
      item ??= shapeOf(schema.items, inner);
      return item;
    },
    under: (key) => {
      // A record has few named fields, and each is asked for once for every record that is read.
      if (properties && Object.hasOwn(properties, key) && !found.has(key)) found.set(key, under(key));
      return found.get(key) ?? under(key);
    },
    keys: Object.keys(properties ?? {}),
  };
}
