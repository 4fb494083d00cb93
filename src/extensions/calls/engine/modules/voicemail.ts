import { type JsonObject, valueAt } from '../../../../base/json.ts';
import { pause, type Task } from '../clock.ts';
import {
  type CallModules,
  type CallRoute,
  dataOf,
  type FlowOutcome,
  hear,
  hearThen,
  on,
  stop,
} from '../outcome.ts';
import { booleanOr, nameByKind, nonEmptyText, numberOr, recordId } from '../records.ts';
import { answer, endLeg, note, setPlace } from '../run.ts';
import { collect, endOfStay, knowsPin } from '../waiting.ts';

/** Shortest message that is kept, in seconds. */
const shortest = 0.5;
const usualLongest = 500;
const toneSeconds = 1;
const mostMessages = 100;

/** The box of a step: its own, that of the captured number, or the caller's own. */
function boxOf(route: CallRoute, data: JsonObject): JsonObject | undefined {
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
  if (own !== undefined) return yield* hear(route, own);
  yield* hear(route, 'vm-person');
  yield* hear(route, 'vm-not_available');
}

function* compose(route: CallRoute, box: JsonObject, data: JsonObject): Task<FlowOutcome> {
  const { run, leg } = route;
  setPlace(run, leg, { in: 'voicemail', name: nameByKind('vmboxes', box) });
  yield* greet(route, box);
  const held = run.input.messages?.get(recordId(box)) ?? 0;
  if (held >= mostMessages) {
    const facts = { vmbox_id: recordId(box), message_count: held, max_message_count: mostMessages };
    note(run, { kind: 'hook', hook: 'voicemail_full', facts });
    return yield* hearThen(route, 'vm-mailbox_full', on('_', 'The box is full.'));
  }
  if (booleanOr(box.announcement_only, false)) return on('_', 'The box takes no messages.');
  if (!booleanOr(box.skip_instructions, false)) yield* hear(route, 'vm-record_message');
  yield* hear(route, 'tone', toneSeconds);
  route.isMessageLeft = true;
  const leaves = leg === run.legs[0] || leg.loop ? messageSeconds(route) : undefined;
  const longest = numberOr(data.max_message_length ?? box.max_message_length, usualLongest) || usualLongest;
  // Who hangs up has left what was said until then.
  const keep = keepMessage(route, box, longest);
  leg.onEnd.push(keep);
  yield* pause(run.clock, Math.min(leaves ?? 0, longest));
  keep();
  // The caller hangs up when the message is said, or at the tone; a message that is too long ends by itself.
  if (leaves !== undefined && leaves > longest) return on('_', 'The message is as long as it may be.');
  endLeg(run, leg.loop ? callerOf(route) : leg, 'NORMAL_CLEARING');
  return stop();
}

/** The message that the caller leaves, in seconds: as it is said, or until the call has lasted as long as it should. */
function messageSeconds(route: CallRoute): number | undefined {
  const { clock, input } = route.run;
  if (input.leaves !== undefined || input.lasts === undefined) return input.leaves;
  return endOfStay(route.run, callerOf(route), clock.now()) - clock.now();
}

const callerOf = ({ leg }: CallRoute) => leg.loop?.partner ?? leg;

/** Records from now on; returns what ends the recording and leaves the message, once. */
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
  note(run, { kind: 'left', what: 'message', box: id, seconds, facts: { leg: leg.id } });
  const mailed = booleanOr(box.delete_after_notify, false) && !booleanOr(box.save_after_notify, false);
  const facts: JsonObject = { vmbox_id: id, mailbox: nonEmptyText(box.mailbox) ?? '' };
  note(run, { kind: 'hook', hook: 'voicemail_new', facts });
  if (booleanOr(box.save_after_notify, false)) note(run, { kind: 'hook', hook: 'voicemail_saved', facts });
  else if (mailed) note(run, { kind: 'hook', hook: 'voicemail_deleted', facts });
}

const tries = 3;

/** Checks who listens to a box: by PIN, unless the box is the caller's own. */
function* check(route: CallRoute, found: JsonObject | undefined, data: JsonObject): Task<FlowOutcome> {
  const interdigit = numberOr(data.interdigit_timeout, 2000) / 1000;
  let box = found;
  if (!box) {
    const number = yield* collect(route, { prompt: 'vm-enter_id', most: 15, interdigit });
    box = route.records.account.of('vmboxes').find((each) => nonEmptyText(each.mailbox) === number);
  }
  if (!box) return yield* hearThen(route, 'vm-abort', on('_', 'There is no such voicemail box.'));
  setPlace(route.run, route.leg, { in: 'voicemail', name: nameByKind('vmboxes', box) });
  const isOwner = route.owner !== undefined && box.owner_id === route.owner;
  if (!isOwner || booleanOr(box.require_pin, false)) {
    const pin = nonEmptyText(box.pin);
    if (pin === undefined) return yield* hearThen(route, 'vm-no_access', on('_', 'The box has no PIN.'));
    const asked = { prompt: 'vm-enter_pass', wrong: 'vm-fail_auth', most: 6, interdigit, tries };
    if (!(yield* knowsPin(route, pin, asked)))
      return yield* hearThen(route, 'vm-abort', on('_', 'The PIN was wrong.'));
  }
  return yield* mainMenu(route, box, interdigit);
}

const rounds = 4;

/** The main menu of a box, as far as it ends the call: what messages are heard changes nothing here. */
function* mainMenu(route: CallRoute, box: JsonObject, interdigit: number): Task<FlowOutcome> {
  if (!booleanOr(box.is_setup, true)) yield* hear(route, 'vm-setup_intro');
  for (let left = rounds; left > 0; left -= 1) {
    const key = yield* collect(route, { prompt: 'vm-main_menu', most: 1, interdigit, terminators: '' });
    if (key === '#') break;
    if (key === '1') yield* hear(route, 'vm-new_messages');
    if (key === '2') yield* hear(route, 'vm-saved_messages');
    if (key === '5') yield* hear(route, 'vm-settings_menu');
  }
  return yield* hearThen(route, 'vm-goodbye', on('_', 'The box was listened to.'));
}

export const voicemailModules: CallModules = {
  voicemail: {
    simulated: 'id action max_message_length single_mailbox_login callerid_match_login interdigit_timeout',
    *run(route, step) {
      const { run, leg } = route;
      const data = dataOf(step);
      answer(run, leg);
      const box = boxOf(route, data);
      if (nonEmptyText(data.action) === 'check') return yield* check(route, box, data);
      if (!box)
        return yield* hearThen(
          route,
          'vm-not_available_no_voicemail',
          on('_', 'There is no such voicemail box.'),
        );
      const isFirst = route.lastModule === undefined || route.lastModule === 'device';
      const isOwner = route.owner !== undefined && box.owner_id === route.owner;
      if (isOwner && booleanOr(box.check_if_owner, isFirst || box.check_if_owner === undefined))
        return yield* check(route, box, data);
      return yield* compose(route, box, data);
    },
  },
};
