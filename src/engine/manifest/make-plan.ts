import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { omitUndefined, unlessEmpty } from '../../base/json.ts';
import { problemsFailure } from '../input/document.ts';
import { entriesOf, type Ledger, type LedgerEntry, objectName, otherOwners } from '../state/ledger.ts';
import { isWholeStep } from '../state/log.ts';
import { type DesiredAccount, type DesiredObject, desiredLabel, isNamedOutside } from './desired.ts';
import { kindByName, nameInKey } from './kinds.ts';
import { fileHash } from './ledger/hashing.ts';
import { arrangeSteps } from './plan/arrange.ts';
import { type DraftStep, type ObjectPlanning, planDelete, planObject } from './plan/plan-object.ts';
import { createNaming } from './plan/shown-change.ts';
import {
  type Action,
  type Change,
  type Counts,
  type Doubled,
  doubleKey,
  type KeptObject,
  type LiveObject,
  type Observed,
  type Plan,
  planVersion,
  type Step,
  secondStep,
} from './plan.ts';

export interface PlanInput {
  readonly desired: DesiredAccount;
  readonly observed: Observed;
  readonly ledger: Ledger | undefined;
  readonly elsewhere?: Ledger | undefined;
  readonly set: string;
  /** Deletes objects that this set created or adopted and the manifest does not contain. */
  readonly prune: boolean;
  /** Deletes other objects with the same name as an object of the manifest. */
  readonly deleteDoubles?: boolean;
  /** Sends values that the service does not show and the ledger does not contain. */
  readonly sendUnreadable: boolean;
}

/** Throws `Failure`: `refused` if `prune` is not safe, `invalid` for objects that the service cannot create. */
export function makePlan(input: PlanInput): Plan {
  const { desired, observed, ledger, elsewhere, set, sendUnreadable } = input;
  const entries = entriesOf(ledger, set);
  const naming = createNaming(desired, observed);
  const planning = { observed, naming, salt: ledger?.salt ?? '', entries, sendUnreadable };
  refuseUncreatable(desired, observed);
  const owners = otherOwners([ledger, elsewhere], set);
  const { drafts, doubled } = planDoubles(
    desired.objects.flatMap((object) =>
      addUpload(planning, object, noteOwner(planObject(planning, object), entries, owners)),
    ),
    observed,
    input.deleteDoubles ?? false,
  );
  const { deletes, kept } = planPrune(input, entries, owners);
  return {
    version: planVersion,
    account: { id: observed.account.id, name: observed.account.name, origin: observed.account.origin },
    set,
    steps: arrangeSteps([...drafts, ...deletes], observed),
    ...omitUndefined({ kept: unlessEmpty(kept), doubles: unlessEmpty(doubled) }),
  };
}

/** Settings that an account has once can be in several sets. */
function noteOwner(
  draft: DraftStep,
  entries: ReadonlyMap<string, LedgerEntry>,
  owners: ReadonlyMap<string, readonly LedgerEntry[]>,
): DraftStep {
  const { step } = draft;
  const { key, kind, id } = step;
  if (id === undefined || kindByName(kind).shape === 'one' || entries.get(key)?.id === id) return draft;
  const [owner] = owners.get(objectName({ kind, id })) ?? [];
  if (owner === undefined) return draft;
  const { set, protect } = owner;
  const note = `managed by the manifest set ${JSON.stringify(set)}${protect ? ', which protects it' : ''}`;
  return { ...draft, step: { ...step, takesFrom: set, notes: [...step.notes, note] } };
}

function refuseUncreatable({ objects }: DesiredAccount, { matches, unreadable }: Observed): void {
  const problems = objects.flatMap((object) => {
    const { resource, shape, calls } = kindByName(object.kind);
    if (shape === 'one' || calls.create || matches.has(object.key) || unreadable.has(object.kind)) return [];
    return [
      object.problem('', `the account has no such ${resource.singular}, and the service cannot create one`),
    ];
  });
  if (problems.length > 0) throw problemsFailure(problems);
}

