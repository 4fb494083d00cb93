import type { JsonObject } from '../../../base/json.ts';
import { callerIdFor } from './callers.ts';
import { type Task, waitForValue } from './clock.ts';
import { behaviourAt, type Endpoint, hasCallWaiting } from './endpoints.ts';
import { ringAccount, ringForward } from './forward.ts';
import type { CallRoute } from './outcome.ts';
import { type CallRecords, nameByKind, recordId } from './records.ts';
import {
  answer,
  beginLeg,
  bridge,
  type CallerPlace,
  type CallRun,
  endLeg,
  type Leg,
  setPlace,
} from './run.ts';
import type { Cause } from './types.ts';

export type RingResult = { readonly answered: Leg } | { readonly failed: Cause };

export interface Ringing {
  readonly end: (cause: Cause) => void;
  /** Runs at the time limit. Returns true if another target rings for the same time. */
  readonly expire: () => boolean;
}

export type ReportRinging = (rung: RingResult) => void;

export interface RingingHow {
  readonly timeout: number;
  /** If true, a target that is busy or declines stops all ringing. */
  readonly failsOnReject?: boolean;
  readonly facts?: JsonObject | undefined;
}

/** Returns why the phones of a leg stop ringing: another leg answered, or the leg or its forward ended. */
export const causeOfStop = ({ ended, loop, cause = 'LOSE_RACE' }: Leg): Cause =>
  ended === undefined || loop ? cause : 'ORIGINATOR_CANCEL';

const nothing: Ringing = { end: () => {}, expire: () => false };

/** Rings until a target answers, all fail, or the time limit is reached. Does not answer the caller's leg. */
export function* ring(route: CallRoute, endpoint: Endpoint, how: RingingHow): Task<RingResult> {
  const { clock } = route.run;
  return yield* waitForValue<RingResult>((give) => {
    let isOver = false;
    let cancel = (): void => {};
    const report: ReportRinging = (rung) => {
      if (isOver) return;
      isOver = true;
      cancel();
      give(rung);
    };
    const ringing = startRinging(route, endpoint, how, report);
    const expire = (): void => {
      if (isOver) return;
      if (ringing.expire()) cancel = clock.at(clock.now() + how.timeout, expire);
      else {
        isOver = true;
        ringing.end('NO_ANSWER');
        give({ failed: 'NO_ANSWER' });
      }
    };
    if (!isOver && how.timeout > 0) cancel = clock.at(clock.now() + how.timeout, expire);
    return () => {
      isOver = true;
      cancel();
      ringing.end(causeOfStop(route.leg));
    };
  });
}

function startRinging(route: CallRoute, endpoint: Endpoint, how: RingingHow, report: ReportRinging): Ringing {
  switch (endpoint.kind) {
    case 'phone':
      return ringAfter(route.run, endpoint.delay, () => ringPhone(route, endpoint, how, report));
    case 'forward':
      return ringAfter(route.run, endpoint.delay, () => ringForward(route, endpoint, how, report));
    case 'account':
      return ringAccount(route, endpoint.number, report);
    case 'all':
      return ringAll(route, endpoint.of, how, report);
    case 'each':
      return ringEach(route, endpoint.of, how, report);
    case 'failover':
      return ringFailover(route, endpoint, how, report);
  }
}

function ringAfter(run: CallRun, delay: number, start: () => Ringing): Ringing {
  if (delay <= 0) return start();
  let ringing = nothing;
  const cancel = run.clock.at(run.clock.now() + delay, () => {
    ringing = start();
  });
  return {
    end(cause) {
      cancel();
      ringing.end(cause);
    },
    expire: () => ringing.expire(),
  };
}

export const declinesAfter = 2;

function ringPhone(
  route: CallRoute,
  { device, party, limit }: Extract<Endpoint, { kind: 'phone' }>,
  how: RingingHow,
  report: ReportRinging,
): Ringing {
  const { run } = route;
  const id = recordId(device);
  const behaviour = behaviourAt(run, device);
  if (behaviour.does === 'not registered') {
    report({ failed: 'SUBSCRIBER_ABSENT' });
    return nothing;
  }
  const isInCall = run.legs.some(
    (leg) => leg.device === id && leg.answered !== undefined && leg.ended === undefined,
  );
  const isBusy =
    behaviour.does === 'busy' ||
    ((isInCall || (run.input.inCalls?.has(id) ?? false)) && !hasCallWaiting(party));
  const leg = beginLeg(run, {
    side: 'B',
    call: route.leg.call,
    device: id,
    user: party.user && recordId(party.user),
    to: route.req,
    callerId: callerIdFor(route, 'device'),
    facts: { ...how.facts, ...calledFacts(route) },
  });
  if (isBusy) {
    endLeg(run, leg, 'USER_BUSY');
    report({ failed: 'USER_BUSY' });
    return nothing;
  }
  const doesAnswer = behaviour.does === 'answers' || (route.isAutoAnswered ?? false);
  const after = behaviour.does === 'answers' && !route.isAutoAnswered ? behaviour.after : 0;
  if (doesAnswer)
    afterIfRinging(run, after, leg, () => {
      answer(run, leg);
      report({ answered: leg });
    });
  if (behaviour.does === 'declines')
    afterIfRinging(run, declinesAfter, leg, () => endLeg(run, leg, 'CALL_REJECTED'));
  if (limit > 0) afterIfRinging(run, limit, leg, () => endLeg(run, leg, 'ALLOTTED_TIMEOUT'));
  leg.onEnd.push((cause) => report({ failed: cause }));
  return { end: (cause) => endLeg(run, leg, cause), expire: () => false };
}

