import { createHint, Failure, type FailureKind, nextStep } from '../../../../base/failure.ts';
import { formatCount, joinUpTo } from '../../../../base/wording.ts';
import type { AccountReader } from '../../../../engine/manifest/account-reader.ts';
import {
  plannedDeletions,
  remainingUses,
  searchUses,
  type Uses,
} from '../../../../engine/manifest/find-references.ts';
import type { Observed, Plan } from '../../../../engine/manifest/plan.ts';
import { planLimits, runSafety } from '../../../../engine/manifest/plan-safety.ts';
import type { Context } from '../../../command/context.ts';
import { describePlaces, inUseFailure, useLabel, warnUnlistedKinds } from '../../generic/use-report.ts';
import { readOptions } from '../../records/read-account.ts';
import type { AccountPlanning, PlanningInput } from './planning.ts';

type Plans = readonly Pick<AccountPlanning, 'plan'>[];

export const combinedRefusal = (
  accounts: readonly Pick<AccountPlanning, 'plan' | 'refusal'>[],
  input: PlanningInput,
): Failure | undefined =>
  accounts.some(({ refusal }) => refusal !== undefined)
    ? undefined
    : runSafety(
        accounts.map(({ plan }) => plan),
        planLimits(input),
      );

const driftsAtMost = 20;

/** Throws `refused` for too many changes, and `conflict` if others changed managed objects. */
export function refuseUnsafe(
  accounts: readonly AccountPlanning[],
  input: PlanningInput,
  overwrite: boolean,
): void {
  for (const { refusal } of accounts) if (refusal) throw refusal;
  const tooMuch = combinedRefusal(accounts, input);
  if (tooMuch) throw tooMuch;
  if (overwrite) return;
  const drifted = accounts.flatMap(({ plan }) =>
    plan.steps.flatMap(({ key, label, drifted: fields = [] }) =>
      fields.map((field) => ({ account: plan.account.name, key, label, field })),
    ),
  );
  if (drifted.length === 0) return;
  const lines = drifted.slice(0, driftsAtMost).map(({ label, field }) => `  ${label}: ${field}`);
  const more = drifted.length > driftsAtMost ? [`  … and ${drifted.length - driftsAtMost} more`] : [];
  throw new Failure(
    'conflict',
    ['Others changed what telctl manages since the last apply. Nothing was sent.', ...lines, ...more],
    {
      hint: createHint`See how: ${nextStep`diff`}. To revert it: --overwrite. To keep it, add it to the manifest.`,
      details: { drifted: drifted.map(({ account, key, field }) => ({ account, key, field })) },
    },
  );
}

/** Adds references to deleted objects to the steps. Throws like `searchUses`, unless deletes are forced. */
export async function guardDeletes(
  context: Context,
  reader: AccountReader,
  plan: Plan,
  observed: Observed,
  force: boolean,
): Promise<Pick<AccountPlanning, 'plan' | 'inUse'>> {
  const deletions = plannedDeletions(plan);
  if (deletions.length === 0) return { plan, inUse: undefined };
  const found = await searchUses(
    reader,
    deletions.map(({ target }) => target),
    readOptions(context),
  ).catch((error: unknown): Uses => {
    if (!force || !(error instanceof Failure) || error.kind !== 'unavailable') throw error;
    context.notices.warn(`References to the deleted objects are unknown: ${error.message}`);
    return { uses: [], unlisted: [] };
  });
  warnUnlistedKinds(context, found);
  const left = remainingUses(plan, found.uses, observed);
  if (left.length === 0) return { plan, inUse: undefined };
  const notes = new Map(
    deletions.map(({ step, target }) => [
      step.key,
      left
        .filter((use) => use.target === target)
        .map((use) => `is used by ${useLabel(use)} (${describePlaces(use)})`),
    ]),
  );
  const steps = plan.steps.map((step) => ({
    ...step,
    notes: [...step.notes, ...(notes.get(step.key) ?? [])],
  }));
  const used = deletions.filter(({ step }) => (notes.get(step.key) ?? []).length > 0);
  const [first] = used;
  const what =
    used.length === 1 && first
      ? first.step.label
      : `${formatCount(used.length, 'object')} that the plan deletes`;
  const hint = 'Remove the references first, or delete it anyway with --force.';
  return { plan: { ...plan, steps }, inUse: inUseFailure(what, left, hint) };
}

