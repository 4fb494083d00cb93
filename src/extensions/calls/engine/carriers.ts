import { isObject, type JsonObject } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { type Task, waitForValue } from './clock.ts';
import { authorizeLeg } from './limits.ts';
import type { CallRoute } from './outcome.ts';
import { classOf, type ShownId } from './parties.ts';
import {
  booleanOr,
  filledTexts,
  longestOf,
  nameByKind,
  nonEmptyText,
  numberOr,
  objects,
  recordId,
} from './records.ts';
import { afterIfRinging, causeOfStop, declinesAfter, type RingResult } from './ring.ts';
import { answer, beginLeg, endLeg } from './run.ts';
import type { Cause } from './types.ts';

/** A carrier that accepts a call, and the number that it dials. */
interface CarrierChoice {
  readonly id: string;
  readonly name: string;
  readonly dials: string;
  readonly isEmergency: boolean;
  readonly isGlobal: boolean;
  /** No carriers are configured, so one is assumed. */
  readonly isAssumed?: true;
}

const assumed = { id: 'assumed', name: 'assumed carrier', isAssumed: true } as const;

const usualWeight = 3;

/** Returns the carriers that accept a number, in the order of attempts. */
export function carriersFor(
  { records, came }: CallRoute,
  number: string,
  how: { readonly isGlobal: boolean; readonly flags: readonly string[] },
): readonly CarrierChoice[] {
  const { account } = records;
  const kind = classOf(account, number);
  const own = how.isGlobal ? [] : account.of('carriers');
  if (account.assumesCarrier && own.length === 0)
    return [{ ...assumed, dials: number, isEmergency: kind === 'emergency', isGlobal: how.isGlobal }];
  const all = account
    .of(how.isGlobal ? 'system_carriers' : 'carriers')
    .filter((each) => booleanOr(each.enabled, true) && hasFlags(each, how.flags));
  const classified = all.filter(
    ({ classifiers }) => isObject(classifiers) && Object.hasOwn(classifiers, kind),
  );
  const usable =
    classified.length > 0
      ? classified.filter((each) => booleanOr(classOfCarrier(each, kind)?.enabled, true))
      : all.filter(({ classifiers }) => !isObject(classifiers) || Object.keys(classifiers).length === 0);
  return usable
    .flatMap((each) => {
      const dials = applyRules(each, number, classOfCarrier(each, kind));
      if (dials === undefined || !acceptsCaller(each, came.number ?? '')) return [];
      const isEmergency =
        booleanOr(each.emergency, false) || booleanOr(classOfCarrier(each, kind)?.emergency, false);
      const gateways = objects(each.gateways).filter((gateway) => booleanOr(gateway.enabled, true));
      const name = nameByKind('carriers', each);
      const choice: CarrierChoice = { id: recordId(each), name, dials, isEmergency, isGlobal: how.isGlobal };
      const weight = numberOr(each.weight_cost, usualWeight);
      const count = Array.isArray(each.gateways) ? gateways.length : 1;
      return Array.from({ length: count }, () => ({ choice, weight }));
    })
    .toSorted((one, other) => one.weight - other.weight)
    .map(({ choice }) => choice);
}

const classOfCarrier = ({ classifiers }: JsonObject, kind: string): JsonObject | undefined => {
  const found = isObject(classifiers) ? classifiers[kind] : undefined;
  return isObject(found) ? found : undefined;
};

function hasFlags(carrier: JsonObject, flags: readonly string[]): boolean {
  if (booleanOr(carrier.ignore_flags, false)) return true;
  if (booleanOr(carrier.require_flags, false) && flags.length === 0) return false;
  const own = filledTexts(carrier.flags);
  return flags.every((flag) => own.includes(flag));
}

