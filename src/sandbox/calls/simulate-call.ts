import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Met, type Part, unheeded } from '../../contract/call-settings.ts';
import type { ResourceName } from '../../contract/types.ts';
import { publish } from '../events/queue-events.ts';
import { textAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import { type AccountRecords, calledName } from '../telephony/account-records.ts';
import { callPut, forgetOver } from '../telephony/ongoing-calls.ts';
import { endCall, laterEvents, legEventsOf } from './call-ending.ts';
import { CallLimits } from './call-limits.ts';
import type { CallRequest } from './call-request.ts';
import { callOut } from './doors.ts';
import { keepLegs, newInteraction } from './keep-legs.ts';
import { callerLeg, type Route, refusingList, routeOf } from './routing.ts';
import type { End, PathStep, Simulation } from './simulation.ts';
import { Timeline } from './timeline.ts';
import { type Walk, walk } from './walk.ts';
import { recordAsSet } from './wanted-recording.ts';

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

/** A call from outside that a blacklist of the account refuses before any callflow; `undefined` where none does. */
async function refused({ caller, records }: Simulation): Promise<Walk | undefined> {
  const list = caller.user ? undefined : await refusingList(records, caller);
  if (!list) return undefined;
  const step: PathStep = {
    ...{ key: undefined, label: `blacklist ${JSON.stringify(calledName(list))}`, module: undefined },
    ...{ id: list.id, at: 0, note: `refuses ${caller.number}` },
  };
  const end: End = { kind: 'hangup', cause: 'CALL_REJECTED', words: 'Refused by a blacklist' };
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
    ...{ changes: [], now: 0, digits: [...request.digits], recorded: [], cause: 'NO_ANSWER' },
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
  const madeAt = gregorianSeconds(services.clock);
  const route = await routeOf(services, own, request);
  const { caller, match, to } = route;
  const { account } = route.records;
  const call = await begin(services, route, request, madeAt);
  const { timeline, leg, limits } = call;
  const walked = (await refused(call)) ?? (match ? await walk(call, match.callflow) : walkOut(call, to));
  await recordAsSet(call, walked);
  const { path, end } = walked;
  const ending = await endCall(call, end, madeAt);
  const { startedAt } = ending;
  const startedMs = services.clock.now() - (madeAt - startedAt) * 1000;
  const facts = {
    ...{ account, startedAt, inception: caller.user ? undefined : to },
    callflow: match && { id: match.callflow.id, callId: leg.callId },
    ...{ interaction: newInteraction(services, startedAt), firstId: leg.callId },
  };
  const legEvents = legEventsOf(call, facts, startedMs);
  const events = [...legEvents, ...ending.events];
  const underWay = callPut(account.id, {
    callId: leg.callId,
    startedAt,
    endsAt: startedAt + call.now,
    body: {
      ...{ from: caller.number, to, trunks: limits.taken, ...ending.kept },
      ...(request.realTime ? { events: laterEvents(events) } : {}),
    },
  });
  const over = await forgetOver(services.store, account.id, madeAt);
  const changes = [...call.changes, ...ending.changes, ...keepLegs(call, facts), ...over];
  if (!request.isOver) changes.push(underWay);
  if (!request.dryRun) await publish(services, events, changes);
  return {
    call_id: leg.callId,
    interaction_id: facts.interaction,
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

/**
 * Lists everything stored that affects a call of this path and was not simulated: steps whose modules the sandbox
 * cannot act on, and settings of the records that the call came past.
 */
async function notSimulated(call: Simulation, walked: Walk): Promise<readonly JsonObject[]> {
  const steps = walked.passedOver.map((module) => ({
    ...{ setting: 'callflows.flow', of: module, words: `steps of the module ${module}` },
  }));
  const settings = unheeded('call', await metBy(call, walked));
  return [...steps, ...settings.map((each) => ({ ...each }))];
}

const met = (resource: ResourceName, record: StoredRecord, parts: readonly Part[]): Met => ({
  ...{ resource, record: record.body, name: calledName(record), parts: new Set<Part>(['passed', ...parts]) },
});

/** Lists the participants of a call, with their roles. */
async function metBy({ records, caller, timeline }: Simulation, walked: Walk): Promise<readonly Met[]> {
  const { end } = walked;
  const made = timeline.legs.flatMap(({ direction, authorizing, ownerId }) =>
    direction === 'outbound' && authorizing ? [{ ...authorizing, ownerId }] : [],
  );
  const idsOf = (wanted: string): readonly string[] => [
    ...new Set(made.flatMap(({ type, id }) => (type === wanted ? [id] : []))),
  ];
  const owners = made.flatMap(({ type, ownerId }) => (type === 'device' && ownerId ? [ownerId] : []));
  const rung = [...new Set([...idsOf('user'), ...owners])];
  const out: readonly Part[] = made.some(({ type }) => type === 'resource') ? ['goes out'] : [];
  const calls: readonly Part[] = caller.user ? ['calls'] : [];
  const phones = idsOf('device');
  const rings: readonly Part[] = rung.length + phones.length > 0 ? ['rings'] : [];
  const whole: readonly Part[] =
    end.kind === 'talk' || end.kind === 'conference' ? ['talks'] : end.kind === 'message' ? ['message'] : [];
  const one = async (
    resource: 'users' | 'devices',
    id: string | undefined,
    parts: readonly Part[],
  ): Promise<readonly Met[]> => {
    const record = id === undefined ? undefined : await records.get(resource, id);
    return record ? [met(resource, record, parts)] : [];
  };
  const others = end.kind === 'talk' ? [end.other?.authorizing?.id, end.other?.ownerId] : [];
  const partsOf = (id: string): readonly Part[] => (others.includes(id) ? ['rings', 'talks'] : ['rings']);
  const owner = end.kind === 'message' ? textAt(end.box.body, 'owner_id') : undefined;
  const users = await Promise.all([
    one('users', caller.user?.id, [...calls, ...out, ...whole]),
    ...rung.map((id) => one('users', id, partsOf(id))),
    ...phones.map((id) => one('devices', id, partsOf(id))),
    one('users', owner, ['message']),
  ]);
  return [
    met('accounts', records.account, [...calls, ...out, ...rings, ...whole]),
    ...users.flat(),
    ...walked.met.flatMap(({ resource, record }) =>
      resource === 'users' ? [] : [met(resource, record, whole)],
    ),
  ];
}
