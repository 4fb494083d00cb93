import { confirmUnchanged } from '../../../engine/manifest/entries.ts';
import { keptSource, renamedEntries } from '../../../engine/manifest/ledger.ts';
import { foundObjects } from '../../../engine/manifest/shown-plan.ts';
import { entriesOf, sourcesOf } from '../../../engine/state/ledger.ts';
import type { RolloutAccount } from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import { sendsAnything } from '../apply-plans.ts';
import type { AccountPlanning, Planning } from '../planning.ts';

/**
 * Facts of an account in which nothing is to be done and the ledger has nothing to learn, so that it is over with its
 * plan; `undefined` for any other.
 */
export async function settledFacts(
  { host }: Pick<Context, 'host'>,
  { desired, accounts }: Planning,
): Promise<Pick<RolloutAccount, 'state' | 'counts' | 'name' | 'neverAdopted'> | undefined> {
  for (const account of accounts)
    if (!(await isSettled(account, desired.source, host.clock.now()))) return undefined;
  const unchanged = accounts.reduce((sum, { plan: { steps } }) => sum + steps.length, 0);
  const found = accounts.flatMap(({ plan }) => foundObjects(plan).map(({ label }) => label));
  return {
    ...{ state: 'unchanged', counts: { unchanged } },
    ...(accounts[0] === undefined ? {} : { name: accounts[0].plan.account.name }),
    ...(found.length === 0 ? {} : { neverAdopted: found }),
  };
}

async function isSettled(
  account: AccountPlanning,
  source: readonly string[] | undefined,
  nowMs: number,
): Promise<boolean> {
  const { plan, observed, ledger, store, refusal, desired } = account;
  if (sendsAnything(account) || refusal || ledger === undefined || store === undefined) return false;
  const { set } = plan;
  const kept = keptSource(store, set, source)?.path;
  if (kept !== undefined && !sourcesOf(ledger.sources, set).includes(kept)) return false;
  if (observed.vanished.size > 0 || renamedEntries(ledger, set, observed.matches).length > 0) return false;
  let isNews = false;
  const put = (): void => {
    isNews = true;
  };
  const entries = entriesOf(ledger, set);
  const confidential = new Map(desired.objects.map((object) => [object.key, object.confidential]));
  confirmUnchanged(
    plan,
    observed,
    { salt: ledger.salt, entry: (_, key) => entries.get(key), put },
    { nowMs, confidential: (key) => confidential.get(key) ?? [], onlyNews: true },
  );
  return !isNews && plan.steps.every(({ action }) => action === 'unchanged') && !(await store.behind());
}
