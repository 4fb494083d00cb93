import { callerIdFor } from './callers.ts';
import type { Endpoint } from './endpoints.ts';
import type { CallRoute } from './outcome.ts';
import { storedId } from './parties.ts';
import { booleanOr, nonEmptyText, recordsOf } from './records.ts';
import type { ReportRinging, Ringing, RingingHow } from './ring.ts';
import { beginLoop, endLeg, type Leg, recordHeard, visibleLeg } from './run.ts';

/** Seconds in which the person who answers a forwarded call must press a key. */
const keypressSeconds = 3;

/**
 * Rings the number of a forward. The forwarded call is a separate call in the same account. Extensions run their
 * callflow. Outside numbers go to carriers through the no_match callflow.
 */
export function ringForward(
  route: CallRoute,
  { settings, party, limit }: Extract<Endpoint, { kind: 'forward' }>,
  how: RingingHow,
  report: ReportRinging,
): Ringing {
  const { run } = route;
  const to = nonEmptyText(settings.number) ?? '';
  const keeps = booleanOr(settings.keep_caller_id, true);
  const callerId = keeps ? callerIdFor(route, 'device') : { ...route.came, ...storedId(party, 'external') };
  const { outer, inner } = beginLoop(run, {
    side: 'A',
    call: route.leg.call,
    to,
    callerId,
    facts: how.facts ?? {},
  });
  outer.onEnd.push((cause) => report({ failed: cause }));
  outer.onAnswer.push(() => {
    if (booleanOr(settings.require_keypress, true)) askForKey(route, outer, inner, report);
    else report({ answered: outer });
  });
  if (limit > 0)
    run.clock.at(run.clock.now() + limit, () => {
      if (outer.answered === undefined) endLeg(run, outer, 'ALLOTTED_TIMEOUT');
    });
  run.startRoute(run, inner, {
    records: route.records,
    dialled: to,
    party,
    isOffnet: false,
    isForwarded: true,
    came: callerId,
    retainsId: keeps,
    isAuthorised: true,
  });
  return { end: (cause) => endLeg(run, outer, cause), expire: () => false };
}

/** Rings a number of another account. The call arrives there from outside. */
export function ringAccount(route: CallRoute, number: string, report: ReportRinging): Ringing {
  const { run } = route;
  const owning = route.records.account.owning?.(number);
  if (!owning) {
    report({ failed: 'NO_ROUTE_DESTINATION' });
    return { end: () => {}, expire: () => false };
  }
  const callerId = callerIdFor(route, 'carrier');
  const { outer, inner } = beginLoop(run, { side: 'A', call: route.leg.call, to: number, callerId });
  outer.onEnd.push((cause) => report({ failed: cause }));
  outer.onAnswer.push(() => report({ answered: outer }));
  run.startRoute(run, inner, {
    records: recordsOf(owning),
    dialled: number,
    party: { account: owning.record },
    isOffnet: true,
    came: callerId,
    isAuthorised: false,
  });
  return { end: (cause) => endLeg(run, outer, cause), expire: () => false };
}

/** People who answer a forwarded call press the key, unless a test case says otherwise. Machines do not press it. */
function askForKey(route: CallRoute, outer: Leg, inner: Leg, report: ReportRinging): void {
  const { run } = route;
  run.clock.at(run.clock.now(), () => {
    const person = visibleLeg(inner.partner);
    recordHeard(run, person ?? outer, 'ivr-group_confirm');
    const doesPress = person !== undefined && !pressesNothing(route, person);
    if (doesPress) report({ answered: outer });
    else run.clock.at(run.clock.now() + keypressSeconds, () => endLeg(run, outer, 'CALL_REJECTED'));
  });
}

const pressesNothing = ({ run: { input } }: CallRoute, { device, user, carrier, to }: Leg): boolean =>
  [device, user, to, carrier].some((id) => {
    const behaviour = id === undefined ? undefined : input.people.get(id);
    return behaviour?.does === 'answers' && behaviour.pressesNothing === true;
  });
