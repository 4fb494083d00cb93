import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { clearDoubt, Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { formatCount, shownAtMost, singularize } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import type { Context } from '../../command/context.ts';

/** The outcome of one item of bulk work. `skipped` was not sent, and `unknown` had no valid response. */
export type BulkOutcome<R> =
  | { readonly end: 'done'; readonly result: R }
  | { readonly end: 'failed' | 'skipped' | 'unknown'; readonly failure: Failure };

export type LookupResult<R> =
  | { readonly end: 'done'; readonly result: R }
  | { readonly end: 'not done' }
  | { readonly end: 'unknown' };

export interface BulkChange<T, R> {
  readonly doing: string;
  send(api: Api, thing: T): Promise<R>;
  /** Looks up all items whose responses were lost, in their order. Throws `Failure` if the lookup fails. */
  lookUp?(api: Api, things: readonly T[]): Promise<readonly LookupResult<R>[]>;
}

const sharedFailures = new Set(['auth', 'interrupted', 'unavailable', 'refused']);

/** After this many consecutive requests without a response, the service counts as unreachable. */
const unansweredAtMost = 3;

/**
 * Changes many items with the concurrency of the settings. Returns outcomes in the order of the items. A failure stops
 * the rest only if they would fail the same way, or if several consecutive requests had no response. After Ctrl-C,
 * active requests finish and no more are sent. Items whose responses were lost are looked up at the end.
 */
export async function changeInBulk<T, R>(
  context: Context,
  things: readonly T[],
  change: BulkChange<T, R>,
): Promise<readonly BulkOutcome<R>[]> {
  const { interrupted } = context.host;
  const api = await context.bulkApi();
  let running = 0;
  let over = 0;
  let unanswered = 0;
  let stop: Failure | undefined;
  const end = async (thing: T): Promise<BulkOutcome<R>> => {
    if (interrupted.aborted) stop ??= new Failure('interrupted', 'Interrupted.');
    if (stop) return skippedOutcome(stop);
    running += 1;
    const outcome = await outcomeOf(() => change.send(api, thing));
    running -= 1;
    unanswered = outcome.end !== 'done' && outcome.failure.kind === 'unavailable' ? unanswered + 1 : 0;
    if (unanswered === 0 || unanswered >= unansweredAtMost) stop ??= stoppingFailure(outcome);
    return outcome;
  };
  const onInterrupt = (): void => context.notices.say(stoppingText(running));
  interrupted.addEventListener('abort', onInterrupt, { once: true });
  const outcomes = await mapWithConcurrency(things, context.settings.concurrency.value, async (thing) => {
    const outcome = await end(thing);
    over += 1;
    context.notices.progress(over, things.length, change.doing);
    return outcome;
  });
  interrupted.removeEventListener('abort', onInterrupt);
  return lookUpLost(context, things, outcomes, change);
}

/** Returns the text for the first Ctrl-C while changes are under way. */
export const stoppingText = (running: number): string =>
  `Stopping after ${formatCount(running, 'active request')}. Press Ctrl-C again to cancel ${running === 1 ? 'it' : 'them'}.`;

/** Returns the failure of an outcome if all remaining items would share it. */
export const stoppingFailure = (outcome: BulkOutcome<unknown>): Failure | undefined =>
  outcome.end !== 'done' && sharedFailures.has(outcome.failure.kind) ? outcome.failure : undefined;

/** Returns the outcome of an item that was not sent because another failure stopped the work. */
export const skippedOutcome = ({ kind, message }: Failure): BulkOutcome<never> => ({
  end: 'skipped',
  failure: new Failure(kind, `Not sent, after: ${message}`),
});

async function outcomeOf<R>(send: () => Promise<R>): Promise<BulkOutcome<R>> {
  try {
    return { end: 'done', result: await send() };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return { end: failure.inDoubt ? 'unknown' : 'failed', failure };
  }
}

/** Returns an API to look up the outcome of a change, even after Ctrl-C. */
export const lookupApi = ({ host, api, cleanupApi }: Context): Promise<Api> =>
  host.interrupted.aborted ? cleanupApi() : api();

async function lookUpLost<T, R>(
  context: Context,
  things: readonly T[],
  outcomes: readonly BulkOutcome<R>[],
  { lookUp }: BulkChange<T, R>,
): Promise<readonly BulkOutcome<R>[]> {
  const lost = outcomes.flatMap((outcome, index) =>
    outcome.end === 'unknown' ? [{ index, failure: outcome.failure }] : [],
  );
  if (lost.length === 0 || lookUp === undefined) return outcomes;
  try {
    const found = await lookUp(
      await lookupApi(context),
      lost.flatMap(({ index }) => things.slice(index, index + 1)),
    );
    const settled = new Map(
      lost.map(({ index, failure }, at) => [index, settleOutcome(found[at], failure)] as const),
    );
    return outcomes.map((outcome, index) => settled.get(index) ?? outcome);
  } catch (error) {
    // If the lookup fails, the outcome of these requests remains unknown.
    if (error instanceof Failure) return outcomes;
    throw error;
  }
}

function settleOutcome<R>(found: LookupResult<R> | undefined, failure: Failure): BulkOutcome<R> {
  if (found?.end === 'done') return found;
  return found?.end === 'not done'
    ? { end: 'failed', failure: clearDoubt(failure) }
    : { end: 'unknown', failure };
}

/** Describes the failure of one item in a line: `user alice: The service … (request 4f2a)`. */
export const itemFailureText = (what: string, { message, requestId }: Failure): string =>
  `${what}: ${message}${requestId ? ` (request ${requestId})` : ''}`;

/** Returns a line for each failed or unknown item, up to a limit, and a count of the others. */
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

export type OutcomeCounts = Readonly<Record<BulkOutcome<unknown>['end'], number>>;

export function countOutcomes(outcomes: readonly BulkOutcome<unknown>[]): OutcomeCounts {
  const count = (wanted: keyof OutcomeCounts): number => outcomes.filter(({ end }) => end === wanted).length;
  return {
    done: count('done'),
    failed: count('failed'),
    skipped: count('skipped'),
    unknown: count('unknown'),
  };
}

interface BulkWords<T> {
  label(thing: T): string;
  place?(thing: T): string;
  readonly noun: string;
  /** `created`. */
  readonly done: string;
  hint(ends: OutcomeCounts): string | undefined;
}

/**
 * Returns the failure of incomplete bulk work, or `undefined` if all items succeeded. The kind is `interrupted` after
 * Ctrl-C, the kind of the first failure if certainly no item was changed, else `partial`.
 */
export function bulkFailure<T>(
  things: readonly T[],
  outcomes: readonly BulkOutcome<unknown>[],
  words: BulkWords<T>,
): Failure | undefined {
  const open = outcomes.flatMap((outcome, index) =>
    outcome.end === 'done'
      ? []
      : things.slice(index, index + 1).map((thing) => ({ ...outcome, thing, index })),
  );
  const first = open.find(({ end }) => end !== 'skipped') ?? open[0];
  if (first === undefined) return undefined;
  const ends = countOutcomes(outcomes);
  const isInterrupted = open.some(({ failure }) => failure.kind === 'interrupted');
  const reason = ({ thing, failure }: (typeof open)[number]): string =>
    itemFailureText(
      words.place ? `${words.label(thing)} (${words.place(thing)})` : words.label(thing),
      failure,
    );
  const reasons = (wanted: 'failed' | 'unknown'): readonly string[] =>
    failedLines(open.filter(({ end }) => end === wanted).map(reason), wanted);
  const sum = countsSentence(ends, outcomes.length, words);
  const unsent = isInterrupted ? undefined : open.find(({ end }) => end === 'skipped');
  const why = unsent
    ? [
        `skipped  ${formatCount(ends.skipped, singularize(words.noun), words.noun)}: ${unsent.failure.message}`,
      ]
    : [];
  return new Failure(
    isInterrupted ? 'interrupted' : ends.done + ends.unknown > 0 ? 'partial' : first.failure.kind,
    [...reasons('failed'), ...reasons('unknown'), ...why, sum],
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

const errorOf = ({ kind, message, status, code, requestId, hint, details }: Failure): JsonObject => ({
  kind,
  message,
  status,
  code,
  request_id: requestId,
  hint,
  // The refused fields. Charges are part of the first failure.
  ...(isObject(details) && Array.isArray(details.fields) ? { fields: details.fields } : {}),
});

/** `2 of 5 users were not created (1 never sent); 1 of 5 users may have been created: …` */
function countsSentence(
  { failed, skipped, unknown }: OutcomeCounts,
  total: number,
  words: BulkWords<never>,
): string {
  const { noun, done } = words;
  const all = formatCount(total, singularize(noun), noun);
  const notDone = failed + skipped;
  const parts = [
    ...(notDone === 0
      ? []
      : [
          `${notDone} of ${all} ${notDone === 1 ? 'was' : 'were'} not ${done}${skipped === 0 ? '' : ` (${skipped} never sent)`}`,
        ]),
    ...(unknown === 0
      ? []
      : [
          `${unknown} of ${all} may have been ${done}: there was no valid response, and the outcome could not be looked up`,
        ]),
  ];
  return `${parts.join('; ')}.`;
}

/** Appends the counts that are not 0: `Created 3 users, failed 1, 2 never sent.` */
export const appendCounts = (start: string, counts: Readonly<Record<string, number>>): string =>
  `${[
    start,
    ...Object.entries(counts).flatMap(([words, count]) =>
      count === 0 ? [] : [words.replace('#', String(count))],
    ),
  ].join(', ')}.`;
