import { parseDuration, suggestDuration } from '../../../base/moment.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import {
  type DocumentNode,
  type Entry,
  type MapNode,
  type Problem,
  problemAt,
} from '../../../engine/input/document.ts';
import type { Act, PhoneBehaviour } from '../engine/types.ts';

/** Keys of a case file and of its parts: what the reader takes, and what its schema publishes. */
export const fileKeys = ['at', 'people', 'cases'] as const;
export const caseKeys = ['name', 'at', 'people', 'call', 'then', 'expect', 'gaps', 'pivot'] as const;
export const callKeys = ['from', 'to', 'presses', 'hangs_up_after', 'leaves'] as const;
export const expectationKeys = [
  'path',
  'rings',
  'answered_by',
  'ends_in',
  'cause',
  'within',
  'caller_id',
  'emergency',
  'hears',
  'voicemail',
  'cdrs',
  'events',
  'cost',
  'not',
] as const;

/** Words of `ends_in`, and whether a name may follow. */
export const endWords: ReadonlyMap<string, boolean> = new Map([
  ['voicemail', true],
  ['carrier', false],
  ['conference', true],
  ['queue', true],
  ['parked', false],
  ['fax', true],
  ['hangup', false],
  ['nobody', false],
]);

/** Words of `people`; `answers` may be followed by `after 12s`. */
export const behaviourWords = ['answers', 'does not answer', 'busy', 'declines', 'not registered'] as const;

/** Where a call is to end: a word, and the box, conference or queue if one is named. */
export interface WantedEnd {
  readonly word: string;
  readonly name?: string | undefined;
}

/** What a case expects of a call. Anything that is left out may have any value. */
export interface Expectations {
  readonly path?: readonly string[] | undefined;
  readonly rings?: readonly string[] | undefined;
  readonly answeredBy?: string | undefined;
  readonly endsIn?: WantedEnd | undefined;
  readonly cause?: string | undefined;
  /** Seconds. */
  readonly within?: number | undefined;
  readonly callerId?: string | undefined;
  readonly emergency?: boolean | undefined;
  readonly hears?: readonly string[] | undefined;
  readonly voicemail?: string | undefined;
  /** How many records there are, or fields of each. */
  readonly cdrs?: number | readonly ReadonlyMap<string, string>[] | undefined;
  readonly events?: readonly string[] | undefined;
  readonly cost?: number | undefined;
  readonly not?: Expectations | readonly WantedEnd[] | undefined;
}

export interface SaidBehaviour {
  readonly person: string;
  readonly behaviour: PhoneBehaviour;
  readonly problem: (message: string) => Problem;
}

/** One call that is to be made, and what is expected of it. */
export interface CallCase {
  readonly name: string;
  readonly file: string;
  readonly line: number | undefined;
  /** Begin in milliseconds since 1970. */
  readonly at: number;
  readonly people: readonly SaidBehaviour[];
  readonly from: string;
  readonly to: string;
  readonly presses: readonly string[];
  /** Seconds. */
  readonly hangsUpAfter?: number | undefined;
  readonly leaves?: number | undefined;
  readonly acts: readonly Act[];
  readonly expect: Expectations;
  readonly allowsGaps: boolean;
  /** Files with the replies of pivots, by address, as they are named beside the case file. */
  readonly pivots: ReadonlyMap<string, string>;
  /** Names a problem at a dotted path of the case. */
  readonly problem: (path: string, message: string) => Problem;
}

/** Takes what is wrong with a case file. */
export type ReportProblem = (problem: Problem) => void;

/** The value of a node, or `undefined` once the problem has been told. */
export type ReadNode<T> = (node: DocumentNode, report: ReportProblem) => T | undefined;

/** The map that stands here; its keys are held against those that are known. */
export function readMap(
  node: DocumentNode,
  what: string,
  keys: readonly string[] | undefined,
  report: ReportProblem,
): MapNode | undefined {
  if (node.kind !== 'map') {
    report(problemAt(node, `${what} is a map of keys and values`));
    return undefined;
  }
  for (const entry of node.entries)
    if (keys && !keys.includes(entry.key))
      report(
        problemAt(
          entry,
          `${what} has no key ${JSON.stringify(entry.key)}.${didYouMean(findNearest(entry.key, keys)) || ` It takes ${keys.join(', ')}.`}`,
        ),
      );
  return node;
}

export const entryAt = (map: MapNode | undefined, key: string): Entry | undefined =>
  map?.entries.find((each) => each.key === key);

export function readKey<T>(
  map: MapNode | undefined,
  key: string,
  read: ReadNode<T>,
  report: ReportProblem,
): T | undefined {
  const entry = entryAt(map, key);
  return entry && read(entry.value, report);
}

/** Text, as it is written: `+13125550100` and `0100` stay. */
export const readTextNode =
  (what: string): ReadNode<string> =>
  (node, report) => {
    if (node.kind === 'scalar' && node.text.trim() !== '') return node.text.trim();
    report(problemAt(node, `${what} is text`));
    return undefined;
  };

/** A list of texts; one text stands for a list of one. */
export const readTexts =
  (what: string): ReadNode<readonly string[]> =>
  (node, report) => {
    if (node.kind !== 'list') {
      const text = readTextNode(`${what} is a list, and each item`)(node, report);
      return text === undefined ? undefined : [text];
    }
    return node.items.flatMap((item) => readTextNode(`an item of ${what}`)(item, report) ?? []);
  };

/** Seconds of a length of time: `10s`, `1m30s`. */
export const readSeconds =
  (what: string): ReadNode<number> =>
  (node, report) => {
    const text = node.kind === 'scalar' ? node.text.trim() : '';
    const seconds = secondsIn(text);
    if (seconds !== undefined) return seconds;
    report(problemAt(node, `${what} ${badDuration(text)}`));
    return undefined;
  };

export function secondsIn(text: string): number | undefined {
  const ms = parseDuration(text);
  return ms === undefined ? undefined : ms / 1000;
}

export function badDuration(text: string): string {
  const meant = suggestDuration(text) ?? (/^\d+$/.test(text) ? `${text}s` : undefined);
  return `takes a length of time such as 10s, not ${JSON.stringify(text)}.${didYouMean(meant)}`;
}

/** `yes` or `no`, `true` or `false`. */
export const readFlag =
  (what: string): ReadNode<boolean> =>
  (node, report) => {
    const text = node.kind === 'scalar' ? node.text.trim().toLowerCase() : '';
    if (['yes', 'true', 'no', 'false'].includes(text)) return text === 'yes' || text === 'true';
    report(problemAt(node, `${what} is yes or no`));
    return undefined;
  };

/** Reports an unknown word, with the words that are known. */
export function noSuchWord(what: string, word: string, words: readonly string[]): string {
  return `${what} has no ${JSON.stringify(word)}.${didYouMean(findNearest(word, words)) || ` It takes ${words.join(', ')}.`}`;
}
