import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { kindsNamed, referencesOf } from '../../contract/callflow-modules.ts';
import type { ResourceName } from '../../contract/types.ts';
import { textAt } from '../fields.ts';
import type { StoredRecord } from '../store/store.ts';
import { calledName } from '../telephony/account-records.ts';
import { modules } from './modules.ts';
import {
  type End,
  type FlowStep,
  type Outcome,
  type PathStep,
  pickUp,
  type Simulation,
} from './simulation.ts';

/** The path of a call, and its end. */
export interface Walk {
  readonly path: readonly PathStep[];
  readonly end: End;
  /** Records that the call came past. */
  readonly met: readonly MetRecord[];
  /** Modules of steps that did nothing, since the sandbox knows nothing to do. */
  readonly passedOver: readonly string[];
}

/** A record that a call came past. */
export interface MetRecord {
  readonly resource: ResourceName;
  readonly record: StoredRecord;
}

/** More steps than any caller goes through. */
const mostSteps = 200;

/** Keys that tell what a step is about, where it refers to nothing. */
const telling = ['text', 'regex', 'variable', 'action', 'slot', 'target', 'code'];

/** `user "alice"`: the module of a step, and what it is about. What it refers to is put into `met`. */
async function labelOf({ records }: Simulation, { step, data }: FlowStep, met: MetRecord[]): Promise<string> {
  const module = textAt(step, 'module') ?? '(no module)';
  const named = await Promise.all(
    referencesOf(step).map(async ({ reference, id }) => {
      for (const resource of kindsNamed(reference)) {
        const record = await records.get(resource, id);
        if (record) met.push({ resource, record });
        if (record) return calledName(record);
      }
      return id;
    }),
  );
  const said = telling.map((key) => data[key]).find((value) => typeof value === 'string' && value !== '');
  const about = named.length > 0 ? [...new Set(named)] : typeof said === 'string' ? [said] : [];
  return [module, about.map((each) => JSON.stringify(each)).join(', ')].filter(Boolean).join(' ');
}

const isStep = (value: Json | undefined): value is JsonObject =>
  isObject(value) && Object.keys(value).length > 0;

const hungUp = (call: Simulation, words: string): End => ({
  kind: 'hangup',
  cause: call.timeline.isAnswered(call.leg) ? 'NORMAL_CLEARING' : call.cause,
  words,
});

/**
 * Performs a module's step; passes through a module that does nothing to a call, and through one that is to be
 * skipped.
 */
async function actOn(call: Simulation, at: FlowStep): Promise<Outcome> {
  if (at.data.skip_module === true) return { go: '_', note: 'passed over' };
  const act = modules.get(textAt(at.step, 'module') ?? '');
  return act ? act(call, at) : { go: '_' };
}

/**
 * Takes a call through a flow until it ends: every call does, also where callflows go round. It passes the preflow of
 * the account first, and goes on where that comes to its end.
 */
export async function walk(call: Simulation, first: StoredRecord): Promise<Walk> {
  const path: PathStep[] = [];
  const met: MetRecord[] = [];
  const passedOver = new Set<string>();
  const entered = new Set<string>();
  const enter = (flow: StoredRecord): Json | undefined => {
    // With as many digits left, a callflow does again what it did.
    const place = `${flow.id} ${call.digits.length}`;
    if (entered.has(place)) return undefined;
    entered.add(place);
    met.push({ resource: 'callflows', record: flow });
    return flow.body.flow;
  };
  const ended = (end: End): Walk => ({ path, end, met, passedOver: [...passedOver] });
  const preflow = await preflowOf(call);
  let rest = preflow && first;
  let key: string | undefined;
  let step = enter(preflow ?? first);
  if (preflow) {
    path.push(noteOf(call, undefined, preflow, 'the preflow of the account'));
    key = '→';
  }
  /** The callflow that was called, once the preflow has come to its end. */
  const afterPreflow = (): Json | undefined => {
    if (!rest) return undefined;
    path.push(noteOf(call, '→', rest));
    key = '→';
    // It may be the preflow itself.
    entered.clear();
    const flow = enter(rest);
    rest = undefined;
    return flow;
  };
  while (true) {
    if (!isStep(step)) {
      if (rest === undefined) break;
      step = afterPreflow();
      continue;
    }
    const at: FlowStep = { step, data: isObject(step.data) ? step.data : {} };
    const label = await labelOf(call, at, met);
    const module = textAt(step, 'module');
    if (module !== undefined && !modules.has(module)) passedOver.add(module);
    const came = call.now;
    const outcome: Outcome =
      path.length < mostSteps
        ? await actOn(call, at)
        : { note: 'too many steps', end: hungUp(call, 'Ended after too many steps') };
    path.push({ key, label, at: came, note: outcome.note, module, id: textAt(at.data, 'id') });
    if ('end' in outcome) return ended(outcome.end);
    if ('flow' in outcome) {
      const into = enter(outcome.flow);
      if (into === undefined) {
        const round =
          entered.has(`${outcome.flow.id} ${call.digits.length}`) && outcome.flow.body.flow !== undefined;
        return ended(lost(call, path, round));
      }
      key = '→';
      if (outcome.key !== undefined) path.push(noteOf(call, outcome.key, outcome.flow));
      step = into;
      continue;
    }
    const children: JsonObject = isObject(step.children) ? step.children : {};
    const taken = [outcome.go, '_'].find((each) => Object.hasOwn(children, each) && isStep(children[each]));
    if (taken !== undefined) {
      key = taken;
      step = children[taken];
    } else if (rest === undefined) return ended(hungUp(call, 'Nothing follows: the caller hears silence'));
    else step = undefined;
  }
  return ended(hungUp(call, 'The callflow has no step: the caller hears silence'));
}

/** The callflow that every call of the account passes first (Resources and their fields, Account). */
async function preflowOf({ records }: Simulation): Promise<StoredRecord | undefined> {
  const id = valueAt(records.account.body, 'preflow.always');
  return typeof id === 'string' && id !== '' ? records.get('callflows', id) : undefined;
}

const noteOf = (call: Simulation, key: string | undefined, flow: StoredRecord, note?: string): PathStep => ({
  ...{ key, label: `callflow ${JSON.stringify(calledName(flow))}`, at: call.now },
  ...{ module: 'callflow', id: flow.id, note },
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
