import { isObject, type JsonObject } from '../../../base/json.ts';
import { compiled } from '../../../contract/call-patterns.ts';
import { awaited, type Task } from './clock.ts';
import { allowed } from './limits.ts';
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
import { causeOfStop, declinesAfter, ifRinging, type RingResult } from './ring.ts';
import { answer, beginLeg, endLeg } from './run.ts';
import type { Cause } from './types.ts';

/** A carrier that can take a call, and what it is asked to dial. */
interface CarrierChoice {
  readonly id: string;
  readonly name: string;
  readonly dials: string;
  readonly isEmergency: boolean;
  readonly isGlobal: boolean;
  /** The carrier is assumed, since no carriers are known. */
  readonly isAssumed?: true;
}

const assumed = { id: 'assumed', name: 'assumed carrier', isAssumed: true } as const;

const usualWeight = 3;

/** Carriers that can take a number, in the order in which they are tried. */
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
      const dials = dialledBy(each, number, classOfCarrier(each, kind));
      if (dials === undefined || !takesCaller(each, came.number ?? '')) return [];
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

/** Every flag of the call must be one of the carrier's. */
function hasFlags(carrier: JsonObject, flags: readonly string[]): boolean {
  if (booleanOr(carrier.ignore_flags, false)) return true;
  if (booleanOr(carrier.require_flags, false) && flags.length === 0) return false;
  const own = filledTexts(carrier.flags);
  return flags.every((flag) => own.includes(flag));
}

/** What the first rule that fits makes of a number; `undefined` where no rule fits. */
function dialledBy(carrier: JsonObject, number: string, byClass: JsonObject | undefined): string | undefined {
  const rules = byClass ? [nonEmptyText(byClass.regex) ?? '.*'] : filledTexts(carrier.rules);
  for (const rule of rules) {
    const groups = compiled(rule)?.groups(number);
    if (groups === undefined) continue;
    return `${nonEmptyText(byClass?.prefix) ?? ''}${longestOf(groups) || number}${nonEmptyText(byClass?.suffix) ?? ''}`;
  }
  return undefined;
}

const takesCaller = (carrier: JsonObject, number: string): boolean => {
  const rules = filledTexts(carrier.cid_rules);
  return rules.length === 0 || rules.some((rule) => compiled(rule)?.test(number) ?? false);
};

interface CallingOut {
  readonly number: string;
  readonly callerId: ShownId;
  readonly isEmergency: boolean;
  readonly facts?: JsonObject | undefined;
  /** Seconds for all of them; 0: the longest that the service waits. */
  readonly timeout: number;
}

/** Seconds in which a carrier must say that it rings. */
const progressSeconds = 8;
/** Seconds after which a call that nobody answers is given up. */
const longestWait = 120;

/** Tries carriers one after another. The first that answers has the call; else the cause of the last one stands. */
export function* tryCarriers(
  route: CallRoute,
  choices: readonly CarrierChoice[],
  how: CallingOut,
): Task<RingResult> {
  const { clock } = route.run;
  const end = clock.now() + (how.timeout > 0 ? how.timeout : longestWait);
  let cause: Cause = 'NO_ROUTE_DESTINATION';
  for (const choice of choices) {
    const seconds = end - clock.now();
    if (seconds <= 0) break;
    const rung = yield* tryOne(route, choice, how, seconds);
    if ('answered' in rung) return rung;
    cause = rung.failed;
  }
  return { failed: cause };
}

function* tryOne(
  route: CallRoute,
  choice: CarrierChoice,
  how: CallingOut,
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
  const refusal = isEmergency ? undefined : allowed(run, leg, 'outbound', number, choice.isGlobal);
  if (refusal !== undefined) {
    endLeg(run, leg, refusal);
    return { failed: refusal };
  }
  const behaviour = input.people.get(choice.id) ?? input.people.get(number) ?? input.others;
  if (behaviour.does === 'busy') {
    endLeg(run, leg, 'USER_BUSY');
    return { failed: 'USER_BUSY' };
  }
  return yield* awaited<RingResult>((give) => {
    const later = (after: number, act: () => void): void => ifRinging(run, after, leg, act);
    leg.onEnd.push((cause) => give({ failed: cause }));
    if (behaviour.does === 'answers')
      later(behaviour.after, () => {
        answer(run, leg);
        give({ answered: leg });
      });
    if (behaviour.does === 'declines') later(declinesAfter, () => endLeg(run, leg, 'CALL_REJECTED'));
    if (behaviour.does === 'not registered')
      later(progressSeconds, () => endLeg(run, leg, 'PROGRESS_TIMEOUT'));
    later(seconds, () => endLeg(run, leg, how.timeout > 0 ? 'NO_ANSWER' : 'NORMAL_TEMPORARY_FAILURE'));
    return () => endLeg(run, leg, causeOfStop(route.leg));
  });
}
