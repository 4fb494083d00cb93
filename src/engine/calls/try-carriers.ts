import type { Json } from '../../base/json.ts';
import type { CarrierChoice } from './carriers.ts';
import { awaited, type Task } from './clock.ts';
import { allowed } from './limits.ts';
import type { Route } from './outcome.ts';
import type { ShownId } from './parties.ts';
import { idOf } from './records.ts';
import { causeOfStop, type Rung } from './ring.ts';
import { answer, beginLeg, endLeg, type Leg } from './run.ts';
import type { Cause } from './types.ts';

interface CallingOut {
  readonly number: string;
  readonly callerId: ShownId;
  readonly isEmergency: boolean;
  readonly facts?: Readonly<Record<string, Json>>;
  /** Seconds for all of them; 0: the longest that the service waits. */
  readonly timeout: number;
}

/** Seconds in which a carrier must say that it rings. */
const progressSeconds = 8;
/** Seconds after which a call that nobody answers is given up. */
const longestWait = 120;
const declinesAfter = 2;

/** Tries carriers one after another. The first that answers has the call; else the cause of the last one stands. */
export function* tryCarriers(route: Route, choices: readonly CarrierChoice[], how: CallingOut): Task<Rung> {
  const { clock } = route.run;
  const end = clock.now() + (how.timeout > 0 ? how.timeout : longestWait);
  let cause: Cause = 'NO_ROUTE_DESTINATION';
  for (const choice of choices) {
    const seconds = end - clock.now();
    if (seconds <= 0) break;
    const rung = yield* tryOne(route, choice, how, seconds);
    if ('answered' in rung) return rung;
    cause = rung.failed;
  }
  return { failed: cause };
}

function* tryOne(route: Route, choice: CarrierChoice, how: CallingOut, seconds: number): Task<Rung> {
  const { run } = route;
  const { clock, input } = run;
  const { number, callerId, isEmergency } = how;
  const leg = beginLeg(run, {
    side: 'B',
    call: route.leg.call,
    carrier: choice.name,
    to: choice.dials,
    callerId,
    facts: {
      ...how.facts,
      resource_id: choice.id,
      e164_destination: number,
      original_number: route.req,
      ...(choice.isGlobal ? { global_resource: true } : {}),
      ...(isEmergency ? { emergency_resource: true } : {}),
      ...(choice.isAssumed ? { assumed: true } : {}),
      ...(route.isForwarded ? { call_forward: true } : {}),
      ...(route.isForwarded && route.party.user ? { owner_id: idOf(route.party.user) } : {}),
    },
  });
  const refusal = isEmergency ? undefined : allowed(run, leg, 'outbound', number, choice.isGlobal);
  if (refusal !== undefined) {
    endLeg(run, leg, refusal);
    return { failed: refusal };
  }
  const behaviour = input.people.get(choice.id) ?? input.people.get(number) ?? input.others;
  if (behaviour.does === 'busy') {
    endLeg(run, leg, 'USER_BUSY');
    return { failed: 'USER_BUSY' };
  }
  return yield* awaited<Rung>((give) => {
    const later = (after: number, act: () => void): void => {
      const cancel = clock.at(clock.now() + after, () => {
        if (leg.ended === undefined && leg.answered === undefined) act();
      });
      leg.onEnd.push(cancel);
    };
    leg.onEnd.push((cause) => give({ failed: cause }));
    if (behaviour.does === 'answers')
      later(behaviour.after, () => {
        answer(run, leg);
        give({ answered: leg });
      });
    if (behaviour.does === 'declines') later(declinesAfter, () => endLeg(run, leg, 'CALL_REJECTED'));
    if (behaviour.does === 'not registered')
      later(progressSeconds, () => endLeg(run, leg, 'PROGRESS_TIMEOUT'));
    later(seconds, () => endLeg(run, leg, how.timeout > 0 ? 'NO_ANSWER' : 'NORMAL_TEMPORARY_FAILURE'));
    return () => endRinging(route, leg);
  });
}

function endRinging({ run, leg }: Route, ringing: Leg): void {
  endLeg(run, ringing, causeOfStop(leg));
}
