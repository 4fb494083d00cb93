import { Failure, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { formatShownNumber } from '../../../base/shown-form.ts';
import { didYouMean, quoteName } from '../../../base/wording.ts';
import {
  formatDay,
  formatLocalTime,
  isTimeZone,
  localTime,
  parseCallTime,
} from '../../../base/zoned-time.ts';
import { nearestName } from '../../../contract/name-lists.ts';
import { temporal_rules } from '../../../contract/resources/temporal-rules.ts';
import { temporalFindings } from '../../../contract/temporal-findings.ts';
import { isMatchingState, nextChange, type RuleState, ruleState } from '../../../contract/temporal-match.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { TextResult } from '../../command/result.ts';
import { argumentFor, genericCommands, switchCommands } from '../generic/commands.ts';
import { labelOf } from '../labels.ts';
import { accountZone, serviceNowMs } from '../records/account-time.ts';
import { getRecord } from '../records/find-named.ts';
import { describeMatches, isoSeconds, withMatches } from './next-matches.ts';
import { withNightRules } from './night-rules.ts';

const checkArguments = {
  rule: argumentFor(temporal_rules, 'RULE'),
} as const;
export const checkOptions = {
  at: {
    value: 'TIME',
    doc: 'Time of the call in the zone, such as 2026-12-24T10:00 (default: now, by the clock of the service or sandbox)',
  },
  timezone: {
    value: 'ZONE',
    doc: 'Time zone, as in a step of a callflow (default: that of the account)',
  },
} as const;

export const temporalRulesCommands: readonly Command[] = [
  ...genericCommands(temporal_rules, ['temporal-rules']).map((command) => {
    const verb = command.path.at(-1) ?? '';
    const showing = ['create', 'update', 'patch'].includes(verb) ? withMatches(command) : command;
    return verb === 'create' ? withNightRules(showing) : showing;
  }),
  defineCommand({
    path: ['temporal-rules', 'check'],
    summary: 'Show whether and why a rule matches at a time, and until when',
    arguments: checkArguments,
    options: checkOptions,
    effect: 'read',
    examples: {
      "telctl temporal-rules check 'Office hours'": 'Now',
      "telctl temporal-rules check 'Office hours' --at 2026-12-24T10:00 --timezone Europe/Zurich":
        'Check another time in another zone',
    },
    operations: ['temporal_rules.get', 'accounts.get'],
    load: async () => checkRule,
  }),
  ...switchCommands(temporal_rules, "'Office hours'", {
    enable: 'Make a rule match at any time until you reset it',
    disable: 'Prevent a rule from matching until you reset it',
    reset: 'Make a rule follow its times again',
  }),
];

async function checkRule(
  { rule: named, at, timezone }: InputOf<typeof checkOptions, typeof checkArguments>,
  context: Context,
): Promise<TextResult> {
  const own = timezone === undefined ? undefined : readTimeZone(timezone, '--timezone');
  const rule = await getRecord(context, temporal_rules, named);
  const zone = own ?? (await accountZone(context));
  const atS = parseCallTime(at, zone, await serviceNowMs(context));
  const state = ruleState(rule, zone, atS);
  const doesMatch = isMatchingState(state);
  const changes = nextChange(rule, zone, atS);
  const timeShown = (time: number): string => `${formatLocalTime(localTime(zone, time))} ${zone}`;
  const name = quoteName(String(rule.name ?? labelOf(temporal_rules, rule)));
  const why = explainState(rule, state, zone);
  const { next, line } = describeMatches(rule, zone, atS);
  const change =
    changes === undefined
      ? state.startsWith('forced')
        ? `It stays forced until it is reset: ${nextStep`temporal-rules reset ${String(rule.name ?? rule.id)}`}`
        : `It ${doesMatch ? 'always matches' : 'never matches'} from then on`
      : `It ${doesMatch ? 'stops' : 'starts'} matching at ${timeShown(changes)}`;
  return {
    kind: 'text',
    text: [
      `${name} ${doesMatch ? 'matches' : 'does not match'} at ${timeShown(atS)}${at === undefined ? ' (the clock of the service)' : ''}: ${why}.`,
      `${change}.`,
      ...(line === undefined || next.length === 0 ? [] : [line]),
      ...temporalFindings(rule).map(({ message }) => `Note: ${message}.`),
    ],
    value: {
      rule: { id: rule.id ?? null, name: rule.name ?? null },
      at: isoSeconds(atS),
      timezone: zone,
      matches: doesMatch,
      state,
      why,
      changes_at: changes === undefined ? null : isoSeconds(changes),
      next,
    },
  };
}

function explainState(rule: JsonObject, state: RuleState, zone: string): string {
  const timeOfDay = (key: string, usual: number): string =>
    formatShownNumber('time of day', typeof rule[key] === 'number' ? rule[key] : usual);
  const window = `${timeOfDay('time_window_start', 0)} to ${timeOfDay('time_window_stop', 86_400)}`;
  switch (state) {
    case 'forced on':
      return 'it is enabled at any time';
    case 'forced off':
      return 'it is disabled at any time';
    case 'not begun':
      return `its first day, ${formatDay(localTime(zone, Number(rule.start_date) - gregorianOffset).day)}, is still to come`;
    case 'no day':
      return typeof rule.cycle === 'string'
        ? `no day follows from it: a ${rule.cycle} rule needs days, or exactly one weekday`
        : 'it has no cycle';
    case 'other day':
      return 'this is not one of its days';
    case 'outside':
      return `this is one of its days, but outside ${window}`;
    case 'within':
      return `this is one of its days, within ${window}`;
  }
}

/** Throws `usage` with the name of the option. */
function readTimeZone(text: string, option: string): string {
  if (isTimeZone(text)) return text;
  throw new Failure(
    'usage',
    `${option}: there is no time zone ${JSON.stringify(text)}.${didYouMean(nearestName('time-zone', text))}`,
  );
}
