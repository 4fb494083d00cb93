import { type JsonObject, valueAt } from '../../../base/json.ts';
import { normalisedNumber, toStoredNumber } from '../../../contract/phone-number.ts';
import { beginActs, endAfterConversation, hangUp } from './acts.ts';
import { beginCall } from './callers.ts';
import { pause, type Task } from './clock.ts';
import { startRequiredRecordings } from './modules/recordings.ts';
import { type CallRoute, type FlowStep, firstStep, noteFlow, type RouteSeed } from './outcome.ts';
import { applyDialPlan, classOf, groupsOf, isDenied, isOff } from './parties.ts';
import {
  booleanOr,
  filledTexts,
  findFlow,
  nonEmptyText,
  ownersOf,
  recordId,
  recordsOf,
  wholeNumber,
} from './records.ts';
import {
  answer,
  type CallRun,
  endLeg,
  type Leg,
  makeRun,
  recordHeard,
  reportGap,
  setPlace,
  shownLeg,
} from './run.ts';
import type { Call, CallEnd, CallInput } from './types.ts';
import { runFlowSteps } from './walk.ts';

/** Maximum duration of a call, in seconds. */
const longestCall = 14_400;

/**
 * Simulates a call from the records of an account, the behavior of people, a time and random numbers. The same input
 * gives the same events. An additional act in `acts` does not change earlier events.
 */
export function makeCall(input: CallInput): Call {
  const run = makeRun(input, startRoute);
  endAfterConversation(run);
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
    end: describeEnd(run, caller),
    seconds: run.legs.reduce((last, { ended = 0 }) => Math.max(last, ended), 0),
    notPressed: run.presses,
  };
}

function describeEnd(run: CallRun, caller: Leg): CallEnd {
  const place = run.places.get(caller) ?? { in: 'nobody' };
  const why = run.reasons.get(caller);
  return { ...place, cause: caller.cause ?? 'NORMAL_CLEARING', why };
}

/** Maximum number of routes, which ends endless loops. */
const mostRoutes = 40;

function startRoute(run: CallRun, leg: Leg, seed: RouteSeed): void {
  leg.stop?.();
  run.places.delete(leg);
  run.routes += 1;
  if (run.routes > mostRoutes) {
    reportGap(run, `The simulation stopped because the call reached more than ${mostRoutes} numbers.`);
    endLeg(run, leg, 'NORMAL_CLEARING');
    return;
  }
  leg.stop = run.clock.start(runRoute(run, leg, seed));
}

/** Seconds until a call in progress enters a callflow. */
const sendingSeconds = 1;

function* runRoute(run: CallRun, leg: Leg, seed: RouteSeed): Task<void> {
  if (seed.flow) {
    leg.facts.callflow_id = recordId(seed.flow);
    yield* pause(run.clock, sendingSeconds);
  }
  const { records } = seed;
  const req = toStoredNumber(seed.dialled);
  if (seed.isOffnet && isBlocked(seed)) {
    run.reasons.set(leg, 'The number of the caller is on a blacklist.');
    return endLeg(run, leg, 'CALL_REJECTED');
  }
  if (isOff({ account: records.account.record })) {
    run.reasons.set(leg, 'The account is disabled.');
    return endLeg(run, leg, 'CALL_REJECTED');
  }
  const found = seed.flow
    ? { ...wholeNumber, flow: seed.flow, why: 'The call was sent to it directly.' }
    : findFlow(records, req, seed.isAuthorised);
  if (!found) {
    run.reasons.set(leg, `No callflow matches ${req}.`);
    return endLeg(run, leg, 'NO_ROUTE_DESTINATION');
  }
  const { party, isForwarded = false, retainsId = false, referredBy } = seed;
  const owner = party.device ? ownersOf(party.device)[0] : party.user ? recordId(party.user) : undefined;
  const { capture, named, isNoMatch } = found;
  const route: CallRoute = {
    ...seed,
    run,
    leg,
    isForwarded,
    retainsId,
    req,
    to: req,
    // A forwarded or transferred call may ring the user who forwarded or transferred it.
    owner: isForwarded || referredBy !== undefined ? undefined : owner,
    capture,
    named,
    isNoMatch,
    flow: undefined,
    prefixes: [],
    variables: {},
    collections: {},
    recordings: [],
    stack: [],
    branches: 0,
    atEnd: new Map(),
  };
  leg.onEnd.push((cause) => {
    for (const act of route.atEnd.values()) act(cause);
  });
  leg.facts.callflow_id ??= recordId(found.flow);
  noteFlow(route, found.flow, found.why);
  const first = firstStep(found.flow);
  const refusal = refusalReason(route, first);
  if (refusal !== undefined) return yield* playRefusal(route, refusal);
  startRequiredRecordings(route);
  yield* runFlowSteps(route, withPreflow(route, first));
}

