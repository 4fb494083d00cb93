import { type Json, type JsonObject, valueAt } from '../../../../base/json.ts';
import { canDialExtension } from '../../../../contract/call-patterns.ts';
import { normalisedNumber } from '../../../../contract/phone-number.ts';
import {
  branchStep,
  type CallModules,
  type CallRoute,
  childKeys,
  dataOf,
  enterFlow,
  playSound,
  takeBranch,
} from '../outcome.ts';
import { booleanOr, type FoundFlow, findFlow, nameByKind, nonEmptyText, numberOr } from '../records.ts';
import { answer } from '../run.ts';
import { collect } from '../waiting.ts';

/** Returns the sound of a menu: its own medium, the prompt of the service, or `undefined` for silence. */
function soundOf(menu: JsonObject | undefined, part: string, usual: string): string | undefined {
  const value: Json | undefined = valueAt(menu, `media.${part}`);
  if (value === false) return undefined;
  return nonEmptyText(value === true ? undefined : value) ?? usual;
}

/** The digits dialed at a menu replace earlier captures. */
function replaceCaptures(route: CallRoute, { capture, named }: FoundFlow): void {
  route.capture = capture;
  route.named = named;
}

const collectionOf = (data: JsonObject): string => nonEmptyText(data.collection_name) ?? 'default';

function keepKeys({ leg, collections }: CallRoute): void {
  leg.facts.collections = { ...collections };
}

export const menuModules: CallModules = {
  menu: {
    simulated: 'id interdigit_timeout',
    *run(route, step) {
      const { run, leg, records } = route;
      const data = dataOf(step);
      const record = records.get('menus', nonEmptyText(data.id));
      const name = record ? nameByKind('menus', record) : 'menu';
      answer(run, leg);
      const most = numberOr(record?.max_extension_length, 4);
      const interdigit = numberOr(data.interdigit_timeout ?? record?.interdigit_timeout, 2000) / 1000;
      const timeout = numberOr(record?.timeout, 10_000) / 1000;
      const greeting = nonEmptyText(valueAt(record, 'media.greeting')) ?? 'menu-no_prompt';
      for (let left = Math.max(1, numberOr(record?.retries, 3)); left > 0; left -= 1) {
        const keys = yield* collect(route, { prompt: greeting, most, timeout, interdigit });
        const key = keys === '' ? 'timeout' : keys;
        if (branchStep(step, key))
          return takeBranch(key, `The caller presses ${keys === '' ? 'no key' : keys}.`);
        if (keys === '') continue;
        const isAllowed = booleanOr(record?.hunt, false) && canDialExtension(record, keys);
        const found = isAllowed ? findFlow(records, keys, false) : undefined;
        if (found) {
          const sound = soundOf(record, 'transfer_media', 'menu-transferring_call');
          if (sound !== undefined) yield* playSound(route, sound);
          replaceCaptures(route, found);
          const why = `The caller presses ${keys}. ${found.why}`;
          return enterFlow(route, { flow: found.flow, why }, keys);
        }
        const pin = nonEmptyText(record?.record_pin);
        const mayRecord = !route.isOffnet || booleanOr(record?.allow_record_from_offnet, false);
        if (pin === keys && mayRecord) {
          yield* playSound(route, 'vm-record_greeting');
          continue;
        }
        const sound = soundOf(record, 'invalid_media', 'menu-invalid_entry');
        if (sound !== undefined) yield* playSound(route, sound);
      }
      const exit = soundOf(record, 'exit_media', 'menu-exit');
      if (exit !== undefined) yield* playSound(route, exit);
      if (branchStep(step, 'max_retries'))
        return takeBranch('max_retries', `${name}: no choice after all attempts.`);
      const hasNext = branchStep(step, '_') !== undefined;
      yield* playSound(route, hasNext ? 'menu-transferring_call' : 'vm-goodbye');
      return takeBranch(
        '_',
        hasNext ? `${name}: no choice.` : `The menu ${JSON.stringify(name)} says goodbye.`,
      );
    },
  },
  collect_dtmf: {
    simulated: 'max_digits timeout interdigit_timeout terminator terminators collection_name',
    *run(route, step) {
      const data = dataOf(step);
      answer(route.run, route.leg);
      const list = Array.isArray(data.terminators) ? data.terminators.join('') : undefined;
      const name = collectionOf(data);
      // Includes keys that were pressed during earlier sounds.
      const before = route.collections[name] ?? '';
      const most = numberOr(data.max_digits, 1) - before.length;
      const how = {
        most,
        timeout: numberOr(data.timeout, 5000) / 1000,
        interdigit: numberOr(data.interdigit_timeout, 2000) / 1000,
        terminators: list ?? nonEmptyText(data.terminator) ?? '#',
      };
      route.collections[name] = before + (most > 0 ? yield* collect(route, how) : '');
      keepKeys(route);
      return takeBranch();
    },
  },
  flush_dtmf: {
    simulated: 'collection_name',
    run(route, step) {
      delete route.collections[collectionOf(dataOf(step))];
      keepKeys(route);
      return takeBranch();
    },
  },
  send_dtmf: {
    simulated: 'digits duration_ms',
    *run(route, step) {
      const data = dataOf(step);
      const digits = nonEmptyText(data.digits) ?? '';
      yield* playSound(route, `keys ${digits}`, (digits.length * numberOr(data.duration_ms, 2000)) / 1000);
      return takeBranch();
    },
  },
  branch_bnumber: {
    simulated: 'hunt hunt_allow hunt_deny',
    run(route, step) {
      const data = dataOf(step);
      const { capture } = route;
      if (capture === undefined) return takeBranch('_', 'Nothing was captured from the number.');
      const key = branchStep(step, capture) ? capture : normalisedNumber(capture);
      if (!booleanOr(data.hunt, false)) return takeBranch(key, `${capture} was captured from the number.`);
      const found = canDialExtension(data, capture)
        ? findFlow(route.records, capture, !route.isOffnet)
        : undefined;
      if (!found) return takeBranch('_', `No callflow matches ${capture}.`);
      replaceCaptures(route, found);
      return enterFlow(route, found, capture);
    },
  },
  branch_variable: {
    simulated: 'variable scope',
    run(route, step) {
      const data = dataOf(step);
      const name = nonEmptyText(data.variable) ?? '';
      const scopes: Readonly<Record<string, JsonObject | undefined>> = {
        custom_channel_vars: { ...route.variables, callflow_id: route.leg.facts.callflow_id ?? '' },
        account: route.records.account.record,
        user: route.party.user,
        device: route.party.device,
      };
      const scope = nonEmptyText(data.scope) ?? 'custom_channel_vars';
      const inOrder =
        scope === 'merged'
          ? [scopes.user, scopes.device, scopes.account, scopes.custom_channel_vars]
          : [scopes[scope]];
      const value = inOrder.map((each) => valueAt(each, name)).find((each) => each !== undefined);
      const key = value === undefined || typeof value === 'object' ? undefined : String(value);
      const hasKey = key !== undefined && childKeys(step).includes(key);
      return takeBranch(
        hasKey ? key : '_',
        `${name} is ${key === undefined ? 'not set' : JSON.stringify(key)}.`,
      );
    },
  },
};
