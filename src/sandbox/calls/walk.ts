import { isObject, type Json, type JsonObject } from '../../contract/json.ts';
import { referencesOf } from '../../contract/module-references.ts';
import { textAt } from '../fields.ts';
import type { StoredRecord } from '../store/store.ts';
import { calledName } from './account-records.ts';
import { modules } from './modules.ts';
import {
  type End,
  type FlowStep,
  type Outcome,
  type PathStep,
  pickUp,
  type Simulation,
} from './simulation.ts';

/** Where a call went, and how it ended. */
export interface Walk {
  readonly path: readonly PathStep[];
  readonly end: End;
}

/** More steps than any caller goes through. */
const mostSteps = 200;

/** Keys that tell what a step is about, where it refers to nothing. */
const telling = ['text', 'regex', 'variable', 'action', 'slot', 'target', 'code'];

/** `user "alice"`: the module of a step, and what it is about. */
async function labelOf({ records }: Simulation, { step, data }: FlowStep): Promise<string> {
  const module = textAt(step, 'module') ?? '(no module)';
  const named = await Promise.all(
    referencesOf(step).map(async ({ reference, id }) => {
      const record = reference.to && (await records.get(reference.to, id));
      return record ? calledName(record) : id;
    }),
  );
  const said = telling.map((key) => data[key]).find((value) => typeof value === 'string' && value !== '');
  const about = named.length > 0 ? named : typeof said === 'string' ? [said] : [];
  return [module, about.map((each) => JSON.stringify(each)).join(', ')].filter(Boolean).join(' ');
}

const isStep = (value: Json | undefined): value is JsonObject =>
  isObject(value) && Object.keys(value).length > 0;

const hungUp = (call: Simulation, words: string): End => ({
  kind: 'hangup',
  cause: call.timeline.isAnswered(call.leg) ? 'NORMAL_CLEARING' : call.cause,
  words,
});

/** What a module does; one that does nothing to a call is passed through, and one that is to be skipped, too. */
async function actOn(call: Simulation, at: FlowStep): Promise<Outcome> {
  if (at.data.skip_module === true) return { go: '_', note: 'passed over' };
  const act = modules.get(textAt(at.step, 'module') ?? '');
  return act ? act(call, at) : { go: '_' };
}

/** Takes a call through a flow until it ends: every call does, also where callflows go round. */
export async function walk(call: Simulation, first: StoredRecord): Promise<Walk> {
  const path: PathStep[] = [];
  const entered = new Set<string>();
  const enter = (flow: StoredRecord): Json | undefined => {
    // With as many digits left, a callflow does again what it did.
    const place = `${flow.id} ${call.digits.length}`;
    if (entered.has(place)) return undefined;
    entered.add(place);
    return flow.body.flow;
  };
  let key: string | undefined;
  let step = enter(first);
  while (isStep(step)) {
    const at: FlowStep = { step, data: isObject(step.data) ? step.data : {} };
    const label = await labelOf(call, at);
    const came = call.now;
    const outcome: Outcome =
      path.length < mostSteps
        ? await actOn(call, at)
        : { note: 'too many steps', end: hungUp(call, 'Ended after too many steps') };
    const said: PathStep = {
      ...{ key, label, at: came, note: outcome.note },
      ...{ module: textAt(step, 'module'), id: textAt(at.data, 'id') },
    };
    if ('end' in outcome) return { path: [...path, said], end: outcome.end };
    if ('flow' in outcome) {
      path.push(said);
      const into = enter(outcome.flow);
      key = outcome.key ?? '→';
      if (into === undefined) {
        const round =
          entered.has(`${outcome.flow.id} ${call.digits.length}`) && outcome.flow.body.flow !== undefined;
        return { path, end: lost(call, path, round) };
      }
      if (outcome.key !== undefined) path.push(noteOf(call, outcome.key, outcome.flow));
      if (outcome.key !== undefined) key = '→';
      step = into;
      continue;
    }
    path.push(said);
    const children: JsonObject = isObject(step.children) ? step.children : {};
    const taken = [outcome.go, '_'].find((each) => Object.hasOwn(children, each) && isStep(children[each]));
    if (taken === undefined) return { path, end: hungUp(call, 'Nothing follows: the caller hears silence') };
    key = taken;
    step = children[taken];
  }
  return { path, end: hungUp(call, 'The callflow has no step: the caller hears silence') };
}

const noteOf = (call: Simulation, key: string, flow: StoredRecord): PathStep => ({
  ...{ key, label: `callflow ${JSON.stringify(calledName(flow))}`, at: call.now },
  ...{ module: 'callflow', id: flow.id, note: undefined },
});

/** A call that goes round, or into a callflow without a step. */
function lost(call: Simulation, path: PathStep[], round: boolean): End {
  if (!round) return hungUp(call, 'The callflow has no step: the caller hears silence');
  const last = path.pop();
  if (last) path.push({ ...last, note: [last.note, 'goes round'].filter(Boolean).join('; ') });
  pickUp(call);
  return {
    kind: 'hangup',
    cause: 'EXCHANGE_ROUTING_ERROR',
    words: 'The callflows go round: ended by the sandbox',
  };
}