interface Owned {
  readonly label: string;
  readonly set: string;
}

export const objectsOfOtherSets = (accounts: Plans): readonly Owned[] =>
  accounts.flatMap(({ plan }) =>
    plan.steps.flatMap(({ label, takesFrom }) =>
      takesFrom === undefined ? [] : [{ label, set: takesFrom }],
    ),
  );

/** Unchanged objects stay in their set. */
export const changedObjectsOfOtherSets = (accounts: Plans): readonly Owned[] =>
  objectsOfOtherSets(
    accounts.map(({ plan }) => ({
      plan: { ...plan, steps: plan.steps.filter(({ by }) => by !== undefined) },
    })),
  );

const ownedAtMost = 5;

/** `2 objects are managed by other manifest sets: menu Main ("office"), user alice ("office")` */
function otherSetsText(taken: readonly Owned[]): string {
  const names = taken.map(({ label, set }) => `${label} (${JSON.stringify(set)})`);
  const are =
    taken.length === 1 ? 'is managed by another manifest set' : 'are managed by other manifest sets';
  return `${formatCount(taken.length, 'object')} ${are}: ${joinUpTo(names, ownedAtMost)}`;
}

/** Asks to take over objects from other sets. `--yes` does not confirm it. Throws `refused` and `interrupted`. */
export async function agreeToTakeOver(
  { ask }: Context,
  taken: readonly Owned[],
  isAgreed: boolean,
): Promise<void> {
  if (taken.length === 0 || isAgreed) return;
  const text = otherSetsText(taken);
  if (!ask.available)
    throw new Failure('refused', `${text}. Nothing was changed.`, {
      hint: `Take them over with --take-over. If the manifest only has a new name, keep the old one: --set-name ${JSON.stringify(taken[0]?.set)}`,
      details: { managed: taken.map((each) => ({ ...each })) },
      open: { question: `${text}. Take over?`, flags: ['--take-over'] },
    });
  if (!(await ask.confirmExplicitly(`${text}. Take over?`)))
    throw new Failure('interrupted', 'Nothing was changed.');
}

/** A reason for `apply` to stop without a terminal, with the option that confirms it. */
export interface NeededConfirmation {
  readonly kind: FailureKind;
  readonly message: string;
}

/** Lists reasons for `apply --yes` to refuse a plan, although a question or an option would confirm it. */
export function neededConfirmations({
  plan,
  inUse,
  unasked,
}: Pick<AccountPlanning, 'plan' | 'inUse'> & {
  readonly unasked?: readonly NeededConfirmation[];
}): readonly NeededConfirmation[] {
  if (unasked) return unasked;
  const found: NeededConfirmation[] = [];
  const drifted = plan.steps.filter((step) => (step.drifted ?? []).length > 0).length;
  if (drifted > 0) {
    const what = `${formatCount(drifted, 'object')} ${drifted === 1 ? 'was' : 'were'}`;
    const message = `${what} changed by others since the last apply; apply reverts that only with --overwrite.`;
    found.push({ kind: 'conflict', message });
  }
  const taken = changedObjectsOfOtherSets([{ plan }]);
  if (taken.length > 0) {
    const message = `${otherSetsText(taken)}. apply asks before it changes them, or needs --take-over.`;
    found.push({ kind: 'refused', message });
  }
  if (inUse !== undefined) {
    const message = 'Deleted objects are in use. apply asks about that; with --yes it needs --force.';
    found.push({ kind: inUse.kind, message });
  }
  return found;
}
