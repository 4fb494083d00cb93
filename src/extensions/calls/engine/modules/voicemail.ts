import { type JsonObject, valueAt } from '../../../../base/json.ts';
import { pause, type Task } from '../clock.ts';
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
import { booleanOr, nameByKind, nonEmptyText, numberOr, recordId } from '../records.ts';
import { answer, endLeg, recordEvent, setPlace } from '../run.ts';
import { askPin, collect, endOfStay } from '../waiting.ts';

/** Shortest message that is stored, in seconds. */
const shortest = 0.5;
const usualLongest = 500;
const toneSeconds = 1;
const mostMessages = 100;

/** Returns the mailbox of a step: the named mailbox, or the mailbox of the captured number, or the caller's own. */
function findMailbox(route: CallRoute, data: JsonObject): JsonObject | undefined {
  const { records } = route;
  const id = nonEmptyText(data.id);
  if (id !== undefined) return records.get('vmboxes', id);
  const all = records.account.of('vmboxes');
  const { capture, came } = route;
  if (capture !== undefined) return all.find((box) => nonEmptyText(box.mailbox) === capture);
  const owned = route.owner === undefined ? [] : all.filter((box) => box.owner_id === route.owner);
  if (booleanOr(data.single_mailbox_login, false) && owned.length === 1) return owned[0];
  if (booleanOr(data.callerid_match_login, false))
    return all.find((box) => nonEmptyText(box.mailbox) === came.number);
  return undefined;
}

function* greet(route: CallRoute, box: JsonObject): Task<void> {
  if (booleanOr(box.skip_greeting, false)) return;
  const own =
    nonEmptyText(valueAt(box, 'media.temporary_unavailable')) ??
    nonEmptyText(valueAt(box, 'media.unavailable'));
  if (own !== undefined) return yield* playSound(route, own);
  yield* playSound(route, 'vm-person');
  yield* playSound(route, 'vm-not_available');
}

function* compose(route: CallRoute, box: JsonObject, data: JsonObject): Task<FlowOutcome> {
  const { run, leg } = route;
  setPlace(run, leg, { in: 'voicemail', name: nameByKind('vmboxes', box) });
  yield* greet(route, box);
  const held = run.input.messages?.get(recordId(box)) ?? 0;
  if (held >= mostMessages) {
    const facts = { vmbox_id: recordId(box), message_count: held, max_message_count: mostMessages };
    recordEvent(run, { kind: 'hook', hook: 'voicemail_full', facts });
    return yield* playAndLeave(route, 'vm-mailbox_full', takeBranch('_', 'The mailbox is full.'));
  }
  if (booleanOr(box.announcement_only, false)) return takeBranch('_', 'The mailbox accepts no messages.');
  if (!booleanOr(box.skip_instructions, false)) yield* playSound(route, 'vm-record_message');
  yield* playSound(route, 'tone', toneSeconds);
  route.isMessageLeft = true;
  const leaves = leg === run.legs[0] || leg.loop ? messageSeconds(route) : undefined;
  const longest = numberOr(data.max_message_length ?? box.max_message_length, usualLongest) || usualLongest;
  // If the caller hangs up, the recorded part is stored.
  const keep = keepMessage(route, box, longest);
  leg.onEnd.push(keep);
  yield* pause(run.clock, Math.min(leaves ?? 0, longest));
  keep();
  // The caller hangs up after the message or at the tone. A message that is too long is cut off.
  if (leaves !== undefined && leaves > longest)
    return takeBranch('_', 'The message reached the maximum length.');
  endLeg(run, leg.loop ? callerLeg(route) : leg, 'NORMAL_CLEARING');
  return stop();
}

/** Returns the length of the caller's message in seconds, limited by the length of the call. */
function messageSeconds(route: CallRoute): number | undefined {
  const { clock, input } = route.run;
  if (input.leaves !== undefined || input.lasts === undefined) return input.leaves;
  return endOfStay(route.run, callerLeg(route), clock.now()) - clock.now();
}

const callerLeg = ({ leg }: CallRoute) => leg.loop?.partner ?? leg;

