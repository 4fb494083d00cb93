import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { Json } from '../base/json.ts';
import { coerced } from './coerce.ts';
import { moduleKeyword } from './modules/check-step.ts';
import { type Finding, problemFrom } from './problem.ts';
import { isSecretPath, partialSchema, specificationSchema, withConventions } from './schema.ts';
import type { Schema, SchemaNode } from './schema-node.ts';
import type { Source } from './types.ts';

/** Something about a value that does not fit its schema. */
export interface Problem {
  /** Dotted path; a dot inside a key is written `%2E`. Empty for the value itself. */
  readonly path: string;
  /** Rule that was broken: a word of JSON Schema, or `wrong_format` and `not_one_schema_valid`. */
  readonly rule: string;
  /** Text of the error, to follow the field's name: `must not be empty`. Holds nothing of the value. */
  readonly message: string;
  /** The bound, list, type or pattern wanted. */
  readonly target?: Json;
  /** Value that was found, unless it is secret or no scalar. */
  readonly value?: Json | undefined;
}

/** Source of the rules that count: the specification alone, or compatible services, too. */
export type RuleSet = 'specification' | 'conventions';

export interface ValidatorOptions {
  /** Top-level fields that must be present (see `requiredFields`). Not for parts of a record. */
  readonly required?: readonly string[];
  /** The value is a part of a record (PATCH): nothing is required, and `null` removes a key. */
  readonly partial?: boolean;
  /** Steps of flows may hold any data, whatever their module takes. */
  readonly anyModuleData?: boolean;
  /** Fractions become whole numbers where those are wanted. For `createNormaliser`. */
  readonly roundsFractions?: boolean;
}

/** Sources that each set of rules uses, for `requiredFields`. */
export const sourcesOf: Readonly<Record<RuleSet, readonly Source[]>> = {
  specification: ['specification'],
  conventions: ['specification', 'convention'],
};

const words = [
  ...[
    'x-secret',
    'x-secret-bearing',
    'x-source',
    'x-ref',
    'x-key-ref',
    'x-worked-out',
    'x-dialled',
    'x-kept-as',
  ],
  ...['x-support', 'x-option', 'x-names', 'x-convention', 'x-modules-partial'],
];

/** One validator that fills in defaults and one that leaves values alone. */
const validators = new Map<boolean, Ajv>();

function validator(fill: boolean): Ajv {
  const known = validators.get(fill);
  if (known !== undefined) return known;
  const made = new Ajv({
    allErrors: true,
    verbose: true,
    useDefaults: fill,
    allowUnionTypes: true,
    strictTypes: false,
  });
  made.addVocabulary(words);
  made.addKeyword(moduleKeyword(fill, (schema) => made.compile(schema)));
  ajvFormats.default(made, ['email', 'uri']);
  validators.set(fill, made);
  return made;
}

interface Compiled {
  readonly node: SchemaNode;
  readonly check: ValidateFunction;
}

const compiled = new WeakMap<Schema, Map<string, Compiled>>();

function compile(schema: Schema, mode: RuleSet, options: ValidatorOptions, fill: boolean): Compiled {
  const { required = [], partial = false, anyModuleData = false } = options;
  const key = JSON.stringify([mode, required, partial, anyModuleData, fill]);
  const known = compiled.get(schema) ?? new Map<string, Compiled>();
  compiled.set(schema, known);
  const before = known.get(key);
  if (before !== undefined) return before;
  const whole =
    mode === 'specification'
      ? specificationSchema(schema)
      : withConventions(schema, { modules: !anyModuleData });
  const node = partial
    ? partialSchema(whole)
    : { ...whole, required: [...(whole.required ?? []), ...required] };
  const made = { node, check: validator(fill).compile(node) };
  known.set(key, made);
  return made;
}

/** ajv's findings as problems, without the ones inside alternatives that are reported as a whole. */
function problemsOf(schema: Schema, errors: readonly ErrorObject[]): readonly Problem[] {
  const alternatives = errors
    .filter(({ keyword }) => keyword === 'anyOf')
    .map(({ schemaPath }) => `${schemaPath}/`);
  return errors
    .filter(({ schemaPath }) => !alternatives.some((start) => schemaPath.startsWith(start)))
    .map((error): Finding => ({ ...error, value: error.data }))
    .map((finding) => problemFrom(finding, (path) => isSecretPath(schema, path)));
}

/**
 * A check of values against a schema of the contract, compiled on first use and kept. It changes and converts
 * nothing: `"5"` is no number. An empty answer means that the value fits. Keys that the schema does not know are
 * no problem here; see `unknownKeys`.
 */
export function createValidator(
  schema: Schema,
  mode: RuleSet,
  options: ValidatorOptions = {},
): (value: unknown) => readonly Problem[] {
  return (value) => {
    const { check } = compile(schema, mode, options, false);
    return check(value) ? [] : problemsOf(schema, check.errors ?? []);
  };
}

/**
 * As `createValidator`, for the service's side: gives a copy of the value with defaults filled in and text that
 * reads as a number or boolean converted (Conventions, life cycle of a record), and what is wrong with that copy.
 */
export function createNormaliser(
  schema: Schema,
  mode: RuleSet,
  options: ValidatorOptions = {},
): (value: Json) => { readonly value: Json; readonly problems: readonly Problem[] } {
  return (value) => {
    const { node, check } = compile(schema, mode, options, true);
    const copy = structuredClone(coerced(node, value, { rounds: options.roundsFractions ?? false }));
    const fits = check(copy);
    return { value: copy, problems: fits ? [] : problemsOf(schema, check.errors ?? []) };
  };
}
