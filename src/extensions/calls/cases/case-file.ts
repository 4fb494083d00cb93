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

/** Keywords of `ends_in`. True if a name can follow. */
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

/** Keywords of `people`. A time can follow `answers`, as in `answers after 12s`. */
export const behaviourWords = ['answers', 'does not answer', 'busy', 'declines', 'not registered'] as const;

export interface WantedEnd {
  readonly word: string;
  readonly name?: string | undefined;
}

/** The expectations of a case. Omitted expectations are not checked. */
export interface Expectations {
  readonly path?: readonly string[] | undefined;
  readonly rings?: readonly string[] | undefined;
  readonly answeredBy?: string | undefined;
  readonly endsIn?: WantedEnd | undefined;
  readonly cause?: string | undefined;
  /** In seconds. */
  readonly within?: number | undefined;
  readonly callerId?: string | undefined;
  readonly emergency?: boolean | undefined;
  readonly hears?: readonly string[] | undefined;
  readonly voicemail?: string | undefined;
  /** The number of call records, or fields of each. */
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

export interface CallCase {
  readonly name: string;
  readonly file: string;
  readonly line: number | undefined;
  /** Start, in Unix milliseconds. */
  readonly at: number;
  readonly people: readonly SaidBehaviour[];
  readonly from: string;
  readonly to: string;
  readonly presses: readonly string[];
  /** In seconds. */
  readonly hangsUpAfter?: number | undefined;
  readonly leaves?: number | undefined;
  readonly acts: readonly Act[];
  readonly expect: Expectations;
  readonly allowsGaps: boolean;
  /** Files with the replies of pivots, by address, as written in the case file. */
  readonly pivots: ReadonlyMap<string, string>;
  readonly problem: (path: string, message: string) => Problem;
}

export type ReportProblem = (problem: Problem) => void;

/** Reads a node. Returns `undefined` after it has reported a problem. */
export type ReadNode<T> = (node: DocumentNode, report: ReportProblem) => T | undefined;

export function readMap(
  node: DocumentNode,
  what: string,
  keys: readonly string[] | undefined,
  report: ReportProblem,
): MapNode | undefined {
  if (node.kind !== 'map') {
    report(problemAt(node, `${what} must be a map`));
    return undefined;
  }
  for (const entry of node.entries)
    if (keys && !keys.includes(entry.key))
      report(
        problemAt(
          entry,
          `${what} has no key ${JSON.stringify(entry.key)}.${didYouMean(findNearest(entry.key, keys)) || ` Keys: ${keys.join(', ')}.`}`,
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

/** Reads a text exactly as written, such as `+13125550100` and `0100`. */
export const readTextNode =
  (what: string): ReadNode<string> =>
  (node, report) => {
    if (node.kind === 'scalar' && node.text.trim() !== '') return node.text.trim();
    report(problemAt(node, `${what} must be a text`));
    return undefined;
  };

export const readTexts =
  (what: string): ReadNode<readonly string[]> =>
  (node, report) => {
    if (node.kind !== 'list') {
      const text = readTextNode(`each item of the list ${what}`)(node, report);
      return text === undefined ? undefined : [text];
    }
    return node.items.flatMap((item) => readTextNode(`an item of ${what}`)(item, report) ?? []);
  };

/** Reads a duration such as `10s` or `1m30s`, in seconds. */
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
  return `must be a duration such as 10s, not ${JSON.stringify(text)}.${didYouMean(meant)}`;
}

export const readFlag =
  (what: string): ReadNode<boolean> =>
  (node, report) => {
    const text = node.kind === 'scalar' ? node.text.trim().toLowerCase() : '';
    if (['yes', 'true', 'no', 'false'].includes(text)) return text === 'yes' || text === 'true';
    report(problemAt(node, `${what} must be yes or no`));
    return undefined;
  };

export function unknownValueMessage(what: string, word: string, words: readonly string[]): string {
  return `${what} has no ${JSON.stringify(word)}.${didYouMean(findNearest(word, words)) || ` Values: ${words.join(', ')}.`}`;
}
