import { mapInOrder } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import { linesOf, quoteName, withHeading } from '../../../base/wording.ts';
import type { Context } from '../../command/context.ts';
import type { ChosenAccount } from './choose-accounts.ts';

/** The outcome of the work for one account. `left` was not started because an earlier result stopped the work. */
export type AccountOutcome<T> =
  | { readonly account: ChosenAccount; readonly state: 'done'; readonly result: T }
  | { readonly account: ChosenAccount; readonly state: 'failed'; readonly failure: Failure }
  | { readonly account: ChosenAccount; readonly state: 'left' };

/**
 * Returns the number of accounts to process concurrently: the number of parallel requests, or less if the rate limit
 * of the service is lower.
 */
export function accountsAtOnce({
  settings,
  sessionParts,
}: Pick<Context, 'settings' | 'sessionParts'>): number {
  const perSecond = sessionParts().limiters.perSecond();
  const most = settings.concurrency.value;
  return perSecond === undefined ? most : Math.max(1, Math.min(most, Math.ceil(perSecond / 5)));
}

/** Failures that all other accounts would share. */
const sharedFailures = new Set(['auth', 'interrupted', 'unavailable']);

export interface AccountWork<T> {
  readonly what: string;
  readonly work: (account: ChosenAccount, context: Context) => Promise<T>;
  readonly stopsAfter?: (result: T) => boolean;
  readonly stopOnFailure?: boolean;
  /** Warnings that were already printed, to print each only once. */
  readonly warned?: Set<string>;
}

/**
 * Runs the same work for many accounts concurrently, and yields outcomes in the order of the accounts. A failure does
 * not stop other accounts unless they would fail the same way.
 */
export async function* eachAccount<T>(
  context: Context,
  accounts: readonly ChosenAccount[],
  { what, work, stopsAfter, stopOnFailure = false, warned = new Set() }: AccountWork<T>,
): AsyncGenerator<AccountOutcome<T>> {
  const shared = shareConcurrency(context, accounts.length);
  let over = 0;
  let stop = false;
  const one = async (account: ChosenAccount): Promise<AccountOutcome<T>> => {
    if (stop || context.host.interrupted.aborted) return { account, state: 'left' };
    const end = await runWork(account, () => work(account, contextForAccount(shared, account, warned)));
    if (end.state === 'done') stop ||= stopsAfter?.(end.result) ?? false;
    // A request that is forbidden in one account may be allowed in another.
    else if (end.state === 'failed')
      stop ||= stopOnFailure || (sharedFailures.has(end.failure.kind) && end.failure.status !== 403);
    over += 1;
    context.notices.progress(over, accounts.length, what);
    return end;
  };
  yield* mapInOrder(accounts, () => accountsAtOnce(context), one);
}

export async function runForAccounts<T>(
  context: Context,
  accounts: readonly ChosenAccount[],
  options: AccountWork<T>,
): Promise<readonly AccountOutcome<T>[]> {
  const ends: AccountOutcome<T>[] = [];
  for await (const end of eachAccount(context, accounts, options)) ends.push(end);
  return ends;
}

/** Returns a context that divides the parallel requests among `accounts` accounts, at least two for each. */
export function shareConcurrency(context: Context, accounts: number): Context {
  const { settings } = context;
  const { concurrency } = settings;
  const each = Math.max(2, Math.floor(concurrency.value / Math.max(1, accounts)));
  const share = { ...concurrency, value: Math.min(each, concurrency.value) };
  return { ...context, settings: { ...settings, concurrency: share } };
}

async function runWork<T>(account: ChosenAccount, work: () => Promise<T>): Promise<AccountOutcome<T>> {
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
export function contextForAccount(
  context: Context,
  account: Pick<ChosenAccount, 'id' | 'word'>,
  warned: Set<string>,
): Context {
  const { notices, ask } = context;
  return {
    ...context,
    ...context.apart(),
    accountId: async () => account.id,
    ask: { ...ask, available: false },
    notices: {
      ...notices,
      say: () => undefined,
      report: async () => undefined,
      progress: () => undefined,
      warn(said) {
        const text = linesOf(said).join('\n');
        if (warned.has(text)) return;
        warned.add(text);
        notices.warn(withHeading(quoteName(account.word), said));
      },
    },
  };
}
