import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import { compilePattern } from '../../../../contract/call-patterns.ts';
import { toStoredNumber } from '../../../../contract/phone-number.ts';
import type { Task } from '../clock.ts';
import {
  type CallModules,
  type CallRoute,
  dataOf,
  enterFlow,
  type FlowOutcome,
  playAndLeave,
  playSound,
  stop,
  takeBranch,
} from '../outcome.ts';
import { classOf, isDenied, shownId } from '../parties.ts';
import { booleanOr, filledTexts, findFlow, nonEmptyText, numberOr, objects } from '../records.ts';
import { collect } from '../waiting.ts';

function listEntries({ records }: CallRoute, id: string): readonly JsonObject[] {
  const list = records.get('lists', id);
  const entries = list?.entries;
  return isObject(entries) ? objects(Object.values(entries).flatMap((each) => each ?? [])) : objects(entries);
}

/** Returns the entry that matches a number: the longest number or prefix, or else a regular expression. */
function entryFor(entries: readonly JsonObject[], number: string): JsonObject | undefined {
  const digits = number.replace(/^\+/, '');
  const startsWith = (entry: JsonObject): string =>
    (nonEmptyText(entry.number) ?? nonEmptyText(entry.prefix) ?? '').replace(/^\+/, '');
  const byPrefix = entries
    .filter((entry) => startsWith(entry) !== '' && digits.startsWith(startsWith(entry)))
    .toSorted((one, other) => startsWith(other).length - startsWith(one).length)[0];
  return (
    byPrefix ??
    entries.find((entry) => {
      const own = nonEmptyText(entry.regexp) ?? nonEmptyText(entry.pattern);
      const expression = own ?? (entry.type === 'regexp' ? nonEmptyText(entry.value) : undefined);
      const pattern = expression === undefined ? undefined : compilePattern(expression);
      return pattern !== undefined && (pattern.test(digits) || pattern.test(number));
    })
  );
}

const keyLength = 2;

/** Sets the caller id from a list. The first dialed digits select the entry. */
function* setFromList(route: CallRoute, data: JsonObject): Task<FlowOutcome> {
  const dialled = route.capture ?? '';
  const list = route.records.get('lists', nonEmptyText(data.id));
  const length = numberOr(list?.length, keyLength);
  const key = dialled.slice(0, length);
  const entry = listEntries(route, nonEmptyText(data.id) ?? '').find(
    (each) => nonEmptyText(each.key) === key || nonEmptyText(each.list_entry_key) === key,
  );
  const number = toStoredNumber(dialled.slice(length));
  const found = entry && findFlow(route.records, number, true);
  const isOpen = found && (found.isNoMatch || booleanOr(data.permit_custom_callflow, false));
  if (!entry || !found || !isOpen)
    return yield* playAndLeave(route, 'disa-invalid_extension', stop(`No target has the number ${dialled}.`));
  if (
    booleanOr(data.enforce_call_restriction, true) &&
    isDenied(route.party, classOf(route.records.account, number))
  )
    return yield* playAndLeave(route, 'cf-unauthorized_call', { go: 'end' });
  route.dynamicId = shownId(
    nonEmptyText(entry.number),
    nonEmptyText(entry.name) ?? nonEmptyText(entry.displayname),
  );
  route.req = number;
  route.to = number;
  return enterFlow(route, found);
}

