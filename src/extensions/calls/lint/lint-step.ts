import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { shortId } from '../../../base/wording.ts';
import {
  type CallflowModule,
  callflowModules,
  kindsNamed,
  moduleOf,
  referencesOf,
} from '../../../contract/callflow-modules.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { type ModuleKind, moduleData } from '../../../contract/module-data.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { createValidator, type SchemaProblem } from '../../../contract/validate.ts';
import { wordFindings } from '../../../contract/word-findings.ts';
import type { Finding, LintRule, MakeFinding } from '../../../engine/callflows/finding.ts';
import {
  branchesOf,
  type FlowSet,
  fieldKey,
  orMeant,
  quotedText,
  ringsFor,
  stepName,
} from '../../../engine/callflows/flow-set.ts';
import { withSampleIds } from '../../../engine/manifest/desired.ts';
import { stepRuleFindings } from './step-rules.ts';

/**
 * Finds what is wrong with one step, whatever stands before it. `isDialled`: the number that leads to the flow names
 * what it acts on, as that of a feature code does.
 */
export function lintStep(
  step: JsonObject,
  set: FlowSet,
  isDialled: boolean,
  found: MakeFinding,
): readonly Finding[] {
  const module = moduleOf(step);
  if (module === undefined)
    return [found('unknown-module', unknownModule(step), step.module === undefined ? undefined : 'module')];
  const name = stepName(step, set.names);
  if (valueAt(step.data, 'skip_module') === true) return skipped(step, name, found);
  const byForm = dataOf(step, module, set, isDialled, found);
  const told = new Set(byForm.map(({ field }) => field));
  return [
    ...byForm,
    ...lintReferences(step, set, found),
    ...branchFindings(step, module, name, found),
    ...deadEnd(step, module, name, found),
    ...stepRuleFindings(step, set, found).filter(
      ({ field, rule }) => rule !== 'bad-value' || !told.has(field),
    ),
  ];
}

function unknownModule({ module }: JsonObject): string {
  if (typeof module !== 'string' || module === '') return 'the step names no module, so that nothing happens';
  return `there is no module ${quotedText(module)}${orMeant(findNearest(module, callflowModules.keys()))}`;
}

const branch = (key: string): string => `children.${fieldKey(key)}`;

/** A step that is passed over takes its `_` branch and does nothing else. */
function skipped(step: JsonObject, name: string, found: MakeFinding): readonly Finding[] {
  return branchesOf(step)
    .filter(([key]) => key !== '_')
    .map(([key]) =>
      found('no-such-branch', `${name} is passed over: ${quotedText(key)} is never taken`, branch(key)),
    );
}

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Finds what the data of a step lacks, and what in it is wrong or looks mistyped. */
function dataOf(
  step: JsonObject,
  module: CallflowModule,
  { targets }: FlowSet,
  isDialled: boolean,
  found: MakeFinding,
): readonly Finding[] {
  const data = isObject(step.data) ? step.data : {};
  const own = (key: string): Json | undefined => (Object.hasOwn(data, key) ? data[key] : undefined);
  const { requiredUnless: unless } = module;
  const isOptional = unless !== undefined && (isDialled || own(unless.key) === unless.is);
  const missing = (isOptional ? [] : module.required).filter((key) => isNothing(own(key)));
  return [
    ...missing.map((key) => found('missing-data', `${module.name} needs data.${key}`)),
    ...dataFindings('callflow', module.name, data, targets, found).filter(
      ({ rule, field }) => rule !== 'missing-data' || !missing.some((key) => field.endsWith(`data.${key}`)),
    ),
  ];
}

/** References of a step to what does not exist, or is something else. */
function lintReferences(step: JsonObject, set: FlowSet, found: MakeFinding): readonly Finding[] {
  return referencesOf(step).flatMap(({ reference, keys, id }) => {
    const message = missing(set, kindsNamed(reference), reference.word, id);
    const place = keys[0] === 'children' ? 'a branch' : keys.join('.');
    return message === undefined
      ? []
      : [found('missing-object', `${place} ${message}`, keys.map(fieldKey).join('.'))];
  });
}

/** Says why an id does not name what it should; `undefined` if it does, or if nobody knows. */
export function missing(
  { targets, whole }: FlowSet,
  to: readonly ResourceName[],
  word: string,
  id: string,
): string | undefined {
  const target = targets.get(id);
  if (target !== undefined && !to.includes(target.resource))
    return `should name a ${word} and names the ${resourceByName(target.resource).singular} ${quotedText(target.name)}`;
  if (target !== undefined || to.length === 0 || !to.every((each) => whole.has(each))) return undefined;
  return `names a ${word} that does not exist: ${shortId(id)}`;
}

