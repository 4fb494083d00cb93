import { type JsonObject, textOrUndefined, valueAt } from '../../../base/json.ts';
import { missingName } from '../../../base/wording.ts';
import { kindsNamed, listReferences } from '../../../contract/callflow-modules.ts';
import type { Task } from './clock.ts';
import { describeStepGaps, moduleNamed } from './modules/table.ts';
import {
  branchStep,
  type CallRoute,
  dataOf,
  type FlowOutcome,
  type FlowStep,
  takeBranch,
} from './outcome.ts';
import { booleanOr, type CallRecords, nameByKind, nonEmptyText } from './records.ts';
import { endLeg, recordEvent, reportGap } from './run.ts';
import type { CallStep } from './types.ts';

type ShownStep = { -readonly [key in keyof CallStep]: CallStep[key] };

export const isSimulated = (name: string): boolean => moduleNamed(name) !== undefined;

const mostBranches = 50;
const mostSteps = 2000;

export function* runFlowSteps(route: CallRoute, first: FlowStep | undefined): Task<void> {
  const { run, leg } = route;
  let here = first;
  for (let count = 0; leg.ended === undefined; count += 1) {
    if (count > mostSteps) {
      reportGap(run, `The simulation stopped after ${mostSteps} steps.`);
      return endLeg(run, leg, 'NORMAL_CLEARING');
    }
    const outcome: FlowOutcome =
      here === undefined ? { go: 'stop', why: reasonOfEnd(route) } : yield* runStep(route, here);
    if (outcome.go === 'leave') return;
    if (outcome.go === 'end') return endLeg(run, leg, outcome.cause ?? 'NORMAL_CLEARING');
    if (outcome.go === 'on' && here) {
      here = branchStep(here, outcome.key) ?? branchStep(here, '_');
      if (here) continue;
    } else if (outcome.go === 'branch' && here) {
      route.branches += 1;
      const after = branchStep(here, '_');
      if (after) route.stack.push(after);
      if (route.branches > mostBranches) {
        run.reasons.set(leg, `The simulation stopped after entering other callflows ${mostBranches} times.`);
        return endLeg(run, leg, 'NORMAL_CLEARING');
      }
      here = outcome.step;
      continue;
    }
    const back = route.stack.pop();
    if (back) {
      here = back;
      continue;
    }
    run.reasons.set(leg, (outcome.go === 'stop' ? outcome.why : undefined) ?? reasonOfEnd(route));
    return endLeg(run, leg, (outcome.go === 'stop' ? outcome.cause : undefined) ?? 'NORMAL_CLEARING');
  }
}

const reasonOfEnd = ({ flow }: CallRoute): string =>
  flow ? `The callflow ${JSON.stringify(nameByKind('callflows', flow))} ends.` : 'The callflow ends.';

function* runStep(route: CallRoute, step: FlowStep): Task<FlowOutcome> {
  const { run, leg } = route;
  const name = textOrUndefined(step.node.module) ?? '';
  const shown: ShownStep = {
    at: run.clock.now(),
    callflow: step.callflow,
    place: step.place,
    module: name,
    ...stepWords(route.records, step.node),
  };
  recordEvent(run, { kind: 'step', leg: leg.id, step: shown });
  if (route.module !== undefined) route.lastModule = route.module;
  route.module = name;
  route.step = shown;
  const found = moduleNamed(name);
  if (!found || booleanOr(dataOf(step).skip_module, false)) {
    const why = found ? 'The step has skip_module.' : `Module ${JSON.stringify(name)} does not exist.`;
    if (!found) reportGap(run, why, step);
    return recordBranch(shown, step, takeBranch('_', why));
  }
  for (const what of [...describeStepGaps(name, dataOf(step)), ...missingRecords(route, step)])
    reportGap(run, what, step);
  const made = found.run(route, step);
  const outcome = 'go' in made ? made : yield* made;
  return recordBranch(shown, step, outcome);
}

function missingRecords({ records }: CallRoute, { node }: FlowStep): readonly string[] {
  const { unknown } = records.account;
  if (unknown.size === 0) return [];
  return listReferences(node).flatMap(({ reference, id }) => {
    const kinds = kindsNamed(reference);
    const isThere = kinds.some((kind) => records.get(kind, id) !== undefined);
    const missing = kinds.filter((kind) => unknown.has(kind));
    return isThere || missing.length === 0
      ? []
      : [`The ${reference.word} ${id} could not be read, so the step is skipped.`];
  });
}

function recordBranch(shown: ShownStep, step: FlowStep, outcome: FlowOutcome): FlowOutcome {
  const name = step.node.module;
  const said = outcome.go === 'on' || outcome.go === 'branch' ? outcome.key : undefined;
  const key = outcome.go === 'on' && said === '_' && !branchStep(step, '_') ? undefined : said;
  if (key !== undefined) shown.left = key;
  if ('why' in outcome && outcome.why !== undefined) shown.why = outcome.why;
  if (outcome.go === 'on') {
    if (outcome.word !== undefined) shown.word = outcome.word;
    if (outcome.words !== undefined) shown.words = outcome.words;
  }
  if (name === 'menu' && key !== undefined && key !== '_') shown.word = `${shown.word}: ${key}`;
  return outcome;
}

/** Returns the record of a step, its label, and its word in the path of a case file. */
export function stepWords(records: CallRecords, node: JsonObject): Pick<CallStep, 'id' | 'label' | 'word'> {
  const made = known.get(node) ?? makeWords(records, node);
  known.set(node, made);
  return made;
}

const known = new WeakMap<JsonObject, Pick<CallStep, 'id' | 'label' | 'word'>>();

function makeWords(records: CallRecords, node: JsonObject): Pick<CallStep, 'id' | 'label' | 'word'> {
  const module = textOrUndefined(node.module) ?? '';
  const named = listReferences(node).map(({ reference, id }) => {
    const kinds = kindsNamed(reference);
    const kind = kinds.find((each) => records.get(each, id) !== undefined);
    const record = kind === undefined ? undefined : records.get(kind, id);
    if (kind !== undefined && record !== undefined) {
      const name = nameByKind(kind, record);
      // Output shows the name of a mailbox. Case files use its number.
      return { name, shown: JSON.stringify(kind === 'vmboxes' ? (nonEmptyText(record.name) ?? name) : name) };
    }
    const isGone = kinds.length > 0 && kinds.every((each) => !records.account.unknown.has(each));
    return { shown: isGone ? missingName(id) : JSON.stringify(id) };
  });
  const id = nonEmptyText(valueAt(node.data, 'id'));
  const name = named.flatMap((each) => each.name ?? [])[0];
  const text = nonEmptyText(valueAt(node.data, 'text')) ?? nonEmptyText(valueAt(node.data, 'action')) ?? id;
  const about =
    named.length > 0
      ? [...new Set(named.map(({ shown }) => shown))].slice(0, 3)
      : text === undefined
        ? []
        : [JSON.stringify(text)];
  const label = [module, about.join(', ')].filter((part) => part !== '').join(' ');
  const word = name !== undefined && module !== 'temporal_route' ? name : module;
  return { id, label, word };
}