const calledFacts = ({ exported, alertInfo, isAutoAnswered, isForwarded }: CallRoute): JsonObject => ({
  ...(exported && { custom_application_vars: exported }),
  ...(alertInfo !== undefined && { alert_info: alertInfo }),
  ...(isAutoAnswered && { auto_answer: true }),
  ...(isForwarded && { call_forward: true }),
});

/** Runs `act` after some seconds if the leg is still ringing. */
export function afterIfRinging(run: CallRun, seconds: number, leg: Leg, act: () => void): void {
  const cancel = run.clock.at(run.clock.now() + seconds, () => {
    if (leg.ended === undefined && leg.answered === undefined) act();
  });
  leg.onEnd.push(cancel);
}

function ringAll(route: CallRoute, of: readonly Endpoint[], how: RingingHow, report: ReportRinging): Ringing {
  const parts: (Ringing | undefined)[] = of.map(() => undefined);
  let left = of.length;
  let isOver = false;
  const endOthers = (winner: number, cause: Cause): void => {
    for (const [index, part] of parts.entries()) if (index !== winner) part?.end(cause);
  };
  if (left === 0) report({ failed: 'SUBSCRIBER_ABSENT' });
  for (const [index, endpoint] of of.entries()) {
    if (isOver) break;
    parts[index] = startRinging(route, endpoint, how, (rung) => {
      if (isOver) return;
      if ('answered' in rung) {
        isOver = true;
        endOthers(index, 'LOSE_RACE');
        report(rung);
        return;
      }
      left -= 1;
      const isReject = rung.failed === 'USER_BUSY' || rung.failed === 'CALL_REJECTED';
      if (left > 0 && !(how.failsOnReject && isReject)) return;
      isOver = true;
      endOthers(index, rung.failed);
      report(rung);
    });
  }
  return {
    end(cause) {
      isOver = true;
      for (const part of parts) part?.end(cause);
    },
    expire: () => parts.map((part) => part?.expire() ?? false).includes(true),
  };
}

function ringEach(
  route: CallRoute,
  of: readonly Endpoint[],
  how: RingingHow,
  report: ReportRinging,
): Ringing {
  let part = nothing;
  let isOver = false;
  const from = (index: number, last: Cause): void => {
    const endpoint = of[index];
    if (endpoint === undefined) {
      isOver = true;
      report({ failed: last });
      return;
    }
    part = startRinging(route, endpoint, how, (rung) => {
      if (isOver) return;
      if ('answered' in rung) {
        isOver = true;
        report(rung);
      } else from(index + 1, rung.failed);
    });
  };
  from(0, 'SUBSCRIBER_ABSENT');
  return {
    end(cause) {
      isOver = true;
      part.end(cause);
    },
    expire: () => part.expire(),
  };
}

function ringFailover(
  route: CallRoute,
  { first, second }: Extract<Endpoint, { kind: 'failover' }>,
  how: RingingHow,
  report: ReportRinging,
): Ringing {
  let isSecond = false;
  let part = nothing;
  const next = (): void => {
    isSecond = true;
    part = startRinging(route, second, how, report);
  };
  const started = startRinging(route, first, how, (rung) => {
    if (isSecond) return;
    if ('answered' in rung) {
      isSecond = true;
      report(rung);
    } else next();
  });
  if (!isSecond) part = started;
  return {
    end(cause) {
      isSecond = true;
      part.end(cause);
      started.end(cause);
    },
    expire() {
      if (isSecond) return false;
      isSecond = true;
      started.end('NO_ANSWER');
      next();
      return true;
    },
  };
}

/** Connects the caller with the answering leg, and waits until they are disconnected. */
export function* connectCaller(route: CallRoute, leg: Leg): Task<void> {
  const { run } = route;
  const place = ringPlace(route, leg);
  setPlace(run, route.leg, place);
  const seconds = Math.round((leg.answered ?? leg.began) - leg.began);
  // A forward is reported by the step that rang it.
  if (route.step && !leg.loop)
    route.step.why = `${leg.carrier === undefined ? (place.name ?? leg.to) : leg.to} answers after ${seconds} s.`;
  answer(run, route.leg);
  yield* connectLegs(run, route.leg, leg);
}

/** Connects two legs and waits until they are disconnected. */
export function* connectLegs(run: CallRun, leg: Leg, other: Leg): Task<void> {
  yield (resume) => {
    leg.whenAlone = resume;
    bridge(run, leg, other);
    return () => {
      leg.whenAlone = undefined;
    };
  };
}

function ringPlace(route: CallRoute, leg: Leg): CallerPlace {
  if (leg.loop) return route.run.places.get(leg.loop) ?? { in: 'nobody' };
  if (leg.carrier !== undefined) return { in: 'carrier', name: leg.carrier };
  return placeOfLeg(route.records, leg);
}

export function placeOfLeg(records: CallRecords, leg: Leg): CallerPlace {
  const user = records.get('users', leg.user);
  const device = records.get('devices', leg.device);
  const name = user ? nameByKind('users', user) : device ? nameByKind('devices', device) : undefined;
  return { in: 'person', name };
}
