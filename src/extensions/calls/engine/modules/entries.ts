import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import { normalisedNumber } from '../../../../contract/phone-number.ts';
import { pause, type Task } from '../clock.ts';
import {
  type CallModule,
  type CallModules,
  type CallRoute,
  dataOf,
  enter,
  type FlowOutcome,
  type FlowStep,
  firstStep,
  hear,
  hearThen,
  leave,
  on,
  stop,
} from '../outcome.ts';
import { classOf, isDenied, storedId } from '../parties.ts';
import { booleanOr, findFlow, nameByKind, nonEmptyText, numberOr, recordId } from '../records.ts';
import { answer, gap, note, setPlace } from '../run.ts';
import { collect, knowsPin, stay } from '../waiting.ts';

const pinLength = 10;

const spelled = (name: string): string =>
  [...name.toLowerCase()]
    .map((letter) => {
      const place = 'abcdefghijklmnopqrstuvwxyz'.indexOf(letter);
      return place < 0 ? '' : ('22233344455566677778889999'[place] ?? '');
    })
    .join('');

const mostSilence = 3;

/** Names by which a user is found in a directory. */
function namesOf(record: JsonObject, user: JsonObject): readonly string[] {
  const [first, last] = [nonEmptyText(user.first_name) ?? '', nonEmptyText(user.last_name) ?? ''];
  const fields = nonEmptyText(record.search_fields) ?? 'both';
  if (fields === 'first' || fields === 'first_name') return [`${first}${last}`];
  if (fields === 'last' || fields === 'last_name') return [`${last}${first}`];
  return [`${first}${last}`, `${last}${first}`];
}

const passed = (what: string): CallModule => ({
  run({ run }, step) {
    gap(run, what, step);
    return on('_', what);
  },
});

const faxSeconds = 30;

/** Receives a fax: flows never go on after it. */
function* receive(route: CallRoute, name: string | undefined, box: string | undefined): Task<FlowOutcome> {
  const { run, leg } = route;
  route.isTakenOver = true;
  answer(run, leg);
  setPlace(run, leg, { in: 'fax', name });
  const isFax = run.input.sendsFax ?? true;
  const tell = (): void => {
    const at = run.clock.now();
    const seconds = at - (leg.answered ?? at);
    const facts = { leg: leg.id, box };
    leg.facts.fax_success = String(isFax);
    if (isFax) note(run, { kind: 'left', what: 'fax', box, seconds, facts });
    note(run, { kind: 'hook', hook: isFax ? 'inbound_fax' : 'inbound_fax_error', facts });
  };
  leg.onEnd.push(tell);
  if (isFax) {
    yield* pause(run.clock, faxSeconds);
    return { go: 'end' };
  }
  yield* stay(route);
  return leave;
}

