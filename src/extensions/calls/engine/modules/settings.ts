import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import type { ResourceName } from '../../../../contract/types.ts';
import type { Task } from '../clock.ts';
import {
  type CallModules,
  type CallRoute,
  dataOf,
  type FlowOutcome,
  playAndLeave,
  playSound,
  stop,
  takeBranch,
} from '../outcome.ts';
import { booleanOr, mapAt, nonEmptyText, numberOr, objects, recordId } from '../records.ts';
import { answer, recordEvent } from '../run.ts';
import { collect } from '../waiting.ts';

interface Target {
  readonly resource: ResourceName;
  readonly record: JsonObject;
}

function write({ run }: CallRoute, { resource, record }: Target, fields: JsonObject): void {
  const id = recordId(record);
  run.written.set(`${resource} ${id}`, { ...run.written.get(`${resource} ${id}`), ...fields });
  recordEvent(run, { kind: 'writes', resource, id, fields });
}

const ownUser = ({ party }: CallRoute): Target | undefined =>
  party.user ? { resource: 'users', record: party.user } : undefined;
const ownDevice = ({ party }: CallRoute): Target | undefined =>
  party.device ? { resource: 'devices', record: party.device } : undefined;

interface Switching {
  readonly target: Target | undefined;
  readonly field: string;
  readonly usual: boolean;
  readonly action: string | undefined;
  readonly prompts: readonly [string, string, string];
}

function* switchSetting(
  route: CallRoute,
  { target, field, usual, action, prompts }: Switching,
): Task<FlowOutcome> {
  const [activated, deactivated, unavailable] = prompts;
  answer(route.run, route.leg);
  if (!target) return yield* playAndLeave(route, unavailable, stop('There is no record to write to.'));
  const before = booleanOr(valueAt(target.record, `${field}.enabled`), usual);
  const wanted = new Map([
    ['toggle', !before],
    ['activate', true],
    ['deactivate', false],
  ]);
  const after = wanted.get(action ?? '');
  if (after === undefined) return yield* playAndLeave(route, unavailable, takeBranch());
  write(route, target, { [field]: { ...mapAt(target.record, field), enabled: after } });
  return yield* playAndLeave(route, after ? activated : deactivated, takeBranch());
}

/** Gregorian seconds of a date far in the future. A member is disabled until then. */
const never = 66_269_664_000;

/** Returns the flow with a user enabled or disabled in every ring group. */
function toggleInGroups(node: JsonObject[string], owner: string, until: number): JsonObject | undefined {
  if (!isObject(node)) return undefined;
  const data = mapAt(node, 'data');
  const endpoints = objects(data.endpoints).map((each) =>
    each.endpoint_type === 'user' && each.id === owner ? { ...each, disable_until: until } : each,
  );
  const below = Object.entries(mapAt(node, 'children')).map(([key, child]) => [
    key,
    toggleInGroups(child, owner, until) ?? child,
  ]);
  const changed = node.module === 'ring_group' ? { data: { ...data, endpoints } } : {};
  return { ...node, ...changed, children: Object.fromEntries(below) };
}

const guestsOf = (device: JsonObject): JsonObject => mapAt(device, 'hotdesk.users');

function writeGuests(route: CallRoute, device: JsonObject, users: JsonObject): void {
  write(route, { resource: 'devices', record: device }, { hotdesk: { ...mapAt(device, 'hotdesk'), users } });
}

