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

/** Something about a value that does not fit its schema. */
export interface SchemaProblem {
  /** Dotted path; a dot inside a key is written `%2E`. Empty for the value itself. */
  readonly path: string;
  /** Violated rule: a word of JSON Schema, or `wrong_format` and `not_one_schema_valid`. */
  readonly rule: string;
  /** Message after the field's name: `must not be empty`. It never contains the value. */
  readonly message: string;
  /** The bound, list, type or pattern wanted. */
  readonly target?: Json;
  /** Value that was found, unless it is secret or no scalar. */
  readonly value?: Json | undefined;
}

/** Set of rules: only the specification, or also those of compatible services. */
export type RuleSet = 'specification' | 'conventions';

/** Rules of a service. `documented-types`: conventions only if the specification has no rule. */
export type ServiceRules = RuleSet | 'documented-types';

export interface ValidatorOptions {
  /** Top-level fields that must be present (see `requiredFields`). Not for parts of a record. */
  readonly required?: readonly string[];
  /** The value is a part of a record (PATCH): no field is required, and `null` removes a key. */
  readonly partial?: boolean;
  /** The data of flow steps is not validated. */
  readonly anyModuleData?: boolean;
  /** Rounds fractions if whole numbers are required. For `createNormaliser`. */
  readonly roundsFractions?: boolean;
}

/** Sources that each set of rules uses, for `requiredFields`. */
export const sourcesByRules: Readonly<Record<ServiceRules, readonly StatementSource[]>> = {
  specification: ['specification'],
  'documented-types': ['specification', 'convention'],
  conventions: ['specification', 'convention'],
};

/** Validators that change no values, add defaults, or also round fractions in the data of steps. */
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

/** A check of the rules of some keys, with the set of keys that it covers. */
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
  const node = nodeOf(schema, mode, options);
  const made = { node, check: validator(fill, roundsFractions).compile(node) };
  known.set(key, made);
  return made;
}

/** A schema of the contract with the rules that count. */
function nodeOf(
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

/** ajv's findings as problems. */
function problemsOf(schema: Schema, errors: readonly ErrorObject[]): readonly SchemaProblem[] {
  return outermostErrors(errors)
    .map((error): Finding => ({ ...error, value: error.data }))
    .map((finding) => problemFrom(finding, (path) => isSecretPath(schema, path)));
}

/**
 * Creates a validator for a schema of the contract, compiled on first use and cached. It converts nothing: `"5"` is not
 * a number. No problems mean that the value is valid. Unknown keys are not problems here, because input readers report
 * them.
 */
export function createValidator(
  schema: Schema,
  mode: ServiceRules,
  options: ValidatorOptions = {},
): (value: unknown) => readonly SchemaProblem[] {
  const checkFor = (value: unknown): ValidateFunction =>
    (isObject(value) ? narrowed(schema, mode, options, Object.keys(value)) : undefined) ??
    compile(schema, mode, options, false).check;
  return (value) => {
    const check = checkFor(value);
    return check(value) ? [] : problemsOf(schema, check.errors ?? []);
  };
}

/** A check of values against a JSON Schema that is no resource's, compiled on first use and kept. */
export function createCheck(schema: () => JsonObject): (value: unknown) => boolean {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= validator(false).compile(schema());
    return check(value);
  };
}

/**
 * Creates a validator for values with no other keys than the first value, because compiling all rules takes longer than
 * a request. Returns `undefined` for other values.
 */
function narrowed(schema: Schema, mode: ServiceRules, options: ValidatorOptions, keys: readonly string[]) {
  const known = narrow.get(schema) ?? new Map<string, Narrow>();
  narrow.set(schema, known);
  const key = problemKey(mode, options);
  const before = known.get(key);
  if (before !== undefined) return keys.every((each) => before.keys.has(each)) ? before.check : undefined;
  const node = nodeOf(schema, mode, options);
  const properties = Object.fromEntries(
    Object.entries(node.properties ?? {}).filter(([name]) => keys.includes(name)),
  );
  const made = { keys: new Set(keys), check: validator(false).compile({ ...node, properties }) };
  known.set(key, made);
  return made.check;
}

/** Like `createValidator`, for the service: validates and returns a copy with defaults and converted text. */
export function createNormaliser(
  schema: Schema,
  mode: ServiceRules,
  options: ValidatorOptions = {},
): (value: Json) => { readonly value: Json; readonly problems: readonly SchemaProblem[] } {
  return (value) => {
    const { node, check } = compile(schema, mode, options, true);
    const copy = structuredClone(coerceValue(node, value, { rounds: options.roundsFractions ?? false }));
    const fits = check(copy);
    return { value: copy, problems: fits ? [] : problemsOf(schema, check.errors ?? []) };
  };
}

/** Finding of the validator: the keyword of a rule, its place and its parameters. */
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

/** Allowed values as text, without `null`, which only removes keys in parts of records. */
const allowedText = (values: unknown): readonly string[] =>
  (Array.isArray(values) ? values : [values]).filter((one) => one !== null && one !== 'null').map(String);

/** Returns the expected value of a rule. */
const wanted = ({ params }: Finding): unknown =>
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

/** Converts a finding to the contract's words (Conventions, validation errors). Omits values of secret fields. */
function problemFrom(finding: Finding, isSecret: (path: string) => boolean): SchemaProblem {
  const path = fieldPath(finding);
  const rule = ruleWords.get(finding.keyword) ?? finding.keyword;
  const target = wanted(finding);
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
