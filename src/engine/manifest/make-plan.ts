import { problemsFailure } from '../input/document.ts';
import type { Ledger, LedgerEntry } from '../state/ledger.ts';
import { entriesOf, objectName, otherOwners } from '../state/ledger.ts';
import { isWholeStep } from '../state/log.ts';
import type { DesiredAccount } from './desired.ts';
import { withDoubles } from './doubles.ts';
import { kindByName } from './kinds.ts';
import type { Observed } from './observed.ts';
import { arranged } from './plan/arrange.ts';
import { namingOf } from './plan/naming.ts';
import { withFile } from './plan/plan-file.ts';
import { type Draft, planObject } from './plan/plan-object.ts';
import { type Action, type Counts, type Plan, planVersion } from './plan.ts';
import { pruned } from './prune.ts';

export interface PlanInput {
  readonly desired: DesiredAccount;
  readonly observed: Observed;
  readonly ledger: Ledger | undefined;
  /** The ledger that the state has of the account, where another one is used: other sets may stand in it. */
  readonly elsewhere?: Ledger | undefined;
  /** Name of the manifest set. */
  readonly set: string;
  /** True when objects are deleted that this set once made or adopted and the manifest no longer names. */
  readonly prune: boolean;
  /** True when objects that stand beside one of the manifest, by its name, are deleted. */
  readonly deleteDoubles?: boolean;
  /** Values that the service does not show, and of which the ledger knows nothing, are sent. */
  readonly sendUnreadable: boolean;
}

/**
 * Returns the changes to one account that make it as the manifest wants it. A pure function: no clock, no service.
 * Throws `Failure`: `refused` where `prune` is not safe, `invalid` for objects that the service has no call to make.
 */
export function makePlan(input: PlanInput): Plan {
  const { desired, observed, ledger, elsewhere, set, prune, sendUnreadable } = input;
  const entries = entriesOf(ledger, set);
  const naming = namingOf(desired, observed);
  const planning = { observed, naming, salt: ledger?.salt ?? '', entries, sendUnreadable };
  refuseImpossible(desired, observed);
  const owners = otherOwners([ledger, elsewhere], set);
  const { drafts, doubled } = withDoubles(
    desired.objects.flatMap((object) =>
      withFile(planning, object, withOwner(planObject(planning, object), entries, owners)),
    ),
    observed,
    input.deleteDoubles ?? false,
  );
  const { deletes, kept } = pruned({ desired, observed, entries, owners, set, prune });
  return {
    version: planVersion,
    account: { id: observed.account.id, name: observed.account.name, origin: observed.account.origin },
    set,
    steps: arranged([...drafts, ...deletes], observed),
    ...(kept.length === 0 ? {} : { kept }),
    ...(doubled.length === 0 ? {} : { doubles: doubled }),
  };
}

/** A draft that says which other set manages its object. What an account has once may be described by several. */
function withOwner(
  draft: Draft,
  entries: ReadonlyMap<string, LedgerEntry>,
  owners: ReadonlyMap<string, readonly LedgerEntry[]>,
): Draft {
  const { step } = draft;
  const { key, kind, id } = step;
  if (id === undefined || kindByName(kind).shape === 'one' || entries.get(key)?.id === id) return draft;
  const [owner] = owners.get(objectName({ kind, id })) ?? [];
  if (owner === undefined) return draft;
  const { set, protect } = owner;
  const note = `managed by the manifest set ${JSON.stringify(set)}${protect ? ', which protects it' : ''}`;
  return { ...draft, step: { ...step, takesFrom: set, notes: [...step.notes, note] } };
}

/** Objects that are not there, of kinds that the service has no call to make. */
function refuseImpossible({ objects }: DesiredAccount, { matches, unreadable }: Observed): void {
  const problems = objects.flatMap((object) => {
    const { resource, shape, calls } = kindByName(object.kind);
    if (shape === 'one' || calls.create || matches.has(object.key) || unreadable.has(object.kind)) return [];
    return [
      object.problem(
        '',
        `there is no such ${resource.singular} in the account, and the service has no way to make one`,
      ),
    ];
  });
  if (problems.length > 0) throw problemsFailure(problems);
}

export function countsOf(plan: Plan): Counts {
  const objects = plan.steps.filter(isWholeStep);
  const count = (action: Action): number => objects.filter((step) => step.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    unchanged: count('unchanged'),
    delete: count('delete'),
    unverifiable: count('unverifiable'),
  };
}