export const callerIdModules: CallModules = {
  set_cid: {
    simulated: 'caller_id_name caller_id_number',
    run(route, step) {
      const data = dataOf(step);
      const id = shownId(nonEmptyText(data.caller_id_number), nonEmptyText(data.caller_id_name));
      route.rewriteId = Object.keys(id).length === 0 ? undefined : id;
      return takeBranch();
    },
  },
  prepend_cid: {
    simulated: 'action apply_to caller_id_name_prefix caller_id_number_prefix',
    run(route, step) {
      const data = dataOf(step);
      const own = shownId(
        nonEmptyText(data.caller_id_number_prefix),
        nonEmptyText(data.caller_id_name_prefix),
      );
      const earlier = nonEmptyText(data.apply_to) === 'original' ? [] : route.prefixes;
      route.prefixes = nonEmptyText(data.action) === 'reset' ? [] : [own, ...earlier];
      return takeBranch();
    },
  },
  privacy: {
    simulated: 'mode endpoint_strategy',
    run(route, step) {
      const data = dataOf(step);
      const mode = nonEmptyText(data.mode) ?? 'full';
      route.mergesPrivacy = nonEmptyText(data.endpoint_strategy) === 'merge';
      route.hides = mode === 'name' || mode === 'number' ? mode : 'full';
      if (route.capture === undefined) return takeBranch();
      const number = toStoredNumber(route.capture);
      route.req = number;
      const found = findFlow(route.records, number, !route.isOffnet);
      return found ? enterFlow(route, found) : stop(`No callflow matches ${number}.`);
    },
  },
  cidlistmatch: {
    simulated: 'id',
    run(route, step) {
      const number = route.came.number ?? '';
      const entry = entryFor(listEntries(route, nonEmptyText(dataOf(step).id) ?? ''), number);
      return entry
        ? takeBranch('match', `${number} is on the list.`)
        : takeBranch('nomatch', `${number} is not on the list.`);
    },
  },
  check_cid: {
    simulated: 'regex use_absolute_mode caller_id user_id',
    run(route, step) {
      const data = dataOf(step);
      const number = route.came.number ?? '';
      const isMatch = compilePattern(nonEmptyText(data.regex) ?? '.*')?.test(number) ?? false;
      const [own, ownName] = ['number', 'name'].map((part) =>
        nonEmptyText(valueAt(data, `caller_id.external.${part}`)),
      );
      const user = nonEmptyText(data.user_id);
      if (isMatch && own !== undefined && ownName !== undefined && user !== undefined) {
        route.dynamicId = { number: own, name: ownName };
        route.owner = user;
      }
      if (!isMatch) return takeBranch('nomatch', `${number} does not match the regular expression.`);
      return takeBranch(
        booleanOr(data.use_absolute_mode, false) ? number : 'match',
        `${number} matches the regular expression.`,
      );
    },
  },
  lookupcidname: {
    simulated: 'lists',
    run(route, step) {
      const number = route.came.number ?? '';
      const entries = filledTexts(dataOf(step).lists).flatMap((id) => listEntries(route, id));
      const name =
        nonEmptyText(entryFor(entries, number)?.displayname) ?? nonEmptyText(entryFor(entries, number)?.name);
      if (name !== undefined) {
        route.leg.callerId = { ...route.leg.callerId, name };
        route.came = { ...route.came, name };
      }
      return takeBranch(
        '_',
        name === undefined ? 'The caller is on no list.' : `The list says ${JSON.stringify(name)}.`,
      );
    },
  },
  dynamic_cid: {
    simulated:
      'action caller_id id max_digits min_digits interdigit_timeout media_id whitelist_regex enforce_call_restriction permit_custom_callflow',
    named: { idx_name: 'list entries are found by their key' },
    *run(route, step) {
      const data = dataOf(step);
      const action = nonEmptyText(data.action) ?? 'manual';
      if (action === 'static') {
        route.dynamicId = shownId(
          nonEmptyText(valueAt(data, 'caller_id.number')),
          nonEmptyText(valueAt(data, 'caller_id.name')),
        );
        return takeBranch();
      }
      if (action === 'list' || action === 'lists') return yield* setFromList(route, data);
      const most = numberOr(data.max_digits, 10);
      const number = yield* collect(route, {
        prompt: nonEmptyText(data.media_id) ?? 'dynamic-cid-enter_cid',
        most,
        interdigit: numberOr(data.interdigit_timeout, 2000) / 1000,
      });
      const fits = compilePattern(nonEmptyText(data.whitelist_regex) ?? '\\d+')?.test(number) ?? false;
      if (fits && number.length >= numberOr(data.min_digits, 10)) route.dynamicId = { number };
      else yield* playSound(route, 'dynamic-cid-invalid_using_default');
      return takeBranch();
    },
  },
};
