import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import { normalisedNumber } from '../../../../contract/phone-number.ts';
import { pause, type Task } from '../clock.ts';
import {
  type CallModule,
  type CallModules,
  type CallRoute,
  dataOf,
  enterFlow,
  type FlowOutcome,
  type FlowStep,
  firstStep,
  leave,
  playAndLeave,
  playSound,
  stop,
  takeBranch,
} from '../outcome.ts';
import { classOf, isDenied, storedId } from '../parties.ts';
import { booleanOr, findFlow, nameByKind, nonEmptyText, numberOr, recordId } from '../records.ts';
import { answer, recordEvent, reportGap, setPlace } from '../run.ts';
import { askPin, collect, stayInCall } from '../waiting.ts';

const pinLength = 10;

const keypadDigits = (name: string): string =>
  [...name.toLowerCase()]
    .map((letter) => {
      const place = 'abcdefghijklmnopqrstuvwxyz'.indexOf(letter);
      return place < 0 ? '' : ('22233344455566677778889999'[place] ?? '');
    })
    .join('');

const mostSilence = 3;

function dialableNames(record: JsonObject, user: JsonObject): readonly string[] {
  const [first, last] = [nonEmptyText(user.first_name) ?? '', nonEmptyText(user.last_name) ?? ''];
  const fields = nonEmptyText(record.search_fields) ?? 'both';
  if (fields === 'first' || fields === 'first_name') return [`${first}${last}`];
  if (fields === 'last' || fields === 'last_name') return [`${last}${first}`];
  return [`${first}${last}`, `${last}${first}`];
}

const skipModule = (what: string): CallModule => ({
  run({ run }, step) {
    reportGap(run, what, step);
    return takeBranch('_', what);
  },
});

const faxSeconds = 30;

function* receiveFaxCall(
  route: CallRoute,
  name: string | undefined,
  box: string | undefined,
): Task<FlowOutcome> {
  const { run, leg } = route;
  route.isTakenOver = true;
  answer(run, leg);
  setPlace(run, leg, { in: 'fax', name });
  const isFax = run.input.sendsFax ?? true;
  const recordFaxEnd = (): void => {
    const at = run.clock.now();
    const seconds = at - (leg.answered ?? at);
    const facts = { leg: leg.id, box };
    leg.facts.fax_success = String(isFax);
    if (isFax) recordEvent(run, { kind: 'left', what: 'fax', box, seconds, facts });
    recordEvent(run, { kind: 'hook', hook: isFax ? 'inbound_fax' : 'inbound_fax_error', facts });
  };
  leg.onEnd.push(recordFaxEnd);
  if (isFax) {
    yield* pause(run.clock, faxSeconds);
    return { go: 'end' };
  }
  yield* stayInCall(route);
  return leave;
}