function branchFindings(
  step: JsonObject,
  module: CallflowModule,
  name: string,
  found: MakeFinding,
): readonly Finding[] {
  const { words, others } = module.branches;
  const fits = others === undefined ? undefined : new RegExp(others.pattern);
  return branchesOf(step)
    .filter(([key]) => !words.includes(key) && !fits?.test(key))
    .map(([key]) => {
      const never = `nothing can follow ${name}: ${quotedText(key)} is never taken`;
      if (words.length === 0) return found('no-such-branch', never, branch(key));
      const known = `; it has ${[...(others ? [others.what] : []), ...words].join(', ')}`;
      const meant = orMeant(findNearest(key, [...words, ...(others?.near ?? [])]), known);
      return found('no-such-branch', `${name} has no branch ${quotedText(key)}${meant}`, branch(key));
    });
}

const does = (step: JsonObject, key: string): boolean => branchesOf(step).some(([each]) => each === key);

function deadEnd(
  step: JsonObject,
  { end, branches }: CallflowModule,
  name: string,
  found: MakeFinding,
): readonly Finding[] {
  const missingOf = (key: string, whom: string): Finding =>
    found('dead-end', `${name} has no "${key}" branch: ${whom}`);
  if (end === 'ends' || does(step, '_')) return [];
  if (end === 'rings') {
    const seconds = ringsFor(step, true);
    const after = seconds === undefined ? 'when nobody answers' : `after ${seconds} s`;
    return [found('dead-end', `${name} has no next step: a caller hears silence ${after}`)];
  }
  if (end === 'prepares')
    return branchesOf(step).length > 0
      ? []
      : [found('dead-end', `nothing follows ${name}: a caller hears silence`)];
  // Time rules that are switched by a code are a feature, not a branch.
  if (step.module === 'temporal_route' && typeof valueAt(step.data, 'action') === 'string') return [];
  if (branches.words.includes('nomatch'))
    return ['match', 'nomatch']
      .filter((key) => !does(step, key) && !isAbsolute(step))
      .map((key) =>
        missingOf(key, `a caller who ${key === 'match' ? 'fits' : 'does not fit'} hears silence`),
      );
  if (step.module === 'menu')
    return does(step, 'timeout') || does(step, 'max_retries')
      ? []
      : [missingOf('_', 'a caller who dials nothing hears silence')];
  return [missingOf('_', 'a caller whom no other branch takes hears silence')];
}

/** Branches are caller ids then. */
const isAbsolute = (step: JsonObject): boolean => valueAt(step.data, 'use_absolute_mode') === true;

/**
 * Data of a step that its module does not take (but for the keys by which a manifest's objects stand in the place of
 * their ids, which have another length), and keys that look mistyped (Conventions, Callflow modules).
 */
export function dataFindings(
  kind: ModuleKind,
  module: string,
  data: JsonObject,
  targets: FlowSet['targets'],
  found: MakeFinding,
): readonly Finding[] {
  const schema = moduleData(kind, module);
  if (schema === undefined) return [];
  const wrong = createValidator(
    schema,
    'conventions',
  )(withSampleIds(data))
    .filter(({ value }) => typeof value !== 'string' || !targets.has(value))
    .map((problem) => found(...wrongData(module, problem), `data.${problem.path}`));
  const mistyped = wordFindings(schema, data, true).map(({ path, near }) =>
    found('unknown-data', `${module} has no data.${path}${orMeant(near)}`, `data.${path}`),
  );
  return [...wrong, ...mistyped];
}

function wrongData(
  module: string,
  { path, rule, message, target, value }: SchemaProblem,
): readonly [LintRule, string] {
  if (rule === 'required') return ['missing-data', `${module} needs data.${path}`];
  if (rule !== 'enum' || typeof value !== 'string')
    return ['bad-value', `data.${path} of ${module} ${message}`];
  const words = (Array.isArray(target) ? target : []).map((word: Json) => String(word));
  const choice = orMeant(findNearest(value, words), `; it takes ${words.join(', ')}`);
  return ['bad-value', `${module} does not know data.${path} ${quotedText(value)}${choice}`];
}
