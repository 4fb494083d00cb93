import { isObject, type JsonObject, textOrUndefined, textsIn, valueAt } from '../../../base/json.ts';
import { shortId } from '../../../base/wording.ts';
import { noMatch } from '../../../contract/call-patterns.ts';
import { findModule, kindsNamed, listReferences } from '../../../contract/callflow-modules.ts';
import { normalisedNumber, toStoredNumber } from '../../../contract/phone-number.ts';
import { findTimeBranch, type TimeRecord, zoneOfStep } from '../../../contract/temporal-route.ts';
import type { ResourceName } from '../../../contract/types.ts';
import {
  type Callflow,
  type FlowSet,
  formatStep,
  hasSteps,
  quoteText,
  ringSeconds,
  sortedBranches,
} from '../../../engine/callflows/flow-set.ts';
import { fillCaptures, findFlow, indexOfFlows } from '../engine/records.ts';
import { entryRules } from './step-rules.ts';

export interface Match {
  readonly callflow: Callflow;
  readonly by: 'number' | 'pattern' | 'no_match';
  readonly text: string;
  readonly capture: string | undefined;
  readonly named: Readonly<Record<string, string>>;
}

export interface TraceStep {
  readonly label: string;
  readonly module?: string | undefined;
  readonly id?: string | undefined;
  /** Ringing time in seconds before the `_` branch is taken. */
  readonly seconds?: number | undefined;
  /** Ids in the data whose records are missing, such as a deleted user. */
  readonly missing: readonly string[];
  /** A note, such as a loop, a missing callflow, or a callflow that was already shown. */
  readonly note?: string | undefined;
  readonly branches: readonly TraceBranch[];
}

/** A branch of a step, with its key. The key `→` leads to the callflow where the call continues. */
export interface TraceBranch {
  readonly key: string;
  /** Name of the record if the key is an id. */
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

/** Finds stored numbers that would match a call if they had no blanks and punctuation. */
export function deadNumbers(
  { callflows }: FlowSet,
  typed: string,
): readonly { readonly callflow: Callflow; readonly text: string }[] {
  const wanted = normalisedNumber(typed);
  return callflows.flatMap((callflow) =>
    textsIn(callflow.record.numbers)
      .filter((text) => toStoredNumber(text) !== wanted && normalisedNumber(text) === wanted)
      .map((text) => ({ callflow, text })),
  );
}

/** The tree of possible steps of a call, and a flat list of them. */
export interface Trace {
  readonly first: TraceStep;
  readonly steps: readonly JsonObject[];
}

export interface TracedCall {
  /** The match of the dialed number. Steps may continue with its captured part. */
  readonly match?: Match | undefined;
  readonly at?: number | undefined;
  /** Returns true if a step rings only people without a registered phone. */
  readonly unreachable?: ((step: JsonObject) => boolean) | undefined;
}

/** Maximum depth. Real callflows are not as deep. */
const maxDepth = 200;

/**
 * Returns the tree of possible steps of a call to a callflow, starting with the preflow of the account. Each callflow
 * is followed once. If `at` is given, steps with temporal rules take only one branch.
 */
export function trace(set: FlowSet, callflow: Callflow, call: TracedCall = {}): Trace {
  const tracer = new Tracer(set, call);
  const first = tracer.start(callflow);
  return { first, steps: [...tracer.steps] };
}

class Tracer {
  readonly steps = new Set<JsonObject>();
  readonly #set: FlowSet;
  readonly #call: TracedCall;
  readonly #followed = new Set<string>();

  constructor(set: FlowSet, call: TracedCall) {
    this.#set = set;
    this.#call = call;
  }

