import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { SchemaProblem as FieldProblem } from '../../contract/validate.ts';
import type { Behaviour } from './behaviour.ts';

/** A problem in a request (Conventions, validation errors). */
export interface RefusedField extends FieldProblem {
  readonly cause?: Json | undefined;
  readonly value?: Json | undefined;
  readonly more?: JsonObject;
}

interface RefusalFacts {
  /** True if the changes of the request are stored despite the refusal. */
  readonly isStored?: boolean;
  /** True if the resource was reached before the error. By default, this follows from the progress of the request. */
  readonly isReached?: boolean;
  readonly isBare?: boolean;
  readonly envelope?: JsonObject;
}

/** An error response of the service. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Code of the specification's error catalog, such as `bad_identifier`. */
  readonly code: string;
  readonly data: Json;
  readonly facts: RefusalFacts;

  constructor(
    status: number,
    code: string,
    message: string,
    data: Json = { message },
    facts: RefusalFacts = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
    this.facts = facts;
  }
}

/** Returns a 401 for missing, wrong, expired or revoked credentials. */
export const notSignedIn = (message = 'The token or the credentials are not valid.'): Refusal =>
  new Refusal(401, 'invalid_credentials', message);

export const forbidden = (message: string): Refusal => new Refusal(403, 'forbidden', message);

/** Returns a 404 for a missing or deleted record. */
export const unknownId = (id: string): Refusal =>
  new Refusal(404, 'bad_identifier', `No record has the id ${id}.`, {
    message: 'bad identifier',
    cause: id,
  });

/** Returns a 404 for a name that is not an id. Services in the field have a separate error for it. */
export const unknownName = (name: string, { replies }: Pick<Behaviour, 'replies'>): Refusal =>
  replies.unknownNames === 'ids'
    ? unknownId(name)
    : new Refusal(404, 'bad identifier', `No record has the name ${name}.`, [name]);

/** Returns a server error without `data`. Services in the field send it for some invalid requests. */
export const serviceFault = (message: string): Refusal =>
  new Refusal(500, message, message, { message }, { isBare: true });

export const missingField = (path: string, more: Partial<RefusedField> = {}): RefusedField => ({
  path,
  rule: 'required',
  message: 'is required',
  ...more,
});

export const missingFields = (paths: readonly string[], { records }: Pick<Behaviour, 'records'>): Refusal =>
  invalid(paths.map((path) => missingField(path, records.problems === 'detailed' ? { value: path } : {})));

/** Returns a 400 for an invalid request to the sandbox itself. */
export const invalidRequest = (message: string, data: Json = { message }): Refusal =>
  new Refusal(400, 'invalid_request', message, data);

/** Returns a 404 for a request that cannot be parsed. */
export const malformedRequest = (message: string): Refusal => new Refusal(404, 'faulty_request', message);

const problemEntry = ({ message, target, value, cause, more }: RefusedField): JsonObject => ({
  message,
  ...(target === undefined ? {} : { target }),
  ...(value === undefined ? {} : { value }),
  ...(cause === undefined ? {} : { cause }),
  ...more,
});

/** Returns a 400 for invalid data. Its `data` maps fields to rules, and rules to details. */
export function invalid(problems: readonly RefusedField[], facts: RefusalFacts = {}): Refusal {
  const fields = Map.groupBy(problems, ({ path }) => path);
  const data = Object.fromEntries(
    [...fields].map(([field, ofField]) => [
      field,
      Object.fromEntries(ofField.map((problem) => [problem.rule, problemEntry(problem)])),
    ]),
  );
  const [first] = problems;
  const message = first ? `${first.path}: ${first.message}` : 'The request is not valid.';
  return new Refusal(400, 'validation_error', message, data, facts);
}

/** Rules whose details repeat the value as the cause. */
const withCause = new Set(['minLength', 'maxLength']);
/** Rules whose details have no target. */
const withoutTarget = new Set(['not_one_schema_valid', 'uniqueItems', 'wrong_format', 'minProperties']);

