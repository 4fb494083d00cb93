import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { isRoutable, normalisedNumber } from '../../../contract/phone-number.ts';
import {
  describeGaps,
  describeMatch,
  describeOutcome,
  describePath,
} from '../../calls/engine/describe-call.ts';
import { makeCall } from '../../calls/engine/make-call.ts';
import { codeOf } from '../../calls/engine/outcome.ts';
import type { CallInput } from '../../calls/engine/types.ts';
import { publish } from '../events/queue-events.ts';
import { displayName } from '../fields.ts';
import { gregorianSeconds, newId } from '../ids-and-secrets.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import { ongoingCalls, removeEndedCalls } from '../telephony/ongoing-calls.ts';
import {
  type AccountRecords,
  accountWith,
  findCaller,
  loadCallAccount,
  outsideFlow,
} from './call-account.ts';
import { callInput } from './call-input.ts';
import type { CallRequest } from './call-request.ts';
import { type KeptCall, keepCall, liveCallsOf, resimulateCall, storeLiveCall } from './keep-call.ts';
import { firstFlow, idsFor, type MadeCall, recordedLegs } from './made-call.ts';

/**
 * Simulates a call in the account that owns the dialed number, or else in the chosen account. The complete call is
 * computed immediately. A real-time call is live until its end on the sandbox clock. Other calls have already ended,
 * unless the request says otherwise. Throws `Failure`: `not_found` if no callflow or account matches the number,
 * `refused` if limits do not allow the call. A refused call is also recorded.
 */
export async function simulateStoredCall(
  services: Services,
  own: AccountRecords,
  request: CallRequest,
): Promise<JsonObject> {
  const simulated = await simulateAndStore(services, own, request);
  if ('met' in simulated) return simulated.met;
  await throwIfRefused(simulated.made);
  return describeCall(simulated.made, simulated.kept);
}

/**
 * Simulates a call like `simulateStoredCall`. If the account accepts no more calls, the call is missed. `met` is set
 * if it joined another live call. Throws `Failure` if the caller is unknown.
 */
export async function simulateAndStore(
  services: Services,
  own: AccountRecords,
  request: CallRequest,
): Promise<{ readonly made: MadeCall; readonly kept: KeptCall } | { readonly met: JsonObject }> {
  const who = await findCaller(own, request.from, request.fromName);
  const isOutside = who.caller.number !== undefined;
  const { account } = (isOutside ? await accountWith(services.store, request.to) : undefined) ?? own;
  const calls = await loadCallAccount(services.store, account, services.behaviour);
  const to = isRoutable(request.to) ? normalisedNumber(request.to) : request.to;
  const seed = Number.parseInt(newId(services.random).slice(0, 7), 16);
  const nowMs = services.clock.now();
  const called = { account, calls, caller: who.caller, to };
  const input = await callInput(services, called, request, { atMs: nowMs, seed });
  if (request.realTime && !request.dryRun) {
    const met = await joinLiveCall(services, account, input);
    if (met) return { met };
  }
  const call = makeCall(input);
  // A call that has already ended started earlier by its length.
  const at = request.isOver ? nowMs - Math.floor(call.seconds) * 1000 : nowMs;
  const mine: MadeCall = {
    services,
    account,
    call,
    input: { ...input, at },
    interaction: `${Math.floor(at / 1000) + gregorianOffset}-${newId(services.random).slice(0, 8)}`,
    ids: idsFor(services, call),
    who: { number: who.number, name: who.name },
    isRealTime: request.realTime,
    after: -1,
  };
  const kept = await keepCall(mine);
  const underWay = request.isOver || request.dryRun ? undefined : storeLiveCall(mine, seed, kept);
  const over = await removeEndedCalls(services.store, account.id, gregorianSeconds(services.clock));
  const begun = underWay ? [underWay.change] : [];
  if (!request.dryRun) await publish(services, kept.events, [...kept.changes, ...begun, ...over]);
  underWay?.note();
  return { made: mine, kept };
}

/** Throws `Failure` if a call ended before its first step. */
async function throwIfRefused({ call, account, input, services }: MadeCall): Promise<void> {
  const name = displayName(account);
  const [caller] = call.legs;
  const billing = call.legs
    .map(({ facts }) => facts.account_billing)
    .find((each) => each === 'hard_limit' || each === 'limits_enforced');
  const { in: place, cause } = call.end;
  if (billing !== undefined && place === 'nobody' && caller?.answered === undefined) {
    const inUse = input.money?.inUse.calls ?? 0;
    const limits: JsonObject = input.money?.limits ?? {};
    const why =
      billing === 'hard_limit'
        ? `the limit "calls" is ${limits.calls ?? limits.resource_consuming_calls}, with ${inUse} in progress`
        : 'no trunk is free, and neither prepaid nor postpaid credit covers it';
    const [first] = await ongoingCalls(services.store, account.id, gregorianSeconds(services.clock));
    const seconds = first && Number(first.body.ends_at) - gregorianSeconds(services.clock);
    throw new Failure('refused', `${name} accepts no more calls: ${why}.`, {
      hint:
        seconds === undefined || limits.calls === 0
          ? createHint`Raise the limits: ${nextStep`limits set`}`
          : createHint`The next call ends in ${String(seconds)} s: ${nextStep`sandbox clock advance ${seconds}s`}`,
      details: { reason: why, calls_under_way: inUse },
    });
  }
  if (place !== 'nobody') return;
  if (cause === 'CALL_REJECTED' && account.body.enabled === false)
    throw new Failure('refused', `The account ${name} is disabled.`);
  const isUnrouted = !call.events.some(({ kind }) => kind === 'flow');
  if (cause === 'NO_ROUTE_DESTINATION' && isUnrouted)
    throw new Failure(
      'not_found',
      `No callflow of ${name} matches ${JSON.stringify(input.to)} by number, by pattern or as no_match.`,
      { hint: createHint`List callflows and their numbers: ${nextStep`callflows list`}` },
    );
}

