import { Failure } from '../../../base/failure.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { planAccounts } from '../../planning.ts';
import { planMany } from '../accounts/many-accounts.ts';
import type { diffOptions, savedPlanOptions } from './plan-commands.ts';
import { hasDifferences, planReport } from './plan-report.ts';
import { tooMuchOf } from './refusals.ts';
import { refuseSaving, savePlan } from './save-plan.ts';

/** Shows what an apply would do, and keeps it in a file where one is named. Sends no writes. */
export async function planManifest(
  input: InputOf<typeof savedPlanOptions>,
  context: Context,
): Promise<Result> {
  const { out, accounts } = input;
  if (accounts !== undefined) {
    if (out !== undefined)
      throw new Failure('usage', 'A saved plan is for one account; leave out --out or --accounts.');
    return planMany(context, input, accounts);
  }
  if (out !== undefined) await refuseSaving(context, input, out);
  const planning = await planAccounts(context, input);
  const report = planReport(context, planning, tooMuchOf(planning.accounts, input));
  if (out !== undefined) {
    await savePlan(context, planning, input, out);
    context.notices.say(`Kept in ${out}. Carry it out with: telctl apply ${out}`);
  }
  return input.exitCode && hasDifferences(planning) ? { ...report, exit: 'differences' } : report;
}

/** Shows how accounts differ from their manifest. Sends no writes. */
export async function diffManifest(input: InputOf<typeof diffOptions>, context: Context): Promise<Result> {
  if (input.accounts !== undefined) return planMany(context, input, input.accounts);
  const planning = await planAccounts(context, input);
  const report = planReport(context, planning, tooMuchOf(planning.accounts, input));
  return input.exitCode && hasDifferences(planning) ? { ...report, exit: 'differences' } : report;
}
