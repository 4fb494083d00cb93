import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { shortId } from '../../../base/wording.ts';
import {
  type CallflowModule,
  callflowModules,
  findModule,
  kindsNamed,
  listReferences,
} from '../../../contract/callflow-modules.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { type ModuleKind, moduleData } from '../../../contract/module-data.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { createValidator, type SchemaProblem } from '../../../contract/validate.ts';
import { wordFindings } from '../../../contract/word-findings.ts';
import type { Finding, LintRule, MakeFinding } from '../../../engine/callflows/finding.ts';
import {
  type FlowSet,
  fieldKey,
  formatStep,
  formatSuggestion,
  quoteText,
  ringSeconds,
  sortedBranches,
} from '../../../engine/callflows/flow-set.ts';
import { withSampleIds } from '../../../engine/manifest/desired.ts';
import { stepRuleFindings } from './step-rules.ts';

/**
 * Finds problems of one step, independently of the steps before it. `isDialled` is true if the dialed number
 * identifies the target of the step, as with feature codes.
 */
export function lintStep(
  step: JsonObject,
  set: FlowSet,
  isDialled: boolean,
  found: MakeFinding,
): readonly Finding[] {
  const module = findModule(step);
  if (module === undefined)
    return [found('unknown-module', unknownModule(step), step.module === undefined ? undefined : 'module')];
  const name = formatStep(step, set.names);
  if (valueAt(step.data, 'skip_module') === true) return skippedStep(step, name, found);
  const dataProblems = stepDataFindings(step, module, set, isDialled, found);
  const reported = new Set(dataProblems.map(({ field }) => field));
  return [
    ...dataProblems,
    ...referenceFindings(step, set, found),
    ...branchFindings(step, module, name, found),
    ...deadEndFindings(step, module, name, found),
    ...stepRuleFindings(step, set, found).filter(
      ({ field, rule }) => rule !== 'bad-value' || !reported.has(field),
    ),
  ];
}

function unknownModule({ module }: JsonObject): string {
  if (typeof module !== 'string' || module === '') return 'the step has no module, so nothing happens';
  return `module ${quoteText(module)} does not exist${formatSuggestion(findNearest(module, callflowModules.keys()))}`;
}

const branchPath = (key: string): string => `children.${fieldKey(key)}`;

/** Checks a step with `skip_module`. It only takes its `_` branch. */
function skippedStep(step: JsonObject, name: string, found: MakeFinding): readonly Finding[] {
  return sortedBranches(step)
    .filter(([key]) => key !== '_')
    .map(([key]) =>
      found('no-such-branch', `${name} is skipped, so ${quoteText(key)} is never taken`, branchPath(key)),
    );
}

const isEmptyValue = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Finds missing, invalid and mistyped data of a step. */
function stepDataFindings(
  step: JsonObject,
  module: CallflowModule,
  { targets }: FlowSet,
  isDialled: boolean,
  found: MakeFinding,
): readonly Finding[] {
  const data = isObject(step.data) ? step.data : {};
  const ownData = (key: string): Json | undefined => (Object.hasOwn(data, key) ? data[key] : undefined);
  const { requiredUnless: unless } = module;
  const isOptional = unless !== undefined && (isDialled || ownData(unless.key) === unless.is);
  const missing = (isOptional ? [] : module.required).filter((key) => isEmptyValue(ownData(key)));
  return [
    ...missing.map((key) => found('missing-data', `${module.name} needs data.${key}`)),
    ...dataFindings('callflow', module.name, data, targets, found).filter(
      ({ rule, field }) => rule !== 'missing-data' || !missing.some((key) => field.endsWith(`data.${key}`)),
    ),
  ];
}

/** Finds references of a step to missing records or records of the wrong kind. */
function referenceFindings(step: JsonObject, set: FlowSet, found: MakeFinding): readonly Finding[] {
  return listReferences(step).flatMap(({ reference, keys, id }) => {
    const message = missingReference(set, kindsNamed(reference), reference.word, id);
    const place = keys[0] === 'children' ? 'a branch' : keys.join('.');
    return message === undefined
      ? []
      : [found('missing-object', `${place} ${message}`, keys.map(fieldKey).join('.'))];
  });
}

/**
 * Returns why an id does not identify a record of the right kind. Returns `undefined` if it does, or if this is
 * unknown.
 */
