import type { Json, JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { type ModuleKind, moduleData } from '../contract/module-data.ts';
import { createValidator, type Problem } from '../contract/validate.ts';
import { withSampleIds } from '../manifest/desired/references.ts';
import type { Finding, Found, LintRule } from './finding.ts';
import { quotedText } from './step-label.ts';
import { fieldKey } from './walk-flow.ts';

/** Data of a step that its module does not take, and keys that look mistyped (Conventions, Callflow modules). */
export function dataFindings(
  kind: ModuleKind,
  module: string,
  data: JsonObject,
  found: Found,
): readonly Finding[] {
  const schema = moduleData(kind, module);
  if (schema === undefined) return [];
  const known = Object.keys(schema.properties ?? {});
  const wrong = createValidator(
    schema,
    'conventions',
  )(withSampleIds(data)).map((problem) => found(...wrongData(module, problem), `data.${problem.path}`));
  const mistyped = Object.keys(data).flatMap((key) => {
    const near = known.includes(key) ? undefined : nearest(key, known);
    if (near === undefined) return [];
    const message = `${module} has no data.${key}; did you mean "${near}"?`;
    return [found('unknown-data', message, `data.${fieldKey(key)}`)];
  });
  return [...wrong, ...mistyped];
}

function wrongData(
  module: string,
  { path, rule, message, target, value }: Problem,
): readonly [LintRule, string] {
  if (rule === 'required') return ['missing-data', `${module} needs data.${path}`];
  if (rule !== 'enum' || typeof value !== 'string')
    return ['bad-value', `data.${path} of ${module} ${message}`];
  const words = (Array.isArray(target) ? target : []).map((word: Json) => String(word));
  const near = nearest(value, words);
  const choice = near === undefined ? `; it takes ${words.join(', ')}` : `; did you mean "${near}"?`;
  return ['bad-value', `${module} does not know data.${path} ${quotedText(value)}${choice}`];
}
