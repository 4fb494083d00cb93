import { createHint, Failure, type NextStep, nextStep } from '../../../../base/failure.ts';
import { compareSavedPlan } from '../../../../engine/manifest/saved-plan.ts';
import type { Consent, Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { confirmChange } from '../../change.ts';
import { agreeToPrices } from '../../charges/agree-to-prices.ts';
import { requirePart } from '../../extension.ts';
import { confirmStoppedCalls } from '../../guards/plan-guards.ts';
import { withNeeds } from '../../manifest-options.ts';
import { openGeneratedPasswords } from '../../passwords/passwords-file.ts';
import { planReport, showPlans, withDetails } from '../plan/plan-report.ts';
import { type Planning, type PlanOpening, planAccounts } from '../plan/planning.ts';
import { combinedRefusal } from '../plan/refusals.ts';
import { openSavedPlan } from '../plan/save-plan.ts';
import { applyPlans, currentAccount, hasRequests, type PlannedRun, refuseInUse } from './apply-plans.ts';
import { applyResult, nothingToDo } from './apply-report.ts';
import { type ApplyInput, readUnfinishedApply, refuseChangedInputs, wasConfirmed } from './resume.ts';

/** Changes accounts to match a manifest: shows the plan, asks once, and carries it out. */
export async function applyManifest(typed: ApplyInput, context: Context): Promise<Result> {
  if (typed.accounts !== undefined)
    return requirePart('applyFleet', 'apply --accounts')(context, typed, typed.accounts);
  const taken = typed.resume
    ? await readUnfinishedApply(context, await currentAccount(context), typed)
    : undefined;
  const input = taken?.input ?? typed;
  const passwords = openGeneratedPasswords(context, input.generatePasswords, taken !== undefined);
  const plans = async (given?: PlanOpening): Promise<SavedPlanned> => {
    const opening = { ...given, givesPasswords: passwords !== undefined };
    const planned = await makePlans(context, input, opening);
    if (taken) refuseChangedInputs(taken.run, planned.planning.desired.inputs);
    return planned;
  };
  if (context.options.dryRun) {
    const { planning, planInput } = await plans();
    const looked = await withDetails(context, planning, {});
    return planReport(context, looked, combinedRefusal(planning.accounts, planInput));
  }
  const reports = await applyPlans(context, input, {
    plans,
    resumes: taken?.run,
    passwords: passwords && {
      amend: (plan) => passwords.amend(plan),
      async prepare(plans) {
        await passwords.prepare(plans);
        passwords.report();
      },
    },
    async agree({ planning, planInput, isSaved }) {
      // Without a terminal, naming a saved plan is the confirmation.
      const isSaidBefore = isSaved && !context.ask.available;
      const isTakenUp = taken !== undefined && wasConfirmed(taken.run, planning);
      const isAsked = context.ask.available && !context.options.yes;
      if (!isTakenUp && !isAsked && !planInput.force) refuseInUse(planning.accounts);
      if (!planning.accounts.some(hasRequests)) return undefined;
      if (input.calls.length > 0) {
        const { agreeToCalls } = await requirePart('changedCalls', '--calls')();
        await agreeToCalls(context, planning.accounts, input);
      }
      return confirmPlan(context, planning, isSaidBefore || isTakenUp);
    },
  });
  return reports.some(hasRequests)
    ? applyResult(reports, nextStep`apply --resume ${withNeeds(context)}`, reapplyCommand(context, input))
    : nothingToDo(reports);
}

/** The command that applies a corrected manifest again. Only `--resume` reuses generated passwords. */
function reapplyCommand(context: Context, { file, generatePasswords }: ApplyInput): NextStep | undefined {
  if (generatePasswords !== undefined || file.length === 0) return undefined;
  return nextStep`apply ${file.flatMap((each) => ['-f', each])} ${withNeeds(context)}`;
}

interface SavedPlanned extends PlannedRun {
  readonly isSaved: boolean;
}

async function makePlans(context: Context, input: ApplyInput, opening?: PlanOpening): Promise<SavedPlanned> {
  if (input.plan === undefined)
    return { planning: await planAccounts(context, input, opening), planInput: input, isSaved: false };
  const { saved, input: planInput } = await openSavedPlan(context, input.plan, input);
  const planning = await planAccounts(context, planInput, opening);
  const moved = compareSavedPlan(saved, planning);
  if (moved.length === 0) return { planning, planInput, isSaved: true };
  throw new Failure(
    'conflict',
    [`${input.plan} is out of date. Nothing was sent.`, ...moved.map((each) => `  ${each}`)],
    { hint: createHint`Make the plan again: ${nextStep`plan -f FILE --out PLAN`}`, details: { moved } },
  );
}

/** Shows the plan and asks for confirmation and consent to known charges. Throws `interrupted`. */
async function confirmPlan(
  context: Context,
  planning: Planning,
  isAnswered: boolean,
): Promise<Consent | undefined> {
  const { ask, options } = context;
  const isShown = !isAnswered && !options.yes;
  const isAsked = ask.available && options.consent.kind === 'ask';
  const { accounts } = isShown || isAsked ? await withDetails(context, planning, {}) : planning;
  if (isShown) await showPlans(context, accounts);
  const names = accounts.map(({ plan }) => plan.account.name).join(', ');
  if (!isAnswered) {
    await confirmChange(context, `Apply these changes to ${names}?`);
    await confirmStoppedCalls(
      context,
      accounts.map(({ plan }) => plan),
    );
  }
  return agreeToPrices(context, accounts);
}
