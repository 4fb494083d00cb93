import { bounded } from '../../../base/bounded.ts';
import { Failure, foundUndone } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { counted, shownAtMost, singularOf } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import type { Context } from '../../command/context.ts';

/** The end of one piece of bulk work; skipped was never sent, and of unknown no proper reply came. */
export type Outcome<R> =
  | { readonly end: 'done'; readonly result: R }
  | { readonly end: 'failed' | 'skipped' | 'unknown'; readonly failure: Failure };

export type LookedUp<R> =
  | { readonly end: 'done'; readonly result: R }
  | { readonly end: 'not done' }
  | { readonly end: 'unknown' };

export interface BulkChange<T, R> {
  /** Says in the line of progress what is going on: `create users`. */
  readonly doing: string;
  send(api: Api, thing: T): Promise<R>;
  /**
   * Looks up the things whose replies were lost, all at once when the other replies are in; what is found stands in
   * the order of the things. Throws `Failure` where nothing can be found out. Left out where the service shows nothing
   * of the change.
   */
  lookUp?(api: Api, things: readonly T[]): Promise<readonly LookedUp<R>[]>;
}

/** Failures after which the rest would only fail the same way. */
const hopeless = new Set(['auth', 'interrupted', 'unavailable', 'refused']);

/** Number of requests in a row without an answer after which the service counts as out of reach. */
const unansweredAtMost = 3;

/**
 * Changes many things, as many at once as the settings say; outcomes stand in the order of the things. A failure does
 * not stop the others, unless it says that none of them can succeed or several in a row had no answer, and neither does Ctrl-C break off what is under
 * way: what was not begun is then left undone. Things whose replies were lost are looked up at the end.
 */
export async function inBulk<T, R>(
  context: Context,
  things: readonly T[],
  change: BulkChange<T, R>,
): Promise<readonly Outcome<R>[]> {
  const { interrupted } = context.host;
  const api = await context.bulkApi();
  let running = 0;
  let over = 0;
  let unanswered = 0;
  let stop: Failure | undefined;
  const end = async (thing: T): Promise<Outcome<R>> => {
    if (interrupted.aborted) stop ??= new Failure('interrupted', 'Interrupted.');
    if (stop) return skippedAfter(stop);
    running += 1;
    const outcome = await outcomeOf(() => change.send(api, thing));
    running -= 1;
    unanswered = outcome.end !== 'done' && outcome.failure.kind === 'unavailable' ? unanswered + 1 : 0;
    if (unanswered === 0 || unanswered >= unansweredAtMost) stop ??= stopping(outcome);
    return outcome;
  };
  const onInterrupt = (): void => context.notices.say(stoppingText(running));
  interrupted.addEventListener('abort', onInterrupt, { once: true });
  const outcomes = await bounded(things, context.settings.concurrency.value, async (thing) => {
    const outcome = await end(thing);
    over += 1;
    context.notices.progress(over, things.length, change.doing);
    return outcome;
  });
  interrupted.removeEventListener('abort', onInterrupt);
  return lookedUp(context, things, outcomes, change);
}

/** Returns the text for the first Ctrl-C while changes are under way. */
export const stoppingText = (running: number): string =>
  `Stopping after the ${running === 1 ? 'call that is' : `${running} calls that are`} under way; Ctrl-C again cuts ${running === 1 ? 'it' : 'them'} off.`;

/** The failure of an outcome, where it says that nothing after it can succeed. */
export const stopping = (outcome: Outcome<unknown>): Failure | undefined =>
  outcome.end !== 'done' && hopeless.has(outcome.failure.kind) ? outcome.failure : undefined;

/** The outcome of what was not begun since another failure stopped the work. */
export const skippedAfter = ({ kind, message }: Failure): Outcome<never> => ({
  end: 'skipped',
  failure: new Failure(kind, `Not sent, after: ${message}`),
});

async function outcomeOf<R>(send: () => Promise<R>): Promise<Outcome<R>> {
  try {
    return { end: 'done', result: await send() };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    return { end: failure.inDoubt ? 'unknown' : 'failed', failure };
  }
}

/** An API for looking up what became of a change; Ctrl-C that ended the change does not end it. */
export const lookupApi = ({ host, api, cleanupApi }: Context): Promise<Api> =>
  host.interrupted.aborted ? cleanupApi() : api();

/** The outcomes, in which those that were unknown are settled as far as they can be. */
async function lookedUp<T, R>(
  context: Context,
  things: readonly T[],
  outcomes: readonly Outcome<R>[],
  { lookUp }: BulkChange<T, R>,
): Promise<readonly Outcome<R>[]> {
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
      lost.map(({ index, failure }, at) => [index, settledBy(found[at], failure)] as const),
    );
    return outcomes.map((outcome, index) => settled.get(index) ?? outcome);
  } catch (error) {
    // The trouble that cut the replies off may go on: what was sent is then unknown, and is said to be.
    if (error instanceof Failure) return outcomes;
    throw error;
  }
}

function settledBy<R>(found: LookedUp<R> | undefined, failure: Failure): Outcome<R> {
  if (found?.end === 'done') return found;
  return found?.end === 'not done'
    ? { end: 'failed', failure: foundUndone(failure) }
    : { end: 'unknown', failure };
}

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

export type Ends = Readonly<Record<Outcome<unknown>['end'], number>>;

export function bulkEnds(outcomes: readonly Outcome<unknown>[]): Ends {
  const count = (wanted: keyof Ends): number => outcomes.filter(({ end }) => end === wanted).length;
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
  /** Past participle: `created`. */
  readonly done: string;
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
  const ends = bulkEnds(outcomes);
  const isInterrupted = open.some(({ failure }) => failure.kind === 'interrupted');
  const reason = ({ thing, failure }: (typeof open)[number]): string =>
    whyNot(words.place ? `${words.label(thing)} (${words.place(thing)})` : words.label(thing), failure);
  const reasons = (wanted: 'failed' | 'unknown'): readonly string[] =>
    failedLines(open.filter(({ end }) => end === wanted).map(reason), wanted);
  const sum = sumOf(ends, outcomes.length, words);
  const unsent = isInterrupted ? undefined : open.find(({ end }) => end === 'skipped');
  const why = unsent
    ? [`skipped  ${counted(ends.skipped, singularOf(words.noun), words.noun)}: ${unsent.failure.message}`]
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
  // The fields that were refused; charges stand with the first failure.
  ...(isObject(details) && Array.isArray(details.fields) ? { fields: details.fields } : {}),
});

/** `2 of 5 users were not created (1 never sent); 1 of 5 users may have been created: …` */
function sumOf({ failed, skipped, unknown }: Ends, total: number, words: BulkWords<never>): string {
  const { noun, done } = words;
  const all = counted(total, singularOf(noun), noun);
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
          `${unknown} of ${all} may have been ${done}: no proper reply came, and it could not be found out afterwards`,
        ]),
  ];
  return `${parts.join('; ')}.`;
}

/** `Created 3 users, failed 1, 2 never sent.`: a sentence with the counts that are not 0, each in its words. */
export const withCounts = (start: string, counts: Readonly<Record<string, number>>): string =>
  `${[
    start,
    ...Object.entries(counts).flatMap(([words, count]) =>
      count === 0 ? [] : [words.replace('#', String(count))],
    ),
  ].join(', ')}.`;
