import { type Json, valueAt } from '../../base/json.ts';
import type { Problem as FieldProblem } from '../../contract/validate.ts';
import type { Problem } from '../refusal.ts';

/** Rules whose details give the value as the cause, too. */
const withCause = new Set(['minLength', 'maxLength']);
/** Rules whose details do not say what was wanted. */
const withoutTarget = new Set(['not_one_schema_valid', 'uniqueItems', 'wrong_format', 'minProperties']);

/** The path of the object that a field stands in, and the field's key. */
function placeInBody(path: string): { readonly above: string; readonly key: string } {
  const end = path.lastIndexOf('.');
  return { above: path.slice(0, Math.max(0, end)), key: path.slice(end + 1) };
}

const at = (body: Json, path: string): Json | undefined => (path === '' ? body : valueAt(body, path));

/** A step whose module nobody knows, and the schema that was looked for. */
const unknownModule = (path: string, message: string, module: Json | undefined, kind: string): Problem[] => [
  { path, rule: 'error', message, value: module },
  { path: 'schema', rule: 'schema', message, more: { schema: `${kind}.${module}` } },
];

function detailsOf(problem: FieldProblem, body: Json, kind: string): readonly Problem[] {
  const { path, rule, message, target } = problem;
  const { above, key } = placeInBody(path);
  if (rule === 'required') return [{ path, rule, message, value: key }];
  if (rule === 'additionalProperties') return [{ path, rule, message, value: at(body, above) }];
  const value = at(body, path);
  // Addresses are held to more than a schema says.
  if (
    /^(?:voice_)?url$/.test(key) &&
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
): readonly Problem[] {
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
    .flatMap((problem) => detailsOf(problem, body, kind))
    .map((problem) => (escapesKeys ? { ...problem, path: problem.path.replaceAll('.', '%2E') } : problem));
}
