import type { JsonObject } from '../base/json.ts';
import { secondsOfDay } from '../base/zoned-time.ts';
import { firstDay, isMatchingState, localRuleState, type ReadRule, readRule } from './temporal-match.ts';

/** Days to compare: a leap year and its neighbors for rules of dates, ten weeks for rules of weekdays. */
const horizon = { dates: 1462, weekdays: 70 } as const;

/** 2024-01-01, in days since 1970. Rules without a start date start in 1983. */
const firstDayChecked = 19_723;

/** Share of a rule's time that an earlier rule takes. */
export type TakenTime = 'all' | 'some' | 'none';

/** Returns seconds at which a rule starts or stops matching, and seconds between them. */
function probeSeconds(rules: readonly ReadRule[]): readonly number[] {
  const edges = rules.flatMap(({ window: { start, stop } }) => [start, start - 1, stop, stop + 1]);
  const within = [...new Set([1, ...edges, secondsOfDay - 1])].filter(
    (second) => second >= 0 && second < secondsOfDay,
  );
  return within.sort((one, other) => one - other);
}

/**
 * Returns how much of the time of `later` is also the time of `earlier`, which a step tests first. Rules that are
 * forced on or off take no time from each other, because that is temporary.
 */
export function timeTaken(earlier: JsonObject, later: JsonObject): TakenTime {
  const [first, second] = [readRule(earlier), readRule(later)];
  if (first.enabled !== undefined || second.enabled !== undefined) return 'none';
  const [firstStart, secondStart] = [firstDay(first, 'UTC'), firstDay(second, 'UTC')];
  const isMatchingAt = (rule: ReadRule, start: number, day: number, at: number): boolean =>
    isMatchingState(localRuleState(rule, start, { day, second: at }));
  const probes = probeSeconds([first, second]);
  const from = second.cycle === 'date' ? secondStart : Math.max(firstDayChecked, firstStart, secondStart);
  const isByWeekday = [first, second].every(({ cycle }) => cycle === 'weekly' || cycle === 'daily');
  const days = second.cycle === 'date' ? 2 : isByWeekday ? horizon.weekdays : horizon.dates;
  let [taken, left] = [0, 0];
  for (let day = from; day < from + days; day += 1)
    for (const at of probes) {
      // The first second of a day also belongs to a window that ends at 24:00 on the day before.
      if (at === 0 || !isMatchingAt(second, secondStart, day, at)) continue;
      if (isMatchingAt(first, firstStart, day, at)) taken += 1;
      else left += 1;
    }
  if (taken === 0) return 'none';
  return left === 0 ? 'all' : 'some';
}
