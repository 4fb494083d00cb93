import { Failure } from '../../../../base/failure.ts';
import { counted } from '../../../../base/wording.ts';
import type { Observed, Plan } from '../../../../engine/manifest/plan.ts';
import type { Service } from '../../../../engine/manifest/service.ts';
import { deletionsOf, type Uses, usesLeft, usesOf } from '../../../../engine/manifest/used-by.ts';
import type { Context } from '../../../command/context.ts';
import { placesText, usedFailure, useLabel, warnOfUnlisted } from '../../generic/use-report.ts';

/** A plan whose deletes say what refers to their objects. */
export interface GuardedPlan {
  readonly plan: Plan;
  /** Reason why it is not carried out unasked: what it deletes is in use. */
  readonly inUse: Failure | undefined;
}

/**
 * Looks for what refers to the objects that a plan deletes, less what the plan removes itself, and notes it at their
 * steps. What was observed is not read again. Throws `Failure` of kind `unavailable` as `usesOf` does, unless the deletes are
 * forced.
 */
export async function guardDeletes(
  context: Context,
  service: Service,
  plan: Plan,
  observed: Observed,
  force: boolean,
): Promise<GuardedPlan> {
  const deletions = deletionsOf(plan);
  if (deletions.length === 0) return { plan, inUse: undefined };
  const found = await usesOf(
    service,
    deletions.map(({ target }) => target),
    {
      seen: observed,
      concurrency: context.settings.concurrency.value,
      progress: (done, total) => context.notices.progress(done, total, 'read records'),
    },
  ).catch((error: unknown): Uses => {
    if (!force || !(error instanceof Failure) || error.kind !== 'unavailable') throw error;
    context.notices.warn(`What refers to the objects that are deleted is not known: ${error.message}`);
    return { uses: [], unlisted: [] };
  });
  warnOfUnlisted(context, found);
  const left = usesLeft(plan, found.uses, observed);
  if (left.length === 0) return { plan, inUse: undefined };
  const notes = new Map(
    deletions.map(({ step, target }) => [
      step.key,
      left
        .filter((use) => use.target === target)
        .map((use) => `is used by ${useLabel(use)} (${placesText(use)})`),
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
      : `What the plan deletes (${counted(used.length, 'object')} of it)`;
  const hint = 'Take out of the account what refers to it, or delete it all the same: --force';
  return { plan: { ...plan, steps }, inUse: usedFailure(what, left, hint) };
}