export const entryModules: CallModules = {
  disa: {
    simulated:
      'pin retries interdigit max_digits use_account_caller_id enforce_call_restriction preconnect_audio',
    named: { ring_repeat_count: 'the tone is played once' },
    *run(route, step) {
      const { run, leg, records } = route;
      const data = dataOf(step);
      const retries = Math.max(1, numberOr(data.retries, 3));
      const interdigit = numberOr(data.interdigit, 3000) / 1000;
      answer(run, leg);
      const pin = nonEmptyText(data.pin);
      const asked = { prompt: 'disa-enter_pin', wrong: 'disa-invalid_pin', most: pinLength, interdigit };
      if (pin !== undefined && !(yield* askPin(route, pin, { ...asked, tries: retries })))
        return yield* playAndLeave(route, 'disa-retries_exceeded', stop('The PIN was wrong too often.'));
      for (let left = retries; left > 0; left -= 1) {
        const tone = nonEmptyText(data.preconnect_audio) === 'ringing' ? 'ringing' : 'dialtone';
        const keys = yield* collect(route, { prompt: tone, most: numberOr(data.max_digits, 15), interdigit });
        if (keys === '') {
          yield () => () => {};
          return leave;
        }
        const number = normalisedNumber(keys);
        const found = findFlow(records, number, true);
        if (!found) {
          yield* playSound(route, 'disa-invalid_extension');
          continue;
        }
        const account = { account: records.account.record };
        if (
          booleanOr(data.enforce_call_restriction, false) &&
          isDenied(account, classOf(records.account, number))
        )
          return yield* playAndLeave(
            route,
            'cf-unauthorized_call',
            stop(`The account cannot call ${number}.`),
          );
        route.req = number;
        route.to = number;
        if (booleanOr(data.use_account_caller_id, true)) {
          const own = storedId(account, 'external');
          if (own.number !== undefined || own.name !== undefined) route.dynamicId = own;
        }
        return enterFlow(route, found, keys);
      }
      return takeBranch('_', 'No number was dialed.');
    },
  },
  directory: {
    simulated: 'id',
    *run(route, step) {
      const { run, leg, records } = route;
      answer(run, leg);
      const record = records.get('directories', nonEmptyText(dataOf(step).id));
      const id = record ? recordId(record) : '';
      const all = records.account.of('users').flatMap((user) => {
        const flow = isObject(user.directories) ? nonEmptyText(user.directories[id]) : undefined;
        return flow === undefined ? [] : [{ user, flow }];
      });
      if (!record || all.length === 0) return takeBranch('_', 'The directory is empty.');
      const byFirst = nonEmptyText(record.sort_by) === 'first_name';
      const sorted = all.toSorted((one, other) => {
        const field = byFirst ? 'first_name' : 'last_name';
        return (nonEmptyText(one.user[field]) ?? '').localeCompare(
          nonEmptyText(other.user[field]) ?? '',
          'en',
        );
      });
      for (let silence = 0; silence < mostSilence; ) {
        const keys = yield* collect(route, { prompt: 'dir-enter_person', most: 100 });
        if (keys === '0') return takeBranch('_', 'The caller leaves the directory.');
        if (keys === '') silence += 1;
        const matching =
          keys === ''
            ? []
            : sorted.filter(({ user }) =>
                dialableNames(record, user).some((name) => keypadDigits(name).startsWith(keys)),
              );
        if (keys !== '' && matching.length === 0) {
          yield* playSound(route, 'dir-no_results_found');
          silence += 1;
        }
        for (const { user, flow } of matching) {
          const confirms = matching.length > 1 || booleanOr(record.confirm_match, false);
          const key = confirms
            ? yield* collect(route, {
                prompt: `${nameByKind('users', user)}: dir-confirm_menu`,
                most: 1,
              })
            : '1';
          if (key === '3') break;
          if (key !== '1') continue;
          const found = records.get('callflows', flow);
          return found
            ? enterFlow(route, { flow: found, why: `The caller chooses ${nameByKind('users', user)}.` })
            : takeBranch('_', 'The user has no callflow in the directory.');
        }
      }
      return stop('The caller chose no directory entry.');
    },
  },
  pivot: {
    simulated: 'voice_url',
    named: { req_timeout_ms: 'replies arrive immediately in a simulation' },
    none: {
      method: 'replies come from the case file',
      req_format: 'replies come from the case file',
      req_body_format: 'replies come from the case file',
      cdr_url: 'nothing is sent anywhere',
      debug: 'it only writes a log',
    },
    run(route, step) {
      const url = nonEmptyText(dataOf(step).voice_url) ?? '';
      const reply = route.run.input.pivots.get(url);
      if (!reply) {
        reportGap(route.run, `The case has no reply for the pivot ${url}, which is not called.`, step);
        return takeBranch('_', 'The case has no reply for the pivot.');
      }
      const next: FlowStep = { callflow: step.callflow, place: [...step.place, 'pivot'], node: reply };
      return { go: 'branch', step: next, why: `The pivot ${url} replied with steps.` };
    },
  },
  faxbox: {
    simulated: 'id faxbox_id media',
    run(route, step) {
      const data = dataOf(step);
      const box = route.records.get('faxboxes', nonEmptyText(data.id) ?? nonEmptyText(data.faxbox_id) ?? '');
      route.leg.facts.fax_option = String(valueAt(data, 'media.fax_option') ?? 'auto');
      return receiveFaxCall(route, box && nameByKind('faxboxes', box), box && recordId(box));
    },
  },
  receive_fax: {
    simulated: 'owner_id media',
    run(route, step) {
      const data = dataOf(step);
      const owner = route.records.get('users', nonEmptyText(data.owner_id));
      route.leg.facts.fax_option = String(valueAt(data, 'media.fax_option') ?? 'auto');
      return receiveFaxCall(route, owner && nameByKind('users', owner), owner && recordId(owner));
    },
  },
  camping_feature: {
    *run(route, step) {
      const { capture, records, run } = route;
      answer(run, route.leg);
      const found = capture === undefined ? undefined : findFlow(records, capture, !route.isOffnet);
      const first = found && firstStep(found.flow);
      const module = first?.node.module;
      if (!found || (module !== 'user' && module !== 'device' && module !== 'offnet'))
        return yield* playAndLeave(route, 'camper-deny', stop('No callflow to camp on was found.'));
      const isTalking = run.legs.some(
        ({ device, ended, answered }) =>
          device !== route.leg.device &&
          device !== undefined &&
          answered !== undefined &&
          ended === undefined,
      );
      if (isTalking) reportGap(run, 'Waiting for a busy person is not simulated.', step);
      return enterFlow(route, found);
    },
  },
  function: {
    ...skipModule('The result of the stored function is unknown, so the step is skipped.'),
    named: { id: 'the results of stored functions are unknown' },
  },
  nomorobo: {
    ...skipModule('The rating of the caller by an outside service is unknown, so the step is skipped.'),
    named: { username: 'the outside service is not called', password: 'the outside service is not called' },
  },
};
