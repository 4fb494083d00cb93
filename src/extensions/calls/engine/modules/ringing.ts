import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import type { Task } from '../clock.ts';
import {
  absenceReason,
  deviceEndpoint,
  type Endpoint,
  groupEndpoint,
  ringingOptions,
  userEndpoint,
  whyNotRung,
} from '../endpoints.ts';
import {
  type CallModules,
  type CallRoute,
  dataOf,
  enterFlow,
  type FlowOutcome,
  type FlowStep,
  failWith,
  leave,
  stop,
  takeBranch,
} from '../outcome.ts';
import { storedId } from '../parties.ts';
import { booleanOr, fillCaptures, filledTexts, nonEmptyText, numberOr } from '../records.ts';
import { connectCaller, type RingingHow, type RingResult, ring } from '../ring.ts';
import { answer, recordHeard, setPlace } from '../run.ts';
import { stayInCall } from '../waiting.ts';
import { startCalledRecording } from './recordings.ts';

const suppressed = { suppress_clid: 'it only changes the display of phones' };
const sip = 'it only changes SIP messages';
const texting = 'it only applies to text messages';

const usualTimeout = 20;

/** Returns the ringing time of a step in seconds. 0 selects the default. */
const timeoutOf = (data: JsonObject): number => numberOr(data.timeout, usualTimeout) || usualTimeout;

export const sentHeaders = ({ custom_sip_headers: headers }: JsonObject): RingingHow['facts'] =>
  isObject(headers) ? { custom_sip_headers: headers } : {};

export function* ringAndConnect(route: CallRoute, endpoint: Endpoint, how: RingingHow): Task<RingResult> {
  const rung = yield* ring(route, endpoint, how);
  if ('answered' in rung) {
    startCalledRecording(route, rung.answered);
    yield* connectCaller(route, rung.answered);
  }
  return rung;
}

function* bridgeTo(
  route: CallRoute,
  step: FlowStep,
  endpoint: Endpoint | undefined,
  why: { readonly notRung: () => string; readonly absent?: () => string },
): Task<FlowOutcome> {
  const data = dataOf(step);
  if (!endpoint) return takeBranch('_', why.notRung());
  const rung = yield* ringAndConnect(route, endpoint, {
    timeout: timeoutOf(data),
    failsOnReject: booleanOr(data.fail_on_single_reject, false),
    facts: sentHeaders(data),
  });
  if ('answered' in rung) return yield* outcomeAfterCall(route);
  const outcome = failWith(step, rung.failed);
  const absent = rung.failed === 'SUBSCRIBER_ABSENT' ? why.absent?.() : undefined;
  return absent === undefined || outcome.go !== 'on' ? outcome : { ...outcome, why: absent };
}

function* ringOne(route: CallRoute, step: FlowStep, kind: 'users' | 'devices'): Task<FlowOutcome> {
  const data = dataOf(step);
  const record = route.records.get(kind, nonEmptyText(data.id) ?? '');
  const endpointOf = kind === 'users' ? userEndpoint : deviceEndpoint;
  return yield* bridgeTo(route, step, record && endpointOf(route, record, ringingOptions(route, data)), {
    notRung: () => whyNotRung(route, kind, record),
    ...(record ? { absent: () => absenceReason(route, kind, record) } : {}),
  });
}

/** Returns the outcome of a step after the called side has hung up. */
export function* outcomeAfterCall(route: CallRoute): Task<FlowOutcome> {
  const { afterBridge, run, leg } = route;
  if (afterBridge?.action === 'park') {
    setPlace(run, leg, { in: 'parked' });
    yield* stayInCall(route);
    return leave;
  }
  if (afterBridge?.action === 'transfer' && afterBridge.target !== undefined)
    return transferTo(route, afterBridge.target, false);
  return stop();
}

/** Sends the caller to another number when the step ends. */
function transferTo(
  { run, leg, records, party, came }: CallRoute,
  dialled: string,
  isOffnet: boolean,
): FlowOutcome {
  run.clock.at(run.clock.now(), () => {
    if (leg.ended === undefined)
      run.startRoute(run, leg, { records, dialled, party, came, isOffnet, isAuthorised: true });
  });
  return leave;
}

export function hearRinging({ run, leg }: CallRoute, data: JsonObject): void {
  const tone = nonEmptyText(data.ringback);
  if (tone !== undefined) recordHeard(run, leg, tone);
}

