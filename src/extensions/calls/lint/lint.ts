import { isObject, type Json, type JsonObject, textOf, textsIn, valueAt } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { compiled } from '../../../contract/call-patterns.ts';
import { moduleOf } from '../../../contract/callflow-modules.ts';
import { moduleData, moduleNames } from '../../../contract/module-data.ts';
import {
  type Finding,
  foundAt,
  foundIn,
  type LintRule,
  type MakeFinding,
} from '../../../engine/callflows/finding.ts';
import {
  type Callflow,
  type FlowSet,
  fieldKey,
  fieldPath,
  flowPath,
  hasSteps,
  keysTo,
  orMeant,
  quotedText,
  type StepAt,
  stepsIn,
} from '../../../engine/callflows/flow-set.ts';
import { accountFindings } from './account-rules.ts';
import { dataFindings, lintStep, missing } from './lint-step.ts';
import { emergencyFindings, numberFindings } from './number-rules.ts';
import { type PatternCost, patternCost } from './pattern-cost.ts';

/** Everything that is wrong with the callflows of a set, in their order. Never throws, whatever the flows hold. */
export function lint(set: FlowSet, disabled: ReadonlySet<LintRule> = new Set()): readonly Finding[] {
  const findings = [
    ...set.callflows.flatMap((callflow) => lintCallflow(callflow, set)),
    ...emergencyFindings(set),
    ...numberFindings(set),
    ...lintShadows(set),
    ...lintRounds(set),
    ...lintReach(set),
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
    ? [...stepsIn(record.flow)].flatMap((at) =>
        lintStep(at.step, set, isDialled(record), foundAt(callflow, at)),
      )
    : [foundIn(callflow, 'flow')('empty-flow', 'there is no step: a caller hears silence')];
  const owners = (
    [
      ['owner_id', 'users', 'user'],
      ['group_id', 'groups', 'group'],
    ] as const
  ).flatMap(([field, to, word]) => {
    const id = textOf(valueAt(record, field));
    const message = id === undefined ? undefined : missing(set, [to], word, id);
    return message === undefined ? [] : [foundIn(callflow, field)('missing-object', `${field} ${message}`)];
  });
  return [...patternFindings(callflow), ...owners, ...steps];
}

/** True where what a caller dials after the code names what the steps act on: `*97` and a mailbox. */
const isDialled = ({ patterns, featurecode }: JsonObject): boolean =>
  isObject(featurecode) || textsIn(patterns).some((pattern) => /\((?!\?)/.test(pattern));

function patternFindings(callflow: Callflow): readonly Finding[] {
  return textsIn(callflow.record.patterns).flatMap((pattern, index) =>
    patternProblems(pattern, foundIn(callflow, 'patterns', `patterns.${index}`)),
  );
}

const slowness: Readonly<Record<PatternCost, string>> = {
  exponential: 'takes twice as long for each further digit where a number does not match',
  polynomial: 'takes very long for long numbers that do not match',
  unknown: 'is too complex to tell how long it takes',
};

function patternProblems(pattern: string, found: MakeFinding): readonly Finding[] {
  const shown = quotedText(pattern);
  const made = compiled(pattern);
  if (made === undefined) return [found('bad-pattern', `${shown} is not a regular expression`)];
  const cost = patternCost(pattern);
  const isOpen = !/[$^]/.test(pattern);
  return [
    ...(isOpen ? [found('open-pattern', `${shown} fits every number that holds it: ^ and $ bind it`)] : []),
    ...(made.untried
      ? [found('untried-pattern', `${shown} has parts that telctl cannot try; it fits nothing here`)]
      : []),
    ...(cost === undefined ? [] : [found('slow-pattern', `${shown} ${slowness[cost]}`)]),
  ];
}

/** Patterns for one number that another callflow has: numbers come before patterns. */
function lintShadows({ callflows }: FlowSet): readonly Finding[] {
  const owners = new Map(
    callflows.flatMap((callflow) => textsIn(callflow.record.numbers).map((number) => [number, callflow])),
  );
  return callflows.flatMap((callflow) =>
    textsIn(callflow.record.patterns).flatMap((pattern, index) => {
      const [, number] = /^\^\(?((?:\\\+|\\\*|[0-9])+)\)?\$$/.exec(pattern) ?? [];
      const owner = number === undefined ? undefined : owners.get(number.replaceAll('\\', ''));
      if (owner === undefined) return [];
      const message = `${quotedText(pattern)} is never reached: ${quotedText(owner.name)} has that number`;
      return [foundIn(callflow, 'patterns', `patterns.${index}`)('shadowed-pattern', message)];
    }),
  );
}

function lintRounds(set: FlowSet): readonly Finding[] {
  return loopsOf(set).flatMap((round) => {
    const [first] = round;
    if (first === undefined) return [];
    const names = [...round.map(({ from }) => from.name), first.from.name].map(quotedText).join(' → ');
    const waits = round.some((link) => link.waits);
    const keys = keysTo(first.at);
    const found = foundIn(first.from, flowPath(keys), fieldPath('flow', keys));
    return waits
      ? [found('way-round', `a call can loop: ${names}`)]
      : [found('loop', `a call loops without end: ${names}`)];
  });
}

/** Callflows that nothing leads to. Directories and people may lead there, too, by the id of the callflow. */
function lintReach(set: FlowSet): readonly Finding[] {
  const linked = new Set([...linksOf(set).values()].flatMap((links) => links.map(({ to }) => to)));
  const ids = new Set(set.callflows.map(({ id }) => id));
  for (const { resource, record } of set.targets.values())
    if (resource !== 'callflows') for (const text of textsWithin(record)) if (ids.has(text)) linked.add(text);
  return set.callflows.flatMap((callflow) => {
    const { record, id } = callflow;
    const leads = textsIn(record.numbers).length + textsIn(record.patterns).length > 0;
    return leads || linked.has(id)
      ? []
      : [foundIn(callflow, 'numbers')('no-number', 'neither a number nor a pattern leads here')];
  });
}

function* textsWithin(value: Json | undefined): Generator<string> {
  const open: (Json | undefined)[] = [value];
  while (open.length > 0) {
    const here = open.pop();
    if (typeof here === 'string') yield here;
    else if (Array.isArray(here)) for (const item of here) open.push(item);
    else if (isObject(here)) for (const inner of Object.values(here)) open.push(inner);
  }
}

/** Checks what callers can dial during a call: its modules differ from those of callflows. */
function lintMetaflows(metaflows: Callflow, set: FlowSet): readonly Finding[] {
  return (['numbers', 'patterns'] as const).flatMap((field) =>
    Object.entries(asMap(metaflows.record[field])).flatMap(([key, flow]) => {
      const root = `${field}.${fieldKey(key)}`;
      const bad = field === 'patterns' ? patternProblems(key, foundIn(metaflows, 'patterns', root)) : [];
      const steps = [...stepsIn(flow)].flatMap((at) =>
        metaflowFindings(at.step, set.targets, foundAt(metaflows, at, root)),
      );
      return [...bad, ...steps];
    }),
  );
}

const asMap = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

function metaflowFindings(
  { module, data }: JsonObject,
  targets: FlowSet['targets'],
  found: MakeFinding,
): readonly Finding[] {
  if (typeof module !== 'string' || module === '')
    return [found('unknown-module', 'the step names no module')];
  if (moduleData('metaflow', module) === undefined) {
    const meant = orMeant(findNearest(module, moduleNames('metaflow')));
    return [found('unknown-module', `metaflows have no module ${quotedText(module)}${meant}`)];
  }
  return dataFindings('metaflow', module, asMap(data), targets, found);
}

/** A step by which one callflow goes on in another. */
interface Link {
  readonly from: Callflow;
  readonly at: StepAt;
  readonly to: string;
  /** The call waits for somebody on the way to it: for who is rung, or for the caller's choice. */
  readonly waits: boolean;
}

function linksOf({ callflows }: FlowSet): ReadonlyMap<string, readonly Link[]> {
  return new Map(callflows.map((from) => [from.id, [...linksFrom(from)]]));
}

function* linksFrom(from: Callflow): Generator<Link> {
  for (const at of stepsIn(from.record.flow)) {
    const to = textOf(valueAt(at.step.data, 'id'));
    if (at.step.module === 'callflow' && to !== undefined) yield { from, at, to, waits: waitsBefore(at) };
  }
}

const choosing = new Set(['menu', 'collect_dtmf', 'directory', 'voicemail']);

function waitsBefore(at: StepAt): boolean {
  for (let here = at.from; here !== undefined; here = here.at.from) {
    const { step } = here.at;
    if (moduleOf(step)?.end === 'rings' || choosing.has(String(step.module))) return true;
  }
  return false;
}

/**
 * Returns the loops among callflows, each once and as short as possible: links that lead from a callflow back
 * to itself. Loops on which nobody is waited for come first.
 */
function loopsOf(set: FlowSet): readonly (readonly Link[])[] {
  const links = linksOf(set);
  const unwaiting = new Map([...links].map(([id, each]) => [id, each.filter(({ waits }) => !waits)]));
  const seen = new Set<string>();
  return [unwaiting, links].flatMap((graph) => [...roundsIn(graph, seen)]);
}

function* roundsIn(
  graph: ReadonlyMap<string, readonly Link[]>,
  seen: Set<string>,
): Generator<readonly Link[]> {
  for (const id of graph.keys()) {
    if (seen.has(id)) continue;
    const round = shortestBack(graph, id);
    if (round === undefined) continue;
    for (const { from } of round) seen.add(from.id);
    yield round;
  }
}

function shortestBack(
  graph: ReadonlyMap<string, readonly Link[]>,
  start: string,
): readonly Link[] | undefined {
  const cameBy = new Map<string, Link>();
  const open = [start];
  // The list grows while it is read: nearer callflows stand before farther ones.
  for (const id of open)
    for (const link of graph.get(id) ?? []) {
      if (link.to === start) return [...wayTo(cameBy, id, start), link];
      if (cameBy.has(link.to)) continue;
      cameBy.set(link.to, link);
      open.push(link.to);
    }
  return undefined;
}

function wayTo(cameBy: ReadonlyMap<string, Link>, id: string, start: string): readonly Link[] {
  const way: Link[] = [];
  for (let here = id; here !== start; ) {
    const link = cameBy.get(here);
    if (link === undefined) break;
    way.push(link);
    here = link.from.id;
  }
  return way.reverse();
}
