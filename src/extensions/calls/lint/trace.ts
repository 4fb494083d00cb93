import { isObject, type JsonObject, textOf, textsIn, valueAt } from '../../../base/json.ts';
import { shortId } from '../../../base/wording.ts';
import { noMatch } from '../../../contract/call-patterns.ts';
import { kindsNamed, moduleOf, referencesOf } from '../../../contract/callflow-modules.ts';
import { keptNumber, normalisedNumber } from '../../../contract/phone-number.ts';
import { branchAt, type TimeRecord, zoneOfStep } from '../../../contract/temporal-route.ts';
import type { ResourceName } from '../../../contract/types.ts';
import {
  branchesOf,
  type Callflow,
  type FlowSet,
  hasSteps,
  quotedText,
  ringsFor,
  stepName,
} from '../../../engine/callflows/flow-set.ts';
import { captured, findFlow, indexOfFlows } from '../engine/records.ts';
import { doorRules } from './step-rules.ts';

/** The way in which a number leads to a callflow. */
export interface Match {
  readonly callflow: Callflow;
  readonly by: 'number' | 'pattern' | 'no_match';
  /** The number or pattern that fitted. */
  readonly text: string;
  /** What its pattern took of the number, in all and by name. */
  readonly capture: string | undefined;
  readonly named: Readonly<Record<string, string>>;
}

export interface TraceStep {
  /** `user "alice"`, `(silence)`. */
  readonly label: string;
  readonly module?: string | undefined;
  readonly id?: string | undefined;
  /** Seconds that it rings before `_` is taken. */
  readonly seconds?: number | undefined;
  /** Ids in its data that name nothing any more: a user who was deleted. */
  readonly missing: readonly string[];
  /** Something odd: the call goes round, the callflow is missing or was shown before. */
  readonly note?: string | undefined;
  readonly branches: readonly TraceBranch[];
}

/** The step that follows another, and its key. `→`: in the callflow that the step goes on in. */
export interface TraceBranch {
  readonly key: string;
  /** Name of the record whose id the key is. */
  readonly name?: string;
  readonly step: TraceStep;
}

export function matchNumber({ callflows }: FlowSet, typed: string): Match | undefined {
  const dialled = normalisedNumber(typed);
  const found = findFlow(indexOfFlows(callflows.map(({ record }) => record)), dialled, true);
  const callflow = found && callflows.find(({ record }) => record === found.flow);
  if (!found || !callflow) return undefined;
  const { capture, named, pattern, isNoMatch } = found;
  const by = pattern !== undefined ? 'pattern' : isNoMatch ? 'no_match' : 'number';
  return { callflow, by, text: pattern ?? (isNoMatch ? noMatch : dialled), capture, named };
}

/** Numbers of callflows that a call to a number would match, were they not kept with blanks and marks. */
export function deadNumbers(
  { callflows }: FlowSet,
  typed: string,
): readonly { readonly callflow: Callflow; readonly text: string }[] {
  const wanted = normalisedNumber(typed);
  return callflows.flatMap((callflow) =>
    textsIn(callflow.record.numbers)
      .filter((text) => keptNumber(text) !== wanted && normalisedNumber(text) === wanted)
      .map((text) => ({ callflow, text })),
  );
}

/** All that a call can come to, and the steps that it can come past. */
export interface Trace {
  readonly first: TraceStep;
  readonly steps: readonly JsonObject[];
}

export interface TracedCall {
  /** How the number led to the callflow: steps may go on to what was captured of it. */
  readonly match?: Match | undefined;
  /** Time of the call, in seconds since the Unix epoch. */
  readonly at?: number | undefined;
  /** Tells whether nobody whom a step rings has a phone that is registered. */
  readonly unreachable?: ((step: JsonObject) => boolean) | undefined;
}

/** Greatest depth of a trace, deeper than any flow that a caller goes through. */
const deepest = 200;

/**
 * Returns all that a call to a callflow can come to, as a tree; it passes the preflow of the account first. Each
 * callflow is followed once; with a time, each step that tests temporal rules takes one branch. Always ends.
 */
