import { isObject, type JsonObject, mapTexts } from '../../base/json.ts';
import { referencesOfRecord } from '../../contract/record-references.ts';
import { findFieldNode } from '../../contract/schema.ts';
import { placesAt } from '../input/document.ts';
import type { Ledger } from '../state/ledger.ts';
import type { RunPart, RunStep } from '../state/runs.ts';
import {
  findNamesake,
  type Leave,
  undoableSteps,
  undoCreate,
  undoDelete,
  undoUpdate,
} from './apply/undo-step.ts';
import { type DesiredAccount, type DesiredObject, referencesIn, referenceTo } from './desired.ts';
import { desiredObject } from './desired-object.ts';
import { type KindName, kindByName } from './kinds.ts';
import { arrangeSteps } from './plan/arrange.ts';
import { type DraftStep, type ObjectPlanning, planObject } from './plan/plan-object.ts';
import { createNaming } from './plan/shown-change.ts';
import { type LiveObject, type Observed, type Plan, planVersion } from './plan.ts';

interface UndoInput {
  readonly part: RunPart;
  /** `matches` contains the live objects of the steps, and `listed` the kinds with deleted objects. */
  readonly observed: Observed;
  /** Objects that refer to deleted objects by their old ids. */
  readonly referrers: readonly Referrer[];
  readonly overwrite: boolean;
  readonly ledger: Ledger | undefined;
  /** Old passwords are not stored, and users need one. */
  newPassword(): string;
}

export interface NotUndone {
  readonly key: string;
  readonly label: string;
  readonly why: string;
  /** True if `overwrite` would reverse it. */
  readonly overwritable?: true;
}

export interface Undoing {
  readonly plan: Plan;
  readonly left: readonly NotUndone[];
}

/** Keeps later changes by others unless `overwrite` is set, and values whose old value is unknown. */
export function undoPlan({
  part,
  observed: seen,
  referrers,
  overwrite,
  ledger,
  newPassword,
}: UndoInput): Undoing {
  const left: NotUndone[] = [];
  const noteLeft: Leave = ({ planned: { key, label } }, why, overwritable) => {
    left.push({ key, label, why, ...(overwritable ? { overwritable } : {}) });
  };
  const steps = undoableSteps(part);
  const recreated = recreatedKeys(steps, seen);
  const observed = withReferrers(seen, referrers);
  const deletes: DraftStep[] = [];
  const restored: DesiredObject[] = [];
  for (const step of steps) {
    const { action } = step.planned;
    if (action === 'create')
      deletes.push(...undoCreate(step, part, { observed, ledger, overwrite }, noteLeft));
    else if (action === 'delete') restored.push(...undoDelete(step, observed, noteLeft, newPassword));
    else restored.push(...undoUpdate(step, part, observed, overwrite, noteLeft));
  }
  const objects = restored.map((object) => replaceObjectIds(object, recreated));
  const gone = new Set(deletes.map(({ step }) => step.id));
  for (const referrer of referrers) {
    const id = observed.matches.get(referrer.key)?.id;
    if (!gone.has(id)) repairReferrer(objects, referrer, referrerFields(referrer, recreated), observed);
  }
  const desired: DesiredAccount = { account: undefined, objects };
  const planning: ObjectPlanning = {
    observed,
    naming: createNaming(desired, observed, ledger?.entries),
    salt: part.start.salt,
    entries: new Map(),
    sendUnreadable: true,
    restores: true,
  };
  const repaired = new Set(referrers.map(({ key }) => key));
  const formerIds = new Map([...recreated].map(([id, key]) => [key, id]));
  const drafts = objects
    .map((object) => noteFormerId(planObject(planning, object), formerIds))
    .map((draft) => (repaired.has(draft.step.key) ? noteNewIds(draft) : draft));
  const { id, name, origin } = observed.account;
  const all = arrangeSteps([...drafts, ...deletes], observed);
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

function noteFormerId(draft: DraftStep, formerIds: ReadonlyMap<string, string>): DraftStep {
  const { step } = draft;
  const replaces = step.action === 'create' ? formerIds.get(step.key) : undefined;
  return replaces === undefined ? draft : { ...draft, step: { ...step, replaces } };
}

const noteNewIds = (draft: DraftStep): DraftStep => ({
  ...draft,
  step: { ...draft.step, notes: [...draft.step.notes, 'names what is created again by its new id'] },
});

/** Refers to another object by an id that no longer exists. */
export interface Referrer {
  readonly key: string;
  readonly kind: KindName;
  readonly record: JsonObject;
}

/** Returns ids of deleted objects that the undo creates again. */
export const recreatedIds = (part: RunPart, observed: Pick<Observed, 'listed'>): ReadonlySet<string> =>
  new Set(recreatedKeys(undoableSteps(part), observed).keys());

/** Returns keys of deleted objects that are created again, by their old ids. */
const recreatedKeys = (
  steps: readonly RunStep[],
  observed: Pick<Observed, 'listed'>,
): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ planned, begin }) => {
      const { before, id } = begin ?? {};
      const isBack =
        planned.action === 'delete' &&
        isCollection(planned.kind) &&
        isObject(before) &&
        Object.keys(before).length > 0 &&
        findNamesake(kindByName(planned.kind), before, observed) === undefined;
      return isBack && id !== undefined ? [[id, planned.key] as const] : [];
    }),
  );

const isCollection = (kind: RunStep['planned']['kind']): boolean => kindByName(kind).shape === 'many';

const idOf = ({ kind, record }: Referrer): string => (isCollection(kind) ? String(record.id ?? '') : kind);

/** Skips referrers that the run changed. */
function withReferrers(observed: Observed, referrers: readonly Referrer[]): Observed {
  const more = referrers.flatMap((each): [string, LiveObject][] =>
    observed.matches.has(each.key) ? [] : [[each.key, { id: idOf(each), record: each.record }]],
  );
  return { ...observed, matches: new Map([...observed.matches, ...more]) };
}

/** Returns fields that contain old ids, with references instead. */
function referrerFields(
  { kind: name, record }: Referrer,
  recreated: ReadonlyMap<string, string>,
): JsonObject {
  const kind = kindByName(name);
  const references = [...referencesOfRecord(kind, record, new Set(recreated.keys()))];
  const holding = new Set(references.flatMap(({ keys: [field], id }) => (recreated.has(id) ? [field] : [])));
  const fields = Object.entries(record).filter(
    ([field]) => holding.has(field) && findFieldNode(kind.schema, field) !== undefined,
  );
  return replaceIds(Object.fromEntries(fields), recreated);
}

function repairReferrer(
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
    const name = isCollection(kind) ? String(record.id ?? '') : kind;
    objects.push({ ...desiredObject(kind, name, fields, placesAt('log')), key });
  }
}

function replaceIds(fields: JsonObject, recreated: ReadonlyMap<string, string>): JsonObject {
  if (recreated.size === 0) return fields;
  return mapTexts(fields, (here) => {
    const key = recreated.get(here);
    return key === undefined ? here : referenceTo(key);
  });
}

function replaceObjectIds(object: DesiredObject, recreated: ReadonlyMap<string, string>): DesiredObject {
  const fields = replaceIds(object.fields, recreated);
  return { ...object, fields, refersTo: referencesIn(fields) };
}
