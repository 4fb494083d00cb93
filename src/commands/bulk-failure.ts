import { Failure } from '../contract/failure.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Outcome } from './bulk.ts';
import { failedLines, whyNot } from './failed-lines.ts';

/** How many pieces of bulk work came to each end. */
export interface Ends {
  readonly done: number;
  /** Refused or failed, those that were never sent included. */
  readonly notDone: number;
  readonly neverSent: number;
  readonly unknown: number;
}

/** Counts outcomes. */
export function endsOf(outcomes: readonly Outcome<unknown>[]): Ends {
  const count = (test: (outcome: Outcome<unknown>) => boolean): number => outcomes.filter(test).length;
  return {
    done: count(({ end }) => end === 'done'),
    notDone: count(({ end }) => end === 'not_done'),
    neverSent: count((outcome) => outcome.end === 'not_done' && !outcome.begun),
    unknown: count(({ end }) => end === 'unknown'),
  };
}

/** The words of a report on bulk work. */
export interface BulkWords<T> {
  /** `user alice`. */
  label(thing: T): string;
  /** More about a thing for scripts, such as where it stood in the input. */
  facts?(thing: T, index: number): JsonObject;
  /** Plural noun: `users`. */
  readonly noun: string;
  /** Past participle: `created`. */
  readonly done: string;
  /** What to do next. */
  hint(ends: Ends): string | undefined;
}

/**
 * What to tell of bulk work that was not done whole; `undefined` where it was. The kind is `interrupted` after Ctrl-C,
 * that of the first failure where it is certain that nothing was done, else `partial`.
 */
export function bulkFailure<T>(
  things: readonly T[],
  outcomes: readonly Outcome<unknown>[],
  words: BulkWords<T>,
): Failure | undefined {
  const open = outcomes.flatMap((outcome, index) =>
    outcome.end === 'done'
      ? []
      : things.slice(index, index + 1).map((thing) => ({ thing, index, ...beginning(outcome) })),
  );
  const [first] = open.toSorted((one, other) => Number(other.begun) - Number(one.begun));
  if (first === undefined) return undefined;
  const ends = endsOf(outcomes);
  const isInterrupted = open.some(({ failure }) => failure.kind === 'interrupted');
  const reason = ({ thing, failure }: (typeof open)[number]): string => whyNot(words.label(thing), failure);
  const reasons = (end: 'not_done' | 'unknown'): readonly string[] =>
    open.filter((each) => each.end === end && each.begun).map(reason);
  const sum = sumOf(ends, outcomes.length, words);
  return new Failure(
    isInterrupted ? 'interrupted' : ends.done + ends.unknown > 0 ? 'partial' : first.failure.kind,
    [...failedLines(reasons('not_done')), ...failedLines(reasons('unknown'), 'unknown'), sum],
    {
      sentence: `${sum} The first is ${reason(first)}`,
      hint: words.hint(ends),
      details: {
        [words.done]: ends.done,
        ends: { done: ends.done, not_done: ends.notDone, unknown: ends.unknown },
        failed: open.map((each) => ({
          ...words.facts?.(each.thing, each.index),
          record: words.label(each.thing),
          end: each.end,
          sent: each.begun,
          error: errorOf(each.failure),
        })),
      },
    },
  );
}

const beginning = (outcome: Exclude<Outcome<unknown>, { readonly end: 'done' }>) => ({
  end: outcome.end,
  failure: outcome.failure,
  begun: outcome.end === 'unknown' || outcome.begun,
});

const errorOf = ({ kind, message, status, code, requestId, hint }: Failure): JsonObject => ({
  kind,
  message,
  status,
  code,
  request_id: requestId,
  hint,
});

/** `2 of 5 users were not created (1 never sent); 1 may have been: no reply came, and looking it up failed.` */
function sumOf({ notDone, neverSent, unknown }: Ends, total: number, words: BulkWords<never>): string {
  const { noun, done } = words;
  const of = (count: number, verb: string): string => `${count} of ${total} ${noun} ${verb}`;
  const parts = [
    ...(notDone === 0
      ? []
      : [
          `${of(notDone, notDone === 1 ? 'was' : 'were')} not ${done}${neverSent === 0 ? '' : ` (${neverSent} never sent)`}`,
        ]),
    ...(unknown === 0
      ? []
      : [
          `${of(unknown, 'may have been')} ${done}: no proper reply came, and it could not be found out afterwards`,
        ]),
  ];
  return `${parts.join('; ')}.`;
}
