import { Failure } from '../../../base/failure.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { damagedPlan, readSavedPlan } from '../../../manifest/read-saved-plan.ts';
import type { SavedPlan } from '../../../manifest/saved-plan.ts';
import { readShownPlan } from '../../../manifest/saved-steps.ts';
import type { showArguments } from './plan-commands.ts';
import type { PlannedAccount } from './plan-lines.ts';
import { planReport } from './plan-report.ts';
import { readPlanFile } from './save-plan.ts';

/** Shows a plan that was kept in a file, as it was shown when it was made. Asks no service. */
export async function showSavedPlan(
  { plan: name }: InputOf<Record<never, never>, typeof showArguments>,
  context: Context,
): Promise<Result> {
  const saved = readSavedPlan(name, await readPlanFile(context, name));
  const accounts = saved.accounts.map(({ plan }): PlannedAccount => {
    const { plan: steps, refused, refusedUnasked } = readShownPlan(plan, () => damagedPlan(name));
    return {
      plan: steps,
      ...{ refusal: refused && failureOf(refused), inUse: undefined, createdBy: undefined },
      unasked: refusedUnasked,
    };
  });
  const report = planReport(context, { accounts });
  return { ...report, lines: [[{ text: madeFrom(saved), mark: 'dim' }], [], ...report.lines] };
}

const failureOf = ({ kind, message, hint }: ReturnType<typeof readShownPlan>['refusedUnasked'][number]) =>
  new Failure(kind, message, hint === undefined ? {} : { hint });

/** `A plan made from base.yaml and prod.yaml, with --prune` */
function madeFrom({ inputs, options }: SavedPlan): string {
  const files = inputs.map(({ name }) => name).join(', ');
  const only = Array.isArray(options.only) ? options.only.map((each) => `--only ${String(each)}`) : [];
  const given = [...(options.prune === true ? ['--prune'] : []), ...only];
  return `A plan made from ${files}${given.length === 0 ? '' : `, with ${given.join(' ')}`}`;
}
