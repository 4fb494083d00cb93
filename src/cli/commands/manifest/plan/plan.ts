import { Failure, leadsOn, nextStep } from '../../../../base/failure.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { annotated } from '../../annotated.ts';
import { withCalls } from '../../changed-calls.ts';
import { planAccounts } from '../../planning.ts';
import { planMany } from '../accounts/many-accounts.ts';
import { lookedAt } from './looking.ts';
import type { diffOptions, savedPlanOptions } from './plan-commands.ts';
import { hasDifferences, planReport } from './plan-report.ts';
import { tooMuchOf } from './refusals.ts';
import { refuseSaving, savePlan } from './save-plan.ts';

/** Shows what an apply would do, and keeps it in a file where one is named. Sends no writes. */
export const planManifest = (input: InputOf<typeof savedPlanOptions>, context: Context): Promise<Result> =>
  annotated(context, input.annotate, (own) => planned(input, own));

async function planned(input: InputOf<typeof savedPlanOptions>, context: Context): Promise<Result> {
  const { out, accounts, drift } = input;
  if (out === undefined && input.calls.length === 0) return diffManifest(input, context);
  if (drift && out !== undefined)
    throw new Failure('usage', '--drift shows what others changed, which is no plan to keep.', {
      hint: leadsOn`Leave out --out or --drift. To set back what others changed: ${nextStep`apply --overwrite`}`,
    });
  if (out === undefined) return planWithCalls(input, context);
  await refuseSaving(context, input, out);
  if (accounts === '-')
    throw new Failure('usage', 'The plan of a fleet reads its list of accounts again; it has to be a file.', {
      hint: 'Put the list into a file: --accounts FILE',
    });
  if (accounts !== undefined) return planMany(context, input, accounts, out);
  const planning = await planAccounts(context, input);
  const looked = await lookedAt(context, planning, input);
  const report = planReport(context, looked, tooMuchOf(planning.accounts, input));
  await savePlan(context, looked, input, out);
  context.notices.say(`Kept in ${out}. Carry it out with: ${nextStep`apply ${out}`}`);
  const told = await withCalls(context, report, planning.accounts, input.calls);
  return input.exitCode && hasDifferences(planning) ? { ...told, exit: 'differences' } : told;
}

/** Shows a plan, and the calls that go elsewhere by it. */
async function planWithCalls(input: InputOf<typeof savedPlanOptions>, context: Context): Promise<Result> {
  if (input.accounts !== undefined)
    throw new Failure(
      'usage',
      '--calls is about one account at a time, so that --accounts does not go with it.',
    );
  const planning = await lookedAt(context, await planAccounts(context, input), input);
  const tooMuch = input.drift ? undefined : tooMuchOf(planning.accounts, input);
  const report = planReport(context, planning, tooMuch, { drift: input.drift });
  const told = await withCalls(context, report, planning.accounts, input.calls);
  return input.exitCode && hasDifferences(planning) ? { ...told, exit: 'differences' } : told;
}

/** Shows how accounts differ from their manifest. Sends no writes. */
export async function diffManifest(input: InputOf<typeof diffOptions>, context: Context): Promise<Result> {
  if (input.accounts !== undefined) return planMany(context, input, input.accounts);
  const planning = await lookedAt(context, await planAccounts(context, input), input);
  const tooMuch = input.drift ? undefined : tooMuchOf(planning.accounts, input);
  const report = planReport(context, planning, tooMuch, { drift: input.drift });
  return input.exitCode && hasDifferences(planning) ? { ...report, exit: 'differences' } : report;
}
