import { isObject, type JsonObject, textOf, valueAt } from '../../base/json.ts';
import { shortId } from '../../base/wording.ts';
import { compiled, mayHunt, noMatch } from '../../contract/call-patterns.ts';
import { kindsNamed, moduleOf, referencesOf } from '../../contract/callflow-modules.ts';
import { keptNumber, normalisedNumber } from '../../contract/phone-number.ts';
import { branchAt, type TimeRecord, zoneOfStep } from '../../contract/temporal-route.ts';
import type { Callflow, FlowSet } from './flow-set.ts';
import { branchesOf, hasSteps, quotedText, ringsFor, stepName, textsIn } from './step-label.ts';
import { type Door, doorAt } from './trace-settings.ts';

/** The way in which a number leads to a callflow. */
export interface Match {
  readonly callflow: Callflow;
  readonly by: 'number' | 'pattern' | 'no_match';
  /** The number or pattern that fitted. */
  readonly text: string;
}

export interface TraceStep {
  /** `user "alice"`, `(silence)`. */
  readonly label: string;
  readonly module: string | undefined;
  readonly id: string | undefined;
  /** Seconds that it rings before `_` is taken. */
  readonly seconds: number | undefined;
  /** Ids in its data that name nothing any more: a user who was deleted. */
  readonly missing: readonly string[];
  /** Something odd: the call goes round, the callflow is missing or was shown before. */
  readonly note: string | undefined;
  readonly branches: readonly TraceBranch[];
}

/** The step that follows another, and its key. `→`: in the callflow that the step goes on in. */
export interface TraceBranch {
  readonly key: string;
  /** Name of the record whose id the key is. */
  readonly name?: string;
  readonly step: TraceStep;
}

