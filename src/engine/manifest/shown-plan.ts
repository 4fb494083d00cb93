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

/** A field that changes, as scripts see it. */
export type ShownChange = Pick<Change, keyof Change>;

/** One step of a plan as scripts see it (docs/plan.md). */
export type ShownStep = {
  readonly key: string;
  /** Section of the manifest. */
  readonly kind: string;
  readonly name: string;
  readonly label: string;
  readonly action: Action;
  readonly id?: string;
  readonly changes: readonly ShownChange[];
  readonly by?: 'create' | 'patch' | 'replace' | 'delete' | 'upload' | 'call';
  /** Names of the fields that are sent. */
  readonly sends?: readonly string[];
  /** Keys of the steps that must have succeeded before. */
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

/** An object that the manifest no longer names and that stays. */
export type ShownKept = Pick<KeptObject, 'key' | 'label' | 'why'> & { readonly note: string };

/** The plan of one account as scripts see it. */
export type ShownPlan = {
  readonly account: { readonly id: string | null; readonly name: string; readonly origin: string };
  readonly set: string;
  readonly steps: readonly ShownStep[];
  readonly counts: Counts;
  /** Objects that the manifest no longer names and that stay; `note` says why, and what to do. */
  readonly kept?: readonly ShownKept[];
  /** Objects by whose name the account has others that nobody manages. */
  readonly doubles?: readonly Pick<Doubled, keyof Doubled>[];
  readonly refused?: ShownRefusal;
  readonly refused_unasked?: readonly ShownRefusal[];
  /** With `--unmanaged`: what is in the account and in no manifest, and sections that could not be read whole. */
  readonly unmanaged?: readonly { readonly kind: string; readonly id: string; readonly label: string }[];
  readonly unread?: Readonly<Record<string, string>>;
  /** Prices that the service tells of what the plan adds. */
  readonly prices?: readonly ShownPrice[];
  /** Their sums. */
  readonly charges?: ShownCharges;
};

/** Sums of prices: estimates, before taxes. */
export type ShownCharges = {
  /** Accounts that have any, where there are many. */
  readonly accounts?: number;
  readonly recurring: string;
  readonly once?: string;
};

export type ShownPrice = {
  /** Kind of the steps; the field that grows, or the sort of records that are added (`user`). */
  readonly key: string;
  readonly path: string;
  readonly added: number;
  readonly in_all?: number;
  /** Of each, with each bill. */
  readonly rate: string;
  /** More with each bill, less discounts. */
  readonly recurring: string;
  readonly once?: string;
};

/** The plans of a manifest's accounts as scripts see them. */
export type ShownPlans = {
  readonly version: typeof planVersion;
  readonly accounts: readonly ShownPlan[];
  readonly refused?: ShownRefusal;
};

/** A plan as `-o json` and plan files have it (docs/plan.md): without what is sent, which holds secrets. */
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

/** An object that stays, as scripts see it. */
export const shownKept = (kept: KeptObject): ShownKept => ({ ...kept, note: notes[kept.why] });

/** Plans of several accounts in one versioned document. */
export const shownPlans = (accounts: readonly ShownPlan[], refusal?: Refusal): ShownPlans => ({
  version: planVersion,
  accounts,
  ...omitUndefined({ refused: refusal && shownRefusal(refusal) }),
});

type Refusal = Pick<Failure, 'kind' | 'message'> & Partial<Pick<Failure, 'hint'>>;

/** A reason for refusing a plan, as scripts see it. */
export const shownRefusal = ({ kind, message, hint }: Refusal): ShownRefusal =>
  omitUndefined({ kind, message, hint });

/** One step as scripts see it. */
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

/** Reasons for which an object that the manifest no longer names stays, each with what to do about it. */
const notes: Readonly<Record<KeptObject['why'], string>> = {
  'not-pruned': 'not deleted: --prune deletes it',
  protected: 'never deleted: it is protected',
  'signed-in': 'never deleted: it is signed in',
  'other-set': 'not deleted: another manifest set manages it',
  found: `not deleted: never adopted; to delete it, put it back, run ${nextStep`adopt`}, take it out again, and apply with --prune`,
};

const labelsOf = ({ kept = [] }: Pick<Plan, 'kept'>, ...why: readonly KeptObject['why'][]) =>
  kept.filter((each) => why.includes(each.why)).map(({ label }) => label);

/** Returns the texts about objects that the manifest no longer names, and that stay. */
export function keptTexts(plan: Plan): readonly string[] {
  const unpruned = labelsOf(plan, 'not-pruned');
  const others = labelsOf(plan, 'other-set');
  const gone = 'No longer in the manifest';
  const they = unpruned.length === 1 ? 'it' : 'they';
  return [
    ...(unpruned.length === 0
      ? []
      : [`${gone}: ${joinUpTo(unpruned, named)}. With --prune ${they} would be deleted.`]),
    ...neverDeleted(plan),
    ...(others.length === 0 ? [] : [`${gone}, and managed by another set: ${joinUpTo(others, named)}.`]),
  ];
}

/** Objects that nobody may prune, since telctl found them and was never told to adopt them. */
export const foundObjects = ({ kept = [] }: Pick<Plan, 'kept'>): readonly KeptObject[] =>
  kept.filter(({ why }) => why === 'found');

/** Says which objects stay although the manifest no longer names them, whatever is asked for. */
export function neverDeleted(plan: Pick<Plan, 'kept'>): readonly string[] {
  const found = labelsOf(plan, 'found');
  const safe = labelsOf(plan, 'protected', 'signed-in');
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

/** Most objects that a sentence names. */
const named = 5;

/** Returns the texts about duplicate objects. */
export function doubledTexts({ doubles = [] }: Plan): readonly string[] {
  const left = doubles.filter(({ deleted }) => !deleted);
  const gone = doubles.filter(({ deleted }) => deleted);
  return [
    ...left
      .slice(0, named)
      .map(({ label, id, others }) => `Stands twice: ${label}, as ${[id, ...others].join(' and ')}.`),
    ...(left.length > named
      ? [`… and ${left.length - named} more; ${nextStep`find --doubles`} lists them.`]
      : []),
    ...(left.length === 0 ? [] : ['apply --delete-doubles adopts the first of each and deletes the others.']),
    ...gone.map(({ label, id }) => `Adopted: ${label} ${id}; what stands beside it by its name is deleted.`),
  ];
}
