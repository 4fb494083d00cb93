import type { Act, Behaviour } from '../calls/types.ts';
import type { Problem } from '../input/document.ts';

/** Keys of a case file and of its parts: what the reader takes, and what its schema publishes. */
export const fileKeys = ['at', 'people', 'cases'] as const;
export const caseKeys = ['name', 'at', 'people', 'call', 'then', 'expect', 'gaps', 'pivot'] as const;
export const callKeys = ['from', 'to', 'presses', 'hangs_up_after', 'leaves'] as const;
export const expectationKeys = [
  ...['path', 'rings', 'answered_by', 'ends_in', 'cause', 'within', 'caller_id', 'emergency'],
  ...['hears', 'voicemail', 'cdrs', 'events', 'cost', 'not'],
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
  readonly name?: string;
}

/** What a case expects of a call. Anything that is left out may have any value. */
export interface Expectations {
  readonly path?: readonly string[];
  readonly rings?: readonly string[];
  readonly answeredBy?: string;
  readonly endsIn?: WantedEnd;
  readonly cause?: string;
  /** Seconds. */
  readonly within?: number;
  readonly callerId?: string;
  readonly emergency?: boolean;
  readonly hears?: readonly string[];
  readonly voicemail?: string;
  /** How many records there are, or fields of each. */
  readonly cdrs?: number | readonly ReadonlyMap<string, string>[];
  readonly events?: readonly string[];
  readonly cost?: number;
  readonly not?: Expectations | readonly WantedEnd[];
}

/** What one person does, as a case file says it. */
export interface SaidBehaviour {
  readonly person: string;
  readonly behaviour: Behaviour;
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
  readonly hangsUpAfter?: number;
  readonly leaves?: number;
  readonly acts: readonly Act[];
  readonly expect: Expectations;
  readonly allowsGaps: boolean;
  /** Files with the replies of pivots, by address, as they are named beside the case file. */
  readonly pivots: ReadonlyMap<string, string>;
  /** Names a problem at a dotted path of the case. */
  readonly problem: (path: string, message: string) => Problem;
}
