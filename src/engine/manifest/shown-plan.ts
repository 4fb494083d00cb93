import { type Failure, type FailureKind, nextStep } from '../../base/failure.ts';
import { omitUndefined, unlessEmpty } from '../../base/json.ts';
import { joinUpTo } from '../../base/wording.ts';
import { countSteps } from './make-plan.ts';
import {
  type Action,
  type Change,
  type Counts,
  type Doubled,
  type KeptObject,
  type Plan,
  planVersion,
  type Step,
} from './plan.ts';

export type ShownChange = Pick<Change, keyof Change>;

/** Documented in docs/plan.md. */
export type ShownStep = {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly label: string;
  readonly action: Action;
  readonly id?: string;
  readonly changes: readonly ShownChange[];
  readonly by?: 'create' | 'patch' | 'replace' | 'delete' | 'upload' | 'call';
  readonly sends?: readonly string[];
  readonly after: readonly string[];
  readonly may_cost?: true;
  /** Fields that others changed since telctl last wrote them. */
  readonly drifted?: readonly string[];
  readonly protect?: true;
  readonly takes_from?: string;
  readonly releases?: string;
  readonly completes?: string;
  readonly notes: readonly string[];
};

/** Reason why `apply` would refuse a plan, always or only if it cannot ask. */
export type ShownRefusal = { readonly kind: FailureKind; readonly message: string; readonly hint?: string };

/** The manifest does not contain the object, and it is kept. */
export type ShownKept = Pick<KeptObject, 'key' | 'label' | 'why'> & { readonly note: string };

export type ShownPlan = {
  readonly account: { readonly id: string | null; readonly name: string; readonly origin: string };
  readonly set: string;
  readonly steps: readonly ShownStep[];
  readonly counts: Counts;
  /** Objects that the manifest does not contain and that are kept. `note` has the reason, and what to do. */
  readonly kept?: readonly ShownKept[];
  /** No manifest set manages the duplicates. */
  readonly doubles?: readonly Pick<Doubled, keyof Doubled>[];
  readonly refused?: ShownRefusal;
  readonly refused_unasked?: readonly ShownRefusal[];
  /** Includes sections that could not be read completely. */
  readonly unmanaged?: readonly { readonly kind: string; readonly id: string; readonly label: string }[];
  readonly unread?: Readonly<Record<string, string>>;
  readonly prices?: readonly ShownPrice[];
  readonly charges?: ShownCharges;
};

/** Sums of estimated prices before taxes. */
export type ShownCharges = {
  readonly accounts?: number;
  readonly recurring: string;
  readonly once?: string;
};

export type ShownPrice = {
  /** Kind of the steps. `path` is the growing field, or the type of the added records (`user`). */
  readonly key: string;
  readonly path: string;
  readonly added: number;
  readonly in_all?: number;
  /** Amount for each item on each bill. */
  readonly rate: string;
  /** Additional amount of each bill, after discounts. */
  readonly recurring: string;
  readonly once?: string;
};

export type ShownPlans = {
  readonly version: typeof planVersion;
  readonly accounts: readonly ShownPlan[];
  readonly refused?: ShownRefusal;
};

/** Omits request bodies, because they contain secrets (docs/plan.md). */
export function shownPlan(plan: Plan, refusal?: Refusal, unasked: readonly Refusal[] = []): ShownPlan {
  const { account, set, steps, kept, doubles } = plan;
  return {
    account: { id: account.id ?? null, name: account.name, origin: account.origin },
    set,
    steps: steps.map(shownStep),
    counts: countSteps(plan),
    ...omitUndefined({
      kept: kept?.map(shownKept),
      doubles,
      refused: refusal && shownRefusal(refusal),
      refused_unasked: unlessEmpty(unasked.map(shownRefusal)),
    }),
  };
}

export const shownKept = (kept: KeptObject): ShownKept => ({ ...kept, note: notes[kept.why] });

export const shownPlans = (accounts: readonly ShownPlan[], refusal?: Refusal): ShownPlans => ({
  version: planVersion,
  accounts,
  ...omitUndefined({ refused: refusal && shownRefusal(refusal) }),
});

