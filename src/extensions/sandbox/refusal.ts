import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { SchemaProblem as FieldProblem } from '../../contract/validate.ts';
import type { Behaviour } from './behaviour.ts';

/** One thing that is wrong with what was sent (Conventions, validation errors). */
export interface RefusedField extends FieldProblem {
  readonly cause?: Json | undefined;
  readonly value?: Json | undefined;
  /** Details of this rule alone. */
  readonly more?: JsonObject;
}

interface RefusalFacts {
  /** True when the changes of the request are stored although it is refused. */
  readonly isStored?: boolean;
  /** True when the resource was asked before; where left out, it depends on how far the request came. */
  readonly isReached?: boolean;
  /** The reply has no `data`. */
  readonly isBare?: boolean;
  /** Keys of the envelope beside the usual ones. */
  readonly envelope?: JsonObject;
}

/** A request that is answered with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Word of the catalogue, `bad_identifier`. */
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

/** Missing, wrong, expired or revoked credentials. */
export const notSignedIn = (message = 'The token or the credentials are not valid.'): Refusal =>
  new Refusal(401, 'invalid_credentials', message);

export const forbidden = (message: string): Refusal => new Refusal(403, 'forbidden', message);

/** No such record, or one that was deleted. */
export const unknownId = (id: string): Refusal =>
  new Refusal(404, 'bad_identifier', `There is nothing with the id ${id}.`, {
    message: 'bad identifier',
    cause: id,
  });

/** A name that services in the field look up elsewhere than ids, and miss in other words. */
export const unknownName = (name: string, { replies }: Pick<Behaviour, 'replies'>): Refusal =>
  replies.unknownNames === 'ids'
    ? unknownId(name)
    : new Refusal(404, 'bad identifier', `There is nothing named ${name}.`, [name]);

/** A fault of the service, as those in the field answer some requests that are only wrong: without any `data`. */
export const serviceFault = (message: string): Refusal =>
  new Refusal(500, message, message, { message }, { isBare: true });

/** The problem of a field that is needed and was not sent; `more`: what is told of it beside. */
export const missingField = (path: string, more: Partial<RefusedField> = {}): RefusedField => ({
  path,
  rule: 'required',
  message: 'is required',
  ...more,
});

/** Fields that are needed and were not sent (400). */
export const missingFields = (paths: readonly string[], { records }: Pick<Behaviour, 'records'>): Refusal =>
  invalid(paths.map((path) => missingField(path, records.problems === 'detailed' ? { value: path } : {})));

/** The request cannot be understood. */
export const malformedRequest = (message: string): Refusal => new Refusal(404, 'faulty_request', message);

const problemEntry = ({ message, target, value, cause, more }: RefusedField): JsonObject => ({
  message,
  ...(target === undefined ? {} : { target }),
  ...(value === undefined ? {} : { value }),
  ...(cause === undefined ? {} : { cause }),
  ...more,
});

/** Returns the refusal of data that breaks rules: `data` maps field to rule to details. */
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

/** Rules whose details give the value as the cause, too. */
const withCause = new Set(['minLength', 'maxLength']);
/** Rules whose details do not say what was wanted. */
const withoutTarget = new Set(['not_one_schema_valid', 'uniqueItems', 'wrong_format', 'minProperties']);

/** The path of the object that a field stands in, and the field's key. */
function placeInBody(path: string): { readonly above: string; readonly key: string } {
  const end = path.lastIndexOf('.');
  return { above: path.slice(0, Math.max(0, end)), key: path.slice(end + 1) };
}

const valueAtPath = (body: Json, path: string): Json | undefined =>
  path === '' ? body : valueAt(body, path);

/** A step whose module nobody knows, and the schema that was looked for. */
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
  // The field checks that several numbers are named in code of its own, which does not repeat the name.
  const isNamed = kind !== 'numbers' || path !== 'numbers';
  if (rule === 'required') return [{ path, rule, message, ...(isNamed ? { value: key } : {}) }];
  if (rule === 'additionalProperties') return [{ path, rule, message, value: valueAtPath(body, above) }];
  const value = valueAtPath(body, path);
  // Addresses are held to more than a schema says.
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
 * Problems with the details that services in the field give: what was found, whatever it is and however secret, and
 * one type where one is wanted. What is of the wrong type is told of by that alone. An empty text that breaks a pattern is told of by that alone, and one that is too short for its format as too short. `kind` is the word
 * before the modules of flows; `escapesKeys` writes dots between keys as `%2E`, as users and accounts have it.
 */
export function detailedProblems(
  problems: readonly FieldProblem[],
  body: Json,
  {
    kind,
    escapesKeys = false,
    shapes,
  }: { readonly kind: string; readonly escapesKeys?: boolean; readonly shapes?: RegExp | undefined },
): readonly RefusedField[] {
  const whole = problems.map((problem) => {
    const [path] = shapes?.exec(problem.path) ?? [];
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
