import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import { shownTo } from '../callers.ts';
import type { Task } from '../clock.ts';
import { behaviourAt, dialling, membersToPage } from '../endpoints.ts';
import {
  type CallModules,
  type CallRoute,
  dataOf,
  enter,
  type FlowOutcome,
  hear,
  hearThen,
  leave,
  on,
  stop,
} from '../outcome.ts';
import {
  booleanOr,
  filledTexts,
  findFlow,
  nameByKind,
  nonEmptyText,
  numberOr,
  recordId,
} from '../records.ts';
import { answer, beginLeg, endLeg, heard, setPlace } from '../run.ts';
import { collect, stay } from '../waiting.ts';

const tries = 3;

const conferenceKeys = { simulated: 'id moderator welcome_prompt play_entry_tone play_exit_tone config' };

/** Takes the caller into a conference: flows never go on after it. */
function* confer(route: CallRoute, data: JsonObject, id: string | undefined): Task<FlowOutcome> {
  const { run, leg, records } = route;
  route.isTakenOver = true;
  answer(run, leg);
  leg.facts.is_conference = true;
  if (booleanOr(valueAt(data, 'welcome_prompt.play'), true))
    yield* hear(route, nonEmptyText(valueAt(data, 'welcome_prompt.media_id')) ?? 'conf-welcome');
  let number: string | undefined;
  const inline = isObject(data.config) ? { id: 'config', name: 'conference', ...data.config } : undefined;
  let room: JsonObject | undefined = id === undefined ? inline : records.get('conferences', id);
  for (let left = tries; !room && id === undefined && left > 0; left -= 1) {
    number = yield* collect(route, { prompt: 'conf-enter_conf_number', most: 16 });
    room = records.account.of('conferences').find((each) => numbersOf(each).includes(number ?? ''));
    if (!room) yield* hear(route, 'conf-bad_conf');
  }
  if (!room) return yield* thrownOut(route, 'conf-too_many_attempts');
  const name = nameByKind('conferences', room);
  const entry = yield* admitted(route, room, number);
  if (!entry) return yield* thrownOut(route, 'conf-too_many_attempts');
  const isModerator = booleanOr(data.moderator, entry === 'moderator');
  const inside = run.legs.filter(
    (each) => each.ended === undefined && each.facts.conference_id === recordId(room),
  );
  const most = numberOr(room.max_participants, 0);
  if (most > 0 && inside.length + (run.input.participants?.get(recordId(room)) ?? 0) >= most)
    return yield* thrownOut(route, 'conf-max_participants');
  const role = isModerator ? 'moderator' : 'member';
  leg.facts.conference_id = recordId(room);
  leg.facts.conference_role = role;
  leg.facts.muted = booleanOr(valueAt(room, `${role}.join_muted`), false);
  setPlace(run, leg, { in: 'conference', name });
  if (booleanOr(valueAt(data, 'play_entry_tone') ?? room.play_entry_tone, true))
    for (const each of inside) heard(run, each, 'conf-entry_tone');
  if (booleanOr(valueAt(data, 'play_exit_tone') ?? room.play_exit_tone, true))
    leg.onEnd.push(() => {
      for (const each of run.legs)
        if (each.ended === undefined && each.facts.conference_id === recordId(room))
          heard(run, each, 'conf-exit_tone');
    });
  if (inside.length === 0) heard(run, leg, 'conf-alone');
  yield* stay(route);
  return leave;
}

const numbersOf = (room: JsonObject): readonly string[] => [
  ...filledTexts(room.conference_numbers),
  ...filledTexts(valueAt(room, 'member.numbers')),
  ...filledTexts(valueAt(room, 'moderator.numbers')),
];

/** The role in which a caller comes in; `undefined` where he does not know the PIN. */
function* admitted(
  route: CallRoute,
  room: JsonObject,
  number: string | undefined,
): Task<'member' | 'moderator' | undefined> {
  const [members, moderators] = [
    filledTexts(valueAt(room, 'member.pins')),
    filledTexts(valueAt(room, 'moderator.pins')),
  ];
  const isMember = number !== undefined && filledTexts(valueAt(room, 'member.numbers')).includes(number);
  const isModerator =
    number !== undefined && filledTexts(valueAt(room, 'moderator.numbers')).includes(number);
  const pins = isModerator ? moderators : isMember ? members : [...members, ...moderators];
  if (pins.length === 0) return isModerator ? 'moderator' : 'member';
  for (let left = tries; left > 0; left -= 1) {
    const pin = yield* collect(route, { prompt: 'conf-enter_conf_pin', most: 16 });
    if (!isModerator && members.includes(pin)) return 'member';
    if (!isMember && moderators.includes(pin)) return 'moderator';
    if (pin === '' && members.length === 0 && !isModerator) return 'member';
    yield* hear(route, 'conf-bad_pin');
  }
  return undefined;
}

function* thrownOut(route: CallRoute, prompt: string): Task<FlowOutcome> {
  yield* hear(route, prompt);
  return { go: 'end' };
}

export const roomModules: CallModules = {
  conference: {
    ...conferenceKeys,
    run: (route, step) => confer(route, dataOf(step), nonEmptyText(dataOf(step).id)),
  },
  conference_feature: {
    ...conferenceKeys,
    run: (route, step) => confer(route, dataOf(step), route.capture ?? nonEmptyText(dataOf(step).id)),
  },
  page_group: {
    simulated: 'endpoints audio barge_calls',
    named: { timeout: 'phones answer a page by themselves, and at once' },
    *run(route, step) {
      const { run, leg } = route;
      const data = dataOf(step);
      const devices = membersToPage(route, data, dialling(route, {}));
      if (devices.length === 0) return on('_', 'There is no phone to page.');
      route.isTakenOver = true;
      answer(run, leg);
      leg.facts.is_conference = true;
      setPlace(run, leg, { in: 'conference', name: 'page' });
      const isMuted = nonEmptyText(data.audio) !== 'two-way';
      for (const device of devices) {
        const behaviour = behaviourAt(run, device).does;
        if (behaviour === 'not registered') continue;
        const paged = beginLeg(run, {
          side: 'B',
          call: leg.call,
          device: recordId(device),
          to: route.req,
          callerId: shownTo(route, 'device'),
          facts: { is_conference: true, muted: isMuted, auto_answer: true },
        });
        leg.onEnd.push(() => endLeg(run, paged, 'NORMAL_CLEARING'));
        // Phones answer a page by themselves, but those that may not be interrupted.
        if (behaviour === 'busy' && !booleanOr(data.barge_calls, false)) endLeg(run, paged, 'USER_BUSY');
        else answer(run, paged);
      }
      yield* stay(route);
      return leave;
    },
  },
  intercom: {
    named: { barge_calls: 'phones that are in a call answer by themselves too' },
    *run(route) {
      const { capture } = route;
      const found = capture === undefined ? undefined : findFlow(route.records, capture, false);
      if (capture === undefined)
        return yield* hearThen(
          route,
          'fault-can_not_be_completed_as_dialed',
          stop('Nothing was captured from the number.'),
        );
      if (!found) return on('_', `No callflow takes ${capture}.`);
      route.isAutoAnswered = true;
      return enter(route, found);
    },
  },
};
