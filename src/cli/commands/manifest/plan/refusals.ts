import type { Failure, FailureKind } from '../../../../base/failure.ts';
import { counted } from '../../../../base/wording.ts';
import type { Plan } from '../../../../engine/manifest/plan.ts';
import { limitsOf, runSafety } from '../../../../engine/manifest/plan-safety.ts';
import type { AccountPlanning, PlanningInput } from '../../planning.ts';
import { changedOf, ownedText } from '../apply/unasked.ts';

/** A reason why `apply` stops where nobody can be asked, with the option that answers. */
export interface Unasked {
  readonly kind: FailureKind;
  readonly message: string;
}

/** Lists what `apply --yes` would refuse of a plan that it carries out once somebody was asked, or an option says so. */
export function unaskedOf({
  plan,
  inUse,
  unasked,
}: Pick<AccountPlanning, 'plan' | 'inUse'> & {
  readonly unasked?: readonly Unasked[];
}): readonly Unasked[] {
  if (unasked) return unasked;
  return [...drifted(plan), ...owned(plan), ...(inUse === undefined ? [] : [used(inUse)])];
}

function drifted({ steps }: Plan): readonly Unasked[] {
  const count = steps.filter((step) => (step.drifted ?? []).length > 0).length;
  if (count === 0) return [];
  const what = `${counted(count, 'object')} ${count === 1 ? 'was' : 'were'}`;
  const message = `${what} changed by others since the last apply; apply sets that back only with --overwrite.`;
  return [{ kind: 'conflict', message }];
}

function owned(plan: Plan): readonly Unasked[] {
  const taken = changedOf([{ plan }]);
  if (taken.length === 0) return [];
  const message = `${ownedText(taken)}. apply changes it only where that is agreed to, or with --take-over.`;
  return [{ kind: 'refused', message }];
}

const used = ({ kind }: Failure): Unasked => ({
  kind,
  message: 'What is deleted is in use: apply asks about it, and with --yes it takes --force.',
});

/** Returns the reason why all plans together would be refused, where none of them is refused by itself. */
export const tooMuchOf = (
  accounts: readonly Pick<AccountPlanning, 'plan' | 'refusal'>[],
  input: PlanningInput,
): Failure | undefined =>
  accounts.some(({ refusal }) => refusal !== undefined)
    ? undefined
    : runSafety(
        accounts.map(({ plan }) => plan),
        limitsOf(input),
      );
