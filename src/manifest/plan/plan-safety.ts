import { Failure } from '../../base/failure.ts';
import { counted } from '../../base/wording.ts';
import { isWholeStep } from '../../state/log.ts';
import type { Plan } from '../plan.ts';

/** Limits of what plans may do without an option that asks for it. */
export interface PlanLimits {
  /** Deletes in one account. */
  readonly maxDeletes: number;
  /** Deletes in all accounts of a run. */
  readonly maxDeletesTotal: number;
  /** In one account, and in all accounts of a run. Counts from ten existing objects up. */
  readonly maxChangePercent: number;
}

/** The limits that options give; what they leave out is filled in. */
export function limitsOf({
  maxDeletes = 3,
  maxDeletesTotal = Math.max(10, maxDeletes),
  maxChangePercent = 30,
}: Partial<{ readonly [K in keyof PlanLimits]: PlanLimits[K] | undefined }>): PlanLimits {
  return { maxDeletes, maxDeletesTotal, maxChangePercent };
}

/** Fewer objects than this are changed without counting. */
const countedFrom = 10;

interface Changes {
  readonly objects: number;
  readonly deletes: number;
  readonly changes: number;
}

function changesIn({ steps }: Plan): Changes {
  const objects = steps.filter((step) => step.action !== 'create' && isWholeStep(step));
  const deletes = objects.filter(({ action }) => action === 'delete').length;
  const changes = deletes + objects.filter(({ action }) => action === 'update').length;
  return { objects: objects.length, deletes, changes };
}

/** The changes that are judged, and the name of their owner: `acme`, `20 accounts`. */
interface Judged extends Changes {
  readonly whose: string;
  readonly atMost: number;
  readonly option: string;
  readonly maxChangePercent: number;
}

/**
 * Returns the reason why a plan is refused (exit 9), naming the option that allows it; `undefined` where it is not.
 */
export const planSafety = (plan: Plan, { maxDeletes, maxChangePercent }: PlanLimits): Failure | undefined =>
  judged({
    ...changesIn(plan),
    whose: plan.account.name,
    atMost: maxDeletes,
    option: '--max-deletes',
    maxChangePercent,
  });

/** Returns the reason why the plans of all accounts of a run are refused together, as `planSafety` does for one. */
export function runSafety(
  plans: readonly Plan[],
  { maxDeletesTotal, maxChangePercent }: PlanLimits,
): Failure | undefined {
  const all = plans.map(changesIn);
  const sum = (of: keyof Changes): number => all.reduce((total, each) => total + each[of], 0);
  return judged({
    ...{ objects: sum('objects'), deletes: sum('deletes'), changes: sum('changes') },
    whose: plans.length === 1 ? (plans[0]?.account.name ?? '') : `${plans.length} accounts`,
    atMost: maxDeletesTotal,
    option: '--max-deletes-total',
    maxChangePercent,
  });
}

function judged({
  objects,
  deletes,
  changes,
  whose,
  atMost,
  option,
  maxChangePercent,
}: Judged): Failure | undefined {
  const percent = Math.ceil((100 * changes) / Math.max(1, objects));
  const tooMany = objects >= countedFrom && percent > maxChangePercent;
  const allowed = tooMany ? ` --max-change-percent ${percent}` : '';
  if (deletes > atMost)
    return new Failure(
      'refused',
      `The plan deletes ${counted(deletes, 'object')} of ${whose}; ${atMost} at most are deleted unasked.`,
      {
        hint: `If that is meant: ${option} ${deletes}${allowed}`,
        details: { deletes, [option.slice(2).replaceAll('-', '_')]: atMost },
      },
    );
  if (!tooMany) return undefined;
  return new Failure(
    'refused',
    `The plan changes or deletes ${changes} of ${counted(objects, 'existing object')} of ${whose} (${percent} %); ${maxChangePercent} % at most are changed unasked.`,
    {
      hint: `If that is meant:${allowed}`,
      details: { changes, objects, percent, max_change_percent: maxChangePercent },
    },
  );
}