export const entryModules: CallModules = {
  disa: {
    simulated:
      'pin retries interdigit max_digits use_account_caller_id enforce_call_restriction preconnect_audio',
    named: { ring_repeat_count: 'the tone is heard once' },
    *run(route, step) {
      const { run, leg, records } = route;
      const data = dataOf(step);
      const retries = Math.max(1, numberOr(data.retries, 3));
      const interdigit = numberOr(data.interdigit, 3000) / 1000;
      answer(run, leg);
      const pin = nonEmptyText(data.pin);
      const asked = { prompt: 'disa-enter_pin', wrong: 'disa-invalid_pin', most: pinLength, interdigit };
      if (pin !== undefined && !(yield* knowsPin(route, pin, { ...asked, tries: retries })))
        return yield* hearThen(route, 'disa-retries_exceeded', stop('The PIN was wrong too often.'));
      for (let left = retries; left > 0; left -= 1) {
        const tone = nonEmptyText(data.preconnect_audio) === 'ringing' ? 'ringing' : 'dialtone';
        const keys = yield* collect(route, { prompt: tone, most: numberOr(data.max_digits, 15), interdigit });
        // Who dials nothing is waited for.
        if (keys === '') {
          yield () => () => {};
          return leave;
        }
        const number = normalisedNumber(keys);
        const found = findFlow(records, number, true);
        if (!found) {
          yield* hear(route, 'disa-invalid_extension');
          continue;
        }
        const account = { account: records.account.record };
        if (
          booleanOr(data.enforce_call_restriction, false) &&
          isDenied(account, classOf(records.account, number))
        )
          return yield* hearThen(route, 'cf-unauthorized_call', stop(`The account may not call ${number}.`));
        route.req = number;
        route.to = number;
        if (booleanOr(data.use_account_caller_id, true)) {
          const own = storedId(account, 'external');
          if (own.number !== undefined || own.name !== undefined) route.dynamicId = own;
        }
        return enter(route, found, keys);
      }
      return on('_', 'No number was reached.');
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
      if (!record || all.length === 0) return on('_', 'Nobody is in the directory.');
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
        if (keys === '0') return on('_', 'The caller leaves the directory.');
        if (keys === '') silence += 1;
        const matching =
          keys === ''
            ? []
            : sorted.filter(({ user }) =>
                namesOf(record, user).some((name) => spelled(name).startsWith(keys)),
              );
        if (keys !== '' && matching.length === 0) {
          yield* hear(route, 'dir-no_results_found');
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
            ? enter(route, { flow: found, why: `The caller chooses ${nameByKind('users', user)}.` })
            : on('_', 'The user has no callflow there.');
        }
      }
      return stop('Nobody was chosen in the directory.');
    },
  },
  pivot: {
    simulated: 'voice_url',
    named: { req_timeout_ms: 'replies are taken to come at once' },
    none: {
      method: 'replies are given, not asked for',
      req_format: 'replies are given, not asked for',
      req_body_format: 'replies are given, not asked for',
      cdr_url: 'nothing is sent anywhere',
      debug: 'it writes a log alone',
    },
    run(route, step) {
      const url = nonEmptyText(dataOf(step).voice_url) ?? '';
      const reply = route.run.input.pivots.get(url);
      if (!reply) {
        gap(route.run, `The pivot ${url} is not asked; no reply is given for it.`, step);
        return on('_', 'No reply is given for the pivot.');
      }
      const next: FlowStep = { callflow: step.callflow, place: [...step.place, 'pivot'], node: reply };
      return { go: 'branch', step: next, why: `The pivot ${url} answers with steps of its own.` };
    },
  },
  faxbox: {
    simulated: 'id faxbox_id media',
    run(route, step) {
      const data = dataOf(step);
      const box = route.records.get('faxboxes', nonEmptyText(data.id) ?? nonEmptyText(data.faxbox_id) ?? '');
      route.leg.facts.fax_option = String(valueAt(data, 'media.fax_option') ?? 'auto');
      return receive(route, box && nameByKind('faxboxes', box), box && recordId(box));
    },
  },
  receive_fax: {
    simulated: 'owner_id media',
    run(route, step) {
      const data = dataOf(step);
      const owner = route.records.get('users', nonEmptyText(data.owner_id));
      route.leg.facts.fax_option = String(valueAt(data, 'media.fax_option') ?? 'auto');
      return receive(route, owner && nameByKind('users', owner), owner && recordId(owner));
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
        return yield* hearThen(route, 'camper-deny', stop('There is nobody to camp on.'));
      const isTalking = run.legs.some(
        ({ device, ended, answered }) =>
          device !== route.leg.device &&
          device !== undefined &&
          answered !== undefined &&
          ended === undefined,
      );
      if (isTalking) gap(run, 'Waiting for who is busy until he is free is not simulated.', step);
      return enter(route, found);
    },
  },
  function: {
    ...passed('What a stored function answers is not known, so that it is passed over.'),
    named: { id: 'what a stored function answers is not known' },
  },
  nomorobo: {
    ...passed('The judgement of an outside service on the caller is not known, so that it is passed over.'),
    named: { username: 'the outside service is not asked', password: 'the outside service is not asked' },
  },
};
