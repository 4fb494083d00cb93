import {
  isObject,
  type Json,
  type JsonObject,
  textOrUndefined,
  textsIn,
  valueAt,
} from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { findModule } from '../../../contract/callflow-modules.ts';
import { moduleData, moduleNames } from '../../../contract/module-data.ts';
import {
  createFieldFinding,
  createStepFinding,
  type Finding,
  type LintRule,
  type MakeFinding,
} from '../../../engine/callflows/finding.ts';
import {
  branchKeys,
  type Callflow,
  type FlowSet,
  fieldKey,
  fieldPath,
  flowPath,
  formatSuggestion,
  hasSteps,
  quoteText,
  type StepAt,
  walkSteps,
} from '../../../engine/callflows/flow-set.ts';
import { accountFindings } from './account-rules.ts';
import { dataFindings, lintStep, missingReference } from './lint-step.ts';
import { emergencyFindings, numberFindings } from './number-rules.ts';
import { type PatternCost, patternCost } from './pattern-cost.ts';

/** Finds problems of all callflows of a set, in order. Never throws, even for malformed flows. */
export function lint(set: FlowSet, disabled: ReadonlySet<LintRule> = new Set()): readonly Finding[] {
  const findings = [
    ...set.callflows.flatMap((callflow) => lintCallflow(callflow, set)),
    ...emergencyFindings(set),
    ...numberFindings(set),
    ...shadowedPatterns(set),
    ...loopFindings(set),
    ...unreachedFlows(set),
    ...accountFindings(set),
    ...(set.metaflows ? lintMetaflows(set.metaflows, set) : []),
  ];
  const order = new Map(
    [...set.callflows, ...(set.metaflows ? [set.metaflows] : [])].map((each, index) => [each, index]),
  );
  return findings
    .filter(({ rule }) => !disabled.has(rule))
    .sort((one, other) => (order.get(one.callflow) ?? 0) - (order.get(other.callflow) ?? 0));
}

function lintCallflow(callflow: Callflow, set: FlowSet): readonly Finding[] {
  const { record } = callflow;
  const steps = hasSteps(record.flow)
    ? [...walkSteps(record.flow)].flatMap((at) =>
        lintStep(at.step, set, isDialled(record), createStepFinding(callflow, at)),
      )
    : [
        createFieldFinding(callflow, 'flow')(
          'empty-flow',
          'the callflow has no steps, so callers hear silence',
        ),
      ];
  const owners = (
    [
      ['owner_id', 'users', 'user'],
      ['group_id', 'groups', 'group'],
    ] as const
  ).flatMap(([field, to, word]) => {
    const id = textOrUndefined(valueAt(record, field));
    const message = id === undefined ? undefined : missingReference(set, [to], word, id);
    return message === undefined
      ? []
      : [createFieldFinding(callflow, field)('missing-object', `${field} ${message}`)];
  });
  return [...patternFindings(callflow), ...owners, ...steps];
}