type Refusal = Pick<Failure, 'kind' | 'message'> & Partial<Pick<Failure, 'hint'>>;

export const shownRefusal = ({ kind, message, hint }: Refusal): ShownRefusal =>
  omitUndefined({ kind, message, hint });

export function shownStep(step: Step): ShownStep {
  const { key, kind, name, label, action, id, changes, send, by, after, mayCost, drifted, notes } = step;
  return omitUndefined({
    key,
    kind,
    name,
    label,
    action,
    id,
    changes,
    by,
    sends: send && Object.keys(send),
    after,
    may_cost: mayCost,
    drifted,
    protect: step.protect ? (true as const) : undefined,
    takes_from: step.takesFrom,
    releases: step.releases,
    completes: step.completes,
    notes,
  });
}

const notes: Readonly<Record<KeptObject['why'], string>> = {
  'not-pruned': 'not deleted: --prune deletes it',
  protected: 'never deleted: it is protected',
  'signed-in': 'never deleted: it is signed in',
  'other-set': 'not deleted: another manifest set manages it',
  found: `not deleted: never adopted; to delete it, put it back, run ${nextStep`adopt`}, take it out again, and apply with --prune`,
};

const keptLabels = ({ kept = [] }: Pick<Plan, 'kept'>, ...why: readonly KeptObject['why'][]) =>
  kept.filter((each) => why.includes(each.why)).map(({ label }) => label);

/** Returns a sentence for each reason why objects outside the manifest are kept. */
export function describeKept(plan: Plan): readonly string[] {
  const unpruned = keptLabels(plan, 'not-pruned');
  const others = keptLabels(plan, 'other-set');
  const gone = 'No longer in the manifest';
  const they = unpruned.length === 1 ? 'it' : 'they';
  return [
    ...(unpruned.length === 0
      ? []
      : [`${gone}: ${joinUpTo(unpruned, named)}. With --prune ${they} would be deleted.`]),
    ...describeNeverDeleted(plan),
    ...(others.length === 0 ? [] : [`${gone}, and managed by another set: ${joinUpTo(others, named)}.`]),
  ];
}

/** telctl found these objects and did not adopt them, so it never prunes them. */
export const foundObjects = ({ kept = [] }: Pick<Plan, 'kept'>): readonly KeptObject[] =>
  kept.filter(({ why }) => why === 'found');

export function describeNeverDeleted(plan: Pick<Plan, 'kept'>): readonly string[] {
  const found = keptLabels(plan, 'found');
  const safe = keptLabels(plan, 'protected', 'signed-in');
  const [it, they, were] = found.length === 1 ? ['it', 'it', 'was'] : ['them', 'they', 'were'];
  return [
    ...(found.length === 0
      ? []
      : [
          `No longer in the manifest, and not deleted: never adopted: ${joinUpTo(found, named)}. To delete ${it}, put ${it} back, run ${nextStep`adopt`}, take ${it} out again, and apply with --prune; to leave ${it}, ${nextStep`state forget NAME`}: ${they} ${were} found, not made by telctl.`,
        ]),
    ...(safe.length === 0 ? [] : [`No longer in the manifest, and never deleted: ${joinUpTo(safe, named)}.`]),
  ];
}

/** Objects in one sentence. */
const named = 5;

export function describeDoubles({ doubles = [] }: Plan): readonly string[] {
  const left = doubles.filter(({ deleted }) => !deleted);
  const gone = doubles.filter(({ deleted }) => deleted);
  return [
    ...left
      .slice(0, named)
      .map(({ label, id, others }) => `Duplicates of ${label}: ${[id, ...others].join(' and ')}.`),
    ...(left.length > named
      ? [`… and ${left.length - named} more; ${nextStep`find --doubles`} lists them.`]
      : []),
    ...(left.length === 0 ? [] : ['apply --delete-doubles adopts the first of each and deletes the others.']),
    ...gone.map(({ label, id }) => `Adopted: ${label} ${id}; its duplicates are deleted.`),
  ];
}