export const settingModules: CallModules = {
  call_forward: {
    simulated: 'action',
    *run(route, step) {
      const target = ownUser(route) ?? ownDevice(route);
      if (!target)
        return yield* playAndLeave(
          route,
          'cf-not_available',
          stop('The caller has no phone of the account.'),
        );
      answer(route.run, route.leg);
      const before = mapAt(target.record, 'call_forward');
      let action = nonEmptyText(dataOf(step).action);
      const isOn = booleanOr(before.enabled, false);
      if (action === 'menu') {
        const key = yield* collect(route, { prompt: 'cf-enabled_menu', most: 1 });
        action = key === '1' ? 'toggle' : key === '2' ? 'update' : undefined;
      }
      const turnsOff = action === 'deactivate' || (action === 'toggle' && isOn);
      if (turnsOff) {
        write(route, target, { call_forward: { ...before, enabled: false } });
        yield* playSound(route, 'cf-disabled');
      } else if (action === 'activate' || action === 'update' || action === 'toggle') {
        const asked = { prompt: 'cf-enter_number', most: 20, timeout: 8 };
        const kept = action === 'toggle' ? nonEmptyText(before.number) : undefined;
        const number = route.capture ?? kept ?? (yield* collect(route, asked));
        const enabled = action === 'update' ? isOn : true;
        write(route, target, { call_forward: { ...before, enabled, number } });
        yield* playSound(route, 'cf-now_forwarded_to');
      }
      return takeBranch();
    },
  },
  do_not_disturb: {
    simulated: 'action id',
    *run(route, step) {
      const data = dataOf(step);
      const [named] = (['users', 'devices'] as const).flatMap((resource) => {
        const record = route.records.get(resource, nonEmptyText(data.id));
        return record ? { resource, record } : [];
      });
      return yield* switchSetting(route, {
        target: named ?? ownUser(route) ?? ownDevice(route),
        field: 'do_not_disturb',
        usual: false,
        action: nonEmptyText(data.action),
        prompts: ['dnd-activated', 'dnd-deactivated', 'dnd-not_available'],
      });
    },
  },
  call_waiting: {
    simulated: 'action scope',
    *run(route, step) {
      const data = dataOf(step);
      return yield* switchSetting(route, {
        target: nonEmptyText(data.scope) === 'user' ? ownUser(route) : ownDevice(route),
        field: 'call_waiting',
        usual: true,
        action: nonEmptyText(data.action) ?? 'toggle',
        prompts: ['cw-activated', 'cw-deactivated', 'cw-not_available'],
      });
    },
  },
  ring_group_toggle: {
    simulated: 'action callflow_id',
    *run(route, step) {
      const data = dataOf(step);
      answer(route.run, route.leg);
      const flow = route.records.get('callflows', nonEmptyText(data.callflow_id));
      const owner = route.owner;
      if (!flow || owner === undefined)
        return yield* playAndLeave(route, 'agent-invalid_choice', takeBranch());
      const until = nonEmptyText(data.action) === 'logout' ? never : 0;
      const changed = toggleInGroups(flow.flow, owner, until);
      write(route, { resource: 'callflows', record: flow }, { flow: changed ?? {} });
      yield* playSound(route, until === 0 ? 'agent-logged_in' : 'agent-logged_out');
      return takeBranch();
    },
  },
  manual_presence: {
    simulated: 'presence_id status',
    run(route, step) {
      const { run, leg } = route;
      const data = dataOf(step);
      answer(run, leg);
      const states: Readonly<Record<string, string>> = {
        idle: 'terminated',
        ringing: 'early',
        busy: 'confirmed',
      };
      const facts = {
        presence_id: nonEmptyText(data.presence_id) ?? '',
        state: states[nonEmptyText(data.status) ?? 'idle'] ?? '',
      };
      recordEvent(run, { kind: 'hook', hook: 'presence', facts });
      return takeBranch();
    },
  },
  hotdesk: {
    simulated: 'action id interdigit_timeout',
    *run(route, step) {
      const data = dataOf(step);
      const { party, records, run, leg } = route;
      const action = nonEmptyText(data.action) ?? 'logout';
      if (action === 'bridge')
        return takeBranch('_', 'Hotdesk phones of a user only ring with the module "user".');
      answer(run, leg);
      const interdigit = numberOr(data.interdigit_timeout, 2000) / 1000;
      const [only] = Object.keys(mapAt(party.device, 'hotdesk.users'));
      const asked = nonEmptyText(data.id) ?? (action === 'logout' ? only : undefined);
      const typed = asked ?? (yield* collect(route, { prompt: 'hotdesk-enter_id', most: 10, interdigit }));
      const user =
        records.get('users', typed) ??
        records.account.of('users').find((each) => nonEmptyText(valueAt(each, 'hotdesk.id')) === typed);
      const { device } = party;
      const missing = 'The user does not exist, or the caller has no phone of the account.';
      if (!user || !device) return yield* playAndLeave(route, 'hotdesk-abort', takeBranch('_', missing));
      const places = records.account
        .of('devices')
        .filter((each) => guestsOf(each)[recordId(user)] !== undefined);
      const signsOut = action === 'logout' || (action === 'toggle' && places.length > 0);
      if (!signsOut && booleanOr(valueAt(user, 'hotdesk.require_pin'), false)) {
        const pin = yield* collect(route, { prompt: 'hotdesk-enter_pin', most: 6, interdigit });
        if (pin !== nonEmptyText(valueAt(user, 'hotdesk.pin')))
          return yield* playAndLeave(route, 'hotdesk-invalid_entry', takeBranch('_', 'The PIN was wrong.'));
      }
      const keeps = booleanOr(valueAt(user, 'hotdesk.keep_logged_in_elsewhere'), false);
      for (const each of keeps ? (signsOut ? [device] : []) : places)
        if (each !== device || signsOut) {
          const { [recordId(user)]: _, ...others } = guestsOf(each);
          writeGuests(route, each, others);
        }
      if (!signsOut) writeGuests(route, device, { ...guestsOf(device), [recordId(user)]: {} });
      yield* playSound(route, signsOut ? 'hotdesk-logged_out' : 'hotdesk-logged_in');
      return yield* playAndLeave(route, 'vm-goodbye', takeBranch());
    },
  },
};
