import { isObject, type JsonObject, mapTexts } from '../../base/json.ts';
import { referencesOfRecord } from '../../contract/record-references.ts';
import { fieldAt } from '../../contract/schema.ts';
import { placesAt } from '../input/document.ts';
import type { Ledger } from '../state/ledger.ts';
import type { RunPart, RunStep } from '../state/runs.ts';
import { type Leave, namesake, unchanged, uncreated, undeleted, undoable } from './apply/undo-step.ts';
import { type DesiredAccount, type DesiredObject, referencesIn, referenceTo } from './desired.ts';
import { desiredObject } from './desired-object.ts';
import { type KindName, kindByName } from './kinds.ts';
import { arranged } from './plan/arrange.ts';
import { type DraftStep, type ObjectPlanning, planObject } from './plan/plan-object.ts';
import { namingOf } from './plan/shown-change.ts';
import { type LiveObject, type Observed, type Plan, planVersion } from './plan.ts';

interface UndoInput {
  readonly part: RunPart;
  /** The account now: `matches` has the live objects of the steps, `listed` the kinds of which some went. */
  readonly observed: Observed;
  /** Objects that name what the run deleted by its old id. */
  readonly referrers: readonly Referrer[];
  /** True if later changes by others are undone, too. */
  readonly overwrite: boolean;
  /** Names what the run did not change. */
  readonly ledger: Ledger | undefined;
  /** Makes a password for a user who is created again: the old one is kept nowhere, and none is not allowed. */
  newPassword(): string;
}

/** A part that is not reversed, with the reason. */
export interface NotUndone {
  readonly key: string;
  readonly label: string;
  readonly why: string;
  /** `true`: it is done where what others changed is to be overwritten. */
  readonly overwritable?: true;
}

export interface Undoing {
  readonly plan: Plan;
  readonly left: readonly NotUndone[];
}

/**
 * The plan that reverses what a run did to one account. What others changed since stays, unless it is to be
 * overwritten; so does what nobody knows the old value of.
 */
export function undoPlan({
  part,
  observed: seen,
  referrers,
  overwrite,
  ledger,
  newPassword,
}: UndoInput): Undoing {
  const left: NotUndone[] = [];
  const leave: Leave = ({ planned: { key, label } }, why, overwritable) => {
    left.push({ key, label, why, ...(overwritable ? { overwritable } : {}) });
  };
  const steps = undoable(part);
  const recreated = recreatedBy(steps, seen);
  const observed = withReferrers(seen, referrers);
  const deletes: DraftStep[] = [];
  const restored: DesiredObject[] = [];
  for (const step of steps) {
    const { action } = step.planned;
    if (action === 'create') deletes.push(...uncreated(step, part, { observed, ledger, overwrite }, leave));
    else if (action === 'delete') restored.push(...undeleted(step, observed, leave, newPassword));
    else restored.push(...unchanged(step, part, observed, overwrite, leave));
  }
  const objects = restored.map((object) => idsAsReferences(object, recreated));
  const gone = new Set(deletes.map(({ step }) => step.id));
  for (const referrer of referrers) {
    const id = observed.matches.get(referrer.key)?.id;
    if (!gone.has(id)) repair(objects, referrer, referrerFields(referrer, recreated), observed);
  }
  const desired: DesiredAccount = { account: undefined, objects };
  const planning: ObjectPlanning = {
    observed,
    naming: namingOf(desired, observed, ledger?.entries),
    salt: part.start.salt,
    entries: new Map(),
    sendUnreadable: true,
    restores: true,
  };
  const repaired = new Set(referrers.map(({ key }) => key));
  const formerIds = new Map([...recreated].map(([id, key]) => [key, id]));
  const drafts = objects
    .map((object) => withFormerId(planObject(planning, object), formerIds))
    .map((draft) => (repaired.has(draft.step.key) ? withNote(draft) : draft));
  const { id, name, origin } = observed.account;
  const all = arranged([...drafts, ...deletes], observed);
  return {
    plan: {
      version: planVersion,
      account: { id, name, origin },
      set: part.start.set,
      steps: all.filter(({ by }) => by !== undefined),
    },
    left,
  };
}

