import {
  confirmUnchanged,
  renamedEntries,
  storedSource,
} from '../../../../engine/manifest/ledger-entries.ts';
import type { ApplyReport } from '../../../../engine/manifest/plan.ts';
import type { Manifest } from '../../../../engine/manifest/read-manifest.ts';
import { entriesOf, findSourcePaths } from '../../../../engine/state/ledger.ts';
import type { Context } from '../../../command/context.ts';
import {
  type AccountPlanning,
  confidentialIn,
  type Planning,
  type PlanningInput,
  type PlanOpening,
  planAccounts,
} from '../plan/planning.ts';
import {
  type ApplyHooks,
  applyPlans,
  hasRequests,
  type PlannedRun,
  refuseInUse,
  unchangedReport,
} from './apply-plans.ts';

/** A manifest that is applied without questions: by a rollout, `reconcile` or the library. */
export interface AccountJob extends Pick<ApplyHooks<PlannedRun>, 'passwords' | 'onRunStart' | 'onResult'> {
  readonly input: Parameters<typeof applyPlans>[1] & PlanningInput;
  /** Set if the manifest was read for all accounts. */
  readonly manifest?: Manifest | undefined;
  /** Called with plans that were made without a lock. Returns true to end the job. Omitted if the caller has plans. */
  readonly isFinished?: ((planning: Planning) => boolean | Promise<boolean>) | undefined;
  /** Throws `Failure` to refuse the plans, which are made while the account is locked. */
  agree(planning: Planning): void | Promise<void>;
}

/** Plans an account. If there are changes, locks it, plans again and carries out the plans. */
export async function applyAccount(own: Context, job: AccountJob): Promise<readonly ApplyReport[]> {
  const { input, passwords, isFinished } = job;
  let { manifest } = job;
  const look = async (opening: PlanOpening = {}): Promise<Planning> => {
    const planning = await planAccounts(own, input, {
      ...opening,
      manifest,
      givesPasswords: passwords !== undefined,
    });
    manifest = planning.manifest;
    return planning;
  };
  if (isFinished) {
    const planning = await look();
    if (await isFinished(planning)) return planning.accounts.map(unchangedReport);
  }
  return applyPlans(own, input, {
    ...job,
    plans: async (opening) => ({ planning: await look(opening), planInput: input }),
    async agree({ planning }) {
      if (!input.force) refuseInUse(planning.accounts);
      await job.agree(planning);
      return undefined;
    },
  });
}

/** Returns true if the plans change no account and no ledger. */
export async function isUpToDate(
  { host }: Pick<Context, 'host'>,
  { desired: { source }, accounts }: Planning,
): Promise<boolean> {
  for (const account of accounts) if (!(await isRecorded(account, source, host.clock.now()))) return false;
  return true;
}

async function isRecorded(
  account: AccountPlanning,
  source: readonly string[] | undefined,
  nowMs: number,
): Promise<boolean> {
  const { plan, observed, ledger, store, refusal, desired } = account;
  if (hasRequests(account) || refusal || ledger === undefined || store === undefined) return false;
  const { set } = plan;
  const kept = storedSource(store, set, source)?.path;
  if (kept !== undefined && !findSourcePaths(ledger.sources, set).includes(kept)) return false;
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
