import { parseDate } from '../../../base/moment.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import { isTimeZone, timesOfLocal, toLocalTime } from '../../../base/zoned-time.ts';
import { nearestName } from '../../../contract/name-lists.ts';
import { type DocumentNode, problemAt } from '../../../engine/input/document.ts';
import type { Act, PhoneBehaviour } from '../engine/types.ts';
import {
  badDuration,
  behaviourWords,
  type Expectations,
  endWords,
  expectationKeys,
  type ReadNode,
  type ReportProblem,
  readFlag,
  readKey,
  readMap,
  readSeconds,
  readTextNode,
  readTexts,
  secondsIn,
  unknownValueMessage,
  type WantedEnd,
} from './case-file.ts';

export type Parsed<T> = { readonly value: T } | { readonly wrong: string };

export const readWith =
  <T>(parse: (text: string) => Parsed<T>): ReadNode<T> =>
  (node: DocumentNode, report) => {
    const parsed: Parsed<T> = node.kind === 'scalar' ? parse(node.text.trim()) : { wrong: 'must be a text' };
    if ('value' in parsed) return parsed.value;
    report(problemAt(node, parsed.wrong));
    return undefined;
  };

/** A time in Unix milliseconds, with its time zone. */
export interface WrittenTime {
  readonly ms: number;
  readonly zone: string | undefined;
}

/** Reads `2026-11-23 10:00 Europe/Zurich`. The zone can be omitted if `zoneBefore` is given. */
export function parseTime(text: string, zoneBefore?: string): Parsed<WrittenTime> {
  const found = /^(\d{4}-\d\d-\d\d[ T]\d\d?:\d\d(?::\d\d)?)\s*(Z|[+-]\d\d:?\d\d)?(?:\s+(\S+))?$/.exec(text);
  const [, clock = '', offset, zone = zoneBefore] = found ?? [];
  if (!found)
    return {
      wrong: `at must be a date and time with a time zone, such as 2026-11-23 10:00 Europe/Zurich, not ${JSON.stringify(text)}.`,
    };
  const padded = clock.replace('T', ' ').replace(/ (\d):/, ' 0$1:');
  const shown = parseDate(`${padded}${offset ?? ''}`);
  if (shown === undefined) return { wrong: `at: ${clock} is not a valid time.` };
  if (zone !== undefined && !isTimeZone(zone))
    return {
      wrong: `at: time zone ${JSON.stringify(zone)} does not exist.${didYouMean(nearestName('time-zone', zone))}`,
    };
  if (offset !== undefined) return { value: { ms: shown, zone } };
  if (zone === undefined)
    return { wrong: 'at has no time zone. Write it like 2026-11-23 10:00 Europe/Zurich.' };
  const [first] = timesOfLocal(zone, toLocalTime(shown / 1000));
  return first === undefined
    ? { wrong: `at: ${clock} does not exist in ${zone}, because clocks change at that time.` }
    : { value: { ms: first * 1000, zone } };
}

const usualSeconds = 6;

export function parseBehaviour(text: string): Parsed<PhoneBehaviour> {
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
    return { wrong: unknownValueMessage('people', text, [...behaviourWords, 'answers after 12s']) };
  return { value: { does } };
}

const actWords = ['transfer', 'attended transfer', 'park', 'presses', 'hangs up', 'hold'] as const;