/** Returns true for feature codes whose number also identifies the target, such as `*97` and a mailbox. */
const isDialled = ({ patterns, featurecode }: JsonObject): boolean =>
  isObject(featurecode) || textsIn(patterns).some((pattern) => /\((?!\?)/.test(pattern));

function patternFindings(callflow: Callflow): readonly Finding[] {
  return textsIn(callflow.record.patterns).flatMap((pattern, index) =>
    patternProblems(pattern, createFieldFinding(callflow, 'patterns', `patterns.${index}`)),
  );
}

const slowness: Readonly<Record<PatternCost, string>> = {
  exponential: 'takes twice as long for each additional digit of a number that does not match',
  polynomial: 'takes very long for long numbers that do not match',
  unknown: 'is too complex to check how long it takes',
};

function patternProblems(pattern: string, found: MakeFinding): readonly Finding[] {
  const shown = quoteText(pattern);
  const made = compilePattern(pattern);
  if (made === undefined) return [found('bad-pattern', `${shown} is not a regular expression`)];
  const cost = patternCost(pattern);
  const isOpen = !/[$^]/.test(pattern);
  return [
    ...(isOpen
      ? [
          found(
            'open-pattern',
            `${shown} matches every number that contains it. Use ^ and $ to match whole numbers`,
          ),
        ]
      : []),
    ...(made.untried
      ? [found('untried-pattern', `telctl does not support ${shown}, and assumes that it matches no number`)]
      : []),
    ...(cost === undefined ? [] : [found('slow-pattern', `${shown} ${slowness[cost]}`)]),
  ];
}

/** Finds patterns that never match, because another callflow has the number itself. */
function shadowedPatterns({ callflows }: FlowSet): readonly Finding[] {
  const owners = new Map(
    callflows.flatMap((callflow) => textsIn(callflow.record.numbers).map((number) => [number, callflow])),
  );
  return callflows.flatMap((callflow) =>
    textsIn(callflow.record.patterns).flatMap((pattern, index) => {
      const [, number] = /^\^\(?((?:\\\+|\\\*|[0-9])+)\)?\$$/.exec(pattern) ?? [];
      const owner = number === undefined ? undefined : owners.get(number.replaceAll('\\', ''));
      if (owner === undefined) return [];
      const message = `${quoteText(pattern)} is never reached: ${quoteText(owner.name)} has that number`;
      return [createFieldFinding(callflow, 'patterns', `patterns.${index}`)('shadowed-pattern', message)];
    }),
  );
}

function loopFindings(set: FlowSet): readonly Finding[] {
  return findLoops(set).flatMap((round) => {
    const [first] = round;
    if (first === undefined) return [];
    const names = [...round.map(({ from }) => from.name), first.from.name].map(quoteText).join(' → ');
    const waits = round.some((link) => link.waits);
    const keys = branchKeys(first.at);
    const found = createFieldFinding(first.from, flowPath(keys), fieldPath('flow', keys));
    return waits
      ? [found('way-round', `a call can loop: ${names}`)]
      : [found('loop', `a call loops without end: ${names}`)];
  });
}

/** Finds callflows that no number or callflow reaches. Directories and users can still reach them by id. */
function unreachedFlows(set: FlowSet): readonly Finding[] {
  const linked = new Set([...linksByCallflow(set).values()].flatMap((links) => links.map(({ to }) => to)));
  const ids = new Set(set.callflows.map(({ id }) => id));
  for (const { resource, record } of set.targets.values())
    if (resource !== 'callflows') for (const text of nestedTexts(record)) if (ids.has(text)) linked.add(text);
  return set.callflows.flatMap((callflow) => {
    const { record, id } = callflow;
    const leads = textsIn(record.numbers).length + textsIn(record.patterns).length > 0;
    return leads || linked.has(id)
      ? []
      : [createFieldFinding(callflow, 'numbers')('no-number', 'the callflow has no number and no pattern')];
  });
}

function* nestedTexts(value: Json | undefined): Generator<string> {
  const open: (Json | undefined)[] = [value];
  while (open.length > 0) {
    const here = open.pop();
    if (typeof here === 'string') yield here;
    else if (Array.isArray(here)) for (const item of here) open.push(item);
    else if (isObject(here)) for (const inner of Object.values(here)) open.push(inner);
  }
}

/** Checks the codes that callers can dial during a call. Their modules differ from those of callflows. */
function lintMetaflows(metaflows: Callflow, set: FlowSet): readonly Finding[] {
  return (['numbers', 'patterns'] as const).flatMap((field) =>
    Object.entries(objectOr(metaflows.record[field])).flatMap(([key, flow]) => {
      const root = `${field}.${fieldKey(key)}`;
      const bad =
        field === 'patterns' ? patternProblems(key, createFieldFinding(metaflows, 'patterns', root)) : [];
      const steps = [...walkSteps(flow)].flatMap((at) =>
        metaflowFindings(at.step, set.targets, createStepFinding(metaflows, at, root)),
      );
      return [...bad, ...steps];
    }),
  );
}

const objectOr = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

function metaflowFindings(
  { module, data }: JsonObject,
  targets: FlowSet['targets'],
  found: MakeFinding,
): readonly Finding[] {
  if (typeof module !== 'string' || module === '') return [found('unknown-module', 'the step has no module')];
  if (moduleData('metaflow', module) === undefined) {
    const meant = formatSuggestion(findNearest(module, moduleNames('metaflow')));
    return [found('unknown-module', `metaflows have no module ${quoteText(module)}${meant}`)];
  }
  return dataFindings('metaflow', module, objectOr(data), targets, found);
}

interface Link {
  readonly from: Callflow;
  readonly at: StepAt;
  readonly to: string;
  /** True if the call waits before the step, for an answer or for a choice of the caller. */
  readonly waits: boolean;
}

function linksByCallflow({ callflows }: FlowSet): ReadonlyMap<string, readonly Link[]> {
  return new Map(callflows.map((from) => [from.id, [...linksFrom(from)]]));
}

function* linksFrom(from: Callflow): Generator<Link> {
  for (const at of walkSteps(from.record.flow)) {
    const to = textOrUndefined(valueAt(at.step.data, 'id'));
    if (at.step.module === 'callflow' && to !== undefined) yield { from, at, to, waits: isAfterWait(at) };
  }
}

const choosing = new Set(['menu', 'collect_dtmf', 'directory', 'voicemail']);

function isAfterWait(at: StepAt): boolean {
  for (let here = at.from; here !== undefined; here = here.at.from) {
    const { step } = here.at;
    if (findModule(step)?.end === 'rings' || choosing.has(String(step.module))) return true;
  }
  return false;
}

/** Returns loops among callflows, each once and as short as possible. Loops without a wait come first. */
function findLoops(set: FlowSet): readonly (readonly Link[])[] {
  const links = linksByCallflow(set);
  const unwaiting = new Map([...links].map(([id, each]) => [id, each.filter(({ waits }) => !waits)]));
  const seen = new Set<string>();
  return [unwaiting, links].flatMap((graph) => [...loopsIn(graph, seen)]);
}

function* loopsIn(
  graph: ReadonlyMap<string, readonly Link[]>,
  seen: Set<string>,
): Generator<readonly Link[]> {
  for (const id of graph.keys()) {
    if (seen.has(id)) continue;
    const round = shortestLoop(graph, id);
    if (round === undefined) continue;
    for (const { from } of round) seen.add(from.id);
    yield round;
  }
}

function shortestLoop(
  graph: ReadonlyMap<string, readonly Link[]>,
  start: string,
): readonly Link[] | undefined {
  const linkTo = new Map<string, Link>();
  const open = [start];
  // The loop appends to this list, nearest callflows first.
  for (const id of open)
    for (const link of graph.get(id) ?? []) {
      if (link.to === start) return [...linksTo(linkTo, id, start), link];
      if (linkTo.has(link.to)) continue;
      linkTo.set(link.to, link);
      open.push(link.to);
    }
  return undefined;
}

function linksTo(linkTo: ReadonlyMap<string, Link>, id: string, start: string): readonly Link[] {
  const way: Link[] = [];
  for (let here = id; here !== start; ) {
    const link = linkTo.get(here);
    if (link === undefined) break;
    way.push(link);
    here = link.from.id;
  }
  return way.reverse();
}