/** Rings a group as many times as its data says. */
function* ringGroup(route: CallRoute, step: FlowStep, endpoints = dataOf(step).endpoints): Task<FlowOutcome> {
  const data = dataOf(step);
  let cause = '';
  const tone = nonEmptyText(valueAt(data.ringtones, route.isOffnet ? 'external' : 'internal'));
  if (tone !== undefined) route.alertInfo = tone;
  hearRinging(route, data);
  for (let round = 0; round < Math.max(1, numberOr(data.repeats, 1)); round += 1) {
    const endpoint = groupEndpoint(route, { ...data, endpoints }, ringingOptions(route, {}));
    if (!endpoint) return takeBranch('_', 'No member of the group can ring.');
    const rung = yield* ringAndConnect(route, endpoint, {
      timeout: timeoutOf(data),
      failsOnReject: booleanOr(data.fail_on_single_reject, false),
    });
    if ('answered' in rung) return yield* outcomeAfterCall(route);
    cause = rung.failed;
    const next = failWith(step, cause);
    if (next.go === 'on' && next.key !== '_') return next;
  }
  return failWith(step, cause);
}

/** Modules that ring people, or that continue in another callflow or at another number. */
export const ringingModules: CallModules = {
  callflow: {
    simulated: 'id',
    run(route, step) {
      const flow = route.records.get('callflows', nonEmptyText(dataOf(step).id));
      return flow
        ? enterFlow(route, { flow, why: 'A step continues in it.' })
        : takeBranch('_', 'The callflow does not exist.');
    },
  },
  transfer: {
    simulated: 'target',
    named: {
      captures: 'every named group of the pattern is replaced',
      leg: 'the caller is transferred',
      transfer_type: 'the caller is transferred immediately',
    },
    run(route, step) {
      const data = dataOf(step);
      const target = nonEmptyText(data.target);
      if (target === undefined) return stop('The step names no target.');
      return transferTo(
        route,
        fillCaptures(target, route.named, route.capture, filledTexts(data.captures)),
        route.isOffnet,
      );
    },
  },
  user: {
    simulated: 'id timeout delay can_call_self fail_on_single_reject custom_sip_headers',
    named: suppressed,
    none: {
      static_invite: sip,
      strategy: 'all phones of a user ring at the same time',
      can_text_self: texting,
    },
    run: (route, step) => ringOne(route, step, 'users'),
  },
  device: {
    simulated: 'id timeout delay can_call_self custom_sip_headers',
    named: suppressed,
    none: { static_invite: sip, dial_strategy: 'a single phone rings', can_text_self: texting },
    run: (route, step) => ringOne(route, step, 'devices'),
  },
  ring_group: {
    simulated: 'endpoints timeout strategy repeats fail_on_single_reject ringtones ringback',
    none: { ignore_forward: 'it only applies to phones that redirect calls' },
    run: (route, step) => ringGroup(route, step),
  },
  group: {
    simulated: 'id endpoints timeout strategy repeats fail_on_single_reject ringtones ringback',
    none: { ignore_forward: 'it only applies to phones that redirect calls' },
    *run(route, step) {
      const id = nonEmptyText(dataOf(step).id);
      if (id === undefined) return yield* ringGroup(route, step);
      if (!route.records.get('groups', id)) return takeBranch('_', 'The group does not exist.');
      answer(route.run, route.leg);
      return yield* ringGroup(route, step, [{ endpoint_type: 'group', id }]);
    },
  },
  route_to_cid: {
    simulated: 'cid_types endpoint_types timeout can_call_self delay',
    named: suppressed,
    none: { static_invite: sip, can_text_self: texting },
    *run(route, step) {
      const data = dataOf(step);
      const kinds = filledTexts(data.cid_types).length > 0 ? filledTexts(data.cid_types) : ['internal'];
      const types = filledTexts(data.endpoint_types);
      const isWantedType = (type: string): boolean => types.length === 0 || types.includes(type);
      const hasNumber = (record: JsonObject): boolean =>
        kinds.some(
          (kind) =>
            (kind === 'internal' || kind === 'external' || kind === 'emergency') &&
            storedId({ account: {}, device: record }, kind).number === route.req,
        );
      const { account } = route.records;
      const how = ringingOptions(route, data);
      const devices = isWantedType('device') ? account.of('devices').filter(hasNumber) : [];
      const users = isWantedType('user') ? account.of('users').filter(hasNumber) : [];
      const found = [
        ...devices.flatMap((each) => deviceEndpoint(route, each, how) ?? []),
        ...users.flatMap((each) => userEndpoint(route, each, how) ?? []),
      ];
      return yield* bridgeTo(route, step, found.length === 0 ? undefined : { kind: 'all', of: found }, {
        notRung: () => `No user or device has the caller id ${route.req}.`,
      });
    },
  },
};
