import { type JsonObject, valueAt } from '../../../../base/json.ts';
import { toStoredNumber } from '../../../../contract/phone-number.ts';
import { callerIdFor, emergencyCallerId } from '../callers.ts';
import { carriersFor, tryCarriers } from '../carriers.ts';
import type { Task } from '../clock.ts';
import {
  type CallModules,
  type CallRoute,
  causeKey,
  dataOf,
  type FlowOutcome,
  type FlowStep,
  playSound,
  stop,
  takeBranch,
} from '../outcome.ts';
import { applyDialPlan } from '../parties.ts';
import { booleanOr, filledTexts, nonEmptyText, numberOr } from '../records.ts';
import { connectCaller } from '../ring.ts';
import { recordEvent } from '../run.ts';
import { startCalledRecording } from './recordings.ts';
import { hearRinging, outcomeAfterCall, ringAndConnect, sentHeaders } from './ringing.ts';

const sip = 'it only changes SIP messages';

function* callOut(route: CallRoute, step: FlowStep, isGlobal: boolean): Task<FlowOutcome> {
  const { run, records } = route;
  const data = dataOf(step);
  const number = numberOf(route, data);
  const hunts = nonEmptyText(data.hunt_account_id) !== undefined;
  const owning = isGlobal && !hunts ? records.account.owning?.(number) : undefined;
  if (owning) return yield* callOtherAccount(route, step, number, data);
  const flags = [
    ...filledTexts(data.outbound_flags),
    ...[route.party.user, route.party.device, route.party.account].flatMap((each) =>
      filledTexts(each?.outbound_flags),
    ),
  ];
  const choices = carriersFor(route, number, { isGlobal, flags });
  const isEmergency = choices.some((each) => each.isEmergency);
  if (isEmergency)
    recordEvent(run, {
      kind: 'hook',
      hook: 'emergency_bridge',
      facts: { number, caller_id_number: emergencyCallerId(route).number ?? '' },
    });
  const callerId = isEmergency ? emergencyCallerId(route) : callerIdFor(route, 'carrier', callerIdKind(data));
  hearRinging(route, data);
  const rung = yield* tryCarriers(route, choices, {
    facts: sentHeaders(data),
    number,
    callerId,
    isEmergency,
    timeout: numberOr(data.timeout, 0),
  });
  if ('answered' in rung) {
    startCalledRecording(route, rung.answered);
    yield* connectCaller(route, rung.answered);
    return yield* outcomeAfterCall(route);
  }
  return yield* failBranch(route, step, rung.failed);
}

const callerIdKind = ({ caller_id_type: kind }: JsonObject): 'internal' | 'external' | 'emergency' =>
  kind === 'internal' || kind === 'emergency' ? kind : 'external';

/** Leaves the step through the branch of the cause. Carriers have no `_` branch, so otherwise the call ends. */
function* failBranch(route: CallRoute, step: FlowStep, cause: string): Task<FlowOutcome> {
  const key = causeKey(step, cause);
  if (key !== undefined) return takeBranch(key, `No carrier accepted the call: ${cause}.`);
  if (valueAt(step.node, 'children._') === undefined)
    yield* playSound(route, announcements[cause] ?? 'fault-can_not_be_completed_at_this_time');
  return stop(`No carrier accepted the call: ${cause}.`, cause);
}

const announcements: Readonly<Record<string, string>> = {
  UNALLOCATED_NUMBER: 'fault-can_not_be_completed_as_dialed',
  NO_ROUTE_DESTINATION: 'fault-can_not_be_completed_as_dialed',
  USER_BUSY: 'busy tone',
};

function numberOf(route: CallRoute, data: JsonObject): string {
  const own = nonEmptyText(data.to_did);
  if (own !== undefined) return toStoredNumber(own);
  if (booleanOr(data.do_not_normalize, false) || booleanOr(data.bypass_e164, false)) return route.req;
  return applyDialPlan(route.party, route.req);
}

/** Sends the call directly to a number of another account, without a carrier. */
function* callOtherAccount(
  route: CallRoute,
  step: FlowStep,
  number: string,
  data: JsonObject,
): Task<FlowOutcome> {
  const rung = yield* ringAndConnect(
    route,
    { kind: 'account', number },
    { timeout: numberOr(data.timeout, 0) },
  );
  return 'answered' in rung ? yield* outcomeAfterCall(route) : yield* failBranch(route, step, rung.failed);
}

const common = {
  simulated:
    'to_did timeout outbound_flags do_not_normalize bypass_e164 use_local_resources caller_id_type custom_sip_headers ringback',
  named: {
    dynamic_flags: 'dynamic flags are not simulated',
    hunt_account_id: 'carriers of other accounts are not read',
    ignore_early_media: 'what the caller hears before the answer is not simulated',
  },
  none: {
    emit_account_id: sip,
    format_from_uri: sip,
    from_uri_realm: sip,
    resource_type: 'it only applies to text messages',
  },
};

export const carrierModules: CallModules = {
  offnet: {
    ...common,
    simulated: common.simulated.replace('use_local_resources ', ''),
    none: { ...common.none, use_local_resources: 'offnet never uses carriers of the account' },
    run: (route, step) => callOut(route, step, true),
  },
  resources: {
    ...common,
    run: (route, step) => callOut(route, step, !booleanOr(dataOf(step).use_local_resources, true)),
  },
};
