import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { newEventId, publish } from '../events/queue-events.ts';
import type { Services } from '../services.ts';
import { type AccountRecords, calledName } from '../telephony/account-records.ts';
import { callPut, forgetOver } from '../telephony/ongoing-calls.ts';
import { gregorianSeconds } from '../timestamps.ts';
import { endCall, eventOf } from './call-ending.ts';
import { CallLimits } from './call-limits.ts';
import type { CallRequest } from './call-request.ts';
import { callOut } from './doors.ts';
import { notSimulated } from './not-simulated.ts';
import { callerLeg, type Route, routeOf } from './routing.ts';
import type { End, PathStep, Simulation } from './simulation.ts';
import { Timeline } from './timeline.ts';
import { type Walk, walk } from './walk.ts';

/** The way of a call that no callflow takes: to the public network. */
function walkOut(call: Simulation, to: string): Walk {
  const outcome = callOut(call, to);
  const step: PathStep = {
    ...{ key: undefined, label: `outside ${JSON.stringify(to)}`, module: undefined, id: undefined },
    ...{ at: 0, note: outcome.note },
  };
  const words = `${to} ${outcome.note ?? 'was not reached'}`;
  const end: End = 'end' in outcome ? outcome.end : { kind: 'hangup', cause: call.cause, words };
  return { path: [step], end, met: [], passedOver: [] };
}

const asJson = ({ key, label, module, id, at, note }: PathStep): JsonObject => ({
  ...(key === undefined ? {} : { key }),
  label,
  ...(module === undefined ? {} : { module }),
  ...(id === undefined ? {} : { id }),
  at_seconds: at,
  ...(note === undefined ? {} : { note }),
});

const matchOf = ({ match }: Route): JsonObject =>
  match
    ? {
        matched: { by: match.by, text: match.text },
        callflow: { id: match.callflow.id, name: calledName(match.callflow) },
      }
    : {};

/** Begins a call within the limits of the account. Throws `Failure` (`refused`) where they allow no further one. */
async function begin(
  services: Services,
  route: Route,
  request: CallRequest,
  now: number,
): Promise<Simulation> {
  const { records, caller, match, to } = route;
  const limits = await CallLimits.of(services.store, records.account, now);
  if (records.account.body.enabled === false)
    throw new Failure('refused', `The account ${calledName(records.account)} is disabled.`);
  const refused = limits.noFurtherCall() ?? (caller.user ? undefined : limits.take('inbound'));
  if (refused !== undefined) throw limits.refusal(refused);
  const timeline = new Timeline();
  const leg = callerLeg(services, route);
  timeline.create(leg, 0);
  return {
    ...{ services, request: { ...request, to }, records, caller, match, limits, timeline, leg },
    ...{ now: 0, digits: [...request.digits], cause: 'NO_ANSWER' },
  };
}

/**
 * Simulates a call from somebody to a number: through the callflow of the account that has it, within the account's
 * limits. All is computed at once; the call is under way until its end on the sandbox's clock. Events are published
 * in order, at once or (`realTime`) each when it happens. Throws `Failure`: `not_found` where nothing answers,
 * `refused` where the limits allow no further call.
 */
export async function simulateCall(
  services: Services,
  own: AccountRecords,
  request: CallRequest,
): Promise<JsonObject> {
  const startedMs = services.clock.now();
  const startedAt = gregorianSeconds(services.clock);
  const route = await routeOf(services, own, request);
  const { caller, match, to } = route;
  const { account } = route.records;
  const call = await begin(services, route, request, startedAt);
  const { timeline, leg, limits } = call;
  const walked = match ? await walk(call, match.callflow) : walkOut(call, to);
  const { path, end } = walked;
  const ending = await endCall(call, end, startedAt);
  const facts = { account, startedAt, inception: caller.user ? undefined : to };
  const legEvents = timeline.moments.map((moment) =>
    eventOf(
      moment,
      newEventId(services.random),
      facts,
      request.realTime ? startedMs + moment.at * 1000 : undefined,
    ),
  );
  const events = [...legEvents, ...ending.events];
  const underWay = callPut(account.id, {
    callId: leg.callId,
    startedAt,
    endsAt: startedAt + call.now,
    body: { from: caller.number, to, trunks: limits.taken, ...ending.kept },
  });
  const over = await forgetOver(services.store, account.id, startedAt);
  if (!request.dryRun) await publish(services, events, [...ending.changes, underWay, ...over]);
  return {
    call_id: leg.callId,
    account_id: account.id,
    account_name: calledName(account),
    from: caller.number,
    to,
    ...matchOf(route),
    path: path.map(asJson),
    ...ending.facts,
    words: ending.words,
    not_simulated: await notSimulated(call, walked),
    ...(call.digits.length > 0 ? { digits_left: call.digits } : {}),
    ...timeline.lasted(leg),
    legs: timeline.legs.map(({ callId, direction, destination, ownerId }) => ({
      ...{ call_id: callId, direction, destination },
      ...(ownerId === undefined ? {} : { owner_id: ownerId }),
    })),
    trunks: limits.taken,
    ends_at: new Date(startedMs + call.now * 1000).toISOString(),
    events: events.map(({ id, hook, payload }) => ({ id, hook, payload })),
  };
}
