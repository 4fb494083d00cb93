import { confirmUnchanged, keptSource, renamedEntries } from '../../../../engine/manifest/entries.ts';
import type { Report } from '../../../../engine/manifest/plan.ts';
import type { Manifest } from '../../../../engine/manifest/read-manifest.ts';
import { entriesOf, sourcesOf } from '../../../../engine/state/ledger.ts';
import type { Context } from '../../../command/context.ts';
import {
  type AccountPlanning,
  confidentialIn,
  type Opening,
  type Planning,
  type PlanningInput,
  planAccounts,
} from '../plan/planning.ts';
import { applyPlans, type GivingPasswords, refuseInUse, sendsAnything, untouched } from './apply-plans.ts';

/** One account of many that is made as its manifest says, with nobody to ask: that of a rollout, or of `reconcile`. */
export interface AccountJob {
  readonly input: Parameters<typeof applyPlans>[1] & PlanningInput;
  /** The manifest, where it was read for all accounts. */
  readonly manifest?: Manifest | undefined;
  readonly passwords?: GivingPasswords | undefined;
  /** Called after a look without a lock; true ends it. Left out where somebody looked before. */
  readonly isOver?: ((planning: Planning) => boolean | Promise<boolean>) | undefined;
  /** Throws `Failure` where the plans, made while the account is locked, are not to be carried out. */
  agree(accounts: readonly AccountPlanning[]): void | Promise<void>;
  /** Called for the run in the log before anything is sent; where it throws, nothing is. */
  begun?(run: string): Promise<void>;
}

/** Looks at an account; where something is to be done, locks it, looks again and carries the plans out. */
export async function makeAccount(own: Context, job: AccountJob): Promise<readonly Report[]> {
  const { input, passwords, isOver } = job;
  let { manifest } = job;
  const look = async (opening: Opening = {}): Promise<Planning> => {
    const planning = await planAccounts(own, input, {
      ...opening,
      manifest,
      givesPasswords: passwords !== undefined,
    });
    manifest = planning.manifest;
    return planning;
  };
  if (isOver) {
    const planning = await look();
    if (await isOver(planning)) return planning.accounts.map(untouched);
  }
  return applyPlans(own, input, {
    plans: async (opening) => ({ planning: await look(opening), planInput: input }),
    passwords,
    ...(job.begun ? { begun: job.begun } : {}),
    async agree({ planning: { accounts } }) {
      if (!input.force) refuseInUse(accounts);
      await job.agree(accounts);
      return undefined;
    },
  });
}

/** True where nothing is to be done in any account of a manifest, and no ledger has anything to learn. */
export async function needsNothing(
  { host }: Pick<Context, 'host'>,
  { desired: { source }, accounts }: Planning,
): Promise<boolean> {
  for (const account of accounts) if (!(await isKnown(account, source, host.clock.now()))) return false;
  return true;
}

async function isKnown(
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
  confirmUnchanged(
    plan,
    observed,
    { salt: ledger.salt, entry: (_, key) => entries.get(key), put },
    { nowMs, confidential: confidentialIn(desired), onlyNews: true },
  );
  return !isNews && plan.steps.every(({ action }) => action === 'unchanged') && !(await store.behind());
}
