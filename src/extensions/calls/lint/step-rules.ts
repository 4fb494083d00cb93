import {
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  ownValue,
  textOf,
  textsIn,
  valueAt,
} from '../../../base/json.ts';
import { isTimeZone } from '../../../base/zoned-time.ts';
import { compiled } from '../../../contract/call-patterns.ts';
import { referencesOf } from '../../../contract/callflow-modules.ts';
import { nearestName } from '../../../contract/name-lists.ts';
import { temporalFindings } from '../../../contract/temporal-findings.ts';
import { timeTaken } from '../../../contract/temporal-order.ts';
import type { Finding, LintRule, MakeFinding } from '../../../engine/callflows/finding.ts';
import {
  branchesOf,
  type FlowSet,
  fieldKey,
  orMeant,
  quotedText,
} from '../../../engine/callflows/flow-set.ts';

type StepRule = (data: JsonObject, found: MakeFinding, set: FlowSet, step: JsonObject) => readonly Finding[];

const numberAt = (data: Json | undefined, path: string): number | undefined => {
  const value = valueAt(data, path);
  return typeof value === 'number' ? value : undefined;
};

const usualTimeout = 20;

/** Figures below nothing, and the usual time instead of none. */
const figures: StepRule = (data, found) =>
  [
    ...Object.entries(data).map(([key, value]) => ({ key, value, at: `data.${key}` })),
    ...endpointsOf(data).flatMap((endpoint, index) =>
      Object.entries(endpoint).map(([key, value]) => ({ key, value, at: `data.endpoints.${index}.${key}` })),
    ),
  ].flatMap(({ key, value, at }) => {
    if (typeof value === 'number' && value < 0)
      return [found('bad-value', `${at} is ${value}: it is not below nothing`, at)];
    return key === 'timeout' && value === 0 && at === 'data.timeout'
      ? [found('odd-time', `${at} is 0, which stands for the usual ${usualTimeout} s`, at)]
      : [];
  });

const endpointsOf = ({ endpoints }: JsonObject): readonly JsonObject[] => objectsIn(endpoints);

/** Somebody is rung only when the ringing is over. */
const tooLate: StepRule = (data, found) => {
  const [delay = 0, timeout] = [numberAt(data, 'delay'), numberAt(data, 'timeout') || usualTimeout];
  return delay >= timeout
    ? [found('never-rings', `it rings after ${delay} s, and is over after ${timeout} s`, 'data.delay')]
    : [];
};

/** Members of a group that never ring, or stand in it twice. */
const members: StepRule = (data, found) => {
  const timeout = numberAt(data, 'timeout') || usualTimeout;
  const seen = new Set<string>();
  const isInTurn = data.strategy === 'single' || data.strategy === 'weighted_random';
  let passed = 0;
  return endpointsOf(data).flatMap((endpoint, index) => {
    const id = textOf(endpoint.id) ?? '';
    const isTwice = id !== '' && seen.has(id) && !isInTurn;
    seen.add(id);
    const delay = isInTurn ? passed : (numberAt(endpoint, 'delay') ?? 0);
    if (data.strategy === 'single') passed += numberAt(endpoint, 'timeout') ?? 0;
    const at = `data.endpoints.${index}`;
    const message = `an endpoint rings after ${delay} s, and the group is over after ${timeout} s`;
    return [
      ...(isTwice ? [found('endpoint-twice', `the group rings ${quotedText(id)} twice`, at)] : []),
      ...(delay >= timeout ? [found('never-rings', message, `${at}.${isInTurn ? 'timeout' : 'delay'}`)] : []),
    ];
  });
};

