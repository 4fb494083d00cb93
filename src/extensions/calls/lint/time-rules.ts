import {
  isObject,
  type Json,
  type JsonObject,
  ownValue,
  textOrUndefined,
  textsIn,
} from '../../../base/json.ts';
import { isTimeZone, secondsOfDay } from '../../../base/zoned-time.ts';
import { nearestName } from '../../../contract/name-lists.ts';
import { temporalFindings } from '../../../contract/temporal-findings.ts';
import { timeTaken } from '../../../contract/temporal-order.ts';
import type { LintRule } from '../../../engine/callflows/finding.ts';
import { type FlowSet, formatSuggestion, quoteText } from '../../../engine/callflows/flow-set.ts';
import type { StepRule } from './step-rules.ts';

const timeZoneRule: StepRule = ({ timezone }, found) => {
  if (typeof timezone !== 'string' || timezone === '' || timezone === 'inherit' || isTimeZone(timezone))
    return [];
  const meant = formatSuggestion(nearestName('time-zone', timezone));
  return [found('bad-value', `time zone ${quoteText(timezone)} does not exist${meant}`, 'data.timezone')];
};

/** Returns true for a rule that matches every day at any time and is not switched manually. */
function isAlways({ cycle, enabled, interval = 1, wdays, ...rule }: JsonObject): boolean {
  const days = Array.isArray(wdays) ? new Set(wdays).size : 0;
  const isEveryDay = cycle === 'daily' || (cycle === 'weekly' && (days === 0 || days === 7));
  const { time_window_start: start = 0, time_window_stop: stop = secondsOfDay } = rule;
  const isWholeDay = start === 0 && typeof stop === 'number' && stop >= secondsOfDay - 60;
  return isEveryDay && enabled === undefined && interval === 1 && isWholeDay;
}

interface TestedRule {
  readonly id: string;
  readonly record: JsonObject;
  /** `"Christmas"`, or `"Christmas" of set "Holidays"`. */
  readonly name: string;
  /** The steps after the rule, as JSON. */
  readonly next: string;
}

/** Ids that a step names, in the order in which services test them: `rules`, branches, `rule_set`. */
function idsOf(data: JsonObject, keys: readonly string[]): readonly string[] {
  const listed = Array.isArray(data.rules) ? data.rules.map((rule: Json) => String(rule)) : [];
  return [...new Set([...listed, ...keys, textOrUndefined(data.rule_set) ?? ''])].filter((id) => id !== '');
}

/** Returns the rules of an id. A set stands for its rules, in order. All lead to the branch of the set. */
function testedRules(id: string, nextKey: string, children: JsonObject, set: FlowSet): readonly TestedRule[] {
  const { targets, names } = set;
  const target = targets.get(id);
  const quoted = (key: string): string => quoteText(names.get(key) ?? key);
  // Keys can contain dots.
  const next = JSON.stringify(ownValue(children, nextKey) ?? ownValue(children, '_')) ?? '';
  if (target?.resource === 'temporal_rules') return [{ id, record: target.record, name: quoted(id), next }];
  if (target?.resource !== 'temporal_rules_sets') return [];
  return textsIn(target.record.temporal_rules).flatMap((each) => {
    const rule = targets.get(each);
    if (rule?.resource !== 'temporal_rules') return [];
    const name = `${quoted(each)} of set ${quoted(id)}`;
    return [{ id: each, record: rule.record, name, next }];
  });
}

/**
 * Finds a rule that never gets a call because an earlier rule matches first, unless both lead to the same step. A
 * rule for specific dates, such as a holiday, must precede a rule for weekdays.
 */
function testedTooLate(
  rule: TestedRule,
  before: readonly TestedRule[],
): readonly (readonly [LintRule, string])[] {
  const isOfDates = rule.record.cycle === 'date' || rule.record.cycle === 'yearly';
  for (const earlier of before) {
    if (isAlways(earlier.record) || earlier.next === rule.next) continue;
    const taken = earlier.id === rule.id ? 'all' : timeTaken(earlier.record, rule.record);
    if (taken === 'all')
      return [
        [
          'never-taken',
          `rule ${rule.name} is never reached: ${earlier.name} is tested first and matches at all its times`,
        ],
      ];
    const isOfWeekdays = earlier.record.cycle === 'weekly' || earlier.record.cycle === 'daily';
    if (taken === 'some' && isOfDates && isOfWeekdays)
      return [
        [
          'bad-rule',
          `rule ${rule.name} is tested after ${earlier.name}, which takes its calls when both match`,
        ],
      ];
  }
  return [];
}

/** Finds temporal routes without rules, rules that never match, and rules that are tested too late. */
const timeRouteRule: StepRule = (data, found, set, step) => {
  if (typeof data.action === 'string') return [];
  const children = isObject(step.children) ? step.children : {};
  const keys = Object.keys(children).filter((key) => key !== '_');
  const ids = idsOf(data, keys);
  if (ids.length === 0)
    return [found('missing-data', 'temporal_route has no rules, so every call takes "_"')];
  const before: TestedRule[] = [];
  const described = new Set<string>();
  return ids.flatMap((id) => {
    const isOwnSet = id === data.rule_set && !keys.includes(id);
    const isIdle = !keys.includes(isOwnSet ? 'rule_set' : id);
    const rules = testedRules(id, isOwnSet ? 'rule_set' : id, children, set);
    const findings = rules.flatMap((rule) => {
      const { record, name } = rule;
      const late = isIdle ? [] : testedTooLate(rule, before);
      const isFirst = !described.has(rule.id);
      described.add(rule.id);
      return [
        ...late.map((each) => found(...each)),
        ...(isFirst ? temporalFindings(record) : []).map(({ message }) =>
          found('bad-rule', `rule ${name}: ${message}`),
        ),
        ...(isAlways(record) && isFirst
          ? [found('bad-rule', `rule ${name} always matches, so later rules are never reached`)]
          : []),
      ];
    });
    before.push(...rules);
    const what = rules[0]?.id === id ? 'rule' : 'set';
    const idle = `${what} ${quoteText(set.names.get(id) ?? id)} has no branch, so its calls take "_"`;
    return isIdle && rules.length > 0 ? [found('never-taken', idle), ...findings] : findings;
  });
};

export const timeRules: readonly StepRule[] = [timeZoneRule, timeRouteRule];
