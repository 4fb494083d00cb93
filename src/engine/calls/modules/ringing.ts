import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
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
  type CallModule,
  dataOf,
  enter,
  type FlowStep,
  failed,
  type Outcome,
  on,
  type Route,
  stop,
} from '../outcome.ts';
import { storedId } from '../parties.ts';
import { amount, captured, flagOf, said, texts } from '../records.ts';
import { type Rung, ring, talk } from '../ring.ts';
import { answer, heard, setPlace } from '../run.ts';
import { stay } from '../waiting.ts';
import { recordCalled } from './recordings.ts';

const usualTimeout = 20;

/** Seconds for which a step rings: 0 stands for the usual time too. */
const timeoutOf = (data: JsonObject): number => amount(data.timeout, usualTimeout) || usualTimeout;

/** Rings, and connects the caller with who answers. */
export function* ringAndTalk(
  route: Route,
  endpoint: Endpoint,
  how: {
    readonly timeout: number;
    readonly failsOnReject?: boolean;
    readonly facts?: Readonly<Record<string, Json>>;
  },
): Task<Rung> {
  const rung = yield* ring(route, endpoint, how);
  if ('answered' in rung) {
    recordCalled(route, rung.answered);
    yield* talk(route, rung.answered);
  }
  return rung;
}

function* bridgeTo(
  route: Route,
  step: FlowStep,
  endpoint: Endpoint | undefined,
  why: { readonly notRung: () => string; readonly absent?: () => string },
): Task<Outcome> {
  const data = dataOf(step);
  if (!endpoint) return on('_', why.notRung());
  const rung = yield* ringAndTalk(route, endpoint, {
    timeout: timeoutOf(data),
    failsOnReject: flagOf(data.fail_on_single_reject, false),
    ...(isObject(data.custom_sip_headers) ? { facts: { custom_sip_headers: data.custom_sip_headers } } : {}),
  });
  if ('answered' in rung) return yield* afterTalk(route);
  const outcome = failed(step, rung.failed);
  const absent = rung.failed === 'SUBSCRIBER_ABSENT' ? why.absent?.() : undefined;
  return absent === undefined || outcome.go !== 'on' ? outcome : { ...outcome, why: absent };
}

function* ringOne(route: Route, step: FlowStep, kind: 'users' | 'devices'): Task<Outcome> {
  const data = dataOf(step);
  const record = route.records.get(kind, said(data.id) ?? '');
  const endpointOf = kind === 'users' ? userEndpoint : deviceEndpoint;
  return yield* bridgeTo(route, step, record && endpointOf(route, record, dialling(route, data)), {
    notRung: () => whyNotRung(route, kind, record),
    ...(record ? { absent: () => whyAbsent(route, kind, record) } : {}),
  });
}

/** What follows a talk that the called side ended. */
export function* afterTalk(route: Route): Task<Outcome> {
  const { afterBridge, run, records, leg, party, came } = route;
  if (afterBridge?.action === 'park') {
    setPlace(run, leg, { in: 'parked' });
    yield* stay(route);
    return { go: 'leave' };
  }
  if (afterBridge?.action === 'transfer' && afterBridge.target !== undefined) {
    const seed = { records, dialled: afterBridge.target, party, came, isOffnet: false, isAuthorised: true };
    run.clock.at(run.clock.now(), () => run.startRoute(leg, seed));
    return { go: 'leave' };
  }
  return stop();
}

const user: CallModule = {
  simulated: 'id timeout delay can_call_self fail_on_single_reject custom_sip_headers',
  named: { suppress_clid: 'phones show the caller' },
  none: {
    static_invite: 'it changes what stands in messages of SIP alone',
    strategy: 'phones of a user ring at once in this release, whatever it says',
    can_text_self: 'it is about messages',
  },
  run: (route, step) => ringOne(route, step, 'users'),
};

const device: CallModule = {
  simulated: 'id timeout delay can_call_self custom_sip_headers',
  named: { ...user.named },
  none: {
    static_invite: 'it changes what stands in messages of SIP alone',
    dial_strategy: 'a single phone rings',
    can_text_self: 'it is about messages',
  },
  run: (route, step) => ringOne(route, step, 'devices'),
};

/** The tone or medium that the caller hears while it rings. */
export function hearRinging({ run, leg }: Route, data: JsonObject): void {
  const tone = said(data.ringback);
  if (tone !== undefined) heard(run, leg, tone);
}