/** A draft that names the id of the deleted record that it creates again, for the undo of earlier runs. */
function withFormerId(draft: DraftStep, formerIds: ReadonlyMap<string, string>): DraftStep {
  const { step } = draft;
  const replaces = step.action === 'create' ? formerIds.get(step.key) : undefined;
  return replaces === undefined ? draft : { ...draft, step: { ...step, replaces } };
}

const withNote = (draft: DraftStep): DraftStep => ({
  ...draft,
  step: { ...draft.step, notes: [...draft.step.notes, 'names what is created again by its new id'] },
});

/** An object that refers to another one by an id that no longer exists. */
export interface Referrer {
  /** As the ledger calls it, or by its kind and id. */
  readonly key: string;
  readonly kind: KindName;
  readonly record: JsonObject;
}

/** Ids of what a part deleted and its reversal creates again. */
export const recreatedIds = (part: RunPart, observed: Pick<Observed, 'listed'>): ReadonlySet<string> =>
  new Set(recreatedBy(undoable(part), observed).keys());

/** Maps the old ids of deleted objects that are created again to the keys of the objects. */
const recreatedBy = (
  steps: readonly RunStep[],
  observed: Pick<Observed, 'listed'>,
): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ planned, begin }) => {
      const { before, id } = begin ?? {};
      const isBack =
        planned.action === 'delete' &&
        isMany(planned.kind) &&
        isObject(before) &&
        Object.keys(before).length > 0 &&
        namesake(kindByName(planned.kind), before, observed) === undefined;
      return isBack && id !== undefined ? [[id, planned.key] as const] : [];
    }),
  );

/** Tells whether an account has several objects of a kind, each with an id of its own. */
const isMany = (kind: RunStep['planned']['kind']): boolean => kindByName(kind).shape === 'many';

const idOf = ({ kind, record }: Referrer): string => (isMany(kind) ? String(record.id ?? '') : kind);

/** Adds to what was seen the objects that are only repaired. One that the run changed, too, is there already. */
function withReferrers(observed: Observed, referrers: readonly Referrer[]): Observed {
  const more = referrers.flatMap((each): [string, LiveObject][] =>
    observed.matches.has(each.key) ? [] : [[each.key, { id: idOf(each), record: each.record }]],
  );
  return { ...observed, matches: new Map([...observed.matches, ...more]) };
}

/** The fields of a referrer that hold an id that is no more, with references in its place. */
function referrerFields(
  { kind: name, record }: Referrer,
  recreated: ReadonlyMap<string, string>,
): JsonObject {
  const kind = kindByName(name);
  const references = [...referencesOfRecord(kind, record, new Set(recreated.keys()))];
  const holding = new Set(references.flatMap(({ keys: [field], id }) => (recreated.has(id) ? [field] : [])));
  const fields = Object.entries(record).filter(
    ([field]) => holding.has(field) && fieldAt(kind.schema, field) !== undefined,
  );
  return referring(Object.fromEntries(fields), recreated);
}

/** Puts fields of a referrer to what is done with it anyway, or makes it one more object. */
function repair(
  objects: DesiredObject[],
  { key, kind, record }: Referrer,
  fields: JsonObject,
  observed: Observed,
): void {
  if (referencesIn(fields).length === 0) return;
  const id = observed.matches.get(key)?.id;
  const at = objects.findIndex(
    (object) => object.kind === kind && observed.matches.get(object.key)?.id === id,
  );
  const there = objects[at];
  if (there) {
    const both = { ...fields, ...there.fields };
    objects[at] = { ...there, fields: both, refersTo: referencesIn(both) };
  } else {
    const name = isMany(kind) ? String(record.id ?? '') : kind;
    objects.push({ ...desiredObject(kind, name, fields, placesAt('log')), key });
  }
}

/** A value in which the ids of objects that are created again are references to them. */
function referring(fields: JsonObject, recreated: ReadonlyMap<string, string>): JsonObject {
  if (recreated.size === 0) return fields;
  return mapTexts(fields, (here) => {
    const key = recreated.get(here);
    return key === undefined ? here : referenceTo(key);
  });
}

/** An object in which the ids of what is created again are references to it. */
function idsAsReferences(object: DesiredObject, recreated: ReadonlyMap<string, string>): DesiredObject {
  const fields = referring(object.fields, recreated);
  return { ...object, fields, refersTo: referencesIn(fields) };
}
