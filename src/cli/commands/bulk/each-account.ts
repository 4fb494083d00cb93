import { mapInOrder } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import { quoteName, toLines, withHeading } from '../../../base/wording.ts';
import type { Context } from '../../command/context.ts';
import type { ChosenAccount } from './choose-accounts.ts';

type LoopAccount = Pick<ChosenAccount, 'id' | 'label'>;

/** The outcome of the work for one account. `left` was not started because an earlier result stopped the work. */
export type AccountOutcome<T, A = ChosenAccount> =
  | { readonly account: A; readonly state: 'done'; readonly result: T }
  | { readonly account: A; readonly state: 'failed'; readonly failure: Failure }
  | { readonly account: A; readonly state: 'left' };

/**
 * Returns the number of accounts to process concurrently: the number of parallel requests, or less if the rate limit
 * of the service is lower.
 */
function accountsAtOnce({ settings, sessionParts }: Pick<Context, 'settings' | 'sessionParts'>): number {
  const perSecond = sessionParts().limiters.perSecond();
  const most = settings.concurrency.value;
  return perSecond === undefined ? most : Math.max(1, Math.min(most, Math.ceil(perSecond / 5)));
}

const sharedFailures = new Set(['auth', 'interrupted', 'unavailable']);

export interface AccountWork<T, A = ChosenAccount> {
  work(account: A, own: Context): Promise<T>;
  /** Returns true if no more accounts start after an outcome. Failures that all would share always stop the work. */
  stopsAfter?(outcome: AccountOutcome<T, A>): boolean;
  /** Warnings that were already printed. */
  readonly warned?: Set<string>;
}

/** The accounts of one pass over a record, which is read page by page. */
interface AccountPass<T> {
  /** Number of accounts, and how many of them are finished before the pass. */
  readonly total: number;
  readonly over?: number;
  /** Returns false if the account has to be repeated in a later pass. */
  isOver?(result: T): boolean;
  /** Number of finished accounts, per parallel run, that wait for an earlier one. */
  readonly ahead?: number;
}

/**
 * The loop over accounts, which all commands and rollouts use. Runs the same work for many accounts concurrently, and
 * yields outcomes in the order of the accounts. A failure does not stop other accounts unless they would fail the same
 * way. After Ctrl-C, no more accounts start.
 */
export async function* eachAccount<T, A extends LoopAccount>(
  context: Context,
  accounts: Iterable<A> | AsyncIterable<A>,
  {
    total,
    over = 0,
    isOver,
    ahead,
    work,
    stopsAfter,
    warned = new Set(),
  }: AccountWork<T, A> & AccountPass<T>,
): AsyncGenerator<AccountOutcome<T, A>> {
  const shared = shareConcurrency(context, total);
  let finished = over;
  let stop = false;
  const one = async (account: A): Promise<AccountOutcome<T, A>> => {
    if (stop || context.host.interrupted.aborted) return { account, state: 'left' };
    const end = await runWork(account, () => work(account, contextForAccount(shared, account, warned)));
    // A request that is forbidden in one account may be allowed in another.
    stop ||= end.state === 'failed' && sharedFailures.has(end.failure.kind) && end.failure.status !== 403;
    stop ||= stopsAfter?.(end) ?? false;
    if (end.state !== 'done' || isOver?.(end.result) !== false) finished += 1;
    context.notices.progress(finished, total, 'accounts');
    return end;
  };
  yield* mapInOrder(accounts, () => accountsAtOnce(context), one, ahead);
}

export const runForAccounts = <T>(
  context: Context,
  accounts: readonly ChosenAccount[],
  work: AccountWork<T>,
): Promise<readonly AccountOutcome<T>[]> =>
  Array.fromAsync(eachAccount(context, accounts, { ...work, total: accounts.length }));

/** Returns a context that divides the parallel requests among `accounts` accounts, at least two for each. */
export function shareConcurrency(context: Context, accounts: number): Context {
  const { settings } = context;
  const { concurrency } = settings;
  const each = Math.max(2, Math.floor(concurrency.value / Math.max(1, accounts)));
  const share = { ...concurrency, value: Math.min(each, concurrency.value) };
  return { ...context, settings: { ...settings, concurrency: share } };
}

async function runWork<T, A>(account: A, work: () => Promise<T>): Promise<AccountOutcome<T, A>> {
  try {
    return { account, state: 'done', result: await work() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { account, state: 'failed', failure: error };
  }
}

/**
 * Returns the context of one account among many. It asks no questions, because several accounts would ask at once.
 * Its warnings name the account, and warnings that are the same for all accounts are printed once.
 */
export function contextForAccount(context: Context, account: LoopAccount, warned: Set<string>): Context {
  const { notices, ask } = context;
  return {
    ...context,
    ...context.separateClients(),
    accountId: async () => account.id,
    ask: { ...ask, available: false },
    notices: {
      ...notices,
      say: () => undefined,
      report: async () => undefined,
      progress: () => undefined,
      warn(said) {
        const text = toLines(said).join('\n');
        if (warned.has(text)) return;
        warned.add(text);
        notices.warn(withHeading(quoteName(account.label), said));
      },
    },
  };
}
