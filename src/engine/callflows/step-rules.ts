import { isObject, type Json, type JsonObject, textOf, valueAt } from '../../base/json.ts';
import { isTimeZone } from '../../base/zoned-time.ts';
import { compiled } from '../../contract/call-patterns.ts';
import { nearestName } from '../../contract/known-names.ts';
import { ruleTrouble } from '../../contract/temporal-match.ts';
import type { Finding, Found } from './finding.ts';
import type { FlowSet } from './flow-set.ts';
import { quotedText } from './step-label.ts';

type StepRule = (data: JsonObject, found: Found, set: FlowSet, step: JsonObject) => readonly Finding[];

const numberAt = (data: Json | undefined, path: string): number | undefined => {
  const value = valueAt(data, path);
  return typeof value === 'number' ? value : undefined;
};

const usualTimeout = 20;

/** Times at which nobody would be rung, or the usual one instead of none. */
const times: StepRule = (data, found) =>
  ['timeout', 'delay'].flatMap((key) => {
    const seconds = numberAt(data, key);
    if (seconds === undefined || seconds > 0 || (key === 'delay' && seconds === 0)) return [];
    return seconds < 0
      ? [found('bad-value', `data.${key} is ${seconds}: a time is not below nothing`, `data.${key}`)]
      : [found('odd-time', `data.${key} is 0, which stands for the usual ${usualTimeout} s`, `data.${key}`)];
  });

const endpointsOf = (data: JsonObject): readonly JsonObject[] => {
  const { endpoints } = data;
  return Array.isArray(endpoints) ? endpoints.filter((each: Json) => isObject(each)) : [];
};

/** Members of a group that never ring, or stand in it twice. */
const members: StepRule = (data, found) => {
  const timeout = numberAt(data, 'timeout') || usualTimeout;
  const seen = new Set<string>();
  const isInTurn = data.strategy === 'single' || data.strategy === 'weighted_random';
  return endpointsOf(data).flatMap((endpoint, index) => {
    const id = textOf(endpoint.id) ?? '';
    const isTwice = id !== '' && seen.has(id) && !isInTurn;
    seen.add(id);
    const delay = numberAt(endpoint, 'delay') ?? 0;
    const at = `data.endpoints.${index}`;
    return [
      ...(isTwice ? [found('endpoint-twice', `the group rings ${quotedText(id)} twice`, at)] : []),
      ...(delay >= timeout
        ? [
            found(
              'never-rings',
              `an endpoint rings after ${delay} s, and the group is over after ${timeout} s`,
              `${at}.delay`,
            ),
          ]
        : []),
    ];
  });
};

/** A time zone that does not exist. */
const zone: StepRule = ({ timezone }, found) => {
  if (typeof timezone !== 'string' || timezone === '' || timezone === 'inherit' || isTimeZone(timezone))
    return [];
  const near = nearestName('time-zone', timezone);
  const known = near === undefined ? '' : `; did you mean "${near}"?`;
  return [found('bad-value', `there is no time zone ${quotedText(timezone)}${known}`, 'data.timezone')];
};

/** Rules of a time route: that there are some, and that each can match. */
const timeRules: StepRule = (data, found, { targets, names }, step) => {
  if (typeof data.action === 'string') return [];
  const keys = isObject(step.children) ? Object.keys(step.children).filter((key) => key !== '_') : [];
  const listed = Array.isArray(data.rules) ? data.rules.map((rule: Json) => String(rule)) : [];
  const ids = [...new Set([...listed, ...keys, textOf(data.rule_set) ?? ''])].filter((id) => id !== '');
  if (ids.length === 0) return [found('missing-data', 'temporal_route tests no rule: every call takes "_"')];
  return ids.flatMap((id) => {
    const target = targets.get(id);
    if (target?.resource !== 'temporal_rules') return [];
    const { record } = target;
    const name = quotedText(names.get(id) ?? id);
    const [start, stop] = [numberAt(record, 'time_window_start'), numberAt(record, 'time_window_stop')];
    const trouble = record.cycle === undefined ? undefined : ruleTrouble(record);
    return [
      ...(trouble ? [found('bad-rule', `rule ${name}: ${trouble.message}`)] : []),
      ...(start !== undefined && stop !== undefined && stop < start
        ? [found('bad-rule', `rule ${name} ends before it begins: a window over midnight takes two rules`)]
        : []),
    ];
  });
};