/** Modules that join another live call: they retrieve, pick up or listen to it. */
const meeting = new Set([
  'park',
  'group_pickup',
  'group_pickup_feature',
  'intercept',
  'intercept_feature',
  'eavesdrop',
  'eavesdrop_feature',
]);

const joinsOtherCall = (input: CallInput): boolean =>
  makeCall(input).events.some((event) => event.kind === 'step' && meeting.has(event.step.module));

/** Joins a parked or ringing call. Returns `undefined` if there is none. */
async function joinLiveCall(
  services: Services,
  account: StoredRecord,
  input: CallInput,
): Promise<JsonObject | undefined> {
  const under = [...liveCallsOf(services.store).values()].filter(
    ({ made }) =>
      made.account.id === account.id &&
      made.isRealTime &&
      made.input.at + made.call.seconds * 1000 > input.at,
  );
  if (under.length === 0 || !joinsOtherCall(input)) return undefined;
  for (const live of under) {
    const carried = await resimulateCall(services, live, {
      does: 'calls',
      argument: input.to,
      from: input.from,
    });
    const { made, kept } = carried;
    const mine = made.call.legs.findLast(({ side, began }) => side === 'A' && began >= made.after);
    if (!mine || !isConnected(made, mine.id)) continue;
    await publish(services, carried.events, carried.changes);
    carried.note();
    return describeCall(made, kept, mine.id);
  }
  return undefined;
}

/** Returns true if a joining leg was connected with a leg of the other call. */
const isConnected = ({ call, after }: MadeCall, id: string): boolean =>
  call.events.some((event) => {
    if (event.kind !== 'bridge' || (event.leg !== id && event.other !== id)) return false;
    const other = event.leg === id ? event.other : event.leg;
    return call.legs.some((leg) => leg.id === other && leg.began < after);
  });

function describeCall(
  made: MadeCall,
  { events, facts }: Pick<KeptCall, 'events' | 'facts'>,
  legId = 'a1',
): JsonObject {
  const { call, input, account, ids, interaction } = made;
  const legs = recordedLegs(made);
  const own = call.legs.find(({ id }) => id === legId);
  const shown = legs.get(legId);
  const flow = firstFlow(made);
  const duration = own ? Math.floor(own.ended) - Math.floor(own.began) : 0;
  const answered = own?.answered;
  const asked = call.notPressed;
  const described = { call, account: input.account, to: input.to, outside: outsideFlow };
  return {
    call_id: ids.get(legId) ?? '',
    interaction_id: interaction,
    account_id: account.id,
    account_name: displayName(account),
    from: shown?.caller.number ?? '',
    to: own?.to ?? input.to,
    ...(flow?.record && flow.id !== outsideFlow
      ? { callflow: { id: flow.id, name: flow.name }, matched: describeMatch(input.account, input.to) }
      : {}),
    path: describePath(described, legId),
    ...describeOutcome(described, legId),
    ...(call.end.in === 'nobody' || call.end.in === 'hangup'
      ? { hangup_cause: call.end.cause, hangup_code: codeOf(call.end.cause) }
      : {}),
    ...facts,
    not_simulated: describeGaps(described).map((words) => ({ words })),
    ...(asked.length > 0 ? { digits_left: asked } : {}),
    duration_seconds: duration,
    ringing_seconds: Math.floor(answered ?? own?.ended ?? 0) - Math.floor(own?.began ?? 0),
    billing_seconds: answered === undefined ? 0 : Math.floor(own?.ended ?? 0) - Math.floor(answered),
    legs: call.legs.map((leg) => ({
      call_id: ids.get(leg.id) ?? '',
      direction: leg.side === 'A' ? 'inbound' : 'outbound',
      destination: legs.get(leg.id)?.destination ?? leg.to,
      ...(leg.user === undefined ? {} : { owner_id: leg.user }),
      ...(leg.facts.account_billing === undefined ? {} : { billing: leg.facts.account_billing }),
      hangup_cause: leg.cause,
    })),
    ends_at: new Date(input.at + Math.floor(call.seconds) * 1000).toISOString(),
    events: events.map(({ id, hook, payload }) => ({ id, hook, payload })),
  };
}
