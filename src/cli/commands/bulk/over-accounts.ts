import { inOrder } from '../../../base/bounded.ts';
import { Failure } from '../../../base/failure.ts';
import { headed, linesOf, quoted } from '../../../base/wording.ts';
import type { Context } from '../../command/context.ts';
import type { ChosenAccount } from './choose-accounts.ts';

/** The end of the work for one account. `left`: it was not begun, since something before it said stop. */
export type AccountEnd<T> =
  | { readonly account: ChosenAccount; readonly state: 'done'; readonly result: T }
  | { readonly account: ChosenAccount; readonly state: 'failed'; readonly failure: Failure }
  | { readonly account: ChosenAccount; readonly state: 'left' };

/**
 * Accounts that are worked on at once: as many as there may be requests, fewer where the service lets fewer requests a
 * second pass, since more would only wait half done.
 */
export function accountsAtOnce({
  settings,
  sessionParts,
}: Pick<Context, 'settings' | 'sessionParts'>): number {
  const perSecond = sessionParts().limiters.perSecond();
  const most = settings.concurrency.value;
  return perSecond === undefined ? most : Math.max(1, Math.min(most, Math.ceil(perSecond / 5)));
}

/** Failures after which all other accounts would only fail the same way. */
const hopeless = new Set(['auth', 'interrupted', 'unavailable']);

export interface OverAccounts<T> {
  readonly what: string;
  readonly work: (account: ChosenAccount, context: Context) => Promise<T>;
  /** Tells whether nothing more is begun after a result. */
  readonly stopsAfter?: (result: T) => boolean;
  /** True when nothing more is begun after any failure. */
  readonly stopOnFailure?: boolean;
  /** Warnings that were said before, and are not said again. */
  readonly warned?: Set<string>;
}

/**
 * Does the same for many accounts, a few at a time, and gives the ends in the order of the accounts as they come. What
 * fails for one account leaves the others alone, unless it says that they would all fail.
 */
export async function* eachAccount<T>(
  context: Context,
  accounts: readonly ChosenAccount[],
  { what, work, stopsAfter, stopOnFailure = false, warned = new Set() }: OverAccounts<T>,
): AsyncGenerator<AccountEnd<T>> {
  const shared = sharing(context, accounts.length);
  let over = 0;
  let stop = false;
  const one = async (account: ChosenAccount): Promise<AccountEnd<T>> => {
    if (stop || context.host.interrupted.aborted) return { account, state: 'left' };
    const end = await endOf(account, () => work(account, contextOf(shared, account, warned)));
    if (end.state === 'done') stop ||= stopsAfter?.(end.result) ?? false;
    // What is forbidden in one account may be allowed in another.
    else if (end.state === 'failed')
      stop ||= stopOnFailure || (hopeless.has(end.failure.kind) && end.failure.status !== 403);
    over += 1;
    context.notices.progress(over, accounts.length, what);
    return end;
  };
  yield* inOrder(accounts, () => accountsAtOnce(context), one);
}

/** Does the same for many accounts, as `eachAccount`, and gives all ends once the last one is over. */
export async function overAccounts<T>(
  context: Context,
  accounts: readonly ChosenAccount[],
  options: OverAccounts<T>,
): Promise<readonly AccountEnd<T>[]> {
  const ends: AccountEnd<T>[] = [];
  for await (const end of eachAccount(context, accounts, options)) ends.push(end);
  return ends;
}

/** The context of so many accounts at once: they share the requests under way; each has two at least. */
export function sharing(context: Context, accounts: number): Context {
  const { settings } = context;
  const { concurrency } = settings;
  const each = Math.max(2, Math.floor(concurrency.value / Math.max(1, accounts)));
  const share = { ...concurrency, value: Math.min(each, concurrency.value) };
  return { ...context, settings: { ...settings, concurrency: share } };
}

async function endOf<T>(account: ChosenAccount, work: () => Promise<T>): Promise<AccountEnd<T>> {
  try {
    return { account, state: 'done', result: await work() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { account, state: 'failed', failure: error };
  }
}

/**
 * The context of one account among many: nothing is asked in it, since several would ask at once; what it warns of
 * names the account, and is said once for all accounts where it is the same.
 */
export function contextOf(
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
        notices.warn(headed(quoted(account.word), said));
      },
    },
  };
}