function placeInBody(path: string): { readonly above: string; readonly key: string } {
  const end = path.lastIndexOf('.');
  return { above: path.slice(0, Math.max(0, end)), key: path.slice(end + 1) };
}

const valueAtPath = (body: Json, path: string): Json | undefined =>
  path === '' ? body : valueAt(body, path);

/** Returns the problems of a step with an unknown module, including the name of the missing schema. */
const unknownModule = (
  path: string,
  message: string,
  module: Json | undefined,
  kind: string,
): RefusedField[] => [
  { path, rule: 'error', message, value: module },
  { path: 'schema', rule: 'schema', message, more: { schema: `${kind}.${module}` } },
];

function problemDetails(problem: FieldProblem, body: Json, kind: string): readonly RefusedField[] {
  const { path, rule, message, target } = problem;
  const { above, key } = placeInBody(path);
  // Requests for several numbers are checked by other code, which does not repeat the name.
  const isNamed = kind !== 'numbers' || path !== 'numbers';
  if (rule === 'required') return [{ path, rule, message, ...(isNamed ? { value: key } : {}) }];
  if (rule === 'additionalProperties') return [{ path, rule, message, value: valueAtPath(body, above) }];
  const value = valueAtPath(body, path);
  // URLs in module data have a separate check.
  if (
    /^(?:(?:voice_)?url|uri)$/.test(key) &&
    (rule === 'pattern' || rule === 'wrong_format') &&
    path.includes('.data.')
  )
    return [{ path, rule: 'error', message, value }];
  if (key === 'module' && (rule === 'error' || rule === 'minLength'))
    return unknownModule(path, message, value, kind);
  if (rule === 'type') {
    const types = Array.isArray(target) ? target : [target];
    if (types.length > 1) return [{ path, rule: 'not_one_schema_valid', message, value }];
    return [{ path, rule, message, target: types[0], value }];
  }
  return [
    {
      path,
      rule: rule === 'minProperties' ? 'too_few_properties' : rule,
      message,
      ...(target === undefined || withoutTarget.has(rule) ? {} : { target }),
      value,
      ...(withCause.has(rule) ? { cause: value } : {}),
      ...(rule === 'wrong_format' && target !== undefined ? { more: { format: target } } : {}),
    },
  ];
}

/**
 * Adds the details that services in the field return: the value, even if it is secret, and a single expected type.
 * Some values have only one problem: values of the wrong type, empty strings with a pattern, and strings that are too
 * short for their format. `kind` prefixes the schemas of flow modules. `escapesKeys` encodes dots in paths as `%2E`.
 */
export function detailedProblems(
  problems: readonly FieldProblem[],
  body: Json,
  {
    kind,
    escapesKeys = false,
    alternatives,
  }: { readonly kind: string; readonly escapesKeys?: boolean; readonly alternatives?: RegExp | undefined },
): readonly RefusedField[] {
  const whole = problems.map((problem) => {
    const [path] = alternatives?.exec(problem.path) ?? [];
    return path === undefined ? problem : { path, rule: 'not_one_schema_valid', message: problem.message };
  });
  const pathsOf = (wanted: string) =>
    new Set(whole.filter(({ rule }) => rule === wanted).map(({ path }) => path));
  const [patterned, short, mistyped] = [pathsOf('pattern'), pathsOf('minLength'), pathsOf('type')];
  return whole
    .filter(({ path, rule }) => rule !== 'minLength' || !patterned.has(path))
    .filter(({ path, rule }) => rule !== 'wrong_format' || !short.has(path))
    .filter(({ path, rule }) => !['not_one_schema_valid', 'enum'].includes(rule) || !mistyped.has(path))
    .flatMap((problem) => problemDetails(problem, body, kind))
    .map((problem) => (escapesKeys ? { ...problem, path: problem.path.replaceAll('.', '%2E') } : problem));
}
