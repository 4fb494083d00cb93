import { isObject, type Json, type JsonObject, joinPath, textsIn, valueAt } from '../base/json.ts';
import { findModule } from './callflow-modules.ts';
import { dialledDigits } from './phone-number.ts';
import { shortMatch } from './short-patterns.ts';
import type { ResourceName } from './types.ts';

export type EmergencyRule = 'emergency-shadowed' | 'emergency-barred';

/** Emergency calls fail, or cannot be called back. */
export interface EmergencyProblem {
  readonly rule: EmergencyRule;
  readonly field: string;
  readonly message: string;
}

export interface EmergencyFacts {
  readonly numbers: readonly string[];
  /** Returns the flow of a callflow, or `undefined` if it is unknown. An unknown flow counts as intercepting calls. */
  readonly flowOf?: ((id: string) => Json | undefined) | undefined;
}

const toCarriers = new Set(['offnet', 'resources']);

/**
 * Returns the problems of a record for emergency calls: a callflow that intercepts an emergency number and does not
 * send it to a carrier, a phone number that equals one, a dial plan that changes one, a restriction that blocks the
 * class, or a blacklist that blocks calls back. Without a flow in the record, numbers count as intercepted.
 */
export function emergencyProblems(
  resource: ResourceName,
  record: JsonObject,
  facts: EmergencyFacts,
): readonly EmergencyProblem[] {
  const { numbers } = facts;
  return [
    ...(resource === 'callflows' ? shadowedNumbers(record, facts) : []),
    ...(resource === 'numbers' ? ownedNumber(record.id, numbers) : []),
    ...(resource === 'blacklists' ? barredCallers(record.numbers, numbers) : []),
    ...changedNumbers(record.dial_plan, numbers),
    ...(valueAt(record, 'call_restriction.emergency.action') === 'deny'
      ? [
          {
            rule: 'emergency-barred',
            field: 'call_restriction.emergency.action',
            message: 'bars emergency calls: its phones cannot call for help',
          } as const,
        ]
      : []),
  ];
}

/** Returns the problems that a record did not have before. `before` is `undefined` for a new record. */
export function newEmergencyProblems(
  resource: ResourceName,
  { before, after }: { readonly before: JsonObject | undefined; readonly after: JsonObject },
  facts: EmergencyFacts,
): readonly EmergencyProblem[] {
  const known = new Set(before && emergencyProblems(resource, before, facts).map(({ message }) => message));
  return emergencyProblems(resource, after, facts).filter(({ message }) => !known.has(message));
}

function shadowedNumbers(record: JsonObject, facts: EmergencyFacts): readonly EmergencyProblem[] {
  const found = (field: string, text: string, taken: readonly string[]): readonly EmergencyProblem[] =>
    taken.length === 0
      ? []
      : [
          {
            rule: 'emergency-shadowed',
            field,
            message: `${JSON.stringify(text)} takes emergency calls (${taken.join(', ')}): callers reach this callflow instead of help`,
          },
        ];
  const taken = [
    ...textsIn(record.numbers).flatMap((text, index) => {
      const dialed = dialledDigits(text);
      const all = text === 'no_match' ? facts.numbers : [];
      return found(`numbers.${index}`, text, facts.numbers.includes(dialed) ? [dialed] : all);
    }),
    ...textsIn(record.patterns).flatMap((text, index) =>
      found(
        `patterns.${index}`,
        text,
        facts.numbers.filter((number) => shortMatch(text, number) !== undefined),
      ),
    ),
  ];
  return taken.length === 0 || leadsToCarrier(record.flow, facts.flowOf) ? [] : taken;
}

/** Skips steps that only prepare the call. Also follows other callflows. */
function firstStep(flow: Json | undefined, flowOf: EmergencyFacts['flowOf']): JsonObject | undefined {
  let step = flow;
  for (let steps = 0; isObject(step) && steps < 100; steps += 1) {
    const id = step.module === 'callflow' ? valueAt(step, 'data.id') : undefined;
    const next: Json | undefined =
      typeof id === 'string'
        ? flowOf?.(id)
        : findModule(step)?.end === 'prepares'
          ? valueAt(step, 'children._')
          : undefined;
    if (next === undefined) return step;
    step = next;
  }
  return undefined;
}

function leadsToCarrier(flow: Json | undefined, flowOf: EmergencyFacts['flowOf']): boolean {
  const module = firstStep(flow, flowOf)?.module;
  return typeof module === 'string' && toCarriers.has(module);
}

/** Returns the id of the first callflow that a flow leads to, if its steps are unknown. */
export function nextCallflow(flow: Json | undefined, flowOf: EmergencyFacts['flowOf']): string | undefined {
  const step = firstStep(flow, flowOf);
  const id = step?.module === 'callflow' ? valueAt(step, 'data.id') : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Calls to the account's own numbers stay in the account, even if the number is an emergency number. */
function ownedNumber(id: Json | undefined, emergency: readonly string[]): readonly EmergencyProblem[] {
  const dialed = typeof id === 'string' ? dialledDigits(id) : '';
  if (!emergency.includes(dialed)) return [];
  const message = `${dialed} is an emergency number: as a number of the account, it takes these calls`;
  return [{ rule: 'emergency-shadowed', field: 'id', message }];
}

/** Emergency call centers call back from these numbers. */
function barredCallers(list: Json | undefined, emergency: readonly string[]): readonly EmergencyProblem[] {
  if (!isObject(list)) return [];
  return Object.keys(list).flatMap((text) => {
    const dialed = dialledDigits(text);
    if (!emergency.includes(dialed)) return [];
    const message = `refuses calls from ${dialed}: help cannot call back`;
    return [{ rule: 'emergency-barred', field: joinPath(['numbers', text]), message } as const];
  });
}

/** Finds rules that change an emergency number. */
function changedNumbers(plan: Json | undefined, emergency: readonly string[]): readonly EmergencyProblem[] {
  if (!isObject(plan)) return [];
  return Object.entries(plan).flatMap(([pattern, rule]) => {
    if (pattern === 'system' || !isObject(rule)) return [];
    const changed = emergency.flatMap((number) => {
      const groups = shortMatch(pattern, number);
      const dialed = groups && `${rule.prefix ?? ''}${groups[0] ?? number}${rule.suffix ?? ''}`;
      return dialed === undefined || dialed === number ? [] : [`${number} to ${dialed}`];
    });
    if (changed.length === 0) return [];
    const message = `the rule ${JSON.stringify(pattern)} changes emergency calls (${changed.join(', ')})`;
    return [{ rule: 'emergency-shadowed', field: joinPath(['dial_plan', pattern]), message }];
  });
}
