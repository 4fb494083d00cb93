import { Failure } from '../../contract/failure.ts';
import { counted } from '../../contract/wording.ts';
import type { Plan } from './plan.ts';
import { isWholeStep } from './step-object.ts';

/** How much a plan may do without being asked for by an option. */
export interface PlanLimits {
  readonly maxDeletes: number;
  /** Counts from ten existing objects up. */
  readonly maxChangePercent: number;
}

/** Fewer objects than this are changed without counting. */
const countedFrom = 10;

/** Why a plan is refused (exit 9), naming the option that allows it; `undefined` where it is not. */
export function planSafety(plan: Plan, { maxDeletes, maxChangePercent }: PlanLimits): Failure | undefined {
  const { name } = plan.account;
  const objects = plan.steps.filter((step) => step.action !== 'create' && isWholeStep(step));
  const deletes = objects.filter(({ action }) => action === 'delete').length;
  const changes = deletes + objects.filter(({ action }) => action === 'update').length;
  const percent = Math.ceil((100 * changes) / Math.max(1, objects.length));
  const tooMany = objects.length >= countedFrom && percent > maxChangePercent;
  const allowed = tooMany ? ` --max-change-percent ${percent}` : '';
  if (deletes > maxDeletes)
    return new Failure(
      'refused',
      `The plan deletes ${counted(deletes, 'object')} of ${name}; ${maxDeletes} at most are deleted unasked.`,
      {
        hint: `If that is meant: --max-deletes ${deletes}${allowed}`,
        details: { deletes, max_deletes: maxDeletes },
      },
    );
  if (!tooMany) return undefined;
  return new Failure(
    'refused',
    `The plan changes or deletes ${changes} of ${counted(objects.length, 'existing object')} of ${name} (${percent} %); ${maxChangePercent} % at most are changed unasked.`,
    {
      hint: `If that is meant:${allowed}`,
      details: { changes, objects: objects.length, percent, max_change_percent: maxChangePercent },
    },
  );
}