function isBlocked({ records, came }: RouteSeed): boolean {
  const number = came.number ?? '';
  const isAnonymous = number === '' || number === 'anonymous';
  return filledTexts(records.account.record.blacklists).some((id) => {
    const list = records.get('blacklists', id);
    if (!list || !booleanOr(list.enabled, true)) return false;
    if (isAnonymous) return booleanOr(list.should_block_anonymous, false);
    return valueAt(valueAt(list, 'numbers'), normalisedNumber(number)) !== undefined;
  });
}

function withPreflow(route: CallRoute, first: FlowStep | undefined): FlowStep | undefined {
  const flow = route.records.get(
    'callflows',
    nonEmptyText(valueAt(route.records.account.record, 'preflow.always')),
  );
  if (!flow) return first;
  if (first) route.stack.push(first);
  noteFlow(route, flow, 'It is the preflow of the account.');
  return firstStep(flow);
}

/** Returns why the caller is not allowed to make the call. Returns `undefined` if the call is allowed. */
function refusalReason(route: CallRoute, first: FlowStep | undefined): string | undefined {
  const { party, records } = route;
  if (!party.device && !party.user) return undefined;
  if ([party.device, party.account].some((each) => !booleanOr(valueAt(each, 'services.audio.enabled'), true)))
    return 'The phone cannot make calls, because its audio service is disabled.';
  if (
    [party.device, party.user].some(
      (each) => valueAt(each, 'call_restriction.closed_groups.action') === 'deny',
    )
  ) {
    const preflow = nonEmptyText(valueAt(records.account.record, 'preflow.always'));
    const called = preflow === undefined && first ? calledIds(route, first) : [];
    if (called.length > 0) {
      const mine = groupsOf(records, idsOf(party.device, party.user));
      const isShared = [...groupsOf(records, called)].some((group) => mine.has(group));
      return isShared ? undefined : 'The caller can only call members of the same groups.';
    }
  }
  const number = applyDialPlan(party, route.capture ?? route.req);
  const kind = classOf(records.account, number);
  return isDenied(party, kind) ? `The caller cannot call numbers of class ${kind} (${number}).` : undefined;
}

const idsOf = (device: JsonObject | undefined, user: JsonObject | undefined): readonly string[] => [
  ...(device ? [recordId(device), ...ownersOf(device)] : []),
  ...(user ? [recordId(user)] : []),
];

function calledIds({ records }: CallRoute, { node }: FlowStep): readonly string[] {
  const id = nonEmptyText(valueAt(node.data, 'id'));
  if (id === undefined || (node.module !== 'user' && node.module !== 'device')) return [];
  const device = node.module === 'device' ? records.get('devices', id) : undefined;
  return device ? idsOf(device, undefined) : [id];
}

/** Length of the announcement that a call is not allowed, in seconds. */
const refusalSeconds = 5;

function* playRefusal({ run, leg }: CallRoute, why: string): Task<void> {
  answer(run, leg);
  setPlace(run, leg, { in: 'hangup' });
  run.reasons.set(leg, why);
  recordHeard(run, leg, 'cf-unauthorized_call');
  yield* pause(run.clock, refusalSeconds);
  endLeg(run, leg, 'NORMAL_CLEARING');
}
