import type { Ledger } from '../../state/ledger.ts';
import type { RunPart } from '../../state/runs.ts';
import type { DesiredAccount, DesiredObject } from '../desired/desired.ts';
import type { Observed } from '../observed.ts';
import { arranged } from '../plan/arrange.ts';
import { namingOf } from '../plan/naming.ts';
import { type Draft, type ObjectPlanning, planObject } from '../plan/plan-object.ts';
import { type Plan, planVersion } from '../plan.ts';
import {
  idsAsReferences,
  type Referrer,
  recreatedBy,
  referrerFields,
  repair,
  withReferrers,
} from './undo-references.ts';
import { type Leave, unchanged, uncreated, undeleted, undoable } from './undo-step.ts';

/** Input for reversing a part of a run. */
export interface UndoInput {
  readonly part: RunPart;
  /**
   * The account as it is: `matches` has the live objects of the run's steps by their keys, `listed` the kinds of which
   * it deleted some.
   */
  readonly observed: Observed;
  /** Objects that name what the run deleted by its old id. */
  readonly referrers: readonly Referrer[];
  /** True when changes that others made since are set back, too. */
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
 * The plan that reverses what a run did to one account: what it created is deleted, what it changed gets its old
 * values, what it deleted is created again. What others changed since stays, unless it is to be overwritten; so does
 * what nobody knows the old value of.
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
  const deletes: Draft[] = [];
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
  const drafts = objects
    .map((object) => planObject(planning, object))
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

const withNote = (draft: Draft): Draft => ({
  ...draft,
  step: { ...draft.step, notes: [...draft.step.notes, 'names what is created again by its new id'] },
});
