import type { JsonObject } from '../../../base/json.ts';
import { shownTo } from './callers.ts';
import { awaited, type Task } from './clock.ts';
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

/** What came of ringing. */
export type RingResult = { readonly answered: Leg } | { readonly failed: Cause };

export interface Ringing {
  readonly end: (cause: Cause) => void;
  /** Called when the time is over; returns whether something else rings, for as long again. */
  readonly expire: () => boolean;
}

export type ReportRinging = (rung: RingResult) => void;

/** How all are rung. */
export interface RingingHow {
  readonly timeout: number;
  /** The first who is busy or declines ends the ringing of all. */
  readonly failsOnReject?: boolean;
  readonly facts?: JsonObject | undefined;
}

/** Why phones stop to ring for a leg: something else took it, it ended, or the forward that it is part of did. */
export const causeOfStop = ({ ended, loop, cause = 'LOSE_RACE' }: Leg): Cause =>
  ended === undefined || loop ? cause : 'ORIGINATOR_CANCEL';

const nothing: Ringing = { end: () => {}, expire: () => false };

/** Rings until somebody answers, all fail, or the time is over. The caller's leg is not answered by it. */
export function* ring(route: CallRoute, endpoint: Endpoint, how: RingingHow): Task<RingResult> {
  const { clock } = route.run;
  return yield* awaited<RingResult>((give) => {
    let isOver = false;
    let cancel = (): void => {};
    const report: ReportRinging = (rung) => {
      if (isOver) return;
      isOver = true;
      cancel();
      give(rung);
    };
    const ringing = begin(route, endpoint, how, report);
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

function begin(route: CallRoute, endpoint: Endpoint, how: RingingHow, report: ReportRinging): Ringing {
  switch (endpoint.kind) {
    case 'phone':
      return delayed(route.run, endpoint.delay, () => ringPhone(route, endpoint, how, report));
    case 'forward':
      return delayed(route.run, endpoint.delay, () => ringForward(route, endpoint, how, report));
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

function delayed(run: CallRun, delay: number, start: () => Ringing): Ringing {
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
    callerId: shownTo(route, 'device'),
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
    ifRinging(run, after, leg, () => {
      answer(run, leg);
      report({ answered: leg });
    });
  if (behaviour.does === 'declines')
    ifRinging(run, declinesAfter, leg, () => endLeg(run, leg, 'CALL_REJECTED'));
  if (limit > 0) ifRinging(run, limit, leg, () => endLeg(run, leg, 'ALLOTTED_TIMEOUT'));
  leg.onEnd.push((cause) => report({ failed: cause }));
  return { end: (cause) => endLeg(run, leg, cause), expire: () => false };
}

/** Facts that earlier steps set for the legs that are called. */
const calledFacts = ({ exported, alertInfo, isAutoAnswered, isForwarded }: CallRoute): JsonObject => ({
  ...(exported && { custom_application_vars: exported }),
  ...(alertInfo !== undefined && { alert_info: alertInfo }),
  ...(isAutoAnswered && { auto_answer: true }),
  ...(isForwarded && { call_forward: true }),
});

/** Does something after a time, if the leg still rings then. */
export function ifRinging(run: CallRun, seconds: number, leg: Leg, act: () => void): void {
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
    parts[index] = begin(route, endpoint, how, (rung) => {
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
    part = begin(route, endpoint, how, (rung) => {
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
    part = begin(route, second, how, report);
  };
  const started = begin(route, first, how, (rung) => {
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

/** Connects the caller with who answered, and waits until they are no longer connected. */
export function* talk(route: CallRoute, leg: Leg): Task<void> {
  const { run } = route;
  const place = ringPlace(route, leg);
  setPlace(run, route.leg, place);
  const seconds = Math.round((leg.answered ?? leg.began) - leg.began);
  // Behind a forward the step that rang says it.
  if (route.step && !leg.loop)
    route.step.why = `${leg.carrier === undefined ? (place.name ?? leg.to) : leg.to} answers after ${seconds} s.`;
  answer(run, route.leg);
  yield* connected(run, route.leg, leg);
}

/** Connects a leg with another one, and waits until they are no longer connected. */
export function* connected(run: CallRun, leg: Leg, other: Leg): Task<void> {
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
  return personAt(route.records, leg);
}

export function personAt(records: CallRecords, leg: Leg): CallerPlace {
  const user = records.get('users', leg.user);
  const device = records.get('devices', leg.device);
  const name = user ? nameByKind('users', user) : device ? nameByKind('devices', device) : undefined;
  return { in: 'person', name };
}
