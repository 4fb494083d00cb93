import {
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  textOrUndefined,
  textsIn,
  valueAt,
} from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { listReferences } from '../../../contract/callflow-modules.ts';
import type { Finding, MakeFinding } from '../../../engine/callflows/finding.ts';
import { type FlowSet, fieldKey, quoteText, sortedBranches } from '../../../engine/callflows/flow-set.ts';
import { timeRules } from './time-rules.ts';

export type StepRule = (
  data: JsonObject,
  found: MakeFinding,
  set: FlowSet,
  step: JsonObject,
) => readonly Finding[];

const numberAt = (data: Json | undefined, path: string): number | undefined => {
  const value = valueAt(data, path);
  return typeof value === 'number' ? value : undefined;
};

const defaultTimeout = 20;

/** Finds negative numbers, and zeros that select a default. */
const numberRule: StepRule = (data, found) =>
  [
    ...Object.entries(data).map(([key, value]) => ({ key, value, at: `data.${key}` })),
    ...endpointsOf(data).flatMap((endpoint, index) =>
      Object.entries(endpoint).map(([key, value]) => ({ key, value, at: `data.endpoints.${index}.${key}` })),
    ),
  ].flatMap(({ key, value, at }) => {
    if (typeof value === 'number' && value < 0)
      return [found('bad-value', `${at} is ${value}, which is negative`, at)];
    return key === 'timeout' && value === 0 && at === 'data.timeout'
      ? [found('odd-time', `${at} is 0, which selects the default of ${defaultTimeout} s`, at)]
      : [];
  });

const endpointsOf = ({ endpoints }: JsonObject): readonly JsonObject[] => objectsIn(endpoints);

/** Finds group members whose delay is longer than the ringing time. */
const ringDelayRule: StepRule = (data, found) => {
  const [delay = 0, timeout] = [numberAt(data, 'delay'), numberAt(data, 'timeout') || defaultTimeout];
  return delay >= timeout
    ? [found('never-rings', `it rings after ${delay} s, but ringing ends after ${timeout} s`, 'data.delay')]
    : [];
};

const groupMembers: StepRule = (data, found) => {
  const timeout = numberAt(data, 'timeout') || defaultTimeout;
  const seen = new Set<string>();
  const isSequential = data.strategy === 'single' || data.strategy === 'weighted_random';
  let elapsed = 0;
  return endpointsOf(data).flatMap((endpoint, index) => {
    const id = textOrUndefined(endpoint.id) ?? '';
    const isTwice = id !== '' && seen.has(id) && !isSequential;
    seen.add(id);
    const delay = isSequential ? elapsed : (numberAt(endpoint, 'delay') ?? 0);
    if (data.strategy === 'single') elapsed += numberAt(endpoint, 'timeout') ?? 0;
    const at = `data.endpoints.${index}`;
    const message = `an endpoint rings after ${delay} s, but the group stops after ${timeout} s`;
    return [
      ...(isTwice ? [found('endpoint-twice', `the group rings ${quoteText(id)} twice`, at)] : []),
      ...(delay >= timeout
        ? [found('never-rings', message, `${at}.${isSequential ? 'timeout' : 'delay'}`)]
        : []),
    ];
  });
};

/** Finds users without a phone, and disabled users and devices. Reports nothing if no device is known. */
const unreachableRule: StepRule = (_, found, { targets, names }, step) => {
  const devices = [...targets.values()].flatMap(({ resource, record }) =>
    resource === 'devices' ? [record] : [],
  );
  return listReferences(step).flatMap(({ id, keys }) => {
    const target = targets.get(id);
    if (target?.resource !== 'users' && target?.resource !== 'devices') return [];
    const { resource, record } = target;
    const name = `${resource === 'users' ? 'user' : 'device'} ${quoteText(names.get(id) ?? id)}`;
    const isOn = ['enabled', 'failover'].some((key) => valueAt(record, `call_forward.${key}`) === true);
    const hasPhone = devices.some(
      (device) => device.owner_id === id || valueAt(device, `hotdesk.users.${fieldKey(id)}`) !== undefined,
    );
    const why =
      record.enabled === false
        ? 'is disabled and does not ring'
        : resource === 'users' && devices.length > 0 && !hasPhone && !isOn
          ? 'has no phone, so nothing rings'
          : undefined;
    return why === undefined ? [] : [found('not-reached', `${name} ${why}`, keys.map(fieldKey).join('.'))];
  });
};

