import { valueAt } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import { classify } from '../telephony/classifiers.ts';
import { legOut, ringLegs } from './ring-legs.ts';
import type { Outcome, Simulation } from './simulation.ts';

const rings = 30;

/** Whether the account or the caller may not call a number of that kind. */
function isDenied({ records, caller }: Simulation, kind: string): boolean {
  return [records.account, caller.user].some(
    (each) => each && valueAt(each.body, `call_restriction.${kind}.action`) === 'deny',
  );
}

/** Calls a number of the public network, where everybody answers unless the call is told otherwise. */
export function callOut(call: Simulation, number: string): Outcome {
  const kind = textAt(classify(number), 'name') ?? 'unknown';
  if (isDenied(call, kind)) {
    call.cause = 'OUTGOING_CALL_BARRED';
    return { go: '_', note: `calls of the kind ${kind} are denied` };
  }
  const refused = call.limits.take('outbound');
  if (refused !== undefined) throw call.limits.refusal(refused);
  const other = ringLegs(call, [{ leg: legOut(call, number), delay: 0 }], rings);
  if (other) return { end: { kind: 'talk', other, words: `Answered by ${number}` }, note: 'answers' };
  return { go: call.cause, note: call.cause === 'USER_BUSY' ? 'is busy' : 'does not answer' };
}
