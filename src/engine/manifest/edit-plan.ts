import { isEqualJson, type JsonObject } from '../../base/json.ts';
import { placesAt } from '../input/document.ts';
import { desiredLabel } from './desired.ts';
import { desiredObject } from './desired-object.ts';
import { type Kind, keyWithin } from './kinds.ts';
import { nothingObserved } from './observe.ts';
import { arrangeSteps } from './plan/arrange.ts';
import { type DraftStep, planDelete, planObject } from './plan/plan-object.ts';
import { createNaming } from './plan/shown-change.ts';
import { type EndingRequest, type Observed, type ObservedAccount, type Plan, planVersion } from './plan.ts';

/** A change or deletion of a record that a command has read. */
export interface Edit {
  readonly kind: Kind;
  /** The kind's name for objects that an account has once. */
  readonly id: string;
  readonly record: JsonObject;
  /** `null` removes a field. Omitted if the record is deleted. */
  readonly fields?: JsonObject;
  readonly note?: string;
}

/** A live call, session or queue membership that ends before its record is deleted. */
export interface Ending {
  readonly of: { readonly kind: Kind; readonly id: string };
  readonly name: string;
  readonly label: string;
  readonly call: EndingRequest;
}

export const fieldsThatDiffer = (before: JsonObject, after: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((field) => !isEqualJson(before[field], after[field]))
      .map((field) => [field, after[field] ?? null]),
  );

/** Returns the plan with the records that it is based on. */
export function planEdits(
  account: ObservedAccount,
  set: string,
  edits: readonly Edit[],
  endings: readonly Ending[] = [],
): { readonly plan: Plan; readonly observed: Observed } {
  const editKey = ({ kind, id }: Edit): string => keyWithin(kind, id);
  const matches = new Map(edits.map((edit) => [editKey(edit), { id: edit.id, record: edit.record }]));
  const observed = { ...nothingObserved(account), matches };
  const naming = createNaming({ account: undefined, objects: [] }, observed);
  const planning = {
    observed,
    naming,
    salt: '',
    entries: new Map(),
    sendUnreadable: true,
    restores: true,
  } as const;
  const drafts = edits.map((edit): DraftStep => {
    const { kind, id, record, fields, note } = edit;
    const notes = note === undefined ? [] : [note];
    if (fields === undefined) {
      const label = desiredLabel(kind, id, [record]);
      return planDelete({ key: editKey(edit), kind: kind.name, name: id, label, id }, record, ...notes);
    }
    const object = desiredObject(kind.name, id, fields, placesAt(desiredLabel(kind, id, [record])));
    const draft = planObject(planning, object);
    return { ...draft, step: { ...draft.step, notes: [...draft.step.notes, ...notes] } };
  });
  const changes = drafts.filter(({ next }) => next !== undefined);
  const deletions = drafts.filter(({ next }) => next === undefined);
  const steps = arrangeSteps([...changes, ...endings.map(endingDraft), ...deletions], observed);
  const { id, name, origin } = account;
  return { observed, plan: { version: planVersion, account: { id, name, origin }, set, steps } };
}

/** Refers to the deleted record, so that it runs before the delete. */
const endingDraft = ({ of, name, label, call }: Ending): DraftStep => ({
  step: {
    key: `${call.operation}:${name}`,
    kind: of.kind.name,
    name,
    label,
    action: 'update',
    changes: [],
    by: 'call',
    call,
    after: [],
    notes: [],
    managed: {},
    protect: false,
  },
  record: { owner_id: of.id },
  next: {},
  refersTo: [],
});
