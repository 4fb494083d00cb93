import { dateOf } from '../../base/moment.ts';
import { nearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import { isTimeZone, secondsOfDay, timesOf } from '../../base/zoned-time.ts';
import { nearestName } from '../../contract/known-names.ts';
import type { Act, Behaviour } from '../calls/types.ts';
import { type DocumentNode, problemAt } from '../input/document.ts';
import { badDuration, behaviourWords, noSuchWord, type ReadNode, secondsIn } from './case-file.ts';

export type Parsed<T> = { readonly value: T } | { readonly wrong: string };

/** Reads a text by a rule of its own. */
export const readBy =
  <T>(parse: (text: string) => Parsed<T>): ReadNode<T> =>
  (node: DocumentNode, report) => {
    const parsed: Parsed<T> =
      node.kind === 'scalar' ? parse(node.text.trim()) : { wrong: 'text is expected here' };
    if ('value' in parsed) return parsed.value;
    report(problemAt(node, parsed.wrong));
    return undefined;
  };

/** A time of day somewhere: milliseconds since 1970, and the zone by whose clocks it was given. */
export interface WrittenTime {
  readonly ms: number;
  readonly zone: string | undefined;
}

/** Reads `2026-11-23 10:00 Europe/Zurich`; the zone may be left out where one is given. */
export function timeIn(text: string, zoneBefore?: string): Parsed<WrittenTime> {
  const found = /^(\d{4}-\d\d-\d\d[ T]\d\d?:\d\d(?::\d\d)?)\s*(Z|[+-]\d\d:?\d\d)?(?:\s+(\S+))?$/.exec(text);
  const [, clock = '', offset, zone = zoneBefore] = found ?? [];
  if (!found)
    return {
      wrong: `at is a date and time with a zone, such as 2026-11-23 10:00 Europe/Zurich, not ${JSON.stringify(text)}.`,
    };
  const padded = clock.replace('T', ' ').replace(/ (\d):/, ' 0$1:');
  const shown = dateOf(`${padded}${offset ?? ''}`);
  if (shown === undefined) return { wrong: `at: there is no time ${clock}.` };
  if (zone !== undefined && !isTimeZone(zone))
    return {
      wrong: `at: there is no time zone ${JSON.stringify(zone)}.${didYouMean(nearestName('time-zone', zone))}`,
    };
  if (offset !== undefined) return { value: { ms: shown, zone } };
  if (zone === undefined) return { wrong: 'at names no time zone: 2026-11-23 10:00 Europe/Zurich.' };
  const seconds = shown / 1000;
  const day = Math.floor(seconds / secondsOfDay);
  const [first] = timesOf(zone, { day, second: seconds - day * secondsOfDay });
  return first === undefined
    ? { wrong: `at: the clocks of ${zone} skip ${clock}.` }
    : { value: { ms: first * 1000, zone } };
}

const usualSeconds = 6;

/** Reads what a person does: `answers after 12s`, `busy`. */
export function behaviourIn(text: string): Parsed<Behaviour> {
  const [, wait] = /^answers(?:\s+after\s+(.+))?$/.exec(text) ?? [];
  if (wait !== undefined) {
    const after = secondsIn(wait);
    return after === undefined
      ? { wrong: `answers after ${badDuration(wait)}` }
      : { value: { does: 'answers', after } };
  }
  if (text === 'answers') return { value: { does: 'answers', after: usualSeconds } };
  const does = behaviourWords.find((word) => word === text);
  if (does === undefined || does === 'answers')
    return { wrong: noSuchWord('people', text, [...behaviourWords, 'answers after 12s']) };
  return { value: { does } };
}

const actWords = ['transfer', 'attended transfer', 'park', 'presses', 'hangs up', 'hold'] as const;

/** What follows each word of `then`. */
const argumentOf: Readonly<Record<(typeof actWords)[number], RegExp>> = {
  transfer: /^\+?[\d*#]+$/,
  'attended transfer': /^\+?[\d*#]+$/,
  park: /^(?:\*?\d+)?$/,
  presses: /^[\d*#]+$/,
  'hangs up': /^(?:caller|callee)$/,
  hold: /^$/,
};

const argumentNames: Readonly<Record<(typeof actWords)[number], string>> = {
  transfer: 'a number',
  'attended transfer': 'a number',
  park: 'nothing, or a slot',
  presses: 'keys',
  'hangs up': 'caller or callee',
  hold: 'nothing',
};

/** Reads an item of `then`: `after 10s transfer 2002`. */
export function actIn(text: string): Parsed<Act> {
  const [, wait = '', rest = ''] = /^after\s+(\S+)\s+(.+)$/.exec(text) ?? [];
  if (rest === '')
    return {
      wrong: `then is a list of texts such as "after 10s transfer 2002", not ${JSON.stringify(text)}.`,
    };
  const after = secondsIn(wait);
  if (after === undefined) return { wrong: `after ${badDuration(wait)}` };
  const does = actWords.find((word) => rest === word || rest.startsWith(`${word} `));
  if (does === undefined) {
    const [first = rest] = rest.split(' ');
    return {
      wrong: `then has no ${JSON.stringify(rest)}.${didYouMean(nearest(first, actWords)) || ` It takes ${actWords.join(', ')}.`}`,
    };
  }
  const argument = rest.slice(does.length).trim();
  if (!argumentOf[does].test(argument))
    return { wrong: `${does} takes ${argumentNames[does]}, not ${JSON.stringify(argument)}.` };
  return { value: { after, does, ...(argument === '' ? {} : { argument }) } };
}

/** Reads `message 20s`: the seconds of the message that the caller leaves. */
export function messageIn(text: string): Parsed<number> {
  const [, length] = /^message\s+(\S+)$/.exec(text) ?? [];
  const seconds = length === undefined ? undefined : secondsIn(length);
  return seconds === undefined
    ? { wrong: `leaves is written "message 20s", not ${JSON.stringify(text)}.` }
    : { value: seconds };
}

/** Reads answers to requests for keys: `2`, or `2,2001#`; nothing between commas presses nothing. */
export function keysIn(text: string): Parsed<readonly string[]> {
  const keys = text.split(',').map((each) => each.trim());
  const wrong = keys.find((each) => !/^[\d*#]*$/.test(each));
  return wrong === undefined
    ? { value: keys }
    : {
        wrong: `presses takes digits, * and #, an answer for each time, separated by commas; not ${JSON.stringify(wrong)}.`,
      };
}