export function countSteps(plan: Plan): Counts {
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

/** Adds duplicates to the steps of their objects. With `isDeleted`, adds steps that delete them. */
function planDoubles(
  drafts: readonly DraftStep[],
  { doubles, matches, abandoned }: Observed,
  isDeleted: boolean,
): { readonly drafts: readonly DraftStep[]; readonly doubled: readonly Doubled[] } {
  if (doubles.size === 0) return { drafts, doubled: [] };
  const deletes: DraftStep[] = [];
  const doubled: Doubled[] = [];
  const noted = drafts.map((draft) => {
    const { key, kind, name, label } = draft.step;
    const others = doubles.get(key);
    const id = matches.get(key)?.id;
    if (others === undefined || id === undefined) return draft;
    const gone = isDeleted ? others.filter((other) => abandoned.has(doubleKey(key, other))) : [];
    const deleted = gone.length > 0 ? (true as const) : undefined;
    doubled.push(omitUndefined({ key, label, id, others, deleted }));
    for (const other of gone) {
      const record = abandoned.get(doubleKey(key, other))?.record;
      const own = desiredLabel(kindByName(kind), name, record ? [record] : []);
      const object = { key: doubleKey(key, other), kind, name, label: own, id: other };
      deletes.push(planDelete(object, record, `duplicate; ${key} is ${id}`));
    }
    const note = `has duplicates: ${[id, ...others].join(' and ')}`;
    return { ...draft, step: { ...draft.step, notes: [...draft.step.notes, note] } };
  });
  return { drafts: [...noted, ...deletes], doubled };
}

/** The upload is a separate step, so that the next apply can repeat it. */
function addUpload(planning: ObjectPlanning, object: DesiredObject, draft: DraftStep): readonly DraftStep[] {
  const { file } = object;
  const { step } = draft;
  if (file === undefined || step.action === 'unverifiable') return [draft];
  const live = planning.observed.matches.get(object.key);
  const known = planning.entries.get(object.key);
  const kept = known !== undefined && known.id === live?.id ? known.file : undefined;
  const same: DraftStep = { ...draft, step: { ...step, file } };
  if (live !== undefined && isStored(planning, object, live, kept)) return [same];
  const drift = live !== undefined && hasOtherSize(live, kept) ? (true as const) : undefined;
  const bytes = liveFileSize(live);
  const change: Change = omitUndefined({
    path: 'file',
    how: bytes === undefined ? ('set' as const) : ('changed' as const),
    before: bytes === undefined ? undefined : { bytes },
    after: { bytes: file.bytes, type: file.type },
    drift,
  });
  const upload = {
    action: 'update',
    changes: [change],
    send: {},
    by: 'upload',
    file,
    ...omitUndefined({ drifted: drift && ['file'] }),
  } as const;
  if (step.by === undefined) return [{ ...same, step: { ...step, ...upload } }];
  const second: Step = { ...secondStep(step, 'file'), ...upload, completes: step.key };
  return [draft, { step: second, record: undefined, next: undefined, refersTo: [step.key] }];
}

function liveFileSize(live: LiveObject | undefined): number | undefined {
  const said = live?.file?.bytes ?? live?.record?.content_length;
  return typeof said === 'number' ? said : undefined;
}

/** Compares with the ledger or the file that was just downloaded. */
function isStored(
  { salt }: ObjectPlanning,
  { kind, file }: DesiredObject,
  live: LiveObject,
  kept: LedgerEntry['file'],
): boolean {
  if (file === undefined) return true;
  if (kept === undefined) return live.file?.sha256 === file.sha256;
  return kept.hash === fileHash(salt, { kind, id: live.id }, file.sha256) && !hasOtherSize(live, kept);
}

function hasOtherSize({ record }: LiveObject, kept: LedgerEntry['file']): boolean {
  const now = record?.content_length;
  return typeof now === 'number' && kept?.bytes !== undefined && kept.bytes !== now;
}

/** Keeps the signed-in user, the account, protected objects, and objects of other sets. */
function planPrune(
  { desired, observed, set, prune }: PlanInput,
  entries: ReadonlyMap<string, LedgerEntry>,
  owners: ReadonlyMap<string, readonly LedgerEntry[]>,
): { readonly deletes: readonly DraftStep[]; readonly kept: readonly KeptObject[] } {
  if (prune && entries.size === 0) throw unknownSetFailure(observed, set);
  if (prune && desired.objects.length === 0)
    throw new Failure(
      'refused',
      `The manifest ${set} contains no objects, so --prune would delete everything that it created in ${observed.account.name}.`,
      { hint: 'Delete objects one by one, or keep one in the manifest.' },
    );
  const deletes: DraftStep[] = [];
  const kept: KeptObject[] = [];
  for (const [key, live] of observed.abandoned) {
    const entry = entries.get(key);
    if (entry === undefined) continue;
    const kind = kindByName(entry.kind);
    if (kind.calls.delete === undefined) continue;
    const name = nameInKey(key);
    const isHidden = isNamedOutside(kind, {
      fields: live.record ?? entry.natural,
      confidential: entry.confidential ?? [],
    });
    const label = desiredLabel(kind, name, isHidden ? [] : [live.record ?? entry.natural]);
    const others = owners.get(objectName({ kind: entry.kind, id: live.id })) ?? [];
    const why = reasonToKeep(entry, others, live.id, observed, prune);
    if (why !== undefined) {
      kept.push({ key, label, why });
      continue;
    }
    const notes = entry.kind === 'accounts' ? ['deletes the account with everything in it'] : [];
    deletes.push(planDelete({ key, kind: kind.name, name, label, id: live.id }, live.record, ...notes));
  }
  return { deletes, kept };
}

function reasonToKeep(
  { origin, protect }: LedgerEntry,
  others: readonly LedgerEntry[],
  id: string,
  { account }: Observed,
  prune: boolean,
): KeptObject['why'] | undefined {
  if (id === account.ownerId || id === account.id) return 'signed-in';
  if (protect || others.some((other) => other.protect)) return 'protected';
  if (others.length > 0) return 'other-set';
  if (origin === 'found') return 'found';
  return prune ? undefined : 'not-pruned';
}

const unknownSetFailure = ({ account }: Observed, set: string): Failure =>
  new Failure(
    'refused',
    `The objects of manifest set ${JSON.stringify(set)} in ${account.name} are unknown, so --prune cannot delete them.`,
    {
      hint: createHint`Apply it once without --prune, or adopt existing objects first: ${nextStep`adopt -f FILE`}`,
    },
  );