/** Codes that end a call before it is answered. */
const codes: StepRule = ({ code }, found) =>
  code === undefined || (typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 699)
    ? []
    : [
        found(
          'bad-value',
          `a call is not refused with the code ${String(code)}: 400 to 699 are`,
          'data.code',
        ),
      ];

/** A malformed regular expression. */
const expression =
  (key: string): StepRule =>
  (data, found) => {
    const text = textOf(data[key]);
    return text === undefined || compiled(text) !== undefined
      ? []
      : [found('bad-pattern', `data.${key} ${quotedText(text)} is not a regular expression`, `data.${key}`)];
  };

/** Rules by module; `*`: for every one. */
const rulesOf: ReadonlyMap<string, readonly StepRule[]> = new Map<string, readonly StepRule[]>([
  ['*', [times]],
  ['ring_group', [members]],
  ['page_group', [members]],
  ['temporal_route', [zone, timeRules]],
  ['response', [codes]],
  ['check_cid', [expression('regex')]],
  ['dynamic_cid', [expression('whitelist_regex')]],
]);

/** What is wrong with the data of a step beside its form. */
export function stepRuleFindings(step: JsonObject, set: FlowSet, found: Found): readonly Finding[] {
  const data = isObject(step.data) ? step.data : {};
  return ['*', String(step.module)].flatMap((module) =>
    (rulesOf.get(module) ?? []).flatMap((rule) => rule(data, found, set, step)),
  );
}

const textsAt = (record: JsonObject, path: string): readonly string[] => {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value.flatMap((each: Json) => (typeof each === 'string' ? each : [])) : [];
};

/** The rules of a conference, in words. */
function conferenceRules(room: JsonObject, data: JsonObject): readonly string[] {
  const members = textsAt(room, 'member.pins');
  const moderators = textsAt(room, 'moderator.pins');
  const isKnown = typeof data.moderator === 'boolean';
  const pins = isKnown ? (data.moderator === true ? moderators : members) : [...members, ...moderators];
  const { max_participants: most } = room;
  const isFree = !isKnown && members.length === 0;
  return [
    ...(pins.length === 0 ? [] : [isFree ? 'moderators dial a PIN' : 'asks for a PIN']),
    ...(typeof most === 'number' ? [`takes ${most} at most`] : []),
  ];
}

/** The rules of a voicemail box, in words; they never hold a PIN. */
function boxRules(box: JsonObject, data: JsonObject): readonly string[] {
  const hasPin = typeof box.pin === 'string' && box.pin !== '';
  const asked = hasPin ? 'asks for the PIN' : 'has no PIN and lets nobody in';
  if (data.action === 'check') return [asked];
  const hasOwner = typeof box.owner_id === 'string' && box.owner_id !== '';
  if (!hasOwner || box.check_if_owner === false) return [];
  return [`its owner hears messages${box.require_pin === true ? `, and ${asked}` : ''}`];
}

/** What conferences, voicemail boxes and `disa` ask of a caller, in words; nothing for other steps. */
export function doorRules({ targets }: FlowSet, step: JsonObject): readonly string[] {
  const data = isObject(step.data) ? step.data : {};
  const target = targets.get(textOf(data.id) ?? '');
  if (step.module === 'conference') return conferenceRules(target?.record ?? {}, data);
  if (step.module === 'disa')
    return [textOf(data.pin) === undefined ? 'asks for a number' : 'asks for a PIN'];
  if (step.module !== 'voicemail') return [];
  if (target) return boxRules(target.record, data);
  return data.action === 'check' ? ['asks for a box'] : [];
}
