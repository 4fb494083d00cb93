import { Failure } from '../base/failure.ts';
import type { JsonObject } from '../base/json.ts';
import type { Outcome } from './bulk.ts';

/** Failures that are shown to people; scripts get all of them. */
const shownAtMost = 20;

/** Says what went wrong with one of many, in a line: `user alice: The service … (request 4f2a)`. */
export const whyNot = (what: string, { message, requestId }: Failure): string =>
  `${what}: ${message}${requestId ? ` (request ${requestId})` : ''}`;

/** Lines for people about those of many that failed, or whose end is unknown, each as `whyNot` says it; many more are counted. */
export function failedLines(
  reasons: readonly string[],
  end: 'failed' | 'unknown' = 'failed',
): readonly string[] {
  const more = reasons.length - shownAtMost;
  return [
    ...reasons.slice(0, shownAtMost).map((reason) => `${end}  ${reason}`),
    ...(more > 0 ? [`… and ${more} more; -o json has all of them`] : []),
  ];
}

/** Number of pieces of bulk work that came to each end. */
export type Ends = Readonly<Record<Outcome<unknown>['end'], number>>;

/** Counts outcomes. */
export function endsOf(outcomes: readonly Outcome<unknown>[]): Ends {
  const count = (wanted: keyof Ends): number => outcomes.filter(({ end }) => end === wanted).length;
  return {
    done: count('done'),
    failed: count('failed'),
    skipped: count('skipped'),
    unknown: count('unknown'),
  };
}

/** The words of a report on bulk work. */
export interface BulkWords<T> {
  /** `user alice`. */
  label(thing: T): string;
  /** Says where a thing stood in the input. */
  place?(thing: T): string;
  /** Plural noun: `users`. */
  readonly noun: string;
  /** Past participle: `created`. */
  readonly done: string;
  /** Returns what to do next. */
  hint(ends: Ends): string | undefined;
}

/**
 * Returns the failure of bulk work that was not done whole; `undefined` if it was. The kind is `interrupted` after
 * Ctrl-C, that of the first failure if it is certain that nothing was done, else `partial`.
 */
export function bulkFailure<T>(
  things: readonly T[],
  outcomes: readonly Outcome<unknown>[],
  words: BulkWords<T>,
): Failure | undefined {
  const open = outcomes.flatMap((outcome, index) =>
    outcome.end === 'done'
      ? []
      : things.slice(index, index + 1).map((thing) => ({ ...outcome, thing, index })),
  );
  const first = open.find(({ end }) => end !== 'skipped') ?? open[0];
  if (first === undefined) return undefined;
  const ends = endsOf(outcomes);
  const isInterrupted = open.some(({ failure }) => failure.kind === 'interrupted');
  const reason = ({ thing, failure }: (typeof open)[number]): string =>
    whyNot(words.place ? `${words.label(thing)} (${words.place(thing)})` : words.label(thing), failure);
  const reasons = (wanted: 'failed' | 'unknown'): readonly string[] =>
    failedLines(open.filter(({ end }) => end === wanted).map(reason), wanted);
  const sum = sumOf(ends, outcomes.length, words);
  return new Failure(
    isInterrupted ? 'interrupted' : ends.done + ends.unknown > 0 ? 'partial' : first.failure.kind,
    [...reasons('failed'), ...reasons('unknown'), sum],
    {
      sentence: `${sum} The first is ${reason(first)}`,
      hint: words.hint(ends) ?? first.failure.hint,
      details: {
        [words.done]: ends.done,
        ends,
        failed: open.map(({ thing, index, end, failure }) => ({
          index,
          ...(words.place ? { place: words.place(thing) } : {}),
          record: words.label(thing),
          outcome: end,
          error: errorOf(failure),
        })),
      },
    },
  );
}

const errorOf = ({ kind, message, status, code, requestId, hint }: Failure): JsonObject => ({
  kind,
  message,
  status,
  code,
  request_id: requestId,
  hint,
});

/** `2 of 5 users were not created (1 never sent); 1 of 5 users may have been created: …` */
function sumOf({ failed, skipped, unknown }: Ends, total: number, words: BulkWords<never>): string {
  const { noun, done } = words;
  const notDone = failed + skipped;
  const parts = [
    ...(notDone === 0
      ? []
      : [
          `${notDone} of ${total} ${noun} ${notDone === 1 ? 'was' : 'were'} not ${done}${skipped === 0 ? '' : ` (${skipped} never sent)`}`,
        ]),
    ...(unknown === 0
      ? []
      : [
          `${unknown} of ${total} ${noun} may have been ${done}: no proper reply came, and it could not be found out afterwards`,
        ]),
  ];
  return `${parts.join('; ')}.`;
}