/** Starts recording. Returns a function that stops it and stores the message. */
function keepMessage(route: CallRoute, box: JsonObject, longest: number): () => void {
  const { clock } = route.run;
  const began = clock.now();
  let isKept = false;
  return () => {
    const seconds = Math.min(clock.now() - began, longest);
    if (!isKept && seconds >= shortest) leaveMessage(route, box, seconds);
    isKept = true;
  };
}

function leaveMessage({ run, leg }: CallRoute, box: JsonObject, seconds: number): void {
  const id = recordId(box);
  recordEvent(run, { kind: 'left', what: 'message', box: id, seconds, facts: { leg: leg.id } });
  const mailed = booleanOr(box.delete_after_notify, false) && !booleanOr(box.save_after_notify, false);
  const facts: JsonObject = { vmbox_id: id, mailbox: nonEmptyText(box.mailbox) ?? '' };
  recordEvent(run, { kind: 'hook', hook: 'voicemail_new', facts });
  if (booleanOr(box.save_after_notify, false))
    recordEvent(run, { kind: 'hook', hook: 'voicemail_saved', facts });
  else if (mailed) recordEvent(run, { kind: 'hook', hook: 'voicemail_deleted', facts });
}

const tries = 3;

function* checkMailbox(route: CallRoute, found: JsonObject | undefined, data: JsonObject): Task<FlowOutcome> {
  const interdigit = numberOr(data.interdigit_timeout, 2000) / 1000;
  let box = found;
  if (!box) {
    const number = yield* collect(route, { prompt: 'vm-enter_id', most: 15, interdigit });
    box = route.records.account.of('vmboxes').find((each) => nonEmptyText(each.mailbox) === number);
  }
  if (!box) return yield* playAndLeave(route, 'vm-abort', takeBranch('_', 'The mailbox does not exist.'));
  setPlace(route.run, route.leg, { in: 'voicemail', name: nameByKind('vmboxes', box) });
  const isOwner = route.owner !== undefined && box.owner_id === route.owner;
  if (!isOwner || booleanOr(box.require_pin, false)) {
    const pin = nonEmptyText(box.pin);
    if (pin === undefined)
      return yield* playAndLeave(route, 'vm-no_access', takeBranch('_', 'The mailbox has no PIN.'));
    const asked = { prompt: 'vm-enter_pass', wrong: 'vm-fail_auth', most: 6, interdigit, tries };
    if (!(yield* askPin(route, pin, asked)))
      return yield* playAndLeave(route, 'vm-abort', takeBranch('_', 'The PIN was wrong.'));
  }
  return yield* mainMenu(route, box, interdigit);
}

const rounds = 4;

/** Simulates the main menu of a mailbox until the call ends. Listening to messages has no effect here. */
function* mainMenu(route: CallRoute, box: JsonObject, interdigit: number): Task<FlowOutcome> {
  if (!booleanOr(box.is_setup, true)) yield* playSound(route, 'vm-setup_intro');
  for (let left = rounds; left > 0; left -= 1) {
    const key = yield* collect(route, { prompt: 'vm-main_menu', most: 1, interdigit, terminators: '' });
    if (key === '#') break;
    if (key === '1') yield* playSound(route, 'vm-new_messages');
    if (key === '2') yield* playSound(route, 'vm-saved_messages');
    if (key === '5') yield* playSound(route, 'vm-settings_menu');
  }
  return yield* playAndLeave(route, 'vm-goodbye', takeBranch('_', 'The caller checked the mailbox.'));
}

export const voicemailModules: CallModules = {
  voicemail: {
    simulated: 'id action max_message_length single_mailbox_login callerid_match_login interdigit_timeout',
    *run(route, step) {
      const { run, leg } = route;
      const data = dataOf(step);
      answer(run, leg);
      const box = findMailbox(route, data);
      if (nonEmptyText(data.action) === 'check') return yield* checkMailbox(route, box, data);
      if (!box)
        return yield* playAndLeave(
          route,
          'vm-not_available_no_voicemail',
          takeBranch('_', 'The mailbox does not exist.'),
        );
      const isFirst = route.lastModule === undefined || route.lastModule === 'device';
      const isOwner = route.owner !== undefined && box.owner_id === route.owner;
      if (isOwner && booleanOr(box.check_if_owner, isFirst || box.check_if_owner === undefined))
        return yield* checkMailbox(route, box, data);
      return yield* compose(route, box, data);
    },
  },
};
