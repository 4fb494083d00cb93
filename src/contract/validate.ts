import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { listAllowed } from '../base/nearest.ts';
import { formatCount } from '../base/wording.ts';
import { contractWords } from './fields.ts';
import { coerceValue } from './map-value.ts';
import { moduleKeyword, outermostErrors } from './module-data.ts';
import { isSecretPath, partialSchema, specificationSchema, withConventions } from './schema.ts';
import type { Schema, SchemaNode } from './schema-node.ts';
import type { StatementSource } from './types.ts';

export interface SchemaProblem {
  /** Dotted path. A dot inside a key is `%2E`. Empty for the value itself. */
  readonly path: string;
  /** Violated rule: a word of JSON Schema, or `wrong_format` and `not_one_schema_valid`. */
  readonly rule: string;
  /** Follows the name of the field: `must not be empty`. Never contains the value. */
  readonly message: string;
  /** Expected bound, list, type or pattern. */
  readonly target?: Json;
  /** Omitted for secrets, objects and lists. */
  readonly value?: Json | undefined;
}

/** `conventions` includes the specification. */
export type RuleSet = 'specification' | 'conventions';

/** `documented-types` applies conventions, but accepts only the types of the specification. */
export type ServiceRules = RuleSet | 'documented-types';

export interface ValidatorOptions {
  /** Top-level fields that must be present (see `requiredFields`). Not for parts of a record. */
  readonly required?: readonly string[];
  /** For a part of a record (PATCH). No field is required, and `null` removes a key. */
  readonly partial?: boolean;
  readonly anyModuleData?: boolean;
  /** Rounds fractions if whole numbers are required. For `createNormaliser`. */
  readonly roundsFractions?: boolean;
}

export const sourcesByRules: Readonly<Record<ServiceRules, readonly StatementSource[]>> = {
  specification: ['specification'],
  'documented-types': ['specification', 'convention'],
  conventions: ['specification', 'convention'],
};

/** Validators change no values, add defaults, or also round fractions in the data of steps. */
const validators = new Map<string, Ajv>();

function validator(fill: boolean, rounds = false): Ajv {
  const key = `${fill} ${rounds}`;
  const known = validators.get(key);
  if (known !== undefined) return known;
  const made = new Ajv({
    allErrors: true,
    verbose: true,
    // A test validates the contract's own schemas.
    validateSchema: false,
    meta: false,
    useDefaults: fill,
    allowUnionTypes: true,
    strictTypes: false,
  });
  made.addVocabulary([...contractWords.values(), 'x-modules-partial']);
  made.addKeyword(moduleKeyword(fill, rounds, (schema) => made.compile(schema)));
  ajvFormats.default(made, ['email', 'uri']);
  validators.set(key, made);
  return made;
}

interface Compiled {
  readonly node: SchemaNode;
  readonly check: ValidateFunction;
}

const compiled = new WeakMap<Schema, Map<string, Compiled>>();

interface Narrow {
  readonly keys: ReadonlySet<string>;
  readonly check: ValidateFunction;
}

const narrow = new WeakMap<Schema, Map<string, Narrow>>();

const problemKey = (
  mode: ServiceRules,
  { required = [], partial = false, anyModuleData = false }: ValidatorOptions,
): string => JSON.stringify([mode, required, partial, anyModuleData]);

function compile(schema: Schema, mode: ServiceRules, options: ValidatorOptions, fill: boolean): Compiled {
  const { roundsFractions = false } = options;
  const key = `${fill} ${roundsFractions} ${problemKey(mode, options)}`;
  const known = compiled.get(schema) ?? new Map<string, Compiled>();
  compiled.set(schema, known);
  const before = known.get(key);
  if (before !== undefined) return before;
  const node = schemaWithRules(schema, mode, options);
  const made = { node, check: validator(fill, roundsFractions).compile(node) };
  known.set(key, made);
  return made;
}

function schemaWithRules(
  schema: Schema,
  mode: ServiceRules,
  { required = [], partial = false, anyModuleData = false }: ValidatorOptions,
): SchemaNode {
  const whole =
    mode === 'specification'
      ? specificationSchema(schema)
      : withConventions(schema, { modules: !anyModuleData, addsTypes: mode === 'conventions' });
  return partial ? partialSchema(whole) : { ...whole, required: [...(whole.required ?? []), ...required] };
}

function toProblems(schema: Schema, errors: readonly ErrorObject[]): readonly SchemaProblem[] {
  return outermostErrors(errors)
    .map((error): Finding => ({ ...error, value: error.data }))
    .map((finding) => toProblem(finding, (path) => isSecretPath(schema, path)));
}

/**
 * Creates a validator, compiled on first use and cached. It converts no values: `"5"` is not a number. Without
 * problems, the value is valid. Input readers report unknown keys.
 */
export function createValidator(
  schema: Schema,
  mode: ServiceRules,
  options: ValidatorOptions = {},
): (value: unknown) => readonly SchemaProblem[] {
  const selectCheck = (value: unknown): ValidateFunction =>
    (isObject(value) ? compileNarrow(schema, mode, options, Object.keys(value)) : undefined) ??
    compile(schema, mode, options, false).check;
  return (value) => {
    const check = selectCheck(value);
    return check(value) ? [] : toProblems(schema, check.errors ?? []);
  };
}

