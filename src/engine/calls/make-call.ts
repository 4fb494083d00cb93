import { beginActs, endWhenTalked } from './acts.ts';
import { beginCall } from './callers.ts';
import { recordsOf } from './records.ts';
import { startRoute } from './route.ts';
import { endLeg, type Leg, makeRun, type Run, shownLeg } from './run.ts';
import type { Call, CallEnd, CallInput } from './types.ts';

/** Longest stay of a caller, in seconds. */
const longestCall = 14_400;

/**
 * Makes a call: what happens in an account when somebody calls, by its records, by what people do, by time and chance.
 * The same input gives the same events. One more act in `acts` changes nothing of what happens before it.
 */
export function makeCall(input: CallInput): Call {
  const run = makeRun(input, (made) => (leg, seed) => startRoute(made, leg, seed));
  endWhenTalked(run);
  beginActs(run);
  const caller = beginCall(run, recordsOf(input.account), input.from, input.to, input.flow);
  if (input.hangsUpAfter !== undefined) run.clock.at(input.hangsUpAfter, () => hangUp(run, caller));
  run.clock.at(longestCall, () => {
    for (const leg of run.legs) hangUp(run, leg);
  });
  run.clock.run(longestCall);
  return {
    events: run.events,
    legs: run.legs.map(shownLeg),
    end: endOf(run, caller),
    seconds: run.legs.reduce((last, { ended = 0 }) => Math.max(last, ended), 0),
    notPressed: run.presses,
  };
}

/** A party hangs up: before the answer the caller cancels. */
const hangUp = (run: Run, leg: Leg): void =>
  endLeg(run, leg, leg.answered === undefined ? 'ORIGINATOR_CANCEL' : 'NORMAL_CLEARING');

function endOf(run: Run, caller: Leg): CallEnd {
  const place = run.places.get(caller) ?? { in: 'nobody' };
  const why = run.reasons.get(caller);
  return { ...place, cause: caller.cause ?? 'NORMAL_CLEARING', ...(why === undefined ? {} : { why }) };
}
