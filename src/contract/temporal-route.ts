import { isObject, type Json, type JsonObject, ownValue, textsIn } from '../base/json.ts';
import { formatLocalTime, isTimeZone, localTime } from '../base/zoned-time.ts';
import { isMatchingState, type RuleState, ruleState } from './temporal-match.ts';

export interface TimeRecord {
  readonly isSet: boolean;
  readonly name: string;
  readonly record: JsonObject;
}

export interface TestedRule {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly state: RuleState;
}

export interface TimeBranch {
  /** Key of the branch, or `_` if no rule matches. */
  readonly key: string;
  /** For example, `"Office hours" matches at Wed 2024-03-06 09:00 Europe/Berlin`. */
  readonly words: string;
  /** In order. The last rule matches. */
  readonly tested: readonly TestedRule[];
}

/**
 * Warns that UTC is assumed for an account without a known time zone. Returns `undefined` if the zone is known, or if
 * there are no rules.
 */
export function assumedZone(accountZone: Json | undefined, rules: readonly JsonObject[]): string | undefined {
  if (rules.length === 0 || (typeof accountZone === 'string' && isTimeZone(accountZone))) return undefined;
  return typeof accountZone === 'string' && accountZone !== ''
    ? `The time zone ${JSON.stringify(accountZone)} is unknown; assuming UTC for temporal rules.`
    : 'No time zone is set; assuming UTC for temporal rules.';
}

/** Returns the time zone of the step, of the account, or UTC. */
export function zoneOfStep(data: JsonObject, accountZone: Json | undefined): string {
  const own = data.timezone === 'inherit' ? undefined : data.timezone;
  const zone = [own, accountZone].find((each) => typeof each === 'string' && each !== '');
  return typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC';
}

/** Returns ids of rules and sets in `rules`, branches and the set of a `temporal_route` step. */
function timeIdsOf(step: JsonObject): readonly string[] {
  const data = isObject(step.data) ? step.data : {};
  const keys = isObject(step.children) ? Object.keys(step.children) : [];
  const sets = typeof data.rule_set === 'string' && data.rule_set !== '' ? [data.rule_set] : [];
  return [...new Set([...textsIn(data.rules), ...keys.filter((key) => key !== '_'), ...sets])];
}

/**
 * Returns the branch of a `temporal_route` step at a time (Conventions, Temporal rules). Tests the rules of
 * `data.rules`, then those whose ids are branches, then those of `data.rule_set`. The first match wins. `find`
 * returns `undefined` for unknown ids, which are skipped.
 */
export function findTimeBranch(
  step: JsonObject,
  find: (id: string) => TimeRecord | undefined,
  zone: string,
  atS: number,
): TimeBranch {
  const data = isObject(step.data) ? step.data : {};
  const tested: TestedRule[] = [];
  const when = `${formatLocalTime(localTime(zone, atS))} ${zone}`;
  for (const id of timeIdsOf(step)) {
    const named = find(id);
    if (named === undefined) continue;
    const key =
      id === data.rule_set && !textsIn(data.rules).includes(id) && ownValue(step.children, id) === undefined
        ? 'rule_set'
        : id;
    for (const ruleId of named.isSet ? textsIn(named.record.temporal_rules) : [id]) {
      const rule = named.isSet ? find(ruleId) : named;
      if (rule === undefined || rule.isSet) continue;
      const state = ruleState(rule.record, zone, atS);
      tested.push({ id: ruleId, name: rule.name, key, state });
      const forced = state === 'forced on' ? ' (it is forced on)' : '';
      if (isMatchingState(state))
        return { key, words: `${JSON.stringify(rule.name)} matches at ${when}${forced}`, tested };
    }
  }
  const broken = tested.filter(({ state }) => state === 'no day').map(({ name }) => JSON.stringify(name));
  const note = broken.length === 0 ? '' : `; ${broken.join(', ')} can match on no day`;
  return { key: '_', words: `no rule matches at ${when}${note}`, tested };
}