/** Finds the callflow that a number leads to: by number, else by pattern, else the one that takes all others. */
export function matchNumber({ callflows }: FlowSet, typed: string): Match | undefined {
  const wanted = normalisedNumber(typed);
  const byNumber = (text: string): Callflow | undefined =>
    callflows.find(({ record }) => textsIn(record.numbers).some((each) => keptNumber(each) === text));
  const exact = byNumber(wanted);
  if (exact) return { callflow: exact, by: 'number', text: wanted };
  for (const callflow of callflows)
    for (const pattern of textsIn(callflow.record.patterns))
      if (compiled(pattern)?.test(wanted)) return { callflow, by: 'pattern', text: pattern };
  const rest = byNumber(noMatch);
  return rest && { callflow: rest, by: 'no_match', text: noMatch };
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

/** The course of a call, and the steps that it can come past. */
export interface Trace {
  readonly first: TraceStep;
  readonly steps: readonly JsonObject[];
  readonly through: readonly Callflow[];
  /** Ids of voicemail boxes whose numbers are dialled on the way. */
  readonly boxes: readonly string[];
}

/**
 * Returns the course of a call that comes to a callflow, as a tree; it passes the preflow of the account first.
 * Without digits all branches are followed, each callflow once; with digits, each step that asks the caller takes the
 * next digit and the rest of the branches is left out; with a time, each step that tests temporal rules takes one
 * branch. Always ends.
 */
export function trace(set: FlowSet, callflow: Callflow, call: TracedCall = {}): Trace {
  const { begin, steps, through, boxes } = tracer(set, call);
  const first = begin(callflow);
  return { first, steps: [...steps], through: [...through], boxes: [...boxes] };
}

/** Facts about a call that is traced. */
export interface TracedCall {
  /** Digits that the caller dials when asked. */
  readonly digits?: readonly string[];
  /** Time of the call, in seconds since the Unix epoch. */
  readonly at?: number | undefined;
  /** Tells whether nobody whom a step rings has a phone that is registered. */
  readonly unreachable?: ((step: JsonObject) => boolean) | undefined;
}

/** Deeper than any flow that a caller survives. */
const deepest = 200;

function tracer(set: FlowSet, { digits = [], at, unreachable }: TracedCall) {
  const shown = new Set<string>();
  const steps = new Set<JsonObject>();
  const through = new Set<Callflow>();
  const boxes = new Set<string>();
  const all = digits.length === 0;
  /** Most digits that were dialled on any way so far: the callflow after the preflow goes on with those left. */
  let dialled = 0;

  function begin(callflow: Callflow): TraceStep {
    const id = textOf(valueAt(set.account, 'preflow.always'));
    if (id === undefined) return follow(callflow, [], 0);
    const preflow = set.callflows.find((each) => each.id === id);
    const base = {
      ...silence(`callflow ${quotedText(preflow?.name ?? shortId(id))}`),
      module: 'callflow',
      id,
    };
    const into = preflow ? [{ key: '→', step: follow(preflow, [], 0) }] : [];
    // It may be the preflow itself.
    shown.clear();
    const note = preflow ? 'the preflow of the account' : 'the preflow of the account, which is missing';
    return { ...base, note, branches: [...into, { key: '_', step: follow(callflow, [], dialled) }] };
  }

  function follow(callflow: Callflow, trail: readonly string[], used: number): TraceStep {
    const { flow } = callflow.record;
    shown.add(trailOf(callflow.id, used));
    through.add(callflow);
    dialled = Math.max(dialled, used);
    return hasSteps(flow)
      ? stepOf(flow, [...trail, trailOf(callflow.id, used)], used)
      : silence('the callflow has no step: the caller hears silence');
  }

  function stepOf(step: JsonObject, trail: readonly string[], used: number): TraceStep {
    if (valueAt(step.data, 'skip_module') === true) return skipped(step, trail, used);
    steps.add(step);
    dialled = Math.max(dialled, used);
    const base = baseOf(set, step);
    if (trail.length > deepest) return { ...base, note: 'too deep to follow' };
    if (step.module === 'callflow') return intoFlow(step, base, trail, used);
    if (step.module === 'menu' && !all) return chosen(step, base, trail, used);
    if (step.module === 'temporal_route' && at !== undefined && valueAt(step.data, 'action') === undefined)
      return atThatTime(step, base, trail, used, at);
    const door = doorAt(set, step, all ? undefined : digits.slice(used));
    if (door?.box !== undefined) boxes.add(door.box);
    if (door) return throughDoor(step, base, trail, { ...door, used: used + door.dialled });
    const branches = [...following(step, trail, used), ...endOf(step)];
    if (!unreachable?.(step)) return { ...base, branches };
    const otherwise = branchesOf(step).find(([key]) => key === '_');
    const next = otherwise ? `goes to ${stepName(otherwise[1], set.names)}` : 'nothing follows';
    const note = [base.note, `no phone registered: ${next}`].filter(Boolean).join('; ');
    return { ...base, note, branches };
  }

  const following = (
    step: JsonObject,
    trail: readonly string[],
    used: number,
    only: string | undefined = undefined,
  ): readonly TraceBranch[] =>
    branchesOf(step)
      .filter(([key]) => only === undefined || key === only)
      .map(([key, child]) => ({
        key,
        ...(isRecord(step, key) ? { name: set.names.get(key) ?? shortId(key) } : {}),
        step: stepOf(child, [...trail, ''], used),
      }));

  /** The one branch that a step takes which tests temporal rules. */
  function atThatTime(
    step: JsonObject,
    base: TraceStep,
    trail: readonly string[],
    used: number,
    time: number,
  ): TraceStep {
    const { key, words } = branchAt(step, (id) => timeRecord(set, id), zoneOf(set, step), time);
    const taken = branchesOf(step).some(([each]) => each === key) ? key : '_';
    const branches = following(step, trail, used, taken);
    const end = { key: taken, step: silence('nothing follows: the call ends') };
    const note = [base.note, words].filter(Boolean).join('; ');
    return { ...base, note, branches: branches.length > 0 ? branches : [end] };
  }

  /** A step that lets callers in or not: what it says, and where the call goes on. */
  function throughDoor(
    step: JsonObject,
    base: TraceStep,
    trail: readonly string[],
    { note, end, number, used }: Door & { readonly used: number },
  ): TraceStep {
    dialled = Math.max(dialled, used);
    const said = { ...base, note: [base.note, note].filter(Boolean).join('; ') || undefined };
    if (end) return { ...said, branches: [] };
    if (number === undefined) return { ...said, branches: following(step, trail, used) };
    const match = matchNumber(set, number);
    const there = match ? dialledFlow(match.callflow, trail, used) : silence(`outside ${quotedText(number)}`);
    return { ...said, branches: [{ key: number, step: there }] };
  }

  /** A callflow whose number the caller dials on the way. */
  function dialledFlow(callflow: Callflow, trail: readonly string[], used: number): TraceStep {
    const there = {
      ...silence(`callflow ${quotedText(callflow.name)}`),
      ...{ module: 'callflow', id: callflow.id },
    };
    const note = seen(callflow, trail, used);
    return note === undefined
      ? { ...there, branches: [{ key: '→', step: follow(callflow, trail, used) }] }
      : { ...there, note };
  }

  function skipped(step: JsonObject, trail: readonly string[], used: number): TraceStep {
    const otherwise = branchesOf(step).find(([key]) => key === '_');
    const base = { ...baseOf(set, step), seconds: undefined, note: 'passed over' };
    return otherwise
      ? { ...base, branches: [{ key: '_', step: stepOf(otherwise[1], [...trail, ''], used) }] }
      : base;
  }

  function intoFlow(step: JsonObject, base: TraceStep, trail: readonly string[], used: number): TraceStep {
    const id = textOf(valueAt(step.data, 'id'));
    const other = set.callflows.find((each) => each.id === id);
    if (other === undefined)
      return { ...base, branches: [{ key: '→', step: silence('there is no such callflow: silence') }] };
    const note = seen(other, trail, used);
    if (note !== undefined) return { ...base, note };
    return { ...base, branches: [{ key: '→', step: follow(other, trail, used) }] };
  }

  /** With as many digits left, a callflow does again what it did: round for ever, or as it was shown elsewhere. */
  function seen({ id }: Callflow, trail: readonly string[], used: number): string | undefined {
    const here = trailOf(id, used);
    if (trail.includes(here)) return 'goes round';
    return shown.has(here) ? 'as above' : undefined;
  }

  /** A menu where the caller dials what the digits say. */
  function chosen(step: JsonObject, base: TraceStep, trail: readonly string[], used: number): TraceStep {
    const choice = digits[used];
    const key = choice ?? 'timeout';
    const branches = branchesOf(step);
    const exact = branches.find(([each]) => each === key);
    if (exact) return { ...base, branches: [{ key, step: stepOf(exact[1], [...trail, ''], used + 1) }] };
    const extension = choice === undefined ? undefined : hunted(set, step, choice);
    if (extension) return { ...base, branches: [{ key, step: dialledFlow(extension, trail, used + 1) }] };
    const otherwise = branches.find(([each]) => each === '_');
    const note = choice === undefined ? undefined : `${quotedText(choice)} is not a choice`;
    if (otherwise)
      return {
        ...base,
        note,
        branches: [{ key: '_', step: stepOf(otherwise[1], [...trail, ''], used + 1) }],
      };
    return { ...base, note, branches: [{ key, step: silence('nothing follows: the caller hears silence') }] };
  }

  return { begin, steps, through, boxes };
}

/** True for a branch whose key is the id of a record. */
const isRecord = (step: JsonObject, key: string): boolean =>
  referencesOf(step).some(({ keys: [first], id }) => first === 'children' && id === key);

const zoneOf = ({ account }: FlowSet, { data }: JsonObject): string =>
  zoneOfStep(isObject(data) ? data : {}, account?.timezone);

/** A temporal rule or a set of them, by its id. */
function timeRecord({ targets }: FlowSet, id: string): TimeRecord | undefined {
  const target = targets.get(id);
  const isSet = target?.resource === 'temporal_rules_sets';
  return target && (isSet || target.resource === 'temporal_rules')
    ? { isSet, name: target.name, record: target.record }
    : undefined;
}

/** A callflow at a point of the call: with other digits left, it may end differently. */
const trailOf = (id: string, used: number): string => `${used} ${id}`;

/** The extension that a caller dials at a menu, where the menu lets callers do so. */
function hunted(set: FlowSet, step: JsonObject, dialled: string): Callflow | undefined {
  const menu = set.targets.get(textOf(valueAt(step.data, 'id')) ?? '')?.record;
  if (!mayHunt(menu, dialled)) return undefined;
  const match = matchNumber(set, dialled);
  return match?.by === 'no_match' ? undefined : match?.callflow;
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

const silence = (label: string): TraceStep => ({
  label,
  module: undefined,
  id: undefined,
  seconds: undefined,
  missing: [],
  note: undefined,
  branches: [],
});

/** Returns what a caller hears if nobody answers and nothing was made to follow. */
function endOf(step: JsonObject): readonly TraceBranch[] {
  const module = moduleOf(step);
  const isEnd = module?.end === 'rings' && !branchesOf(step).some(([key]) => key === '_');
  return isEnd ? [{ key: '_', step: silence('nothing follows: the caller hears silence') }] : [];
}