export function missingReference(
  { targets, whole }: FlowSet,
  to: readonly ResourceName[],
  word: string,
  id: string,
): string | undefined {
  const target = targets.get(id);
  if (target !== undefined && !to.includes(target.resource))
    return `must be the id of a ${word}, not of the ${resourceByName(target.resource).singular} ${quoteText(target.name)}`;
  if (target !== undefined || to.length === 0 || !to.every((each) => whole.has(each))) return undefined;
  return `refers to a ${word} that does not exist: ${shortId(id)}`;
}

function branchFindings(
  step: JsonObject,
  module: CallflowModule,
  name: string,
  found: MakeFinding,
): readonly Finding[] {
  const { words, others } = module.branches;
  const fits = others === undefined ? undefined : new RegExp(others.pattern);
  return sortedBranches(step)
    .filter(([key]) => !words.includes(key) && !fits?.test(key))
    .map(([key]) => {
      const never = `${name} has no branches, so ${quoteText(key)} is never taken`;
      if (words.length === 0) return found('no-such-branch', never, branchPath(key));
      const known = `; it has ${[...(others ? [others.what] : []), ...words].join(', ')}`;
      const meant = formatSuggestion(findNearest(key, [...words, ...(others?.near ?? [])]), known);
      return found('no-such-branch', `${name} has no branch ${quoteText(key)}${meant}`, branchPath(key));
    });
}

const hasBranch = (step: JsonObject, key: string): boolean =>
  sortedBranches(step).some(([each]) => each === key);

function deadEndFindings(
  step: JsonObject,
  { end, branches }: CallflowModule,
  name: string,
  found: MakeFinding,
): readonly Finding[] {
  const missingOf = (key: string, whom: string): Finding =>
    found('dead-end', `${name} has no "${key}" branch, so ${whom}`);
  if (end === 'ends' || hasBranch(step, '_')) return [];
  if (end === 'rings') {
    const seconds = ringSeconds(step, true);
    const after = seconds === undefined ? 'when nobody answers' : `after ${seconds} s`;
    return [found('dead-end', `${name} has no next step, so callers hear silence ${after}`)];
  }
  if (end === 'prepares')
    return sortedBranches(step).length > 0
      ? []
      : [found('dead-end', `nothing follows ${name}, so callers hear silence`)];
  // A step that switches temporal rules on or off has no branches.
  if (step.module === 'temporal_route' && typeof valueAt(step.data, 'action') === 'string') return [];
  if (branches.words.includes('nomatch'))
    return ['match', 'nomatch']
      .filter((key) => !hasBranch(step, key) && !isAbsolute(step))
      .map((key) => missingOf(key, `callers who ${key === 'match' ? 'match' : 'do not match'} hear silence`));
  if (step.module === 'menu')
    return hasBranch(step, 'timeout') || hasBranch(step, 'max_retries')
      ? []
      : [missingOf('_', 'callers who press no key hear silence')];
  return [missingOf('_', 'callers who take no other branch hear silence')];
}

/** In absolute mode, the branches are caller ids. */
const isAbsolute = (step: JsonObject): boolean => valueAt(step.data, 'use_absolute_mode') === true;

/**
 * Finds data that the module of a step does not accept, and mistyped keys (Conventions, Callflow modules). Does not
 * check the length of manifest keys that represent ids.
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
    .map((problem) => found(...dataProblem(module, problem), `data.${problem.path}`));
  const mistyped = wordFindings(schema, data, true).map(({ path, near }) =>
    found('unknown-data', `${module} has no data.${path}${formatSuggestion(near)}`, `data.${path}`),
  );
  return [...wrong, ...mistyped];
}

function dataProblem(
  module: string,
  { path, rule, message, target, value }: SchemaProblem,
): readonly [LintRule, string] {
  if (rule === 'required') return ['missing-data', `${module} needs data.${path}`];
  if (rule !== 'enum' || typeof value !== 'string')
    return ['bad-value', `data.${path} of ${module} ${message}`];
  const words = (Array.isArray(target) ? target : []).map((word: Json) => String(word));
  const choice = formatSuggestion(findNearest(value, words), `. Values: ${words.join(', ')}`);
  return ['bad-value', `data.${path} of ${module} cannot be ${quoteText(value)}${choice}`];
}
