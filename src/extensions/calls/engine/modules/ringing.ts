import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import type { Task } from '../clock.ts';
import {
  deviceEndpoint,
  dialling,
  type Endpoint,
  groupEndpoint,
  userEndpoint,
  whyAbsent,
  whyNotRung,
} from '../endpoints.ts';
import {
  type CallModules,
  type CallRoute,
  dataOf,
  enter,
  type FlowOutcome,
  type FlowStep,
  failed,
  leave,
  on,
  stop,
} from '../outcome.ts';
import { storedId } from '../parties.ts';
import { booleanOr, captured, filledTexts, nonEmptyText, numberOr } from '../records.ts';
import { type RingingHow, type RingResult, ring, talk } from '../ring.ts';
import { answer, heard, setPlace } from '../run.ts';
import { stay } from '../waiting.ts';
import { recordCalled } from './recordings.ts';

const suppressed = { suppress_clid: 'phones show the caller' };
const sip = 'it changes what stands in messages of SIP alone';
const texting = 'it is about messages';

const usualTimeout = 20;

/** Seconds for which a step rings: 0 stands for the usual time too. */
const timeoutOf = (data: JsonObject): number => numberOr(data.timeout, usualTimeout) || usualTimeout;

/** Headers that a step sends along to who is called. */
export const sentHeaders = ({ custom_sip_headers: headers }: JsonObject): RingingHow['facts'] =>
  isObject(headers) ? { custom_sip_headers: headers } : {};

/** Rings, and connects the caller with who answers. */
export function* ringAndTalk(route: CallRoute, endpoint: Endpoint, how: RingingHow): Task<RingResult> {
  const rung = yield* ring(route, endpoint, how);
  if ('answered' in rung) {
    recordCalled(route, rung.answered);
    yield* talk(route, rung.answered);
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
  if (!endpoint) return on('_', why.notRung());
  const rung = yield* ringAndTalk(route, endpoint, {
    timeout: timeoutOf(data),
    failsOnReject: booleanOr(data.fail_on_single_reject, false),
    facts: sentHeaders(data),
  });
  if ('answered' in rung) return yield* afterTalk(route);
  const outcome = failed(step, rung.failed);
  const absent = rung.failed === 'SUBSCRIBER_ABSENT' ? why.absent?.() : undefined;
  return absent === undefined || outcome.go !== 'on' ? outcome : { ...outcome, why: absent };
}

function* ringOne(route: CallRoute, step: FlowStep, kind: 'users' | 'devices'): Task<FlowOutcome> {
  const data = dataOf(step);
  const record = route.records.get(kind, nonEmptyText(data.id) ?? '');
  const endpointOf = kind === 'users' ? userEndpoint : deviceEndpoint;
  return yield* bridgeTo(route, step, record && endpointOf(route, record, dialling(route, data)), {
    notRung: () => whyNotRung(route, kind, record),
    ...(record ? { absent: () => whyAbsent(route, kind, record) } : {}),
  });
}

/** What follows a talk that the called side ended. */
export function* afterTalk(route: CallRoute): Task<FlowOutcome> {
  const { afterBridge, run, leg } = route;
  if (afterBridge?.action === 'park') {
    setPlace(run, leg, { in: 'parked' });
    yield* stay(route);
    return leave;
  }
  if (afterBridge?.action === 'transfer' && afterBridge.target !== undefined)
    return dial(route, afterBridge.target, false);
  return stop();
}

/** Takes the caller to another number, as soon as the step is left. */
function dial(
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

/** The tone or medium that the caller hears while it rings. */
export function hearRinging({ run, leg }: CallRoute, data: JsonObject): void {
  const tone = nonEmptyText(data.ringback);
  if (tone !== undefined) heard(run, leg, tone);
}

/** Rings a group again and again, as often as it says. */
function* rounds(route: CallRoute, step: FlowStep, endpoints = dataOf(step).endpoints): Task<FlowOutcome> {
  const data = dataOf(step);
  let cause = '';
  const tone = nonEmptyText(valueAt(data.ringtones, route.isOffnet ? 'external' : 'internal'));
  if (tone !== undefined) route.alertInfo = tone;
  hearRinging(route, data);
  for (let round = 0; round < Math.max(1, numberOr(data.repeats, 1)); round += 1) {
    const endpoint = groupEndpoint(route, { ...data, endpoints }, dialling(route, {}));
    if (!endpoint) return on('_', 'No member of the group can be rung.');
    const rung = yield* ringAndTalk(route, endpoint, {
      timeout: timeoutOf(data),
      failsOnReject: booleanOr(data.fail_on_single_reject, false),
    });
    if ('answered' in rung) return yield* afterTalk(route);
    cause = rung.failed;
    const next = failed(step, cause);
    if (next.go === 'on' && next.key !== '_') return next;
  }
  return failed(step, cause);
}

/** Steps that ring people, and those that lead into another flow or to another number. */
export const ringingModules: CallModules = {
  callflow: {
    simulated: 'id',
    run(route, step) {
      const flow = route.records.get('callflows', nonEmptyText(dataOf(step).id));
      return flow
        ? enter(route, { flow, why: 'A step leads into it.' })
        : on('_', 'There is no such callflow.');
    },
  },
  transfer: {
    simulated: 'target',
    named: {
      captures: 'all groups that the pattern names stand in for their names',
      leg: 'the caller is transferred',
      transfer_type: 'the caller is transferred at once',
    },
    run(route, step) {
      const data = dataOf(step);
      const target = nonEmptyText(data.target);
      if (target === undefined) return stop('The step names no target.');
      return dial(
        route,
        captured(target, route.named, route.capture, filledTexts(data.captures)),
        route.isOffnet,
      );
    },
  },
  user: {
    simulated: 'id timeout delay can_call_self fail_on_single_reject custom_sip_headers',
    named: suppressed,
    none: {
      static_invite: sip,
      strategy: 'phones of a user ring at once in this release, whatever it says',
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
    none: { ignore_forward: 'it is about phones that redirect calls themselves' },
    run: (route, step) => rounds(route, step),
  },
  group: {
    simulated: 'id endpoints timeout strategy repeats fail_on_single_reject ringtones ringback',
    none: { ignore_forward: 'it is about phones that redirect calls themselves' },
    *run(route, step) {
      const id = nonEmptyText(dataOf(step).id);
      if (id === undefined) return yield* rounds(route, step);
      if (!route.records.get('groups', id)) return on('_', 'There is no such group.');
      answer(route.run, route.leg);
      return yield* rounds(route, step, [{ endpoint_type: 'group', id }]);
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
      const wanted = (type: string): boolean => types.length === 0 || types.includes(type);
      const has = (record: JsonObject): boolean =>
        kinds.some(
          (kind) =>
            (kind === 'internal' || kind === 'external' || kind === 'emergency') &&
            storedId({ account: {}, device: record }, kind).number === route.req,
        );
      const { account } = route.records;
      const how = dialling(route, data);
      const devices = wanted('device') ? account.of('devices').filter(has) : [];
      const users = wanted('user') ? account.of('users').filter(has) : [];
      const found = [
        ...devices.flatMap((each) => deviceEndpoint(route, each, how) ?? []),
        ...users.flatMap((each) => userEndpoint(route, each, how) ?? []),
      ];
      return yield* bridgeTo(route, step, found.length === 0 ? undefined : { kind: 'all', of: found }, {
        notRung: () => `Nobody has the caller id ${route.req}.`,
      });
    },
  },
};
