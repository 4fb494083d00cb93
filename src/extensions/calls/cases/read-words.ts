import { parseDate } from '../../../base/moment.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import { isTimeZone, secondsOfDay, timesOfLocal } from '../../../base/zoned-time.ts';
import { nearestName } from '../../../contract/name-lists.ts';
import { type DocumentNode, problemAt } from '../../../engine/input/document.ts';
import type { Act, PhoneBehaviour } from '../engine/types.ts';
import {
  badDuration,
  behaviourWords,
  type Expectations,
  endWords,
  expectationKeys,
  noSuchWord,
  type ReadNode,
  type ReportProblem,
  readFlag,
  readKey,
  readMap,
  readSeconds,
  readTextNode,
  readTexts,
  secondsIn,
  type WantedEnd,
} from './case-file.ts';

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
  const shown = parseDate(`${padded}${offset ?? ''}`);
  if (shown === undefined) return { wrong: `at: there is no time ${clock}.` };
  if (zone !== undefined && !isTimeZone(zone))
    return {
      wrong: `at: there is no time zone ${JSON.stringify(zone)}.${didYouMean(nearestName('time-zone', zone))}`,
    };
  if (offset !== undefined) return { value: { ms: shown, zone } };
  if (zone === undefined) return { wrong: 'at names no time zone: 2026-11-23 10:00 Europe/Zurich.' };
  const seconds = shown / 1000;
  const day = Math.floor(seconds / secondsOfDay);
  const [first] = timesOfLocal(zone, { day, second: seconds - day * secondsOfDay });
  return first === undefined
    ? { wrong: `at: the clocks of ${zone} skip ${clock}.` }
    : { value: { ms: first * 1000, zone } };
}

const usualSeconds = 6;

