import { isObject, type Json, type JsonObject, textsIn, valueAt } from '../base/json.ts';
import { compiled } from './call-patterns.ts';
import { moduleOf } from './callflow-modules.ts';
import { emergencyNumbers } from './emergency-numbers.ts';
import { dialledDigits } from './phone-number.ts';
import type { ResourceName } from './types.ts';

/** The rules by which a record keeps somebody from calling for help. */
export type EmergencyRule = 'emergency-shadowed' | 'emergency-barred';

/** One way in which a record keeps somebody from calling for help. */
export interface EmergencyProblem {
  readonly rule: EmergencyRule;
  /** Dotted path of the field. */
  readonly field: string;
  /** A sentence without its full stop. */
  readonly message: string;
}

/** Modules that hand a call to a carrier. */
const toCarriers = new Set(['offnet', 'resources']);

/**
 * Returns how a record keeps somebody from calling for help: a callflow that takes an emergency number and leads it
 * elsewhere than to a carrier, a dial plan that changes one, a restriction that bars the class. `country`: that of the
 * account in two letters, whose own numbers count as well. A part of a record is judged by itself, so numbers without a
 * flow count as taken.
 */
export function emergencyProblems(
  resource: ResourceName,
  record: JsonObject,
  country?: string,
): readonly EmergencyProblem[] {
  const numbers = emergencyNumbers(country);
  return [
    ...(resource === 'callflows' ? shadowedNumbers(record, numbers) : []),
    ...changedNumbers(record.dial_plan, numbers),
    ...(valueAt(record, 'call_restriction.emergency.action') === 'deny'
      ? [
          {
            rule: 'emergency-barred',
            field: 'call_restriction.emergency.action',
            message: 'bars emergency calls: nobody can call for help',
          } as const,
        ]
      : []),
  ];
}

function shadowedNumbers(record: JsonObject, emergency: readonly string[]): readonly EmergencyProblem[] {
  if (leadsToCarrier(record.flow)) return [];
  const found = (field: string, text: string, taken: readonly string[]): readonly EmergencyProblem[] =>
    taken.length === 0
      ? []
      : [
          {
            rule: 'emergency-shadowed',
            field,
            message: `${JSON.stringify(text)} takes emergency calls (${taken.join(', ')}): whoever dials that number reaches this callflow and no help`,
          },
        ];
  return [
    ...textsIn(record.numbers).flatMap((text, index) => {
      const dialed = dialledDigits(text);
      return found(`numbers.${index}`, text, emergency.includes(dialed) ? [dialed] : []);
    }),
    ...textsIn(record.patterns).flatMap((text, index) => {
      const pattern = compiled(text);
      const taken = emergency.filter((number) => pattern?.test(number));
      return found(`patterns.${index}`, text, taken);
    }),
  ];
}

/** True if the first step that does more than prepare the call hands it to a carrier. */
function leadsToCarrier(flow: Json | undefined): boolean {
  let step = flow;
  for (let steps = 0; isObject(step) && steps < 100; steps += 1) {
    if (typeof step.module === 'string' && toCarriers.has(step.module)) return true;
    if (moduleOf(step)?.end !== 'prepares') return false;
    step = valueAt(step, 'children._');
  }
  return false;
}

/** Rules of a dial plan that make another number of an emergency number. */
function changedNumbers(plan: Json | undefined, emergency: readonly string[]): readonly EmergencyProblem[] {
  if (!isObject(plan)) return [];
  return Object.entries(plan).flatMap(([pattern, rule]) => {
    if (pattern === 'system' || !isObject(rule)) return [];
    const changed = emergency.flatMap((number) => {
      const groups = compiled(pattern)?.groups(number);
      const dialed = groups && `${rule.prefix ?? ''}${groups[0] ?? number}${rule.suffix ?? ''}`;
      return dialed === undefined || dialed === number ? [] : [`${number} to ${dialed}`];
    });
    if (changed.length === 0) return [];
    const message = `the rule ${JSON.stringify(pattern)} changes emergency calls (${changed.join(', ')})`;
    return [{ rule: 'emergency-shadowed', field: `dial_plan.${pattern.replaceAll('.', '%2E')}`, message }];
  });
}
