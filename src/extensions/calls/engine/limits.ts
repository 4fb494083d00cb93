import type { JsonObject } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { classOf } from './parties.ts';
import { booleanOr, filledTexts, nonEmptyText, numberOr } from './records.ts';
import type { CallRun, Leg } from './run.ts';
import type { CallMoney, Cause } from './types.ts';

/** The billing of a leg, or the limit that refuses it: `hard_limit` or `limits_enforced`. */
type Billing =
  | 'limits_disabled'
  | 'flat_rate'
  | 'flat_rate_burst'
  | 'per_minute'
  | 'hard_limit'
  | 'limits_enforced';

type Direction = 'inbound' | 'outbound';

/** Legs that use trunks and calls, including the requested leg. */
type Usage = CallMoney['inUse'];

/**
 * Returns the billing of a leg to or from a carrier according to the limits of the account, or the limit that refuses
 * it.
 */
function billLeg(
  money: CallMoney,
  number: string,
  kind: string,
  direction: Direction,
  usage: Usage,
): Billing {
  const { limits, balance } = money;
  if (!booleanOr(limits.enabled, true)) return 'limits_disabled';
  // These types of resources need no authorization.
  if (filledTexts(limits.authz_resource_types).includes('audio')) return 'limits_disabled';
  if (kind === 'emergency' || (kind === 'tollfree_us' && direction === 'outbound')) return 'limits_disabled';
  const exceeds = (value: number, used: number): boolean => value >= 0 && (value === 0 || used > value);
  const resources = numberOr(limits.resource_consuming_calls, -1);
  if (exceeds(numberOr(limits.calls, -1), usage.calls) || exceeds(resources, usage.inbound + usage.outbound))
    return 'hard_limit';
  // Trunks carry US numbers without a charge per minute.
  if (kind === 'did_us' && /^\+1\d{10}$/.test(number)) {
    const excess = (used: number, trunks: number): number => (trunks < 0 ? 0 : Math.max(0, used - trunks));
    const rest =
      excess(usage.inbound, numberOr(limits.inbound_trunks, 0)) +
      excess(usage.outbound, numberOr(limits.outbound_trunks, 0));
    const twoway = numberOr(limits.twoway_trunks, 0);
    if (rest === 0 || twoway < 0 || rest <= twoway) return 'flat_rate';
    const burst = numberOr(limits.burst_trunks, 0);
    if (burst < 0 || rest - twoway <= burst) return 'flat_rate_burst';
  }
  if (booleanOr(limits.allow_prepay, true) && balance > 0) return 'per_minute';
  if (booleanOr(limits.allow_postpay, false) && balance > -numberOr(limits.max_postpay_amount, 0))
    return 'per_minute';
  const soft = direction === 'inbound' ? limits.soft_limit_inbound : limits.soft_limit_outbound;
  return booleanOr(soft, false) ? 'per_minute' : 'limits_enforced';
}

/** Returns the rate of a number: the longest matching prefix, then the lowest weight. */
function findRate(
  rates: readonly JsonObject[],
  number: string,
  direction: Direction,
): JsonObject | undefined {
  const digits = number.replace(/^\+/, '');
  return rates
    .filter((rate) => {
      const routes = filledTexts(rate.routes);
      const directions = filledTexts(rate.direction);
      const isMeant = directions.length === 0 || directions.includes(direction);
      const isRouted =
        routes.length === 0 || routes.some((each) => compilePattern(each)?.test(number) ?? false);
      const prefix = nonEmptyText(rate.prefix) ?? '';
      return isMeant && isRouted && prefix !== '' && digits.startsWith(prefix.replace(/^\+/, ''));
    })
    .toSorted(
      (one, other) =>
        (nonEmptyText(other.prefix)?.length ?? 0) - (nonEmptyText(one.prefix)?.length ?? 0) ||
        numberOr(one.weight, 0) - numberOr(other.weight, 0),
    )[0];
}

const unitsOfOne = 10_000;

/** Returns the cost of a leg in 1/10,000 of the currency. `seconds` counts from the answer. */
function computeCost(rate: JsonObject, seconds: number): number {
  const money = (value: JsonObject[string]): number => Math.round(numberOr(value, 0) * unitsOfOne);
  if (seconds <= 0 || seconds <= numberOr(rate.rate_nocharge_time, 0)) return 0;
  const minimum = numberOr(rate.rate_minimum, 60);
  const increment = numberOr(rate.rate_increment, 60) || 60;
  const begun = Math.max(0, Math.ceil((seconds - minimum) / increment));
  const charged = minimum + begun * increment;
  const cost = Math.trunc(
    money(rate.rate_surcharge ?? rate.surcharge) + (charged / 60) * money(rate.rate_cost ?? rate.rate),
  );
  return cost - Math.floor((cost * numberOr(rate.discount_percentage ?? rate.discount, 0)) / 100);
}

/** Authorizes a leg to or from a carrier and records its billing. Returns the cause if the leg is refused. */
export function authorizeLeg(
  run: CallRun,
  leg: Leg,
  direction: Direction,
  number: string,
  isGlobal: boolean,
): Cause | undefined {
  const { money } = run.input;
  if (!money || !isGlobal) return undefined;
  const own = run.legs.filter((each) => each.ended === undefined && each.facts.account_billing !== undefined);
  const countUsed = (way: Direction): number =>
    money.inUse[way] + own.filter((each) => each.facts.trunk === way).length + (way === direction ? 1 : 0);
  const usage = {
    inbound: countUsed('inbound'),
    outbound: countUsed('outbound'),
    calls: money.inUse.calls + 1,
  };
  const billing = billLeg(money, number, classOf(run.input.account, number), direction, usage);
  Object.assign(leg.facts, { account_billing: billing, trunk: direction });
  if (billing === 'hard_limit' || billing === 'limits_enforced')
    return direction === 'inbound' ? 'USER_BUSY' : 'OUTGOING_CALL_BARRED';
  const rate = billing === 'per_minute' ? findRate(money.rates, number, direction) : undefined;
  if (rate) {
    leg.facts.rate_name = nonEmptyText(rate.rate_name) ?? '';
    leg.onEnd.push(() => {
      leg.facts.cost = computeCost(rate, leg.answered === undefined ? 0 : run.clock.now() - leg.answered);
    });
  }
  return undefined;
}