/** The argument of each keyword of `then`, with a description of it. */
const argumentOf: Readonly<Record<(typeof actWords)[number], readonly [RegExp, string]>> = {
  transfer: [/^\+?[\d*#]+$/, 'a number'],
  'attended transfer': [/^\+?[\d*#]+$/, 'a number'],
  park: [/^(?:\*?\d+)?$/, 'nothing, or a slot'],
  presses: [/^[\d*#]+$/, 'keys'],
  'hangs up': [/^(?:caller|callee)$/, 'caller or callee'],
  hold: [/^$/, 'nothing'],
};

export function parseAct(text: string): Parsed<Act> {
  const [, wait = '', rest = ''] = /^after\s+(\S+)\s+(.+)$/.exec(text) ?? [];
  if (rest === '')
    return {
      wrong: `then must be a list of texts such as "after 10s transfer 2002", not ${JSON.stringify(text)}.`,
    };
  const after = secondsIn(wait);
  if (after === undefined) return { wrong: `after ${badDuration(wait)}` };
  const does = actWords.find((word) => rest === word || rest.startsWith(`${word} `));
  if (does === undefined) {
    const [first = rest] = rest.split(' ');
    return {
      wrong: `then has no ${JSON.stringify(rest)}.${didYouMean(findNearest(first, actWords)) || ` Values: ${actWords.join(', ')}.`}`,
    };
  }
  const argument = rest.slice(does.length).trim();
  const [form, formName] = argumentOf[does];
  if (!form.test(argument)) return { wrong: `${does} takes ${formName}, not ${JSON.stringify(argument)}.` };
  return { value: { after, does, argument: argument || undefined } };
}

/** Reads `message 20s`, and returns the seconds. */
export function parseMessage(text: string): Parsed<number> {
  const [, length] = /^message\s+(\S+)$/.exec(text) ?? [];
  const seconds = length === undefined ? undefined : secondsIn(length);
  return seconds === undefined
    ? { wrong: `leaves must be like "message 20s", not ${JSON.stringify(text)}.` }
    : { value: seconds };
}

/** Reads keys for prompts, such as `2` or `2,2001#`. An empty part presses no key. */
export function parseKeys(text: string): Parsed<readonly string[]> {
  const keys = text.split(',').map((each) => each.trim());
  const wrong = keys.find((each) => !/^[\d*#]*$/.test(each));
  return wrong === undefined
    ? { value: keys }
    : {
        wrong: `presses must be keys for each prompt, separated by commas, not ${JSON.stringify(wrong)}.`,
      };
}

function parseEnd(text: string): Parsed<WantedEnd> {
  const [, word = '', name] = /^(\S+)(?:\s+(.+))?$/.exec(text) ?? [];
  const takesName = endWords.get(word);
  if (takesName === undefined) return { wrong: unknownValueMessage('ends_in', word, [...endWords.keys()]) };
  if (name !== undefined && !takesName)
    return { wrong: `ends_in: ${word} cannot have a name such as ${JSON.stringify(name)}.` };
  return { value: { word, name } };
}

function parseCause(text: string): Parsed<string> {
  const cause = text.toUpperCase();
  return cause === text && /^[A-Z][A-Z_]+$/.test(text)
    ? { value: text }
    : {
        wrong: `cause must be a hangup cause such as NORMAL_CLEARING, USER_BUSY or ORIGINATOR_CANCEL, not ${JSON.stringify(text)}.`,
      };
}

function parseAmount(text: string): Parsed<number> {
  return /^\d+(?:\.\d+)?$/.test(text)
    ? { value: Number(text) }
    : { wrong: `cost must be an amount such as 0.05, not ${JSON.stringify(text)}.` };
}

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
      report(problemAt(items[index] ?? node, unknownValueMessage('events', event, eventWords)));
  return events;
};

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
    report(problemAt(node, 'cdrs must be the number of call records, or a list of fields for each leg'));
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
    report(problemAt(node, `call records have no field ${JSON.stringify(key)}`));
  else if (!recordFields.some((field) => field === key)) {
    const near = didYouMean(findNearest(key, recordFields));
    if (near) report(problemAt(node, `call records have no field ${JSON.stringify(key)}.${near}`));
  }
  return text === undefined ? [] : [[key, text]];
}

const readNot: ReadNode<Expectations | readonly WantedEnd[]> = (node, report) =>
  node.kind === 'map'
    ? readExpectations(node, report)
    : (node.kind === 'list' ? node.items : [node]).flatMap((item) => readWith(parseEnd)(item, report) ?? []);

export function readExpectations(node: DocumentNode, report: ReportProblem): Expectations | undefined {
  const map = readMap(node, 'expect', expectationKeys, report);
  if (!map) return undefined;
  if (map.entries.length === 0) report(problemAt(node, 'expect is empty'));
  const read = <T>(key: (typeof expectationKeys)[number], how: ReadNode<T>): T | undefined =>
    readKey(map, key, how, report);
  return {
    path: read('path', readTexts('path')),
    rings: read('rings', readTexts('rings')),
    answeredBy: read('answered_by', readTextNode('answered_by')),
    endsIn: read('ends_in', readWith(parseEnd)),
    cause: read('cause', readWith(parseCause)),
    within: read('within', readSeconds('within')),
    callerId: read('caller_id', readTextNode('caller_id')),
    emergency: read('emergency', readFlag('emergency')),
    hears: read('hears', readTexts('hears')),
    voicemail: read('voicemail', readTextNode('voicemail')),
    cdrs: read('cdrs', readRecords),
    events: read('events', readEvents),
    cost: read('cost', readWith(parseAmount)),
    not: read('not', readNot),
  };
}