/** Reads what a person does: `answers after 12s`, `busy`. */
export function behaviourIn(text: string): Parsed<PhoneBehaviour> {
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

/** What follows each word of `then`, and its name. */
const argumentOf: Readonly<Record<(typeof actWords)[number], readonly [RegExp, string]>> = {
  transfer: [/^\+?[\d*#]+$/, 'a number'],
  'attended transfer': [/^\+?[\d*#]+$/, 'a number'],
  park: [/^(?:\*?\d+)?$/, 'nothing, or a slot'],
  presses: [/^[\d*#]+$/, 'keys'],
  'hangs up': [/^(?:caller|callee)$/, 'caller or callee'],
  hold: [/^$/, 'nothing'],
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
      wrong: `then has no ${JSON.stringify(rest)}.${didYouMean(findNearest(first, actWords)) || ` It takes ${actWords.join(', ')}.`}`,
    };
  }
  const argument = rest.slice(does.length).trim();
  const [form, formName] = argumentOf[does];
  if (!form.test(argument)) return { wrong: `${does} takes ${formName}, not ${JSON.stringify(argument)}.` };
  return { value: { after, does, argument: argument || undefined } };
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

function endIn(text: string): Parsed<WantedEnd> {
  const [, word = '', name] = /^(\S+)(?:\s+(.+))?$/.exec(text) ?? [];
  const takesName = endWords.get(word);
  if (takesName === undefined) return { wrong: noSuchWord('ends_in', word, [...endWords.keys()]) };
  if (name !== undefined && !takesName)
    return { wrong: `ends_in: ${word} takes no name, so that ${JSON.stringify(name)} is too much.` };
  return { value: { word, name } };
}

function causeIn(text: string): Parsed<string> {
  const cause = text.toUpperCase();
  return cause === text && /^[A-Z][A-Z_]+$/.test(text)
    ? { value: text }
    : {
        wrong: `cause is a word such as NORMAL_CLEARING, USER_BUSY or ORIGINATOR_CANCEL, not ${JSON.stringify(text)}.`,
      };
}

function amountIn(text: string): Parsed<number> {
  return /^\d+(?:\.\d+)?$/.test(text)
    ? { value: Number(text) }
    : { wrong: `cost is an amount such as 0.05, not ${JSON.stringify(text)}.` };
}

/** Events of a call that webhooks can be subscribed to. */
const eventWords = [
  'channel_create',
  'channel_answer',
  'channel_bridge',
  'channel_destroy',
  'parking',
  'emergency_bridge',
  'voicemail_new',
  'voicemail_saved',
  'voicemail_deleted',
  'inbound_fax',
  'notifications',
] as const;

const readEvents: ReadNode<readonly string[]> = (node, report) => {
  const events = readTexts('events')(node, report);
  const items = node.kind === 'list' ? node.items : [node];
  for (const [index, event] of (events ?? []).entries())
    if (!eventWords.some((word) => word === event))
      report(problemAt(items[index] ?? node, noSuchWord('events', event, eventWords)));
  return events;
};

/** Fields of a call record that a case may name. */
const recordFields = [
  'call_direction',
  'to',
  'hangup_cause',
  'duration_seconds',
  'ringing_seconds',
  'billing_seconds',
  'caller_id_number',
  'caller_id_name',
  'owner_id',
  'authorizing_id',
  'cost',
] as const;

const readRecords: ReadNode<number | readonly ReadonlyMap<string, string>[]> = (node, report) => {
  if (node.kind === 'scalar' && /^\d+$/.test(node.text)) return Number(node.text);
  if (node.kind !== 'list') {
    report(problemAt(node, 'cdrs is a number of call records, or a list of fields for each leg'));
    return undefined;
  }
  return node.items.flatMap((item) => {
    const map = readMap(item, 'an item of cdrs', undefined, report);
    if (!map) return [];
    return [new Map(map.entries.flatMap((entry) => fieldOf(entry.key, entry.value, report)))];
  });
};

function fieldOf(
  key: string,
  node: DocumentNode,
  report: ReportProblem,
): readonly (readonly [string, string])[] {
  const text = readTextNode(`cdrs: ${key}`)(node, report);
  if (!/^[a-z][a-z0-9_]*$/.test(key))
    report(problemAt(node, `a call record has no field ${JSON.stringify(key)}`));
  else if (!recordFields.some((field) => field === key)) {
    const near = didYouMean(findNearest(key, recordFields));
    if (near) report(problemAt(node, `a call record has no field ${JSON.stringify(key)}.${near}`));
  }
  return text === undefined ? [] : [[key, text]];
}

const readNot: ReadNode<Expectations | readonly WantedEnd[]> = (node, report) =>
  node.kind === 'map'
    ? readExpectations(node, report)
    : (node.kind === 'list' ? node.items : [node]).flatMap((item) => readBy(endIn)(item, report) ?? []);

export function readExpectations(node: DocumentNode, report: ReportProblem): Expectations | undefined {
  const map = readMap(node, 'expect', expectationKeys, report);
  if (!map) return undefined;
  if (map.entries.length === 0) report(problemAt(node, 'expect names nothing that is expected'));
  const read = <T>(key: (typeof expectationKeys)[number], how: ReadNode<T>): T | undefined =>
    readKey(map, key, how, report);
  return {
    path: read('path', readTexts('path')),
    rings: read('rings', readTexts('rings')),
    answeredBy: read('answered_by', readTextNode('answered_by')),
    endsIn: read('ends_in', readBy(endIn)),
    cause: read('cause', readBy(causeIn)),
    within: read('within', readSeconds('within')),
    callerId: read('caller_id', readTextNode('caller_id')),
    emergency: read('emergency', readFlag('emergency')),
    hears: read('hears', readTexts('hears')),
    voicemail: read('voicemail', readTextNode('voicemail')),
    cdrs: read('cdrs', readRecords),
    events: read('events', readEvents),
    cost: read('cost', readBy(amountIn)),
    not: read('not', readNot),
  };
}