  start(callflow: Callflow): TraceStep {
    const { account, callflows } = this.#set;
    const id = textOrUndefined(valueAt(account, 'preflow.always'));
    if (id === undefined) return this.#followFlow(callflow, []);
    const preflow = callflows.find((each) => each.id === id);
    const base = {
      ...silence(`callflow ${quoteText(preflow?.name ?? shortId(id))}`),
      module: 'callflow',
      id,
    };
    const inside = preflow ? [{ key: '→', step: this.#followFlow(preflow, []) }] : [];
    // The callflow can be the preflow itself.
    this.#followed.clear();
    const note = preflow ? 'the preflow of the account' : 'the preflow of the account, which is missing';
    return { ...base, note, branches: [...inside, { key: '_', step: this.#followFlow(callflow, []) }] };
  }

  #followFlow({ id, record: { flow } }: Callflow, trail: readonly string[]): TraceStep {
    this.#followed.add(id);
    return hasSteps(flow)
      ? this.#followStep(flow, [...trail, id])
      : silence('the callflow has no step: the caller hears silence');
  }

  #followStep(step: JsonObject, trail: readonly string[]): TraceStep {
    const set = this.#set;
    if (valueAt(step.data, 'skip_module') === true) {
      const skipped = { ...describeStep(set, step), seconds: undefined, note: 'passed over' };
      return { ...skipped, branches: this.#branches(step, trail, '_') };
    }
    this.steps.add(step);
    const { at, unreachable } = this.#call;
    const base = describeStep(set, step);
    if (trail.length > maxDepth) return { ...base, note: 'too deep to follow' };
    if (step.module === 'callflow') return this.#enterFlow(step, base, trail);
    if (step.module === 'transfer') return this.#transfer(step, base, trail);
    if (step.module === 'temporal_route' && at !== undefined && valueAt(step.data, 'action') === undefined)
      return this.#chooseByTime(step, base, trail, at);
    const notes = [base.note, ...entryRules(set, step), unreachable?.(step) && this.#unreachableNote(step)];
    const note = notes.filter(Boolean).join('; ') || undefined;
    return { ...base, note, branches: [...this.#branches(step, trail), ...silentEnd(step)] };
  }

  #unreachableNote(step: JsonObject): string {
    const otherwise = sortedBranches(step).find(([key]) => key === '_');
    const next = otherwise ? `goes to ${formatStep(otherwise[1], this.#set.names)}` : 'nothing follows';
    return `no phone registered: ${next}`;
  }

  #branches(step: JsonObject, trail: readonly string[], only?: string): readonly TraceBranch[] {
    const { names } = this.#set;
    return (
      sortedBranches(step)
        .filter(([key]) => only === undefined || key === only)
        // An outgoing call that no carrier accepts takes the branch of its cause.
        .filter(([key]) => key !== '_' || (step.module !== 'resources' && step.module !== 'offnet'))
        .map(([key, child]) => ({
          key,
          ...(isRecordKey(step, key) ? { name: names.get(key) ?? shortId(key) } : {}),
          step: this.#followStep(child, [...trail, '']),
        }))
    );
  }

  /** Follows the branch that a step with temporal rules takes at a time. */
  #chooseByTime(step: JsonObject, base: TraceStep, trail: readonly string[], time: number): TraceStep {
    const set = this.#set;
    const { key, words } = findTimeBranch(step, (id) => timeRecord(set, id), stepTimeZone(set, step), time);
    const taken = sortedBranches(step).some(([each]) => each === key) ? key : '_';
    const branches = this.#branches(step, trail, taken);
    const end = { key: taken, step: silence('nothing follows: the call ends') };
    const note = [base.note, words].filter(Boolean).join('; ');
    return { ...base, note, branches: branches.length > 0 ? branches : [end] };
  }

  #enterFlow(step: JsonObject, base: TraceStep, trail: readonly string[]): TraceStep {
    const id = textOrUndefined(valueAt(step.data, 'id'));
    const other = this.#set.callflows.find((each) => each.id === id);
    if (other === undefined)
      return { ...base, branches: [{ key: '→', step: silence('the callflow does not exist: silence') }] };
    // When the other callflow ends, the call returns to this step.
    const inside = this.#enter(other, base, trail);
    return { ...inside, branches: [...inside.branches, ...this.#branches(step, trail, '_')] };
  }

  /** Follows a step that transfers the call to a number, in the same account or outside. */
  #transfer(step: JsonObject, base: TraceStep, trail: readonly string[]): TraceStep {
    const { match } = this.#call;
    const named = textOrUndefined(valueAt(step.data, 'target')) ?? '';
    const target = match ? fillCaptures(named, match.named, match.capture, []) : named;
    const there = target === '' ? undefined : matchNumber(this.#set, target);
    if (!there) return { ...base, branches: [{ key: '→', step: silence(`outside ${quoteText(target)}`) }] };
    const flow = there.callflow;
    const entered = { ...silence(`callflow ${quoteText(flow.name)}`), module: 'callflow', id: flow.id };
    return { ...base, branches: [{ key: target, step: this.#enter(flow, entered, trail) }] };
  }

  #enter(flow: Callflow, base: TraceStep, trail: readonly string[]): TraceStep {
    if (trail.includes(flow.id)) return { ...base, note: 'goes round' };
    if (this.#followed.has(flow.id)) return { ...base, note: 'as above' };
    return { ...base, branches: [{ key: '→', step: this.#followFlow(flow, trail) }] };
  }
}

/** Returns the known records that a call can involve, including members of groups. */
export function passedRecords(
  { targets }: FlowSet,
  { steps }: Trace,
): readonly { readonly resource: ResourceName; readonly id: string }[] {
  const referred = steps.flatMap((step) => listReferences(step).map(({ id }) => id));
  const members = referred.flatMap((id) => {
    const endpoints = valueAt(targets.get(id)?.record, 'endpoints');
    return isObject(endpoints) ? Object.keys(endpoints) : [];
  });
  return [...new Set([...referred, ...members])].flatMap((id) => {
    const target = targets.get(id);
    return target ? [{ resource: target.resource, id }] : [];
  });
}

const isRecordKey = (step: JsonObject, key: string): boolean =>
  listReferences(step).some(({ keys: [first], id }) => first === 'children' && id === key);

const stepTimeZone = ({ account }: FlowSet, { data }: JsonObject): string =>
  zoneOfStep(isObject(data) ? data : {}, account?.timezone);

function timeRecord({ targets }: FlowSet, id: string): TimeRecord | undefined {
  const target = targets.get(id);
  const isSet = target?.resource === 'temporal_rules_sets';
  return target && (isSet || target.resource === 'temporal_rules')
    ? { isSet, name: target.name, record: target.record }
    : undefined;
}

function describeStep(set: FlowSet, step: JsonObject): TraceStep {
  const module = textOrUndefined(step.module);
  const references = listReferences(step);
  const lost = references.filter(({ reference, id }) => {
    const kinds = kindsNamed(reference);
    return kinds.length > 0 && kinds.every((kind) => set.whole.has(kind)) && !set.targets.has(id);
  });
  const isGone = lost.length > 0 && lost.length === references.length;
  const gone = [
    ...new Set(lost.map(({ reference: { word }, id }) => `${word} ${shortId(id)} does not exist`)),
  ];
  return {
    label: isGone ? `${module} (missing)` : formatStep(step, set.names),
    module,
    id: textOrUndefined(valueAt(step.data, 'id')),
    // A missing target does not ring.
    seconds: isGone ? undefined : ringSeconds(step, true),
    missing: lost.map(({ id }) => id),
    note: findModule(step) === undefined ? 'unknown module' : gone.length > 0 ? gone.join(', ') : undefined,
    branches: [],
  };
}

const silence = (label: string): TraceStep => ({ label, missing: [], branches: [] });

/** Returns the silence that a caller hears if no one answers and no step follows. */
function silentEnd(step: JsonObject): readonly TraceBranch[] {
  const module = findModule(step);
  const isEnd = module?.end === 'rings' && !sortedBranches(step).some(([key]) => key === '_');
  return isEnd ? [{ key: '_', step: silence('nothing follows: the caller hears silence') }] : [];
}