/** Finds menu keys that are longer than the menu allows, and menus without keys. */
const menuKeysRule: StepRule = (data, found, { targets }, step) => {
  const menu = targets.get(textOrUndefined(data.id) ?? '');
  if (menu?.resource !== 'menus') return [];
  const most = numberAt(menu.record, 'max_extension_length') ?? 4;
  const keys = sortedBranches(step).flatMap(([key]) => (/^[\d*#+]+$/.test(key) ? [key] : []));
  return [
    ...keys
      .filter((key) => key.length > most)
      .map((key) =>
        found(
          'never-taken',
          `${key} is longer than the ${most} keys that the menu accepts`,
          `children.${key}`,
        ),
      ),
    ...(keys.length === 0 && menu.record.hunt !== true && sortedBranches(step).length > 0
      ? [found('dead-end', 'the menu has no branch for any key')]
      : []),
  ];
};

/** Finds `_` branches after an outgoing call. A failed call takes the branch of its cause or ends. */
const failedCallsRule: StepRule = (_, found, __, step) => {
  const message =
    '"_" is never taken, because a failed call takes the branch of its cause, such as USER_BUSY';
  const hasNext = sortedBranches(step).some(([key]) => key === '_');
  return hasNext ? [found('never-taken', message, 'children._')] : [];
};

const eavesdropRule: StepRule = (data, found) =>
  ['approved_device_id', 'approved_user_id', 'approved_group_id'].some((key) => textOrUndefined(data[key]))
    ? []
    : [found('missing-data', 'eavesdrop allows no device, user or group, so everyone is refused')];

/** Finds response codes that end a call before it is answered. */
const responseCodeRule: StepRule = ({ code }, found) => {
  if (code === undefined) return [];
  if (typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 699) return [];
  const message = `the code must be from 400 to 699, not ${String(code)}`;
  return [found('bad-value', message, 'data.code')];
};

const regularExpression =
  (key: string): StepRule =>
  (data, found) => {
    const text = textOrUndefined(data[key]);
    return text === undefined || compilePattern(text) !== undefined
      ? []
      : [found('bad-pattern', `data.${key} ${quoteText(text)} is not a regular expression`, `data.${key}`)];
  };

const rulesOf: ReadonlyMap<string, readonly StepRule[]> = new Map<string, readonly StepRule[]>([
  ['*', [numberRule]],
  ['user', [ringDelayRule, unreachableRule]],
  ['device', [ringDelayRule, unreachableRule]],
  ['ring_group', [groupMembers, unreachableRule]],
  ['page_group', [groupMembers, unreachableRule]],
  ['menu', [menuKeysRule]],
  ['resources', [failedCallsRule]],
  ['offnet', [failedCallsRule]],
  ['eavesdrop', [eavesdropRule]],
  ['temporal_route', timeRules],
  ['response', [responseCodeRule]],
  ['check_cid', [regularExpression('regex')]],
  ['dynamic_cid', [regularExpression('whitelist_regex')]],
]);

/** Finds problems in the data of a step that its schema does not cover. */
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
    ...(typeof most === 'number' ? [`allows ${most} participants`] : []),
  ];
}

function boxRules(box: JsonObject, data: JsonObject): readonly string[] {
  const hasPin = typeof box.pin === 'string' && box.pin !== '';
  const asked = hasPin ? 'asks for the PIN' : 'has no PIN, so nobody can enter';
  if (data.action === 'check') return [asked];
  const hasOwner = typeof box.owner_id === 'string' && box.owner_id !== '';
  if (!hasOwner || box.check_if_owner === false) return [];
  return [`its owner hears messages${box.require_pin === true ? `, and ${asked}` : ''}`];
}

/** Describes what a caller must enter at conferences, voicemail boxes and `disa`. */
export function entryRules({ targets }: FlowSet, step: JsonObject): readonly string[] {
  const data = isObject(step.data) ? step.data : {};
  const target = targets.get(textOrUndefined(data.id) ?? '');
  if (step.module === 'conference') return conferenceRules(target?.record ?? {}, data);
  if (step.module === 'disa')
    return [textOrUndefined(data.pin) === undefined ? 'asks for a number' : 'asks for a PIN'];
  if (step.module !== 'voicemail') return [];
  if (target) return boxRules(target.record, data);
  return data.action === 'check' ? ['asks for a box'] : [];
}
