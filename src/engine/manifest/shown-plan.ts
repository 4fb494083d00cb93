import { type Failure, type FailureKind, nextStep } from '../../base/failure.ts';
import { countsOf } from './make-plan.ts';
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
export type ShownChange = Pick<
  Change,
  'path' | 'how' | 'before' | 'after' | 'secret' | 'sources' | 'drift' | 'from'
>;

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
  readonly by?: 'create' | 'patch' | 'replace' | 'delete' | 'upload';
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

/** Reason why `apply` would refuse a plan, at all or where nobody can be asked. */
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
    counts: { ...countsOf(plan) },
    ...(kept === undefined ? {} : { kept: kept.map(shownKept) }),
    ...(doubles === undefined ? {} : { doubles: doubles.map((each) => ({ ...each })) }),
    ...(refusal === undefined ? {} : { refused: shownRefusal(refusal) }),
    ...(unasked.length === 0 ? {} : { refused_unasked: unasked.map(shownRefusal) }),
  };
}

/** An object that stays, as scripts see it. */
export const shownKept = (kept: KeptObject): ShownKept => ({ ...kept, note: keptNote(kept) });

/** Plans of several accounts in one versioned document. */
export const shownPlans = (accounts: readonly ShownPlan[], refusal?: Refusal): ShownPlans => ({
  version: planVersion,
  accounts,
  ...(refusal === undefined ? {} : { refused: shownRefusal(refusal) }),
});

type Refusal = Pick<Failure, 'kind' | 'message'> & Partial<Pick<Failure, 'hint'>>;

/** A reason for refusing a plan, as scripts see it. */
export const shownRefusal = ({ kind, message, hint }: Refusal): ShownRefusal => ({
  kind,
  message,
  ...(hint === undefined ? {} : { hint }),
});

/** One step as scripts see it. */
export function shownStep(step: Step): ShownStep {
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
    ...(step.mayCost ? { may_cost: true as const } : {}),
    ...(drifted === undefined ? {} : { drifted: [...drifted] }),
    ...(protect ? { protect: true as const } : {}),
    ...(step.takesFrom === undefined ? {} : { takes_from: step.takesFrom }),
    ...(step.releases === undefined ? {} : { releases: step.releases }),
    ...(step.completes === undefined ? {} : { completes: step.completes }),
    notes: [...notes],
  };
}

function shownChangeOf({ path, how, before, after, secret, sources, drift, from }: Change): ShownChange {
  return {
    path,
    how,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(secret ? { secret } : {}),
    ...(sources ? { sources: [...sources] } : {}),
    ...(drift ? { drift } : {}),
    ...(from === undefined ? {} : { from }),
  };
}

/** Reasons for which an object that the manifest no longer names stays, each with what to do about it. */
const notes: Readonly<Record<KeptObject['why'], string>> = {
  'not-pruned': 'not deleted: --prune deletes it',
  protected: 'never deleted: it is protected',
  'signed-in': 'never deleted: it is signed in',
  'other-set': 'not deleted: another manifest set manages it',
  found: `not deleted: never adopted; to delete it, put it back, run ${nextStep`adopt`}, take it out again, and apply with --prune`,
};

/** Says in a line why an object that the manifest no longer names stays. */
const keptNote = ({ why }: KeptObject): string => notes[why];

/** Returns the texts about objects that the manifest no longer names, and that stay. */
export function keptTexts({ kept = [] }: Plan): readonly string[] {
  const labels = (why: readonly string[]): readonly string[] =>
    kept.filter((each) => why.includes(each.why)).map(({ label }) => label);
  const unpruned = labels(['not-pruned']);
  const others = labels(['other-set']);
  const they = unpruned.length === 1 ? 'it' : 'they';
  return [
    ...(unpruned.length === 0
      ? []
      : [`No longer in the manifest: ${listed(unpruned)}. With --prune ${they} would be deleted.`]),
    ...neverDeleted({ kept }),
    ...(others.length === 0
      ? []
      : [`No longer in the manifest, and managed by another set: ${listed(others)}.`]),
  ];
}

/** Objects that nobody may prune, since telctl found them and was never told to adopt them. */
export const foundObjects = ({ kept = [] }: Pick<Plan, 'kept'>): readonly KeptObject[] =>
  kept.filter(({ why }) => why === 'found');

/** Says which objects stay although the manifest no longer names them, whatever is asked for. */
export function neverDeleted(plan: Pick<Plan, 'kept'>): readonly string[] {
  const safe = (plan.kept ?? []).filter(({ why }) => why === 'protected' || why === 'signed-in');
  const labels = listed(safe.map(({ label }) => label));
  return [
    ...neverAdopted(plan),
    ...(safe.length === 0 ? [] : [`No longer in the manifest, and never deleted: ${labels}.`]),
  ];
}

/** Says which objects nobody may prune, since telctl found them and was never told to adopt them. */
function neverAdopted(plan: Pick<Plan, 'kept'>): readonly string[] {
  const found = foundObjects(plan).map(({ label }) => label);
  if (found.length === 0) return [];
  const [it, they, were] = found.length === 1 ? ['it', 'it', 'was'] : ['them', 'they', 'were'];
  return [
    `No longer in the manifest, and not deleted: never adopted: ${listed(found)}. To delete ${it}, put ${it} back, run ${nextStep`adopt`}, take ${it} out again, and apply with --prune; to leave ${it}, ${nextStep`state forget NAME`}: ${they} ${were} found, not made by telctl.`,
  ];
}

const listed = (labels: readonly string[]): string =>
  labels.length > 5 ? `${labels.slice(0, 5).join(', ')} and ${labels.length - 5} more` : labels.join(', ');