export function trace(set: FlowSet, callflow: Callflow, { at, match, unreachable }: TracedCall = {}): Trace {
  const shown = new Set<string>();
  const steps = new Set<JsonObject>();

  function begin(): TraceStep {
    const id = textOf(valueAt(set.account, 'preflow.always'));
    if (id === undefined) return follow(callflow, []);
    const preflow = set.callflows.find((each) => each.id === id);
    const base = {
      ...silence(`callflow ${quotedText(preflow?.name ?? shortId(id))}`),
      module: 'callflow',
      id,
    };
    const into = preflow ? [{ key: '→', step: follow(preflow, []) }] : [];
    // It may be the preflow itself.
    shown.clear();
    const note = preflow ? 'the preflow of the account' : 'the preflow of the account, which is missing';
    return { ...base, note, branches: [...into, { key: '_', step: follow(callflow, []) }] };
  }

  function follow({ id, record: { flow } }: Callflow, trail: readonly string[]): TraceStep {
    shown.add(id);
    return hasSteps(flow)
      ? stepOf(flow, [...trail, id])
      : silence('the callflow has no step: the caller hears silence');
  }

  function stepOf(step: JsonObject, trail: readonly string[]): TraceStep {
    if (valueAt(step.data, 'skip_module') === true) return skipped(step, trail);
    steps.add(step);
    const base = baseOf(set, step);
    if (trail.length > deepest) return { ...base, note: 'too deep to follow' };
    if (step.module === 'callflow') return intoFlow(step, base, trail);
    if (step.module === 'transfer') return toNumber(step, base, trail);
    if (step.module === 'temporal_route' && at !== undefined && valueAt(step.data, 'action') === undefined)
      return atThatTime(step, base, trail, at);
    const notes = [base.note, ...doorRules(set, step), unreachable?.(step) && unreachableNote(step)];
    const note = notes.filter(Boolean).join('; ') || undefined;
    return { ...base, note, branches: [...following(step, trail), ...endOf(step)] };
  }

  const unreachableNote = (step: JsonObject): string => {
    const otherwise = branchesOf(step).find(([key]) => key === '_');
    const next = otherwise ? `goes to ${stepName(otherwise[1], set.names)}` : 'nothing follows';
    return `no phone registered: ${next}`;
  };

  const following = (step: JsonObject, trail: readonly string[], only?: string): readonly TraceBranch[] =>
    branchesOf(step)
      .filter(([key]) => only === undefined || key === only)
      // A call that no carrier takes ends by its cause.
      .filter(([key]) => key !== '_' || (step.module !== 'resources' && step.module !== 'offnet'))
      .map(([key, child]) => ({
        key,
        ...(isRecord(step, key) ? { name: set.names.get(key) ?? shortId(key) } : {}),
        step: stepOf(child, [...trail, '']),
      }));

  /** The one branch that a step takes which tests temporal rules. */
  function atThatTime(step: JsonObject, base: TraceStep, trail: readonly string[], time: number): TraceStep {
    const { key, words } = branchAt(step, (id) => timeRecord(set, id), zoneOf(set, step), time);
    const taken = branchesOf(step).some(([each]) => each === key) ? key : '_';
    const branches = following(step, trail, taken);
    const end = { key: taken, step: silence('nothing follows: the call ends') };
    const note = [base.note, words].filter(Boolean).join('; ');
    return { ...base, note, branches: branches.length > 0 ? branches : [end] };
  }

  function skipped(step: JsonObject, trail: readonly string[]): TraceStep {
    const base = { ...baseOf(set, step), seconds: undefined, note: 'passed over' };
    return { ...base, branches: following(step, trail, '_') };
  }

  function intoFlow(step: JsonObject, base: TraceStep, trail: readonly string[]): TraceStep {
    const id = textOf(valueAt(step.data, 'id'));
    const other = set.callflows.find((each) => each.id === id);
    if (other === undefined)
      return { ...base, branches: [{ key: '→', step: silence('there is no such callflow: silence') }] };
    // The end of the other callflow comes back here.
    const inside = into(other, base, trail);
    return { ...inside, branches: [...inside.branches, ...following(step, trail, '_')] };
  }

  /** A step that takes the call to a number: into the callflow that takes it, else outside. */
  function toNumber(step: JsonObject, base: TraceStep, trail: readonly string[]): TraceStep {
    const named = textOf(valueAt(step.data, 'target')) ?? '';
    const target = match ? captured(named, match.named, match.capture, []) : named;
    const there = target === '' ? undefined : matchNumber(set, target);
    if (!there) return { ...base, branches: [{ key: '→', step: silence(`outside ${quotedText(target)}`) }] };
    const flow = there.callflow;
    const entered = { ...silence(`callflow ${quotedText(flow.name)}`), module: 'callflow', id: flow.id };
    return { ...base, branches: [{ key: target, step: into(flow, entered, trail) }] };
  }

  function into(flow: Callflow, base: TraceStep, trail: readonly string[]): TraceStep {
    if (trail.includes(flow.id)) return { ...base, note: 'goes round' };
    if (shown.has(flow.id)) return { ...base, note: 'as above' };
    return { ...base, branches: [{ key: '→', step: follow(flow, trail) }] };
  }

  const first = begin();
  return { first, steps: [...steps] };
}

