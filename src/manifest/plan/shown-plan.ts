import type { Failure } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { type Change, type Plan, planVersion, type Step } from '../plan.ts';
import { countsOf } from './make-plan.ts';

/**
 * A plan as `-o json` gives it and plan files keep it (docs/plan.md): without what is sent, since that holds secrets
 * in clear.
 */
export function shownPlan(plan: Plan, refusal?: Failure): JsonObject {
  const { account, set, steps, kept } = plan;
  return {
    account: { id: account.id ?? null, name: account.name, origin: account.origin },
    set,
    steps: steps.map(shownStep),
    counts: { ...countsOf(plan) },
    ...(kept === undefined ? {} : { kept: kept.map((each) => ({ ...each })) }),
    ...(refusal === undefined ? {} : { refused: shownRefusal(refusal) }),
  };
}

/** Plans of several accounts in one versioned document. */
export const shownPlans = (accounts: readonly JsonObject[], refusal?: Failure): JsonObject => ({
  version: planVersion,
  accounts,
  ...(refusal === undefined ? {} : { refused: shownRefusal(refusal) }),
});

const shownRefusal = ({ kind, message, hint }: Failure): JsonObject => ({
  kind,
  message,
  ...(hint === undefined ? {} : { hint }),
});

/** One step as scripts see it. */
export function shownStep(step: Step): JsonObject {
  const { key, kind, name, label, action, id, changes, send, by, after, drifted, notes, protect } = step;
  return {
    key,
    kind,
    name,
    label,
    action,
    ...(id === undefined ? {} : { id }),
    changes: changes.map(shownChangeOf),
    ...(by === undefined ? {} : { by }),
    ...(send === undefined ? {} : { sends: Object.keys(send) }),
    after: [...after],
    ...(step.mayCost ? { may_cost: true } : {}),
    ...(drifted === undefined ? {} : { drifted: [...drifted] }),
    ...(protect ? { protect } : {}),
    ...(step.takesFrom === undefined ? {} : { takes_from: step.takesFrom }),
    ...(step.releases === undefined ? {} : { releases: step.releases }),
    ...(step.completes === undefined ? {} : { completes: step.completes }),
    notes: [...notes],
  };
}

function shownChangeOf({ path, how, before, after, secret, sources, drift, from }: Change): JsonObject {
  const values: Record<string, Json> = {};
  if (before !== undefined) values.before = before;
  if (after !== undefined) values.after = after;
  return {
    path,
    how,
    ...values,
    ...(secret ? { secret } : {}),
    ...(sources ? { sources: [...sources] } : {}),
    ...(drift ? { drift } : {}),
    ...(from === undefined ? {} : { from }),
  };
}