/** Returns the number that the first matching rule produces. Returns `undefined` if no rule matches. */
function applyRules(
  carrier: JsonObject,
  number: string,
  byClass: JsonObject | undefined,
): string | undefined {
  const rules = byClass ? [nonEmptyText(byClass.regex) ?? '.*'] : filledTexts(carrier.rules);
  for (const rule of rules) {
    const groups = compilePattern(rule)?.groups(number);
    if (groups === undefined) continue;
    return `${nonEmptyText(byClass?.prefix) ?? ''}${longestOf(groups) || number}${nonEmptyText(byClass?.suffix) ?? ''}`;
  }
  return undefined;
}

const acceptsCaller = (carrier: JsonObject, number: string): boolean => {
  const rules = filledTexts(carrier.cid_rules);
  return rules.length === 0 || rules.some((rule) => compilePattern(rule)?.test(number) ?? false);
};

interface OutgoingCall {
  readonly number: string;
  readonly callerId: ShownId;
  readonly isEmergency: boolean;
  readonly facts?: JsonObject | undefined;
  /** Seconds for all attempts together. 0 selects the maximum of the service. */
  readonly timeout: number;
}

/** Seconds within which a carrier must report that it rings. */
const progressSeconds = 8;
/** Seconds after which an unanswered call ends. */
const longestWait = 120;

/** Tries carriers one after another until one answers. If all fail, returns the cause of the last carrier. */
export function* tryCarriers(
  route: CallRoute,
  choices: readonly CarrierChoice[],
  how: OutgoingCall,
): Task<RingResult> {
  const { clock } = route.run;
  const end = clock.now() + (how.timeout > 0 ? how.timeout : longestWait);
  let cause: Cause = 'NO_ROUTE_DESTINATION';
  for (const choice of choices) {
    const seconds = end - clock.now();
    if (seconds <= 0) break;
    const rung = yield* tryCarrier(route, choice, how, seconds);
    if ('answered' in rung) return rung;
    cause = rung.failed;
  }
  return { failed: cause };
}

function* tryCarrier(
  route: CallRoute,
  choice: CarrierChoice,
  how: OutgoingCall,
  seconds: number,
): Task<RingResult> {
  const { run } = route;
  const { input } = run;
  const { number, callerId, isEmergency } = how;
  const leg = beginLeg(run, {
    side: 'B',
    call: route.leg.call,
    carrier: choice.name,
    to: choice.dials,
    callerId,
    facts: {
      ...how.facts,
      resource_id: choice.id,
      e164_destination: number,
      original_number: route.req,
      ...(choice.isGlobal ? { global_resource: true } : {}),
      ...(isEmergency ? { emergency_resource: true } : {}),
      ...(choice.isAssumed ? { assumed: true } : {}),
      ...(route.isForwarded ? { call_forward: true } : {}),
      ...(route.isForwarded && route.party.user ? { owner_id: recordId(route.party.user) } : {}),
    },
  });
  const refusal = isEmergency ? undefined : authorizeLeg(run, leg, 'outbound', number, choice.isGlobal);
  if (refusal !== undefined) {
    endLeg(run, leg, refusal);
    return { failed: refusal };
  }
  const behaviour = input.people.get(choice.id) ?? input.people.get(number) ?? input.others;
  if (behaviour.does === 'busy') {
    endLeg(run, leg, 'USER_BUSY');
    return { failed: 'USER_BUSY' };
  }
  return yield* waitForValue<RingResult>((give) => {
    const runLater = (after: number, act: () => void): void => afterIfRinging(run, after, leg, act);
    leg.onEnd.push((cause) => give({ failed: cause }));
    if (behaviour.does === 'answers')
      runLater(behaviour.after, () => {
        answer(run, leg);
        give({ answered: leg });
      });
    if (behaviour.does === 'declines') runLater(declinesAfter, () => endLeg(run, leg, 'CALL_REJECTED'));
    if (behaviour.does === 'not registered')
      runLater(progressSeconds, () => endLeg(run, leg, 'PROGRESS_TIMEOUT'));
    runLater(seconds, () => endLeg(run, leg, how.timeout > 0 ? 'NO_ANSWER' : 'NORMAL_TEMPORARY_FAILURE'));
    return () => endLeg(run, leg, causeOfStop(route.leg));
  });
}
