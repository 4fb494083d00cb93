import { type Json, type JsonObject, valueAt } from '../base/json.ts';

/** Returns the caller's next digits; `undefined` if nothing more is dialled. */
export type Dial = () => string | undefined;

/**
 * The answer whether a caller gets past something that asks for a PIN, and the words for it. They never hold a PIN.
 */
export interface Passage {
  readonly passes: boolean;
  /** `undefined` where nothing is asked for. */
  readonly words?: string;
  /** The PIN that fitted. */
  readonly pin?: string;
  /** Nothing was dialled at all. */
  readonly isSilent?: boolean;
}

/** So often a caller may try, where nothing else is said. */
const usualTries = 3;

const open: Passage = { passes: true };

/** Returns what was dialled, as far as it is digits. */
export const dialledDigits = (dialled: string | undefined): string | undefined => {
  const digits = dialled?.replace(/#$/, '');
  return digits === undefined || digits === '' || !/^[0-9*]+$/.test(digits) ? undefined : digits;
};

/** Lets a caller try PINs, a few times. Who dials nothing is not asked again. */
function tryPins(pins: readonly string[], dial: Dial, tries = usualTries): Passage {
  for (let count = 0; count < tries; count += 1) {
    const dialled = dialledDigits(dial());
    if (dialled === undefined) {
      const isSilent = count === 0;
      return { passes: false, isSilent, words: `the caller dials ${isSilent ? 'no' : 'a wrong'} PIN` };
    }
    if (pins.includes(dialled)) return { passes: true, words: 'the caller dials the PIN', pin: dialled };
  }
  return { passes: false, words: `the caller dials a wrong PIN ${tries} times` };
}

const textsAt = (record: JsonObject, path: string): readonly string[] => {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value.flatMap((each: Json) => (typeof each === 'string' ? each : [])) : [];
};

/** Returns the PINs that a conference asks for, and whether a caller who dials none may join as a member. */
function pinsOf(room: JsonObject, { moderator }: JsonObject) {
  const members = textsAt(room, 'member.pins');
  const moderators = textsAt(room, 'moderator.pins');
  const known = typeof moderator === 'boolean';
  const pins = known ? (moderator ? moderators : members) : [...members, ...moderators];
  return { pins, moderators, free: !known && members.length === 0 };
}

/** A caller at the door of a conference. */
export interface Joining extends Passage {
  readonly isModerator: boolean;
}

/**
 * Lets a caller join a conference: the step says whether as a moderator, else the PIN does (Conventions, Conferences).
 * A conference with PINs of moderators alone takes others as members.
 */
export function joinConference(room: JsonObject, data: JsonObject, dial: Dial): Joining {
  const { pins, moderators, free } = pinsOf(room, data);
  if (pins.length === 0) return { ...open, isModerator: data.moderator === true };
  const tried = tryPins(pins, dial);
  const isModerator = data.moderator === true || (tried.pin !== undefined && moderators.includes(tried.pin));
  if (tried.isSilent && free) return { ...tried, passes: true, isModerator: false };
  return { ...tried, isModerator: isModerator && data.moderator !== false };
}

/** The rules of a conference, for where nobody dials yet. */
export function conferenceRules(room: JsonObject, data: JsonObject): readonly string[] {
  const { pins, free } = pinsOf(room, data);
  const { max_participants: most } = room;
  return [
    ...(pins.length === 0 ? [] : [free ? 'moderators dial a PIN' : 'asks for a PIN']),
    ...(typeof most === 'number' ? [`takes ${most} at most`] : []),
    ...(needsModerator(room) && data.moderator !== true ? ['members wait for a moderator'] : []),
  ];
}

/** True when a caller comes to the messages of a box rather than leaving one (Conventions, Voicemail boxes). */
export const hearsMessages = (box: JsonObject, data: JsonObject, isOwner: boolean): boolean =>
  data.action === 'check' || (isOwner && box.check_if_owner !== false);

/** Returns what a box asks of somebody who wants to hear its messages. */
function askedBy(box: JsonObject, isOwner: boolean): 'nothing' | 'pin' | 'no access' {
  if (isOwner && (box.require_pin !== true || box.is_setup !== true)) return 'nothing';
  return typeof box.pin === 'string' && box.pin !== '' ? 'pin' : 'no access';
}

/** Lets a caller at the messages of a box: its owner without a PIN unless it requires one; a box without a PIN lets in nobody else. */
export function openBox(box: JsonObject, isOwner: boolean, dial: Dial): Passage {
  const asked = askedBy(box, isOwner);
  if (asked === 'nothing') return open;
  if (asked === 'no access') return { passes: false, words: 'the box has no PIN and lets nobody in' };
  return tryPins([String(box.pin)], dial);
}

/** The rules of a box, for where nobody calls yet. */
export function boxRules(box: JsonObject, data: JsonObject): readonly string[] {
  const words = (isOwner: boolean): string =>
    ({ nothing: '', pin: 'asks for the PIN', 'no access': 'has no PIN and lets nobody in' })[
      askedBy(box, isOwner)
    ];
  if (data.action === 'check') return [words(false)].filter(Boolean);
  const hasOwner = typeof box.owner_id === 'string' && box.owner_id !== '';
  if (!hasOwner || box.check_if_owner === false) return [];
  return [`its owner hears messages${words(true) === '' ? '' : `, and ${words(true)}`}`];
}

/** Lets a caller dial on from a `disa` step, which may have a PIN. */
export function openDisa({ pin, retries }: JsonObject, dial: Dial): Passage {
  if (typeof pin !== 'string' || pin === '') return open;
  return tryPins([pin], dial, typeof retries === 'number' && retries > 0 ? retries : usualTries);
}