/** The records that a call can come past, members of groups included, as far as they are known. */
export function passedRecords(
  { targets }: FlowSet,
  { steps }: Trace,
): readonly { readonly resource: ResourceName; readonly id: string }[] {
  const referred = steps.flatMap((step) => referencesOf(step).map(({ id }) => id));
  const members = referred.flatMap((id) => {
    const endpoints = valueAt(targets.get(id)?.record, 'endpoints');
    return isObject(endpoints) ? Object.keys(endpoints) : [];
  });
  return [...new Set([...referred, ...members])].flatMap((id) => {
    const target = targets.get(id);
    return target ? [{ resource: target.resource, id }] : [];
  });
}

/** True for a branch whose key is the id of a record. */
const isRecord = (step: JsonObject, key: string): boolean =>
  referencesOf(step).some(({ keys: [first], id }) => first === 'children' && id === key);

const zoneOf = ({ account }: FlowSet, { data }: JsonObject): string =>
  zoneOfStep(isObject(data) ? data : {}, account?.timezone);

function timeRecord({ targets }: FlowSet, id: string): TimeRecord | undefined {
  const target = targets.get(id);
  const isSet = target?.resource === 'temporal_rules_sets';
  return target && (isSet || target.resource === 'temporal_rules')
    ? { isSet, name: target.name, record: target.record }
    : undefined;
}

function baseOf(set: FlowSet, step: JsonObject): TraceStep {
  const module = textOf(step.module);
  const references = referencesOf(step);
  const lost = references.filter(({ reference, id }) => {
    const kinds = kindsNamed(reference);
    return kinds.length > 0 && kinds.every((kind) => set.whole.has(kind)) && !set.targets.has(id);
  });
  const isGone = lost.length > 0 && lost.length === references.length;
  const gone = [...new Set(lost.map(({ reference: { word }, id }) => `there is no ${word} ${shortId(id)}`))];
  return {
    label: isGone ? `${module} (missing)` : stepName(step, set.names),
    module,
    id: textOf(valueAt(step.data, 'id')),
    // Nobody is rung who is not there.
    seconds: isGone ? undefined : ringsFor(step, true),
    missing: lost.map(({ id }) => id),
    note: moduleOf(step) === undefined ? 'unknown module' : gone.length > 0 ? gone.join(', ') : undefined,
    branches: [],
  };
}

const silence = (label: string): TraceStep => ({ label, missing: [], branches: [] });

/** Returns what a caller hears if nobody answers and no step follows. */
function endOf(step: JsonObject): readonly TraceBranch[] {
  const module = moduleOf(step);
  const isEnd = module?.end === 'rings' && !branchesOf(step).some(([key]) => key === '_');
  return isEnd ? [{ key: '_', step: silence('nothing follows: the caller hears silence') }] : [];
}
