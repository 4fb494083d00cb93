import { Failure } from '../../../../base/failure.ts';
import type { Desired, DesiredObject } from '../../../../engine/manifest/desired.ts';
import type { ApplyReport } from '../../../../engine/manifest/plan.ts';
import type { Manifest } from '../../../../engine/manifest/read-manifest.ts';
import { type Run, resumableRun } from '../../../../engine/state/runs.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { openRuns } from '../../state/open-state.ts';
import { agreeToPlannedPrices, planReport, withDetails } from '../plan/plan-report.ts';
import { type Planning, type PlanningInput, type PlanOpening, planAccounts } from '../plan/planning.ts';
import { type ApplyHooks, applyPlans, currentAccount, hasRequests, type PlannedRun } from './apply-plans.ts';
import { stillRunning } from './resume.ts';

/** A plan that a command makes from objects in memory. */
export interface PlanJob extends Pick<ApplyHooks<PlannedRun>, 'onRunStart' | 'passwords' | 'onResult'> {
  readonly planInput: PlanningInput;
  /** By default, the rest continues after a failure. */
  readonly onError?: 'stop';
  plan(opening?: PlanOpening): Promise<Planning>;
  /** Asks about a plan with requests. Throws `Failure` if the answer is no. */
  confirm?(planning: Planning): Promise<void>;
  /** Called before the first request, after all questions were answered. */
  agreed?(): void;
  end(reports: readonly ApplyReport[]): Result | Promise<Result>;
}

/** Plans a job and carries it out as one run of the log, after its questions. With `--dry-run`, shows the plan. */
export async function applyJob(context: Context, job: PlanJob): Promise<Result> {
  const { planInput } = job;
  if (context.options.dryRun) return planReport(context, await withDetails(context, await job.plan(), {}));
  const reports = await applyPlans(
    context,
    { ledger: undefined, onError: job.onError ?? 'continue' },
    {
      ...job,
      plans: async (opening) => ({ planning: await job.plan(opening), planInput }),
      async agree({ planning }) {
        if (!planning.accounts.some(hasRequests)) return undefined;
        await job.confirm?.(planning);
        const consent = await agreeToPlannedPrices(context, planning);
        job.agreed?.();
        return consent;
      },
    },
  );
  return job.end(reports);
}

/** Objects that a command describes in one account, and the name of their set. */
export interface JobObjects {
  /** Default: the current account. */
  readonly account?: string;
  readonly objects: readonly DesiredObject[];
  readonly command: string;
}

export const manifestInMemory = (desired: Desired): Manifest => ({
  desired,
  warnings: [],
  filledIn: new Map(),
  unset: [],
});

/** Plans objects of a command. The ledger keeps them only as the set that `--set` names. Throws like `planAccounts`. */
export const planObjects = (
  context: Context,
  { account, objects, command }: JobObjects,
  input: PlanningInput,
  opening: PlanOpening = {},
): Promise<Planning> => {
  const desired = { accounts: [{ account, objects }], inputs: [], set: input.setName ?? command };
  const isUnmanaged = input.setName === undefined;
  return planAccounts(context, input, { ...opening, manifest: manifestInMemory(desired), isUnmanaged });
};

/** Throws `conflict` for plans that change or delete an existing object. */
export async function refuseChanges({ accounts }: Pick<Planning, 'accounts'>): Promise<void> {
  const steps = accounts.flatMap(({ plan }) => plan.steps);
  const present = steps.find(({ by }) => by !== undefined && by !== 'create');
  if (present)
    throw new Failure('conflict', `The account already has ${present.label}. Nothing was created.`);
}

/** Returns the last run in the account, if it is an unfinished one of a set. Throws `Failure` if it is running. */
export async function unfinishedRun(context: Context, set: string): Promise<Run | undefined> {
  const run = await resumableRun(await openRuns(context), await currentAccount(context));
  if (run?.set !== set) return undefined;
  if (run.state === 'running') throw stillRunning(run);
  return run;
}

/** Throws `usage` for `--resume` if the last run in the account is not an unfinished one of a set. */
export async function requireUnfinishedRun(
  context: Context,
  { resume, set }: { readonly resume: boolean | undefined; readonly set: string },
): Promise<void> {
  if (resume !== true || (await unfinishedRun(context, set))) return;
  throw new Failure('usage', `The last run is not an unfinished "${set}". Nothing was sent.`, {
    hint: 'Repeat the command without --resume.',
  });
}
