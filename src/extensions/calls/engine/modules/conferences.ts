import { isObject, type JsonObject, valueAt } from '../../../../base/json.ts';
import { callerIdFor } from '../callers.ts';
import type { Task } from '../clock.ts';
import { behaviourAt, membersToPage, ringingOptions } from '../endpoints.ts';
import {
  type CallModules,
  type CallRoute,
  dataOf,
  enterFlow,
  type FlowOutcome,
  leave,
  playAndLeave,
  playSound,
  stop,
  takeBranch,
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
import { answer, beginLeg, endLeg, recordHeard, setPlace } from '../run.ts';
import { collect, stayInCall } from '../waiting.ts';

const tries = 3;

const conferenceKeys = { simulated: 'id moderator welcome_prompt play_entry_tone play_exit_tone config' };

/** Connects the caller to a conference. The flow does not continue. */
function* joinConference(route: CallRoute, data: JsonObject, id: string | undefined): Task<FlowOutcome> {
  const { run, leg, records } = route;
  route.isTakenOver = true;
  answer(run, leg);
  leg.facts.is_conference = true;
  if (booleanOr(valueAt(data, 'welcome_prompt.play'), true))
    yield* playSound(route, nonEmptyText(valueAt(data, 'welcome_prompt.media_id')) ?? 'conf-welcome');
  let number: string | undefined;
  const inline = isObject(data.config) ? { id: 'config', name: 'conference', ...data.config } : undefined;
  let room: JsonObject | undefined = id === undefined ? inline : records.get('conferences', id);
  for (let left = tries; !room && id === undefined && left > 0; left -= 1) {
    number = yield* collect(route, { prompt: 'conf-enter_conf_number', most: 16 });
    room = records.account.of('conferences').find((each) => conferenceNumbers(each).includes(number ?? ''));
    if (!room) yield* playSound(route, 'conf-bad_conf');
  }
  if (!room) return yield* refuseCaller(route, 'conf-too_many_attempts');
  const name = nameByKind('conferences', room);
  const entry = yield* askRole(route, room, number);
  if (!entry) return yield* refuseCaller(route, 'conf-too_many_attempts');
  const isModerator = booleanOr(data.moderator, entry === 'moderator');
  const inside = run.legs.filter(
    (each) => each.ended === undefined && each.facts.conference_id === recordId(room),
  );
  const most = numberOr(room.max_participants, 0);
  if (most > 0 && inside.length + (run.input.participants?.get(recordId(room)) ?? 0) >= most)
    return yield* refuseCaller(route, 'conf-max_participants');
  const role = isModerator ? 'moderator' : 'member';
  leg.facts.conference_id = recordId(room);
  leg.facts.conference_role = role;
  leg.facts.muted = booleanOr(valueAt(room, `${role}.join_muted`), false);
  setPlace(run, leg, { in: 'conference', name });
  if (booleanOr(valueAt(data, 'play_entry_tone') ?? room.play_entry_tone, true))
    for (const each of inside) recordHeard(run, each, 'conf-entry_tone');
  if (booleanOr(valueAt(data, 'play_exit_tone') ?? room.play_exit_tone, true))
    leg.onEnd.push(() => {
      for (const each of run.legs)
        if (each.ended === undefined && each.facts.conference_id === recordId(room))
          recordHeard(run, each, 'conf-exit_tone');
    });
  if (inside.length === 0) recordHeard(run, leg, 'conf-alone');
  yield* stayInCall(route);
  return leave;
}

const conferenceNumbers = (room: JsonObject): readonly string[] => [
  ...filledTexts(room.conference_numbers),
  ...filledTexts(valueAt(room, 'member.numbers')),
  ...filledTexts(valueAt(room, 'moderator.numbers')),
];

/** Asks for the PIN and returns the role of the caller. Returns `undefined` after too many wrong PINs. */
function* askRole(
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
    yield* playSound(route, 'conf-bad_pin');
  }
  return undefined;
}

function* refuseCaller(route: CallRoute, prompt: string): Task<FlowOutcome> {
  yield* playSound(route, prompt);
  return { go: 'end' };
}

export const roomModules: CallModules = {
  conference: {
    ...conferenceKeys,
    run: (route, step) => joinConference(route, dataOf(step), nonEmptyText(dataOf(step).id)),
  },
  conference_feature: {
    ...conferenceKeys,
    run: (route, step) => joinConference(route, dataOf(step), route.capture ?? nonEmptyText(dataOf(step).id)),
  },
  page_group: {
    simulated: 'endpoints audio barge_calls',
    named: { timeout: 'phones answer a page immediately' },
    *run(route, step) {
      const { run, leg } = route;
      const data = dataOf(step);
      const devices = membersToPage(route, data, ringingOptions(route, {}));
      if (devices.length === 0) return takeBranch('_', 'There is no phone to page.');
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
          callerId: callerIdFor(route, 'device'),
          facts: { is_conference: true, muted: isMuted, auto_answer: true },
        });
        leg.onEnd.push(() => endLeg(run, paged, 'NORMAL_CLEARING'));
        // Phones answer a page automatically. Busy phones only do so if `barge_calls` is set.
        if (behaviour === 'busy' && !booleanOr(data.barge_calls, false)) endLeg(run, paged, 'USER_BUSY');
        else answer(run, paged);
      }
      yield* stayInCall(route);
      return leave;
    },
  },
  intercom: {
    named: { barge_calls: 'phones in a call also answer automatically' },
    *run(route) {
      const { capture } = route;
      const found = capture === undefined ? undefined : findFlow(route.records, capture, false);
      if (capture === undefined)
        return yield* playAndLeave(
          route,
          'fault-can_not_be_completed_as_dialed',
          stop('Nothing was captured from the number.'),
        );
      if (!found) return takeBranch('_', `No callflow matches ${capture}.`);
      route.isAutoAnswered = true;
      return enterFlow(route, found);
    },
  },
};