/** Rings a group again and again, as often as it says. */
function* rounds(
  route: Route,
  step: FlowStep,
  members: () => Endpoint | undefined,
  data: JsonObject,
): Task<Outcome> {
  let cause = '';
  const { ringtones } = data;
  const tone = isObject(ringtones)
    ? said(route.isOffnet ? ringtones.external : ringtones.internal)
    : undefined;
  if (tone !== undefined) route.alertInfo = tone;
  hearRinging(route, data);
  for (let round = 0; round < Math.max(1, amount(data.repeats, 1)); round += 1) {
    const endpoint = members();
    if (!endpoint) return on('_', 'No member of the group can be rung.');
    const rung = yield* ringAndTalk(route, endpoint, {
      timeout: timeoutOf(data),
      failsOnReject: flagOf(data.fail_on_single_reject, false),
    });
    if ('answered' in rung) return yield* afterTalk(route);
    cause = rung.failed;
    const next = failed(step, cause);
    if (next.go === 'on' && next.key !== '_') return next;
  }
  return failed(step, cause);
}

const ringGroup: CallModule = {
  simulated: 'endpoints timeout strategy repeats fail_on_single_reject ringtones ringback',
  none: { ignore_forward: 'it is about phones that redirect calls themselves' },
  *run(route, step) {
    const data = dataOf(step);
    return yield* rounds(route, step, () => groupEndpoint(route, data, dialling(route, {})), data);
  },
};

const group: CallModule = {
  simulated: 'id endpoints timeout strategy repeats fail_on_single_reject ringtones ringback',
  none: { ignore_forward: 'it is about phones that redirect calls themselves' },
  *run(route, step) {
    const data = dataOf(step);
    const id = said(data.id);
    if (id === undefined)
      return yield* rounds(route, step, () => groupEndpoint(route, data, dialling(route, {})), data);
    if (!route.records.get('groups', id)) return on('_', 'There is no such group.');
    answer(route.run, route.leg);
    const members: JsonObject = { ...data, endpoints: [{ endpoint_type: 'group', id }] };
    return yield* rounds(route, step, () => groupEndpoint(route, members, dialling(route, {})), data);
  },
};

const routeToCid: CallModule = {
  simulated: 'cid_types endpoint_types timeout can_call_self delay',
  named: { suppress_clid: 'phones show the caller' },
  none: {
    static_invite: 'it changes what stands in messages of SIP alone',
    can_text_self: 'it is about messages',
  },
  *run(route, step) {
    const data = dataOf(step);
    const kinds = texts(data.cid_types).length > 0 ? texts(data.cid_types) : ['internal'];
    const types = texts(data.endpoint_types);
    const wanted = (type: string): boolean => types.length === 0 || types.includes(type);
    const has = (record: JsonObject): boolean =>
      kinds.some(
        (kind) =>
          (kind === 'internal' || kind === 'external' || kind === 'emergency') &&
          storedId({ account: {}, device: record }, kind).number === route.req,
      );
    const { account } = route.records;
    const how = dialling(route, data);
    const found = [
      ...(wanted('device')
        ? account
            .of('devices')
            .filter(has)
            .map((each) => deviceEndpoint(route, each, how))
        : []),
      ...(wanted('user')
        ? account
            .of('users')
            .filter(has)
            .map((each) => userEndpoint(route, each, how))
        : []),
    ].flatMap((each) => each ?? []);
    return yield* bridgeTo(route, step, found.length === 0 ? undefined : { kind: 'all', of: found }, {
      notRung: () => `Nobody has the caller id ${route.req}.`,
    });
  },
};

const callflow: CallModule = {
  simulated: 'id',
  run(route, step) {
    const flow = route.records.get('callflows', said(dataOf(step).id) ?? '');
    return flow ? enter(route, flow, 'A step leads into it.') : on('_', 'There is no such callflow.');
  },
};

const transfer: CallModule = {
  simulated: 'target',
  named: {
    captures: 'all groups that the pattern names stand in for their names',
    leg: 'the caller is transferred',
    transfer_type: 'the caller is transferred at once',
  },
  run(route, step) {
    const { run, leg, records, party, came } = route;
    const data = dataOf(step);
    const target = said(data.target);
    if (target === undefined) return stop(undefined, 'The step names no target.');
    const dialled = captured(target, route.named, route.capture, texts(data.captures));
    const seed = { records, dialled, party, came, isOffnet: route.isOffnet, isAuthorised: true };
    run.clock.at(run.clock.now(), () => {
      if (leg.ended === undefined) run.startRoute(leg, seed);
    });
    return { go: 'leave' };
  },
};

export const ringingModules = {
  callflow,
  transfer,
  user,
  device,
  ring_group: ringGroup,
  group,
  route_to_cid: routeToCid,
};