export function createCheck(schema: () => JsonObject): (value: unknown) => boolean {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= validator(false).compile(schema());
    return check(value);
  };
}

/**
 * Returns a validator for only `keys`, because compiling the rules of all keys takes longer than a request. The
 * validator returns `undefined` for values with other keys.
 */
function compileNarrow(
  schema: Schema,
  mode: ServiceRules,
  options: ValidatorOptions,
  keys: readonly string[],
) {
  const known = narrow.get(schema) ?? new Map<string, Narrow>();
  narrow.set(schema, known);
  const key = problemKey(mode, options);
  const before = known.get(key);
  if (before !== undefined) return keys.every((each) => before.keys.has(each)) ? before.check : undefined;
  const node = schemaWithRules(schema, mode, options);
  const properties = Object.fromEntries(
    Object.entries(node.properties ?? {}).filter(([name]) => keys.includes(name)),
  );
  const made = { keys: new Set(keys), check: validator(false).compile({ ...node, properties }) };
  known.set(key, made);
  return made.check;
}

/** Creates a function that validates like the service, and returns a copy with defaults and converted text. */
export function createNormaliser(
  schema: Schema,
  mode: ServiceRules,
  options: ValidatorOptions = {},
): (value: Json) => { readonly value: Json; readonly problems: readonly SchemaProblem[] } {
  return (value) => {
    const { node, check } = compile(schema, mode, options, true);
    const copy = structuredClone(coerceValue(node, value, { rounds: options.roundsFractions ?? false }));
    const fits = check(copy);
    return { value: copy, problems: fits ? [] : toProblems(schema, check.errors ?? []) };
  };
}

interface Finding {
  readonly keyword: string;
  /** JSON Pointer to the value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly value: unknown;
  readonly message?: string;
}

const ruleWords = new Map([
  ['format', 'wrong_format'],
  ['anyOf', 'not_one_schema_valid'],
  ['oneOf', 'not_one_schema_valid'],
  ['const', 'enum'],
]);

const typeWords = new Map([
  ['string', 'text'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

const messages = new Map<string, (target: unknown) => string>([
  ['required', () => 'is required'],
  [
    'type',
    (types) =>
      `must be ${allowedText(types)
        .map((type) => typeWords.get(type) ?? type)
        .join(' or ')}`,
  ],
  ['enum', (values) => `must be one of ${listAllowed(allowedText(values))}`],
  [
    'minLength',
    (n) => (n === 1 ? 'must not be empty' : `must have at least ${formatCount(Number(n), 'character')}`),
  ],
  ['maxLength', (n) => `must have at most ${formatCount(Number(n), 'character')}`],
  ['minimum', (n) => `must be at least ${n}`],
  ['maximum', (n) => `must be at most ${n}`],
  ['minItems', (n) => `must have at least ${formatCount(Number(n), 'item')}`],
  ['minProperties', (n) => (n === 1 ? 'must not be empty' : `must have at least ${n} entries`)],
  ['uniqueItems', () => 'must not hold the same item twice'],
  ['pattern', (pattern) => `must match ${pattern}`],
  ['wrong_format', (format) => (format === 'email' ? 'must be an e-mail address' : 'must be a URL')],
  ['additionalProperties', () => 'is not an allowed key'],
  ['not_one_schema_valid', () => 'has none of the allowed forms'],
]);

/** Omits `null`, which only removes keys in parts of records. */
const allowedText = (values: unknown): readonly string[] =>
  (Array.isArray(values) ? values : [values]).filter((one) => one !== null && one !== 'null').map(String);

const expectedValue = ({ params }: Finding): unknown =>
  params.limit ??
  params.allowedValues ??
  params.allowedValue ??
  params.type ??
  params.pattern ??
  params.format;

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function fieldPath({ instancePath, params }: Finding): string {
  const keys = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const absent = params.missingProperty ?? params.additionalProperty;
  return [...keys, ...(absent === undefined ? [] : [String(absent)])]
    .map((key) => key.replaceAll('.', '%2E'))
    .join('.');
}

/** Uses the contract's words (Conventions, validation errors). Omits values of secret fields. */
function toProblem(finding: Finding, isSecret: (path: string) => boolean): SchemaProblem {
  const path = fieldPath(finding);
  const rule = ruleWords.get(finding.keyword) ?? finding.keyword;
  const target = expectedValue(finding);
  const shown =
    rule === 'type' ? allowedText(target) : Array.isArray(target) ? target.filter(isScalar) : target;
  const aboutKey = rule === 'required' || rule === 'additionalProperties';
  return {
    path,
    rule,
    message: messages.get(rule)?.(target) ?? finding.message ?? 'does not fit',
    ...(Array.isArray(shown) || isScalar(shown) ? { target: shown } : {}),
    ...(!aboutKey && isScalar(finding.value) && !isSecret(path) ? { value: finding.value } : {}),
  };
}
