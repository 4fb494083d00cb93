import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { planMany } from '../accounts/plan-many.ts';
import type { diffOptions } from './plan-commands.ts';
import { hasDifferences, planReport } from './plan-report.ts';
import { planAccounts } from './planning.ts';

/** Shows how accounts differ from their manifest. Sends no writes. */
export async function diffManifest(input: InputOf<typeof diffOptions>, context: Context): Promise<Result> {
  if (input.accounts !== undefined) return planMany(context, input, input.accounts);
  const planning = await planAccounts(context, input);
  const report = planReport(context, planning);
  return input.exitCode && hasDifferences(planning) ? { ...report, exit: 'differences' } : report;
}
