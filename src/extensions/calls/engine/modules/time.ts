import type { JsonObject } from '../../../../base/json.ts';
import { localTime } from '../../../../base/zoned-time.ts';
import { isMatchingState, type RuleState } from '../../../../contract/temporal-match.ts';
import {
  findTimeBranch,
  type TestedRule,
  type TimeRecord,
  zoneOfStep,
} from '../../../../contract/temporal-route.ts';
import { type CallModules, type CallRoute, dataOf, playSound, takeBranch } from '../outcome.ts';
import { filledTexts, nameByKind, nonEmptyText } from '../records.ts';
import { answer, recordEvent } from '../run.ts';
import { collect } from '../waiting.ts';

/** Returns a rule or set, including changes by earlier steps. */
function timeRecord({ records, run }: CallRoute, id: string): TimeRecord | undefined {
  const rule = records.get('temporal_rules', id);
  if (rule) {
    const record = { ...rule, ...run.written.get(`temporal_rules ${id}`) };
    return { isSet: false, name: nameByKind('temporal_rules', rule), record };
  }
  const set = records.get('temporal_rules_sets', id);
  return set ? { isSet: true, name: nameByKind('temporal_rules_sets', set), record: set } : undefined;
}

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Formats a time as `On 2026-11-22 18:05 +01:00 (Sunday)`. */
function localMoment(zone: string, atS: number): { readonly words: string; readonly weekday: string } {
  const { day, second } = localTime(zone, atS);
  const shown = new Date((day * 86_400 + second) * 1000);
  const offset = Math.round((day * 86_400 + second - atS) / 60);
  const zoneText = `${offset < 0 ? '-' : '+'}${clockText(60 * Math.abs(offset))}`;
  const weekday = weekdayNames[shown.getUTCDay()] ?? '';
  const iso = shown.toISOString();
  return { words: `On ${iso.slice(0, 10)} ${iso.slice(11, 16)} ${zoneText} (${weekday})`, weekday };
}

/** Formats a time of day. The end of a day is `24:00`. */
const clockText = (seconds: number): string =>
  [seconds / 3600, (seconds % 3600) / 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');

function matchReason(state: RuleState, rule: JsonObject, weekday: string): string {
  const window = `${clockText(Number(rule.time_window_start ?? 0))} to ${clockText(Number(rule.time_window_stop ?? 86_400))}`;
  const days = filledTexts(rule.wdays);
  switch (state) {
    case 'forced on':
      return 'it is switched on';
    case 'forced off':
      return 'it is switched off';
    case 'not begun':
      return 'its start date is in the future';
    case 'no day':
      return 'it defines no day';
    case 'other day':
      return days.length > 0 && rule.cycle === 'weekly' && !days.includes(weekday.toLowerCase())
        ? `wdays lacks ${weekday.toLowerCase()}`
        : 'it is for other days';
    case 'outside':
      return `the time is not from ${window}`;
    case 'within':
      return [
        rule.cycle === 'weekly'
          ? days.length > 0
            ? `wdays has ${weekday.toLowerCase()}`
            : 'wdays is empty, which means every day'
          : `it is due today (${String(rule.cycle)})`,
        ...(rule.time_window_start === undefined && rule.time_window_stop === undefined
          ? []
          : [`the time is from ${window}`]),
      ].join(', ');
  }
}

function switchRules(route: CallRoute, data: JsonObject, action: string): void {
  const fields: JsonObject =
    action === 'enable' ? { enabled: true } : { enabled: action === 'disable' ? false : null };
  for (const id of filledTexts(data.rules)) {
    if (!route.records.get('temporal_rules', id)) continue;
    route.run.written.set(`temporal_rules ${id}`, fields);
    recordEvent(route.run, { kind: 'writes', resource: 'temporal_rules', id, fields });
  }
}

const prompts: Readonly<Record<string, string>> = {
  enable: 'temporal-marked_enabled',
  disable: 'temporal-marked_disabled',
  reset: 'temporal-marked_reset',
};

export const timeModules: CallModules = {
  temporal_route: {
    simulated: 'rules rule_set timezone action',
    none: { interdigit_timeout: 'only one key is read' },
    *run(route, step) {
      const { run, records, leg } = route;
      const data = dataOf(step);
      const asked = nonEmptyText(data.action);
      if (asked !== undefined) {
        answer(run, leg);
        const keys = { prompt: 'temporal-menu', most: 1 };
        const byKey: Readonly<Record<string, string>> = { 1: 'enable', 2: 'disable', 3: 'reset' };
        const action = asked === 'menu' ? byKey[yield* collect(route, keys)] : asked;
        const prompt = action === undefined ? undefined : prompts[action];
        if (action !== undefined && prompt !== undefined) {
          switchRules(route, data, action);
          yield* playSound(route, prompt, 3);
        }
        return takeBranch('_', `The rules were switched: ${action ?? 'no choice'}.`);
      }
      const atS = Math.floor(run.input.at / 1000 + run.clock.now());
      const zone = zoneOfStep(data, records.account.record.timezone);
      const { key, tested } = findTimeBranch(step.node, (id) => timeRecord(route, id), zone, atS);
      const moment = localMoment(zone, atS);
      const placeText = (id: string): string => {
        const place = records.account.placeOf?.('temporal_rules', id);
        return place === undefined ? '' : ` (${place})`;
      };
      const describeRule = ({ id, name, state }: TestedRule): string =>
        `rule ${JSON.stringify(name)} ${isMatchingState(state) ? 'matches' : 'does not match'}: ${matchReason(state, timeRecord(route, id)?.record ?? {}, moment.weekday)}${placeText(id)}`;
      const words = tested.map(({ name, state }) => `${name}: ${isMatchingState(state) ? 'open' : 'closed'}`);
      const why =
        tested.length === 0
          ? `${moment.words} the step has no rules.`
          : `${moment.words} ${tested.map(describeRule).join('; ')}.`;
      const word = words.at(-1);
      return { go: 'on', key, why, word, words: words.length > 0 ? words : undefined };
    },
  },
};