/** People without a phone, and who or what is disabled. Nothing is said where no phone is known. */
const unreachable: StepRule = (_, found, { targets, names }, step) => {
  const devices = [...targets.values()].flatMap(({ resource, record }) =>
    resource === 'devices' ? [record] : [],
  );
  return referencesOf(step).flatMap(({ id, keys }) => {
    const target = targets.get(id);
    if (target?.resource !== 'users' && target?.resource !== 'devices') return [];
    const { resource, record } = target;
    const name = `${resource === 'users' ? 'user' : 'device'} ${quotedText(names.get(id) ?? id)}`;
    const isOn = ['enabled', 'failover'].some((key) => valueAt(record, `call_forward.${key}`) === true);
    const hasPhone = devices.some(
      (device) => device.owner_id === id || valueAt(device, `hotdesk.users.${fieldKey(id)}`) !== undefined,
    );
    const why =
      record.enabled === false
        ? 'is disabled, so that nobody is rung'
        : resource === 'users' && devices.length > 0 && !hasPhone && !isOn
          ? 'has no phone, so that nobody is rung'
          : undefined;
    return why === undefined ? [] : [found('not-reached', `${name} ${why}`, keys.map(fieldKey).join('.'))];
  });
};

/** Keys of a menu that are longer than what it waits for, and menus without a choice. */
const choices: StepRule = (data, found, { targets }, step) => {
  const menu = targets.get(textOf(data.id) ?? '');
  if (menu?.resource !== 'menus') return [];
  const most = numberAt(menu.record, 'max_extension_length') ?? 4;
  const keys = branchesOf(step).flatMap(([key]) => (/^[\d*#+]+$/.test(key) ? [key] : []));
  return [
    ...keys
      .filter((key) => key.length > most)
      .map((key) =>
        found('never-taken', `${key} is longer than the ${most} keys that the menu takes`, `children.${key}`),
      ),
    ...(keys.length === 0 && menu.record.hunt !== true && branchesOf(step).length > 0
      ? [found('dead-end', 'the menu has no branch for any key')]
      : []),
  ];
};

/** Who calls out in vain leaves by the cause, or the call ends with it. */
const carriersFail: StepRule = (_, found, __, step) => {
  const message = 'a call that no carrier takes ends: "_" is never taken, USER_BUSY would be';
  const hasNext = branchesOf(step).some(([key]) => key === '_');
  return hasNext ? [found('never-taken', message, 'children._')] : [];
};

/** Nobody may listen to others without leave. */
const leave: StepRule = (data, found) =>
  ['approved_device_id', 'approved_user_id', 'approved_group_id'].some((key) => textOf(data[key]))
    ? []
    : [found('missing-data', 'eavesdrop names nobody who may listen, so that all are refused')];

const zone: StepRule = ({ timezone }, found) => {
  if (typeof timezone !== 'string' || timezone === '' || timezone === 'inherit' || isTimeZone(timezone))
    return [];
  const meant = orMeant(nearestName('time-zone', timezone));
  return [found('bad-value', `there is no time zone ${quotedText(timezone)}${meant}`, 'data.timezone')];
};

/** A rule of every day and the whole of it, which nobody switched on by hand. */
function isAlways({ cycle, enabled, interval = 1, wdays, ...rule }: JsonObject): boolean {
  const days = Array.isArray(wdays) ? new Set(wdays).size : 0;
  const isEveryDay = cycle === 'daily' || (cycle === 'weekly' && (days === 0 || days === 7));
  const start = numberAt(rule, 'time_window_start') ?? 0;
  const stop = numberAt(rule, 'time_window_stop') ?? wholeDay;
  return isEveryDay && enabled === undefined && interval === 1 && start === 0 && stop >= wholeDay - 60;
}

const wholeDay = 86_400;

/**
 * Finds a rule that an earlier one keeps from its calls, unless both lead to the same. A rule of certain dates, such as a
 * holiday, must also come before the rules of weekdays that match on a part of its days.
 */
function testedTooLate(
  id: string,
  before: readonly string[],
  { children }: JsonObject,
  { targets, names }: FlowSet,
): readonly (readonly [LintRule, string])[] {
  const ruleOf = (key: string): JsonObject | undefined => {
    const target = targets.get(key);
    return target?.resource === 'temporal_rules' ? target.record : undefined;
  };
  // Keys can contain dots.
  const next = (key: string): string => JSON.stringify(ownValue(children, key));
  const [rule, isAlwaysTested] = [ruleOf(id), (key: string) => isAlways(ruleOf(key) ?? {})];
  if (rule === undefined) return [];
  const isOfDates = rule.cycle === 'date' || rule.cycle === 'yearly';
  for (const key of before) {
    const earlier = ruleOf(key);
    if (earlier === undefined || isAlwaysTested(key) || next(key) === next(id)) continue;
    const taken = timeTaken(earlier, rule);
    const [name, first] = [id, key].map((each) => quotedText(names.get(each) ?? each));
    if (taken === 'all')
      return [
        [
          'never-taken',
          `rule ${name} is never reached: ${first} is tested first and matches at all its times`,
        ],
      ];
    if (taken === 'some' && isOfDates && (earlier.cycle === 'weekly' || earlier.cycle === 'daily'))
      return [['bad-rule', `rule ${name} is tested after ${first}, which takes its calls when both match`]];
  }
  return [];
}

/** Rules of a time route: that there are some, and that each can match. */
const timeRules: StepRule = (data, found, set, step) => {
  const { targets, names } = set;
  if (typeof data.action === 'string') return [];
  const keys = isObject(step.children) ? Object.keys(step.children).filter((key) => key !== '_') : [];
  const listed = Array.isArray(data.rules) ? data.rules.map((rule: Json) => String(rule)) : [];
  const ids = [...new Set([...listed, ...keys, textOf(data.rule_set) ?? ''])].filter((id) => id !== '');
  if (ids.length === 0) return [found('missing-data', 'temporal_route tests no rule: every call takes "_"')];
  return ids.flatMap((id, index) => {
    const target = targets.get(id);
    if (target?.resource !== 'temporal_rules') return [];
    const { record } = target;
    const name = quotedText(names.get(id) ?? id);
    const isIdle = !keys.includes(id) && id !== data.rule_set;
    return [
      ...(isIdle ? [found('never-taken', `rule ${name} has no branch: its calls take "_"`)] : []),
      ...(isIdle ? [] : testedTooLate(id, ids.slice(0, index), step, set).map((each) => found(...each))),
      ...temporalFindings(record).map(({ message }) => found('bad-rule', `rule ${name}: ${message}`)),
      ...(isAlways(record)
        ? [found('bad-rule', `rule ${name} always matches: what stands after it is never reached`)]
        : []),
    ];
  });
};

/** Codes that end a call before it is answered. */
const codes: StepRule = ({ code }, found) => {
  if (code === undefined) return [];
  if (typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 699) return [];
  const message = `a call is not refused with the code ${String(code)}: 400 to 699 are`;
  return [found('bad-value', message, 'data.code')];
};

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
  ['*', [figures]],
  ['user', [tooLate, unreachable]],
  ['device', [tooLate, unreachable]],
  ['ring_group', [members, unreachable]],
  ['page_group', [members, unreachable]],
  ['menu', [choices]],
  ['resources', [carriersFail]],
  ['offnet', [carriersFail]],
  ['eavesdrop', [leave]],
  ['temporal_route', [zone, timeRules]],
  ['response', [codes]],
  ['check_cid', [expression('regex')]],
  ['dynamic_cid', [expression('whitelist_regex')]],
]);

/** What is wrong with the data of a step beside its form. */
export function stepRuleFindings(step: JsonObject, set: FlowSet, found: MakeFinding): readonly Finding[] {
  const data = isObject(step.data) ? step.data : {};
  return ['*', String(step.module)].flatMap((module) =>
    (rulesOf.get(module) ?? []).flatMap((rule) => rule(data, found, set, step)),
  );
}

function conferenceRules(room: JsonObject, data: JsonObject): readonly string[] {
  const members = textsIn(valueAt(room, 'member.pins'));
  const moderators = textsIn(valueAt(room, 'moderator.pins'));
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
